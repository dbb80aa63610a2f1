package cosine

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// Vector is a sparse vector: the weight of Terms[i] is Weights[i].
type Vector struct {
	Terms   []uint64  // feature hashes, strictly ascending
	Weights []float32 // above 0 and finite

	// mid is the number of terms in the lower half of all hashes, and sq the
	// dot product of the vector with itself.
	mid int
	sq  float64
}

// half begins the upper half of all hashes.
const half = 1 << 63

// seal completes a vector whose terms and weights are set.
func (v *Vector) seal() {
	v.mid, _ = slices.BinarySearch(v.Terms, half)
	v.sq = squares(v.Weights[:v.mid]) + squares(v.Weights[v.mid:])
}

// vector weighs terms, given in ascending order with their frequencies. It
// overwrites both slices and keeps neither.
func (m *Method) vector(terms []uint64, w []float64) Vector {
	m.scheme.weighTF(w)
	m.idf.weigh(terms, w)
	top := 0.0
	for _, x := range w {
		if x > top {
			top = x
		}
	}
	if !(top > 0) {
		return Vector{}
	}
	if m.scheme.norm == 'c' {
		unit(w, top)
	}

	v := Vector{Terms: make([]uint64, len(w)), Weights: make([]float32, len(w))}
	n := 0
	for i, x := range w {
		f := float32(x)
		if f > math.MaxFloat32 {
			f = math.MaxFloat32 // only weights given by hand are as great
		}
		v.Terms[n], v.Weights[n] = terms[i], f
		// A weight that is 0 as a float32 is absent, and the next takes its place.
		if f > 0 {
			n++
		}
	}
	if n < len(w) {
		v.Terms, v.Weights = slices.Clone(v.Terms[:n]), slices.Clone(v.Weights[:n])
	}
	if n == 0 {
		return Vector{}
	}
	v.seal()
	return v
}

// unit scales weights, of which top is the greatest, to length 1.
func unit(w []float64, top float64) {
	if top < 1e-100 || top > 1e100 {
		// The squares would leave the range of a float64.
		for i, x := range w {
			w[i] = min(x, math.MaxFloat64) / min(top, math.MaxFloat64)
		}
	}
	var sq float64
	for _, x := range w {
		sq += float64(x * x)
	}
	length := math.Sqrt(sq)
	for i := range w {
		w[i] /= length
	}
}

// AppendSketch appends the number of terms, the terms, and their weights.
func (m *Method) AppendSketch(dst []byte, v Vector) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(v.Terms)))
	for _, t := range v.Terms {
		dst = binary.LittleEndian.AppendUint64(dst, t)
	}
	for _, w := range v.Weights {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(w))
	}
	return dst
}

// DecodeSketch decodes what AppendSketch encoded, and refuses terms that do not
// ascend and weights that no text can have.
func (m *Method) DecodeSketch(src []byte) (Vector, int, error) {
	count, k := binary.Uvarint(src)
	if k <= 0 || k > 1 && src[k-1] == 0 || count > uint64(len(src)-k)/12 {
		return Vector{}, 0, fmt.Errorf("cosine: vector cut short: %w", similarity.ErrFormat)
	}
	n := int(count)
	size := k + 12*n
	if n == 0 {
		return Vector{}, size, nil
	}
	terms, weights := src[k:k+8*n], src[k+8*n:size]
	v := Vector{Terms: make([]uint64, n), Weights: make([]float32, n)}
	for i := range v.Terms {
		v.Terms[i] = binary.LittleEndian.Uint64(terms[8*i:])
		if i > 0 && v.Terms[i] <= v.Terms[i-1] {
			return Vector{}, 0, fmt.Errorf("cosine: term %d of %d not above the one before: %w", i, n, similarity.ErrFormat)
		}
		w := math.Float32frombits(binary.LittleEndian.Uint32(weights[4*i:]))
		if !(w > 0 && w <= math.MaxFloat32) {
			return Vector{}, 0, fmt.Errorf("cosine: weight %d of %d is %v, want above 0 and finite: %w", i, n, w, similarity.ErrFormat)
		}
		v.Weights[i] = w
	}
	v.seal()
	if m.scheme.norm == 'c' && math.Abs(v.sq-1) > 1e-4 {
		return Vector{}, 0, fmt.Errorf("cosine: vector of squared length %v, want 1: %w", v.sq, similarity.ErrFormat)
	}
	return v, size, nil
}
