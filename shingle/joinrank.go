package shingle

import (
	"context"
	"slices"
)

// A prefix is short and seldom shared if it starts with the rarest shingles. To
// number millions of shingles by their rarity takes a map of all of them and many
// times as long as the join; but any order will do that is the same for
// all sets. So shingles are counted by a part of their mixed hash, as in a row of a
// count-min sketch (Cormode and Muthukrishnan, Journal of Algorithms 2005), in tables of about
// half as many counters as there are shingles: what is common is then seen as
// common, what is alone is mostly seen as alone, and a rare one
// taken for common costs a little time. Hashes are compared where counts are equal.

// ranks holds a byte for each shingle of each set: 0 where it is in no other set, and
// otherwise more the more sets it is in.
type ranks struct {
	of    []uint8
	start []int // where the shingles of a set begin; one more than there are sets
}

// alone is the rank of a shingle that no other set has.
const alone = 0

// set returns the ranks of the shingles of set i.
func (r ranks) set(i int) []uint8 { return r.of[r.start[i]:r.start[i+1]] }

const (
	// rankPart is about how many shingles are counted at a time. More would share
	// fewer visits to the sets, fewer would share a faster cache.
	rankPart = 1 << 23
	// rankParts is the least number of parts of a collection worth sharing out.
	rankParts = 8
	// rankAtOnce is how many shingles are not worth it.
	rankAtOnce = 1 << 16
)

// newRanks counts the shingles of all sets. Hashes are counted range by range, and
// since those of a set ascend, a range is a piece of each set. The ranks do not depend
// on the number of workers.
func newRanks(ctx context.Context, sets []Set, workers int) ranks {
	r := ranks{start: make([]int, len(sets)+1)}
	for i, s := range sets {
		r.start[i+1] = r.start[i] + len(s.Hashes)
	}
	total := r.start[len(sets)]
	r.of = make([]uint8, total)
	parts := 1
	if total > rankAtOnce {
		parts = max(rankParts, (total+rankPart-1)/rankPart)
	}
	bounds := quantiles(sets, total, parts)
	parallel(ctx, parts, workers, func() func(int) {
		c := newCounter(total / parts)
		return func(p int) { c.rank(sets, r, bounds[p], bounds[p+1]) }
	})
	return r
}

// quantiles returns bounds that cut the hashes of all sets in parts of about equal
// number, whatever bits of them are fair: part p is from bound p up to, but not
// with, bound p+1, and the last one has no end.
func quantiles(sets []Set, total, parts int) []uint64 {
	const samples = 1024
	sample := make([]uint64, 0, 2*samples)
	next := 0
	for _, s := range sets {
		for ; next < len(s.Hashes); next += total/samples + 1 {
			sample = append(sample, s.Hashes[next])
		}
		next -= len(s.Hashes)
	}
	slices.Sort(sample)
	bounds := make([]uint64, parts+1)
	for p := 1; p < parts; p++ {
		bounds[p] = sample[p*len(sample)/parts]
	}
	return bounds
}

// counter counts hashes of one part.
type counter struct {
	counts []uint16
	shift  int
}

func newCounter(shingles int) *counter {
	bits := 8
	for 2<<bits < shingles {
		bits++
	}
	return &counter{counts: make([]uint16, 1<<bits), shift: 64 - bits}
}

// slot returns where a hash is counted.
func (c *counter) slot(h uint64) uint64 { return h * hashFactor >> (c.shift & 63) }

// rank ranks the hashes from a bound up to another one, of which 0 is the end of all.
func (c *counter) rank(sets []Set, r ranks, from, to uint64) {
	clear(c.counts)
	last := to - 1
	if last < from {
		return // an empty part, where many hashes are equal
	}
	begin := make([]uint32, len(sets))
	for i, s := range sets {
		at := 0
		if from > 0 {
			at = lowerBound(s.Hashes, from)
		}
		begin[i] = uint32(at)
		for _, h := range s.Hashes[at:] {
			if h > last {
				break
			}
			n := &c.counts[c.slot(h)]
			if *n != 1<<16-1 {
				*n++
			}
		}
	}
	for i, s := range sets {
		of := r.set(i)
		for k := int(begin[i]); k < len(s.Hashes) && s.Hashes[k] <= last; k++ {
			of[k] = rankOf[c.counts[c.slot(s.Hashes[k])]]
		}
	}
}

// rankOf ranks a count: 1 is alone, and each further rank is an eighth more.
var rankOf = func() (of [1 << 16]uint8) {
	rank, next := uint8(alone), 2.0
	for n := range of {
		if float64(n) >= next {
			rank++
			next = max(next+1, next*9/8)
		}
		of[n] = rank
	}
	return of
}()
