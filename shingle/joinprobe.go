package shingle

import "sort"

// prefixJoin finds for one set after another those that share enough with it: in an index
// of prefixes, by size and by the position of the first shingle shared (PPJoin: Xiao, Wang,
// Lin and Yu, WWW 2008).
type prefixJoin struct {
	rule
	sets     []Set // distinct, by ascending size; their places are their numbers here
	sizes    []float64
	ranks    ranks // of sets, and behind them of those of another collection
	postings postings
}

// prober looks sets up, one at a time. Every goroutine has its own.
type prober struct {
	*prefixJoin
	prefixer
	seen  []uint32 // the last turn in which a set came up
	turn  uint32
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

// candidates returns the sets that may share enough with another, itself (self) left out
// where it is one of them and not -1.
func (p *prober) candidates(s Set, ranks []uint8, size float64, self int) []uint32 {
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
	least := uint32(sort.SearchFloat64s(p.sizes, p.least(size)))
	equal := uint32(sort.SearchFloat64s(p.sizes, size))
	if p.kind == ofProbe {
		equal = least // whatever its size, the set looked up is as good as the smaller
	}
	end := uint32(len(p.sets))
	for k, key := range p.keys {
		posts, mid := p.postings.find(key)
		if len(posts) == 0 {
			continue
		}
		rem := float64(p.rem[k])
		most := p.most(size, rem)
		// As the greater of a pair, with sets that hold the shingle as the smaller.
		if least < equal {
			p.scan(between(posts[:mid], least, equal), size, rem, most)
		}
		// As the smaller, with all.
		if k < p.small {
			p.scan(between(posts[:mid], equal, end), size, rem, most)
			p.scan(between(posts[mid:], equal, end), size, rem, most)
		}
	}
	return p.found
}

// scan takes up the sets of a list that can still share enough from here on. One that came
// up at an earlier shingle is in already, or could not share enough even from there.
func (p *prober) scan(posts []posting, size, rem, most float64) {
	for _, e := range posts {
		if p.seen[e.id] == p.turn {
			continue
		}
		other := p.sizes[e.id]
		if other > most {
			return
		}
		p.seen[e.id] = p.turn
		if p.need(size, other) <= min(rem, float64(e.rem)) {
			p.found = append(p.found, e.id)
		}
	}
}

// between returns the postings of sets from one number up to, but not with, another.
func between(posts []posting, from, to uint32) []posting {
	lo := sort.Search(len(posts), func(i int) bool { return posts[i].id >= from })
	hi := lo + sort.Search(len(posts)-lo, func(i int) bool { return posts[lo+i].id >= to })
	return posts[lo:hi]
}
