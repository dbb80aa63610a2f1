package feature

import (
	"math/bits"
	"slices"
)

// counter counts how often hashes occur. It gathers them in a buffer, sorts that
// and merges it with what was counted before, so that memory grows with the
// number of distinct hashes and the result is in ascending order.
type counter struct {
	buf, tmp []uint64
	hashes   []uint64 // ascending, distinct
	counts   []uint32
	h2       []uint64
	c2       []uint32
	dist     []uint32
}

const counterBuf = 1 << 20

func (c *counter) reset() {
	c.buf, c.hashes, c.counts = c.buf[:0], c.hashes[:0], c.counts[:0]
}

func (c *counter) small() bool {
	return cap(c.buf) <= 1<<18 && cap(c.hashes) <= 1<<18 && cap(c.h2) <= 1<<18
}

func (c *counter) add(hashes []uint64) {
	c.buf = append(c.buf, hashes...)
	// Merging costs a pass over all that was counted, so the buffer grows with it.
	if len(c.buf) >= max(counterBuf, len(c.hashes)) {
		c.settle()
	}
}

// settle brings the buffer into hashes and counts.
func (c *counter) settle() {
	if len(c.buf) == 0 {
		return
	}
	c.buf, c.tmp = c.sort(c.buf, c.tmp)
	if len(c.hashes) == 0 {
		c.hashes, c.counts = compact(c.hashes[:0], c.counts[:0], c.buf)
		c.buf = c.buf[:0]
		return
	}
	h, n := c.h2[:0], c.c2[:0]
	i := 0
	for j := 0; j < len(c.buf); {
		v, k := c.buf[j], j
		for j < len(c.buf) && c.buf[j] == v {
			j++
		}
		for i < len(c.hashes) && c.hashes[i] < v {
			h, n = append(h, c.hashes[i]), append(n, c.counts[i])
			i++
		}
		total := uint32(j - k)
		if i < len(c.hashes) && c.hashes[i] == v {
			total = saturate(total, c.counts[i])
			i++
		}
		h, n = append(h, v), append(n, total)
	}
	h, n = append(h, c.hashes[i:]...), append(n, c.counts[i:]...)
	c.hashes, c.h2 = h, c.hashes
	c.counts, c.c2 = n, c.counts
	c.buf = c.buf[:0]
}

func saturate(a, b uint32) uint32 {
	if s := a + b; s >= a {
		return s
	}
	return ^uint32(0)
}

// compact appends the distinct values of a sorted slice and how often each occurs.
func compact(h []uint64, n []uint32, sorted []uint64) ([]uint64, []uint32) {
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		h, n = append(h, sorted[i]), append(n, uint32(j-i))
		i = j
	}
	return h, n
}

// sort sorts a, with tmp as scratch, and returns the sorted slice and the other.
// Hashes are uniform, so one pass by their top bits leaves buckets of a few, which
// insertion finishes; a bucket that is crowded all the same is sorted by comparison.
func (c *counter) sort(a, tmp []uint64) (sorted, other []uint64) {
	n := len(a)
	if n < 64 {
		slices.Sort(a)
		return a, tmp
	}
	top := min(bits.Len(uint(n))-2, 14)
	shift := 64 - top
	c.dist = slices.Grow(c.dist[:0], 1<<top+1)[:1<<top+1]
	clear(c.dist)
	for _, v := range a {
		c.dist[v>>shift+1]++
	}
	for i := 1; i < len(c.dist); i++ {
		c.dist[i] += c.dist[i-1]
	}
	tmp = slices.Grow(tmp[:0], n)[:n]
	for _, v := range a {
		at := &c.dist[v>>shift]
		tmp[*at] = v
		*at++
	}
	// dist[i] is now the end of bucket i.
	from := uint32(0)
	for _, to := range c.dist[:1<<top] {
		b := tmp[from:to]
		from = to
		if len(b) > 24 {
			slices.Sort(b)
			continue
		}
		for i := 1; i < len(b); i++ {
			v, j := b[i], i
			for j > 0 && b[j-1] > v {
				b[j] = b[j-1]
				j--
			}
			b[j] = v
		}
	}
	return tmp, a
}
