package external

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// sparse is a vector most of whose numbers are 0.
type sparse struct {
	Indices []uint64  `json:"indices"`
	Values  []float64 `json:"values"`
}

// fillVector reads a vector: a list, base64, or an object.
func (s *Sketch) fillVector(raw json.RawMessage, h *hello) error {
	var err error
	switch raw[0] {
	case '{':
		var v sparse
		if err = decode(raw, &v); err != nil {
			return err
		}
		if len(v.Indices) != len(v.Values) {
			return fmt.Errorf("%d indices and %d values", len(v.Indices), len(v.Values))
		}
		return s.fillSparse(v, h.Bits)
	case '"':
		var data []byte
		if data, err = packed(raw, h.Bits); err != nil {
			return err
		}
		s.values = floats(unpack(data, h.Bits), h.Bits)
	default:
		err = decode(raw, &s.values)
		round(s.values, h.Bits)
	}
	if err == nil && len(s.values) != h.Size && len(s.values) > 0 {
		err = fmt.Errorf("a vector of %d numbers, want the size of the first line, %d", len(s.values), h.Size)
	}
	return err
}

// fillSparse sorts a sparse vector by its indices.
func (s *Sketch) fillSparse(v sparse, bits int) error {
	order := make([]int, len(v.Indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if v.Indices[i] < v.Indices[j] {
			return -1
		}
		return 1
	})
	s.words, s.values = make([]uint64, len(order)), make([]float64, len(order))
	for k, i := range order {
		s.words[k], s.values[k] = v.Indices[i], v.Values[i]
		if s.words[k]>>32 != 0 || k > 0 && s.words[k] == s.words[k-1] {
			return fmt.Errorf("the index %d, want each once and below 2^32", s.words[k])
		}
	}
	round(s.values, bits)
	return nil
}

// round gives numbers the precision that they are said to have.
func round(values []float64, bits int) {
	if bits == 32 {
		for i, v := range values {
			values[i] = float64(float32(v))
		}
	}
}

// floats reads the bits of floats.
func floats(words []uint64, bits int) []float64 {
	out := make([]float64, len(words))
	for i, w := range words {
		if bits == 32 {
			out[i] = float64(math.Float32frombits(uint32(w)))
		} else {
			out[i] = math.Float64frombits(w)
		}
	}
	return out
}
