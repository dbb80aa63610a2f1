package feature

import (
	"math/bits"
	"slices"
)

const (
	// leafLen is the number of hashes up to which one distribution sorts them. With
	// two to four buckets a hash few share one, and the ends of the buckets stay in the
	// first cache.
	leafLen = 1 << 11

	// splitBits is how many bits longer lists are split by at a time.
	splitBits = 8

	// moveBudget is for each hash how many others insertion may pass before it
	// gives up. Fair hashes pass less than one, crowded ones more than can be afforded.
	moveBudget = 8
)

// count appends the distinct hashes of a in ascending order, and how often each
// occurs, to the fresh tally. All agree in their upper done bits and are above what is
// in it. a and tmp, which is as long, are overwritten.
//
// Hashes are distributed by their upper bits, which are uniform, so that little is
// left to compare; for hashes that are not it takes more passes, or comes
// down to sorting.
func (c *Counter) count(a, tmp []uint64, done int) {
	if len(a) <= leafLen || done >= 64 {
		c.leaf(a, tmp, done)
		return
	}
	width := min(splitBits, bits.Len(uint(len(a)/leafLen))+1, 64-done)
	shift := 64 - done - width
	var ends [1 << splitBits]uint32
	distribute(a, tmp, ends[:1<<width], shift)
	from := uint32(0)
	for _, to := range ends[:1<<width] {
		if from < to {
			c.count(tmp[from:to], a[from:to], done+width)
		}
		from = to
	}
}

// distribute puts the hashes of a into tmp by the bits from shift up, as many as
// number the buckets, whose ends it sets.
func distribute(a, tmp []uint64, ends []uint32, shift int) {
	mask := uint64(len(ends) - 1)
	for _, v := range a {
		ends[v>>(shift&63)&mask]++
	}
	at := uint32(0)
	for i, n := range ends {
		ends[i] = at
		at += n
	}
	tmp = tmp[:len(a)]
	for _, v := range a {
		end := &ends[v>>(shift&63)&mask]
		tmp[*end] = v
		*end++
	}
}

// leaf is count for hashes that one distribution sorts, but for neighbours.
func (c *Counter) leaf(a, tmp []uint64, done int) {
	width := bits.Len(uint(len(a))) + 1
	if len(a) < 8 || done+width > 64 {
		slices.Sort(a)
		c.fresh.appendSorted(a)
		return
	}
	n := 1 << width
	c.ends = slices.Grow(c.ends[:0], n)[:n]
	clear(c.ends)
	distribute(a, tmp, c.ends, 64-done-width)
	if !c.fresh.insert(tmp[:len(a)]) {
		slices.Sort(a)
		c.fresh.appendSorted(a)
	}
}

// appendSorted appends hashes that are sorted.
func (l *tally) appendSorted(a []uint64) {
	for i := 0; i < len(a); {
		j := i + 1
		for j < len(a) && a[j] == a[i] {
			j++
		}
		l.append(a[i], uint32(j-i))
		i = j
	}
}

// insert appends hashes that are nearly sorted, at least one, or gives up and returns
// false, with the tally as it was.
func (l *tally) insert(a []uint64) bool {
	base := len(l.hashes)
	h := slices.Grow(l.hashes, len(a))[:base+len(a)]
	n := slices.Grow(l.counts, len(a))[:base+len(a)]
	budget := moveBudget * len(a)
	h[base], n[base] = a[0], 1
	k := base // the last in the tally
	for _, v := range a[1:] {
		if v >= h[k] {
			// Whether it is one more of the last or a new one no processor can
			// predict, so there is no branch.
			fresh := b2u(v != h[k])
			k += int(fresh)
			h[k] = v
			n[k] = n[k]&(fresh-1) + 1
			continue
		}
		j := k // the last that is not above
		for j >= base && h[j] > v {
			j--
		}
		if j >= base && h[j] == v {
			n[j]++
			continue
		}
		if budget -= k - j; budget < 0 {
			return false
		}
		k++
		for i := k; i > j+1; i-- {
			h[i], n[i] = h[i-1], n[i-1]
		}
		h[j+1], n[j+1] = v, 1
	}
	l.hashes, l.counts = h[:k+1], n[:k+1]
	return true
}

// b2u returns 1 for true, without a branch.
func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
