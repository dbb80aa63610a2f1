package shingle

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
	postings postings
}

// prober looks sets up, one at a time. Every goroutine has its own.
type prober struct {
	*prefixJoin
	prefixer
	seen  []uint32 // the last turn in which a set came up
	turn  uint32
	after int32
	found []uint32
}

func (j *prefixJoin) newProber() prober {
	return prober{prefixJoin: j, seen: make([]uint32, len(j.sets))}
}

// prefix finds the prefix of a set that is looked up.
func (p *prober) prefix(s Set, ranks []uint8, size float64) {
	small := p.asSmaller(size)
	great := small
	if p.kind != ofProbe {
		great = p.asGreater(size)
	}
	p.find(s, ranks, size, small, great)
}

// candidates returns the sets that may share enough with another and have a document
// behind one (after); itself (self) is left out where it is one of them and not none.
func (p *prober) candidates(s Set, ranks []uint8, size float64, self int, after int32) []uint32 {
	p.after = after
	p.turn++
	if p.turn == 0 {
		clear(p.seen)
		p.turn = 1
	}
	if self >= 0 {
		p.seen[self] = p.turn
	}
	p.found = p.found[:0]
	p.prefix(s, ranks, size)
	if len(p.keys) == 0 {
		return nil
	}
	from := uint32(sort.SearchFloat64s(p.sizes, p.least(size)))
	equal, to := from, uint32(len(p.sizes))
	if p.kind != ofProbe { // else whatever its size, the set is as good as the smaller
		equal = uint32(sort.SearchFloat64s(p.sizes, size))
	}
	for k, key := range p.keys {
		posts, mid := p.postings.find(key)
		if len(posts) == 0 {
			continue
		}
		// What is left gets less from shingle to shingle, and so does the greatest
		// partner.
		rem := float64(p.rem[k])
		most := p.most(size, rem)
		to = from + uint32(sort.Search(int(to-from), func(i int) bool { return p.sizes[int(from)+i] > most }))
		if k < p.small {
			p.scan(posts[:mid], size, rem, from, to)
			p.scan(posts[mid:], size, rem, equal, to)
		} else {
			// As the greater of a pair, with sets that hold the shingle as the smaller.
			p.scan(posts[:mid], size, rem, from, min(equal, to))
		}
	}
	return p.found
}

// scan takes up the sets of a list, from one number up to another, that can still share
// enough from here on. One that came up at an earlier shingle is in already, or could not
// share enough even from there.
func (p *prober) scan(posts []posting, size, rem float64, from, to uint32) {
	for _, e := range posts[firstFrom(posts, from):] {
		if e.id >= to {
			return
		}
		if p.seen[e.id] == p.turn {
			continue
		}
		p.seen[e.id] = p.turn
		if p.last[e.id] > p.after && p.need(size, p.sizes[e.id]) <= min(rem, float64(e.rem)) {
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
