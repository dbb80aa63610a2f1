package feature

import (
	"cmp"
	"math"
	"slices"
)

// appendWeighted appends each feature once, weighted, in ascending order of hash.
func (x *Extractor) appendWeighted(dst []Feature, s *scratch, text string) []Feature {
	from := len(dst)
	if x.o.Weights == TableIDF {
		dst = x.appendTable(dst, s, text)
	} else {
		s.counts.Reset()
		x.blocks(s, text, s.counts.Add)
		hashes, counts := s.counts.Sorted()
		dst = slices.Grow(dst, len(hashes))
		for i, h := range hashes {
			dst = append(dst, Feature{h, x.weight(h, counts[i])})
		}
	}
	f := dst[from:]
	if x.o.Levels > 0 {
		quantise(f, x.o.Levels)
	}
	if n := x.o.Top; n > 0 && len(f) > n {
		slices.SortFunc(f, func(a, b Feature) int {
			return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Hash, b.Hash))
		})
		f = f[:n]
		slices.SortFunc(f, func(a, b Feature) int { return cmp.Compare(a.Hash, b.Hash) })
	}
	return dst[:from+len(f)]
}

// weight returns the weight of a feature that occurs n times.
func (x *Extractor) weight(h uint64, n uint32) float64 {
	switch x.o.Weights {
	case Binary:
		return 1
	case LogTF:
		return 1 + Ln(float64(n))
	case FitIDF:
		return float64(n) * x.idf(h)
	}
	return float64(n)
}

// idf is the smooth inverse document frequency, 1 where nothing was fitted:
// there ln((1+N)/(1+df)) would say that every feature is in no document of none.
func (x *Extractor) idf(h uint64) float64 {
	if x.model == nil {
		return 1
	}
	return Ln(float64(1+x.model.docs)/float64(1+x.model.DF(h))) + 1
}

// appendTable appends the features of a text weighted by the IDF table, which
// goes by the bytes of tokens and not by hashes.
func (x *Extractor) appendTable(dst []Feature, s *scratch, text string) []Feature {
	all := s.feats[:0]
	compactAt := counterBuf
	x.eachToken(s, text, func(h uint64, b []byte) {
		all = append(all, Feature{h, idfValue(x.o.IDF.Value(b))})
		if len(all) >= compactAt {
			all = addUp(all)
			compactAt = max(counterBuf, 2*len(all))
		}
	})
	all = addUp(all)
	s.feats = all
	return append(dst, all...)
}

// idfValue keeps weights non-negative and finite whatever a table says.
func idfValue(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, math.MaxFloat32)
}

// addUp sorts features by hash and adds up the weights of equal ones. Equal
// hashes have equal values, so that the order among them does not matter.
func addUp(f []Feature) []Feature {
	slices.SortFunc(f, func(a, b Feature) int { return cmp.Compare(a.Hash, b.Hash) })
	n := 0
	for _, e := range f {
		if n > 0 && f[n-1].Hash == e.Hash {
			f[n-1].Weight += e.Weight
		} else {
			f[n] = e
			n++
		}
	}
	return f[:n]
}

// quantise rounds weights to the integers 1..levels in proportion to the
// greatest. A weight of 0 stays 0: the feature is absent.
func quantise(f []Feature, levels int) {
	most := 0.0
	for _, e := range f {
		most = max(most, e.Weight)
	}
	for i, e := range f {
		if e.Weight > 0 {
			f[i].Weight = max(1, math.Floor(float64(e.Weight/most*float64(levels))+0.5))
		}
	}
}

// AddUp returns the distinct hashes of features in ascending order, with the
// sums of their weights up to most. It leaves out features whose weight is not
// above 0.
func AddUp(features []Feature, most float64) (hashes []uint64, weights []float64) {
	fs := slices.Clone(features)
	// By weight too, so that the last bit of a sum does not depend on the order
	// of the features.
	slices.SortFunc(fs, func(a, b Feature) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Weight, b.Weight))
	})
	for _, f := range fs {
		if !(f.Weight > 0) {
			continue
		}
		if n := len(hashes); n == 0 || hashes[n-1] != f.Hash {
			hashes, weights = append(hashes, f.Hash), append(weights, 0)
		}
		w := &weights[len(weights)-1]
		*w = min(*w+f.Weight, most)
	}
	return hashes, weights
}

// AppendPresent appends the hashes of the features whose weight is above 0.
func AppendPresent(dst []uint64, features []Feature) []uint64 {
	n := len(dst)
	dst = slices.Grow(dst, len(features))[:n+len(features)]
	for _, f := range features {
		dst[n] = f.Hash // written each time, kept only if it counts
		if f.Weight > 0 {
			n++
		}
	}
	return dst[:n]
}
