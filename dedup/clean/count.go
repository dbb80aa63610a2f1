package clean

import (
	"math"
	"sync"
	"sync/atomic"
)

// leastMemory is the least budget for learning, in bytes.
const leastMemory = 1 << 10

// counters count hashes roughly, never too low: a byte for all hashes that fall on
// it, which stays at its most. Adding is in any order and from any goroutine.
type counters struct {
	words []atomic.Uint32 // of four counters
	most  uint32          // where a counter stays
	adds  atomic.Int64    // hashes added
}

// newCounters takes about so many bytes. Counters need not tell numbers above
// most apart.
func newCounters(bytes int64, most int) *counters {
	return &counters{words: make([]atomic.Uint32, max(1, bytes/4)), most: uint32(min(most, math.MaxUint8))}
}

// place returns the word of a hash and how far its counter is shifted there.
func (c *counters) place(h uint64) (*atomic.Uint32, int) {
	at := scale(h, 4*len(c.words))
	return &c.words[at/4], int(at%4) * 8
}

func (c *counters) add(h uint64) {
	c.adds.Add(1)
	word, shift := c.place(h)
	for {
		old := word.Load()
		if old>>shift&0xff >= c.most || word.CompareAndSwap(old, old+1<<shift) {
			return
		}
	}
}

// full reports whether a hash may have been added so often.
func (c *counters) full(h uint64) bool {
	word, shift := c.place(h)
	return word.Load()>>shift&0xff >= c.most
}

// expected bounds how many different hashes may be full, were the full counters
// those of random hashes.
func (c *counters) expected() float64 {
	n := 0
	for i := range c.words {
		for w := c.words[i].Load(); w != 0; w >>= 8 {
			if w&0xff >= c.most {
				n++
			}
		}
	}
	each := float64(c.adds.Load()) / float64(4*len(c.words))
	return float64(n) * max(1, each)
}

// tableEntry is about what an entry of a table takes in bytes.
const tableEntry = 40

// table counts hashes exactly.
type table struct {
	parts [64]struct {
		sync.Mutex
		count map[uint64]uint32
	}
}

func newTable() *table {
	t := new(table)
	for i := range t.parts {
		t.parts[i].count = make(map[uint64]uint32)
	}
	return t
}

func (t *table) add(h uint64) {
	p := &t.parts[h%uint64(len(t.parts))]
	p.Lock()
	defer p.Unlock()
	if n := p.count[h]; n < math.MaxUint32 {
		p.count[h] = n + 1
	}
}

// keep drops what has been added less often.
func (t *table) keep(least int) {
	for i := range t.parts {
		kept := make(map[uint64]uint32)
		for h, n := range t.parts[i].count {
			if int(n) >= least {
				kept[h] = n
			}
		}
		t.parts[i].count = kept
	}
}

func (t *table) has(h uint64) bool {
	_, ok := t.parts[h%uint64(len(t.parts))].count[h]
	return ok
}
