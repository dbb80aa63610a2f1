package cosine

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Vector is a sparse vector: the weight of Terms[i] is Weights[i].
type Vector struct {
	Terms   []uint64  // feature hashes, strictly ascending
	Weights []float32 // above 0 and finite

	// sq is the sum of the squared weights in the order of the terms. The
	// dot product of a vector with itself adds the same numbers in the same order,
	// so that a document's score with itself is exactly 1, despite rounding.
	sq float64
}

// sum returns the distinct hashes of features in ascending order with the sums
// of their weights.
func sum(features []feature.Feature) (terms []uint64, tf []float64) {
	fs := slices.Clone(features)
	// By weight too, so that the sum of a repeated hash's weights does not
	// depend on their order.
	slices.SortFunc(fs, func(a, b feature.Feature) int {
		if a.Hash != b.Hash {
			return cmp.Compare(a.Hash, b.Hash)
		}
		return cmp.Compare(a.Weight, b.Weight)
	})
	for _, f := range fs {
		if !(f.Weight > 0) {
			continue
		}
		if k := len(terms) - 1; k >= 0 && terms[k] == f.Hash {
			tf[k] = min(tf[k]+f.Weight, math.MaxFloat64)
			continue
		}
		terms, tf = append(terms, f.Hash), append(tf, min(f.Weight, math.MaxFloat64))
	}
	return terms, tf
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
	v.sq = squares(v.Weights)
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

// squares returns the sum of squares, in order. The product of two float32
// is exact in a float64, so a fused multiply-add makes no difference.
func squares(w []float32) (sum float64) {
	for _, x := range w {
		sum += float64(x) * float64(x)
	}
	return sum
}

// dot returns the dot product, summed in the order of the terms. It takes no
// branch that depends on the terms, since those cannot be predicted: adding 0 for
// a term that is not shared leaves the sum as it is.
func dot(a, b Vector) (sum float64) {
	at, bt := a.Terms, b.Terms
	aw, bw := a.Weights[:len(at)], b.Weights[:len(bt)]
	i, j := 0, 0
	for i < len(at) && j < len(bt) {
		x, y := at[i], bt[j]
		product := math.Float64bits(float64(aw[i]) * float64(bw[j]))
		var same, nextA, nextB int
		if x == y {
			same = -1
		}
		if x <= y {
			nextA = 1
		}
		if x >= y {
			nextB = 1
		}
		sum += math.Float64frombits(product & uint64(same))
		i += nextA
		j += nextB
	}
	return sum
}

// cosine makes the score of a dot product. The square root of a rounded square
// is the number itself, hence exactly 1 for a document with itself.
func cosine(dot float64, a, b Vector) float64 {
	if dot == 0 {
		return 0
	}
	return min(dot/math.Sqrt(a.sq*b.sq), 1)
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
	v.sq = squares(v.Weights)
	if m.scheme.norm == 'c' && math.Abs(v.sq-1) > 1e-4 {
		return Vector{}, 0, fmt.Errorf("cosine: vector of squared length %v, want 1: %w", v.sq, similarity.ErrFormat)
	}
	return v, size, nil
}
