package rabinkarp

import (
	"math/bits"
	"slices"
)

// few is the number of fingerprints up to which a comparison sort is as fast.
const few = 32

// sorted returns the distinct hashes of places in ascending order, nil for none.
//
// Hashes are spread evenly, so that one pass by their high bits puts nearly all of
// them in place: the hashes of one value in those bits, four on average, are then
// sorted by comparison. Where they are not spread evenly (a text that repeats
// itself) the result is the same and only the time differs.
func sorted(places []place, s *scratch) []uint64 {
	if len(places) == 0 {
		return nil
	}
	out := make([]uint64, len(places))
	if len(places) <= few {
		for i, p := range places {
			out[i] = p.hash
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	var most uint64
	for _, p := range places {
		most = max(most, p.hash)
	}
	width := bits.Len(uint(len(places))) - 2
	shift := max(0, bits.Len64(most)-width)
	// ends[v] is where the hashes with high bits v begin, and, as they are put in,
	// comes to be where they end.
	if cap(s.ends) < 1<<width {
		s.ends = make([]uint32, 1<<width)
	}
	ends := s.ends[:1<<width]
	clear(ends)
	for _, p := range places {
		ends[p.hash>>shift]++
	}
	sum := uint32(0)
	for v, n := range ends {
		ends[v] = sum
		sum += n
	}
	for _, p := range places {
		v := p.hash >> shift
		out[ends[v]] = p.hash
		ends[v]++
	}
	from := uint32(0)
	for _, to := range ends {
		sortFew(out[from:to])
		from = to
	}
	out = slices.Compact(out)
	if len(out) < cap(out)/4*3 {
		out = slices.Clone(out)
	}
	return out
}

// sortFew sorts a list that is nearly always short.
func sortFew(a []uint64) {
	if len(a) > 16 {
		slices.Sort(a)
		return
	}
	for i := 1; i < len(a); i++ {
		h := a[i]
		j := i
		for ; j > 0 && a[j-1] > h; j-- {
			a[j] = a[j-1]
		}
		a[j] = h
	}
}
