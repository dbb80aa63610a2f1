package cosine

import (
	"maps"
	"math/bits"
	"slices"
	"sync"

	"github.com/alike-go/alike/feature"
)

// counter counts the hashes of one text in an open-address table whose slots are
// in the order of the hashes: a hash starts at the slot that its upper bits name
// and moves up to a free one. Read from end to end the table is sorted but for
// neighbours, which costs less than sorting.
//
// This rests on hashes whose upper bits are spread out. Not all families of
// package feature have such, and a text could be made to lack them, so the
// counter gives up when hashes move up too far; the caller then counts otherwise.
type counter struct {
	slots []slot // a power of two, and tail
	spare []slot // what the table was before it grew, for the next time
	shift int    // of a hash, to its first slot
	used  int
	steps int // that hashes may still move up
	ok    bool

	terms []uint64
	tf    []float64
}

type slot struct{ hash, count uint64 } // hash is 0 where free

const (
	// tail slots take what moves up from the last ones.
	tail = 64
	// minSlots is the least table, and no table greater than keptSlots waits for
	// the next text.
	minSlots, keptSlots = 1 << 8, 1 << 18
)

var counters = sync.Pool{New: func() any { return new(counter) }}

// newCounter returns a counter for a text of the given number of bytes.
func newCounter(size int) *counter {
	c := counters.Get().(*counter)
	c.reset(size)
	return c
}

func (c *counter) reset(size int) {
	// More than one distinct term in 8 bytes is rare in running text, and where
	// it occurs the table grows.
	n := minSlots
	for n < size/4 && n < keptSlots {
		n *= 2
	}
	c.resize(n)
	c.used, c.steps, c.ok = 0, 1<<12, true
}

// free hands the counter to the next text.
func (c *counter) free() {
	if len(c.slots) <= keptSlots+tail {
		counters.Put(c)
	}
}

// resize makes the table one of n empty slots.
func (c *counter) resize(n int) {
	if cap(c.slots) < n+tail {
		c.slots = make([]slot, n+tail)
	} else {
		c.slots = c.slots[:n+tail]
		clear(c.slots)
	}
	c.shift = 64 - bits.TrailingZeros(uint(n))
}

// add counts a block of hashes, none of them 0.
func (c *counter) add(hashes []uint64) {
	c.steps += 4 * len(hashes)
	for _, h := range hashes {
		c.count(h)
	}
}

func (c *counter) count(h uint64) {
	if !c.ok {
		return
	}
	s := c.find(h)
	if s == nil {
		return
	}
	s.count++
	if s.hash == 0 {
		s.hash = h
		if c.used++; c.used > len(c.slots)/2 {
			c.grow()
		}
	}
}

// addUnit counts features, and reports false if one does not count exactly 1.
func (c *counter) addUnit(features []feature.Feature) bool {
	c.steps += 4 * len(features)
	for _, f := range features {
		if f.Weight != 1 || f.Hash == 0 {
			return false
		}
		c.count(f.Hash)
	}
	return true
}

// find returns the slot of a hash or the free one for it, and nil if there is
// none within reach.
func (c *counter) find(h uint64) *slot {
	i := int(h >> (c.shift & 63))
	for i < len(c.slots) {
		s := &c.slots[i]
		if s.hash == h || s.hash == 0 {
			return s
		}
		i++
		c.steps--
		if c.steps < 0 {
			break
		}
	}
	c.ok = false
	return nil
}

// grow doubles the table.
func (c *counter) grow() {
	old := c.slots
	c.slots, c.spare = c.spare, old
	if len(old) > keptSlots+tail {
		c.spare = nil // it would only hold memory while the table grows on
	}
	c.resize(2 * (len(old) - tail))
	c.steps += 2 * c.used
	for _, s := range old {
		if s.hash == 0 {
			continue
		}
		to := c.find(s.hash)
		if to == nil {
			return
		}
		*to = s
	}
}

// sorted returns the distinct hashes in ascending order with their counts, valid
// until the counter is freed.
func (c *counter) sorted() (terms []uint64, tf []float64) {
	if cap(c.terms) < c.used+1 {
		n := c.used + c.used/4 + 1
		c.terms, c.tf = make([]uint64, n), make([]float64, n)
	}
	// One more than there are, since free slots are written too, and then overwritten.
	terms, tf = c.terms[:c.used+1], c.tf[:c.used+1]
	n := 0
	for i := range c.slots {
		s := &c.slots[i]
		terms[n], tf[n] = s.hash, float64(int64(s.count))
		if s.hash != 0 {
			n++
		}
	}
	terms, tf = terms[:n], tf[:n]
	for i := 1; i < n; i++ {
		t, f := terms[i], tf[i]
		j := i
		for ; j > 0 && terms[j-1] > t; j-- {
			terms[j], tf[j] = terms[j-1], tf[j-1]
		}
		terms[j], tf[j] = t, f
	}
	return terms, tf
}

// countByMap is the way to count that does not mind how hashes are spread.
func countByMap(x *feature.Extractor, text string) (terms []uint64, tf []float64) {
	counts := make(map[uint64]int)
	x.Blocks(text, func(hashes []uint64) {
		for _, h := range hashes {
			counts[h]++
		}
	})
	terms = slices.Sorted(maps.Keys(counts))
	tf = make([]float64, len(terms))
	for i, t := range terms {
		tf[i] = float64(counts[t])
	}
	return terms, tf
}
