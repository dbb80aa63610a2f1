package shingle

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/alike-go/alike/similarity"
)

// AppendSketch appends the number of shingles, their hashes, and for a bag their
// weights, 8 bytes each, little-endian.
func (m *Method) AppendSketch(dst []byte, s Set) []byte {
	dst = appendWords(dst, s.Hashes)
	for _, w := range s.Weights {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(w))
	}
	return dst
}

// DecodeSketch decodes what AppendSketch encoded. It refuses hashes that do not
// ascend and weights that are not above zero.
func (m *Method) DecodeSketch(src []byte) (Set, int, error) {
	hashes, n, err := decodeAscending(src)
	if err != nil || len(hashes) == 0 || !m.bag {
		return Set{Hashes: hashes}, n, err
	}
	if len(src)-n < 8*len(hashes) {
		return Set{}, 0, fmt.Errorf("shingle: weights cut short: %w", similarity.ErrFormat)
	}
	weights := make([]float64, len(hashes))
	for i := range weights {
		w := math.Float64frombits(binary.LittleEndian.Uint64(src[n:]))
		if !(w > 0 && w <= maxWeight) {
			return Set{}, 0, fmt.Errorf("shingle: weight %g, want one above 0: %w", w, similarity.ErrFormat)
		}
		weights[i] = w
		n += 8
	}
	return Set{Hashes: hashes, Weights: weights}, n, nil
}

// appendWords appends a count and that many words.
func appendWords(dst []byte, words []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// decodeWords reads what appendWords wrote and returns how many bytes it took;
// no words are nil.
func decodeWords(src []byte) (words []uint64, n int, err error) {
	count, n := binary.Uvarint(src)
	if n <= 0 || count > uint64(len(src)-n)/8 {
		return nil, 0, fmt.Errorf("shingle: sketch cut short: %w", similarity.ErrFormat)
	}
	if n > 1 && count>>(7*(n-1)) == 0 {
		return nil, 0, fmt.Errorf("shingle: count of words not in its shortest form: %w", similarity.ErrFormat)
	}
	if count == 0 {
		return nil, n, nil
	}
	words = make([]uint64, count)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(src[n:])
		n += 8
	}
	return words, n, nil
}

// decodeAscending is decodeWords for words that must ascend strictly.
func decodeAscending(src []byte) ([]uint64, int, error) {
	words, n, err := decodeWords(src)
	for i := 1; i < len(words); i++ {
		if words[i] <= words[i-1] {
			return nil, 0, fmt.Errorf("shingle: hash %d of a sketch does not ascend: %w", i, similarity.ErrFormat)
		}
	}
	return words, n, err
}
