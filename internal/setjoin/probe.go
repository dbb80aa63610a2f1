package setjoin

import "sort"

// prefixJoin finds for one set after another those that share enough with it: in an index
// of prefixes, by size and by the position of the first shingle shared (PPJoin: Xiao, Wang,
// Lin and Yu, WWW 2008).
type prefixJoin struct {
	rule
	sets     []Set // distinct, by ascending size; their places are their numbers here
	sizes    []float64
	last     []int32 // the last document of each
	ranks    ranks   // of sets, and behind them of those of another collection
	how      meeting
	postings postings
}

// prober looks sets up, one at a time. Every goroutine has its own.
type prober struct {
	*prefixJoin
	prefixer
	rule // that of the prefixJoin, without its pointer on the way

	seen  []uint32 // the last turn in which a set came up
	turn  uint32
	found []uint32

	// Of the set that is looked up:
	size            float64
	after           int32  // only sets that have a document behind this one are found
	next            int    // place in the prefix
	from, equal, to uint32 // the sets of the least size, of its own size, and of too great a one
}

func (j *prefixJoin) newProber() prober {
	return prober{prefixJoin: j, rule: j.rule, seen: make([]uint32, len(j.sets))}
}

// begin begins the turn of a set, itself left out where it is one of those indexed and
// not none.
func (p *prober) begin(s Set, ranks []uint8, self int, after int32) {
	if p.turn++; p.turn == 0 {
		clear(p.seen)
		p.turn = 1
	}
	if self != none {
		p.seen[self] = p.turn
	}
	p.after, p.next = after, 0
	if p.prefixOf(s, ranks); len(p.keys) == 0 {
		return
	}
	p.from = uint32(sort.SearchFloat64s(p.sizes, p.asGreater(p.size)))
	p.to = uint32(len(p.sizes))
	p.equal = uint32(sort.SearchFloat64s(p.sizes, p.size))
	if p.how == once {
		p.small, p.equal = 0, uint32(self)
	}
}

// prefixOf finds the prefix of a set that is looked up.
func (p *prober) prefixOf(s Set, ranks []uint8) prefix {
	p.size = s.size()
	p.find(s, ranks, p.size, p.asSmaller(p.size), p.asGreater(p.size))
	return p.prefix
}

// candidates returns the sets that may share enough with that of the turn and meet it at
// the next shingle of its prefix that others have. There are no more when done is true.
func (p *prober) candidates() (found []uint32, done bool) {
	p.found = p.found[:0]
	for p.next < len(p.keys) {
		k := p.next
		p.next++
		posts, mid := p.postings.find(p.keys[k])
		if len(posts) == 0 {
			continue
		}
		// What is left gets less from shingle to shingle, and so does the greatest
		// partner.
		rem := float64(p.rem[k])
		most := p.most(p.size, rem)
		p.to = p.from + uint32(sort.Search(int(p.to-p.from), func(i int) bool { return p.sizes[int(p.from)+i] > most }))
		if k < p.small {
			p.scan(posts[:mid], rem, p.from, p.to)
			p.scan(posts[mid:], rem, p.equal, p.to)
		} else {
			// As the greater of a pair, with sets that hold the shingle as the smaller.
			p.scan(posts[:mid], rem, p.from, min(p.equal, p.to))
		}
		if len(p.found) > 0 {
			return p.found, false
		}
	}
	return nil, true
}

// scan takes up the sets of a list, from one number up to another, that can still share
// enough from here on. One that came up at an earlier shingle is in already, or could not
// share enough even from there.
func (p *prober) scan(posts []posting, rem float64, from, to uint32) {
	for _, e := range posts[firstFrom(posts, from):] {
		if e.id >= to {
			return
		}
		if p.seen[e.id] == p.turn {
			continue
		}
		p.seen[e.id] = p.turn
		if p.need(p.size, p.sizes[e.id]) <= min(rem, float64(e.rem)) && p.last[e.id] > p.after {
			p.found = append(p.found, e.id)
		}
	}
}

// firstFrom returns the place of the first posting of a set of at least a number.
func firstFrom(posts []posting, number uint32) int {
	lo, hi := 0, len(posts)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if posts[mid].id < number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
