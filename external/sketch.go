package external

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Sketch is what a process answered for a text. The zero value is that of a text
// without features.
type Sketch struct {
	words  []uint64  // values of minhash, sorted set, code of simhash, indices of a sparse vector
	values []float64 // of a vector
	norm   float64   // their sum of squares
	bytes  int
	full   bool // has features

	kept *asked // by which the process knows it, where it does the scoring
}

// answer is the answer to a document.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Sketch json.RawMessage `json:"sketch"`
	Bytes  *int            `json:"bytes"`
	Empty  bool            `json:"empty"`
	Error  string          `json:"error"`
}

// parse reads the answer to a document.
func (s *Sketch) parse(line []byte, h *hello, asked *asked) error {
	var a answer
	if err := decode(line, &a); err != nil {
		return err
	}
	if want := id(asked.number); string(a.ID) != want && string(a.ID) != strconv.Quote(want) {
		return fmt.Errorf("%.60q, want the answer to \"id\": %q", line, want)
	}
	if a.Error != "" {
		return fmt.Errorf("the process says: %s", a.Error)
	}
	none := a.Sketch == nil || string(a.Sketch) == "null"
	if h.Kind == kindScores {
		s.kept = asked
		return s.parseSize(&a, none)
	}
	switch {
	case a.Empty || string(a.Sketch) == "null":
		return nil
	case none:
		return fmt.Errorf("%.60q, want a sketch", line)
	}
	return s.fill(a.Sketch, h)
}

// parseSize reads what a process says of a sketch that it keeps.
func (s *Sketch) parseSize(a *answer, none bool) error {
	s.full = !a.Empty
	switch {
	case !none:
		var text string
		if err := decode(a.Sketch, &text); err != nil {
			return err
		}
		data, err := base64.StdEncoding.DecodeString(text)
		s.bytes = len(data)
		return err
	case a.Bytes == nil && !a.Empty:
		return errors.New("neither sketch nor bytes, want its size in bytes at least")
	case a.Bytes != nil && *a.Bytes < 0:
		return fmt.Errorf("a sketch of %d bytes", *a.Bytes)
	case a.Bytes != nil:
		s.bytes = *a.Bytes
	}
	return nil
}

// fill reads a sketch that alike scores.
func (s *Sketch) fill(raw json.RawMessage, h *hello) error {
	var err error
	switch h.Kind {
	case kindSimHash:
		var code string
		if err = decode(raw, &code); err == nil {
			s.words, err = parseCode(code, h.Size)
		}
	case kindVector:
		err = s.fillVector(raw, h)
	default:
		s.words, err = parseWords(raw, h.Bits)
	}
	if err != nil {
		return err
	}
	return s.finish(h)
}

// finish checks a sketch of features and brings it into its canonical form.
func (s *Sketch) finish(h *hello) error {
	switch h.Kind {
	case kindMinHash:
		if len(s.words) != 0 && len(s.words) != h.Size {
			return fmt.Errorf("%d values, want %d", len(s.words), h.Size)
		}
		s.bytes = len(s.words) * h.Bits / 8
	case kindSet:
		slices.Sort(s.words)
		s.words = slices.Compact(s.words)
		s.bytes = len(s.words) * h.Bits / 8
	case kindSimHash:
		s.bytes = (h.Size + 7) / 8
	case kindVector:
		s.bytes = len(s.values)*h.Bits/8 + 4*len(s.words)
		if s.norm = dot(s, s); !(s.norm == 0 || s.norm > 1e-150 && s.norm < 1e150) {
			return fmt.Errorf("a vector of length %v", math.Sqrt(s.norm))
		}
		if s.full = s.norm > 0; !s.full {
			*s = Sketch{}
		}
		return nil
	}
	s.full = len(s.words) > 0
	return nil
}

// parseWords reads numbers, as a list or in base64.
func parseWords(raw json.RawMessage, bits int) ([]uint64, error) {
	if raw[0] != '"' {
		var words []uint64
		if err := decode(raw, &words); err != nil {
			return nil, err
		}
		for _, w := range words {
			if bits < 64 && w>>bits != 0 {
				return nil, fmt.Errorf("the number %d has more than %d bits", w, bits)
			}
		}
		return words, nil
	}
	data, err := packed(raw, bits)
	if err != nil {
		return nil, err
	}
	return unpack(data, bits), nil
}

// packed decodes base64 that holds numbers of so many bits.
func packed(raw json.RawMessage, bits int) ([]byte, error) {
	var text string
	if err := decode(raw, &text); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil && len(data)%(bits/8) != 0 {
		err = fmt.Errorf("%d bytes, want a multiple of %d", len(data), bits/8)
	}
	return data, err
}

// unpack reads numbers that lie one behind the other, least significant byte first.
func unpack(data []byte, bits int) []uint64 {
	words := make([]uint64, 0, len(data)*8/bits)
	for number := range slices.Chunk(data, bits/8) {
		var b [8]byte
		copy(b[:], number)
		words = append(words, binary.LittleEndian.Uint64(b[:]))
	}
	return words
}

// pack appends the lowest bits of numbers; unpack reads them.
func pack(dst []byte, words []uint64, bits int) []byte {
	for _, w := range words {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], w)
		dst = append(dst, b[:bits/8]...)
	}
	return dst
}

// parseCode reads a code of so many bits in hexadecimal.
func parseCode(code string, size int) ([]uint64, error) {
	if len(code) != size/4 {
		return nil, fmt.Errorf("the code %.40q, want %d digits", code, size/4)
	}
	if len(code)%2 == 1 {
		code = "0" + code
	}
	data, err := hex.DecodeString(code)
	if err != nil {
		return nil, fmt.Errorf("the code %.40q, want hexadecimal digits", code)
	}
	return unpack(append(data, make([]byte, -len(data)&7)...), 64), nil
}
