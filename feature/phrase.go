package feature

import "slices"

// minPhrase is the least number of times a pair must occur to be a phrase. Mutual
// information overrates the rare: a pair of words that occur once each has the greatest.
const minPhrase = 5

type pair struct {
	a, b uint64
	n    uint32
}

// phraseCounter counts tokens and adjacent pairs of tokens.
type phraseCounter struct {
	tokens   map[uint64]uint32
	pairs    map[uint64]*pair
	nt, np   uint64
	previous uint64 // 0 at the start of a document
}

func (c *phraseCounter) add(h uint64) {
	c.tokens[h]++
	c.nt++
	if c.previous != 0 {
		key := pairKey(c.previous, h)
		p := c.pairs[key]
		if p == nil {
			p = &pair{a: c.previous, b: h}
			c.pairs[key] = p
		}
		p.n++
		c.np++
	}
	c.previous = h
}

// phrases returns the keys of the pairs whose pointwise mutual information,
// log2 of p(ab) / (p(a) p(b)), is at least so many bits (Church and Hanks, 1990).
func (c *phraseCounter) phrases(bits float64) []uint64 {
	var keys []uint64
	for key, p := range c.pairs {
		if p.n < minPhrase {
			continue
		}
		pab := float64(p.n) / float64(c.np)
		pa := float64(c.tokens[p.a]) / float64(c.nt)
		pb := float64(c.tokens[p.b]) / float64(c.nt)
		if log2(pab/float64(pa*pb)) >= bits {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
