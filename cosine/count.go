package cosine

import (
	"sync"

	"github.com/alike-go/alike/feature"
)

// counter counts the features of a text. It is pooled, so that a sketch allocates
// nothing but its vector.
type counter struct {
	feature.Counter
	add func(hashes []uint64) // made once: a closure a text would cost an allocation each
	tf  []float64
}

var counters = sync.Pool{New: func() any {
	c := new(counter)
	c.add = c.Add
	return c
}}

func newCounter() *counter { return counters.Get().(*counter) }

// free hands the counter to the next text.
func (c *counter) free() {
	c.Reset()
	counters.Put(c)
}

// addUnit counts features, and reports false if one does not count exactly 1.
func (c *counter) addUnit(features []feature.Feature) bool {
	var block [128]uint64
	for len(features) > 0 {
		n := min(len(features), len(block))
		for i, f := range features[:n] {
			if f.Weight != 1 {
				return false
			}
			block[i] = f.Hash
		}
		c.Add(block[:n])
		features = features[n:]
	}
	return true
}

// sorted returns the distinct hashes in ascending order with their counts, valid
// until the counter is freed.
func (c *counter) sorted() (terms []uint64, tf []float64) {
	terms, counts := c.Sorted()
	if cap(c.tf) < len(terms) {
		c.tf = make([]float64, len(terms)+len(terms)/4)
	}
	tf = c.tf[:len(terms)]
	for i, n := range counts {
		tf[i] = float64(n)
	}
	return terms, tf
}
