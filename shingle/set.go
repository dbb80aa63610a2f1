package shingle

import "github.com/alike-go/alike/internal/intersect"

// Set is the set of the shingles of a text, or the bag. Hashes ascend strictly.
// Weights is nil for a set; for a bag it holds the weight of each shingle, above
// zero, such as its number of occurrences. The zero value is the empty set.
//
// The methods of Set take two sets or two bags, not one of each.
type Set struct {
	Hashes  []uint64
	Weights []float64
}

// Resemblance returns |A∩B| / |A∪B|, for bags Σmin / Σmax; 0 where either is empty.
func (s Set) Resemblance(t Set) float64 {
	if len(s.Hashes) == 0 || len(t.Hashes) == 0 {
		return 0
	}
	if s.Weights != nil {
		b := shareBags(s, t)
		return b.min / b.max
	}
	n := intersect.Count(s.Hashes, t.Hashes)
	return float64(n) / float64(len(s.Hashes)+len(t.Hashes)-n)
}

// Overlap returns |A∩B| / min(|A|, |B|), for bags Σmin over the smaller sum; 0
// where either is empty.
func (s Set) Overlap(t Set) float64 {
	if len(s.Hashes) == 0 || len(t.Hashes) == 0 {
		return 0
	}
	if s.Weights != nil {
		b := shareBags(s, t)
		return b.min / min(b.a, b.b)
	}
	return float64(intersect.Count(s.Hashes, t.Hashes)) / float64(min(len(s.Hashes), len(t.Hashes)))
}

// Containment returns how much of s lies in t: |A∩B| / |A|, for bags Σmin over
// the sum of s; 0 where either is empty.
func (s Set) Containment(t Set) float64 {
	if len(s.Hashes) == 0 || len(t.Hashes) == 0 {
		return 0
	}
	if s.Weights != nil {
		b := shareBags(s, t)
		return b.min / b.a
	}
	return float64(intersect.Count(s.Hashes, t.Hashes)) / float64(len(s.Hashes))
}

// Common returns the number of distinct shingles that the two share.
func (s Set) Common(t Set) int { return intersect.Count(s.Hashes, t.Hashes) }

// weight returns the weight of shingle i: 1 in a set.
func (s Set) weight(i int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[i]
}

// bagShare holds the sums over two bags: of the lesser and of the greater weight
// of each shingle, and of either bag's own.
type bagShare struct{ min, max, a, b float64 }

// shareBags adds in ascending order of the hashes whichever bag comes first, so
// the sums are the same both ways round, and, addition being monotone, no sum of
// lesser weights comes out above the sum of all.
func shareBags(s, t Set) bagShare {
	var r bagShare
	i, j := 0, 0
	for i < len(s.Hashes) || j < len(t.Hashes) {
		var v, w float64
		switch {
		case j == len(t.Hashes) || i < len(s.Hashes) && s.Hashes[i] < t.Hashes[j]:
			v = s.Weights[i]
			i++
		case i == len(s.Hashes) || t.Hashes[j] < s.Hashes[i]:
			w = t.Weights[j]
			j++
		default:
			v, w = s.Weights[i], t.Weights[j]
			i++
			j++
		}
		r.min += min(v, w)
		r.max += max(v, w)
		r.a += v
		r.b += w
	}
	return r
}
