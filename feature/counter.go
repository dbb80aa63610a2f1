package feature

import "slices"

// Counter counts how often hashes occur, as those that Blocks yields. The zero value
// has counted none.
//
// It gathers them in a buffer, counts that and merges the result with what was counted
// before, so that memory grows with the number of distinct hashes.
type Counter struct {
	buf   []uint64 // not counted yet
	tmp   []uint64 // as long as the buffer
	ends  []uint32 // of buckets
	total tally
	fresh tally // of the buffer
	spare tally
}

// tally holds distinct hashes in ascending order and how often each occurs.
type tally struct {
	hashes []uint64
	counts []uint32
}

const (
	// counterBuf is the number of hashes that are gathered before they are counted.
	counterBuf = 1 << 20

	// counterKeep is how many hashes a counter keeps memory for when it is reset.
	counterKeep = 1 << 18
)

// Reset forgets all hashes. It keeps the memory for the next ones, but not that
// which a huge text needed.
func (c *Counter) Reset() {
	if max(cap(c.buf), cap(c.total.hashes), cap(c.fresh.hashes), cap(c.spare.hashes)) > counterKeep {
		*c = Counter{}
	}
	c.buf = c.buf[:0]
	c.total.reset()
}

// Add counts hashes.
func (c *Counter) Add(hashes []uint64) {
	c.buf = append(c.buf, hashes...)
	// Merging costs a pass over all that was counted, so the buffer grows with it.
	if len(c.buf) >= max(counterBuf, len(c.total.hashes)) {
		c.settle()
	}
}

// Sorted returns the distinct hashes in ascending order and how often each occurs, at
// most 2^32-1. Both are valid until the counter is used again.
func (c *Counter) Sorted() (hashes []uint64, counts []uint32) {
	c.settle()
	return c.total.hashes, c.total.counts
}

// settle brings the buffer into the total.
func (c *Counter) settle() {
	if len(c.buf) == 0 {
		return
	}
	c.fresh.reset()
	c.tmp = slices.Grow(c.tmp[:0], len(c.buf))[:len(c.buf)]
	c.count(c.buf, c.tmp, 0)
	c.buf = c.buf[:0]
	if len(c.total.hashes) == 0 {
		c.total, c.fresh = c.fresh, c.total
		return
	}
	c.spare.merge(&c.total, &c.fresh)
	c.total, c.spare = c.spare, c.total
}

func (l *tally) reset() { l.hashes, l.counts = l.hashes[:0], l.counts[:0] }

// merge makes l the sum of two other lists.
func (l *tally) merge(a, b *tally) {
	l.reset()
	n := len(a.hashes) + len(b.hashes)
	l.hashes, l.counts = slices.Grow(l.hashes, n), slices.Grow(l.counts, n)
	i, j := 0, 0
	for i < len(a.hashes) && j < len(b.hashes) {
		switch x, y := a.hashes[i], b.hashes[j]; {
		case x < y:
			l.append(x, a.counts[i])
			i++
		case y < x:
			l.append(y, b.counts[j])
			j++
		default:
			l.append(x, saturate(a.counts[i], b.counts[j]))
			i++
			j++
		}
	}
	l.hashes, l.counts = append(l.hashes, a.hashes[i:]...), append(l.counts, a.counts[i:]...)
	l.hashes, l.counts = append(l.hashes, b.hashes[j:]...), append(l.counts, b.counts[j:]...)
}

func (l *tally) append(hash uint64, count uint32) {
	l.hashes, l.counts = append(l.hashes, hash), append(l.counts, count)
}

func saturate(a, b uint32) uint32 {
	if s := a + b; s >= a {
		return s
	}
	return ^uint32(0)
}
