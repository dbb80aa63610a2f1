package shingle

import (
	"bytes"
	"context"
	"math"
	"math/bits"
	"slices"
)

// A prefix is short and seldom shared if it starts with the rarest shingles. To number
// millions of shingles by their rarity takes a map of all of them and many times as long as
// the join; but any order will do that is the same for all sets. So shingles are
// counted by a part of their mixed hash, as in a row of a count-min sketch (Cormode and
// Muthukrishnan, Journal of Algorithms 2005), in a byte each: what is common is seen as
// common, what is alone is mostly seen as alone, and a rare one that is taken for
// another costs a little time. Hashes are compared where counts are equal.

// ranks holds a byte for each shingle of each set: 0 (alone) only where no other set
// has it, and otherwise the more the more sets have it. Not all need to have been counted.
type ranks struct {
	of    []uint8
	start []int // where the shingles of a set begin; one more than there are sets
}

const (
	// alone is the rank of a shingle that no other set has.
	alone = 0
	// uncounted is that of a shingle that was not counted, which is then as good as one that nine
	// sets have, and better than a more common one.
	uncounted = 8
)

// set returns the ranks of the shingles of set i.
func (r ranks) set(i int) []uint8 { return r.of[r.start[i]:r.start[i+1]] }

const (
	// Hashes are taken a round at a time, of rankRound or an eighth of them, which take five
	// bytes each, and in a round sorted into parts, whose counters stay in the second cache.
	rankRound  = 1 << 20
	rankRounds = 8
	rankPart   = 1 << 17
	// cellsEach is the number of counters for a hash of a part. With as many as hashes
	// two thirds of those that are alone are seen to be, with four times as many nine tenths.
	cellsEach = 4
	// rankChunk is how many sets are worth a task.
	rankChunk = 1 << 10
)

// ranker ranks the hashes of sets, round by round.
type ranker struct {
	ranks
	sets       []Set
	last       uint64   // hash of the round
	begin, end []uint32 // of each set, the shingles of the round
	width      int      // number of bits that choose the part
	chunks     int      // pieces that the sets are cut in, to be done apart
	at         [][]int  // for each chunk, where in keys that of a part begins
	keys       []uint32 // of the round, by part, and in each in the order of the sets
	rankOfKeys []uint8
}

// newRanks ranks the shingles of all sets, by and by in the order of their hashes until it is
// enough, or all are. The ranks do not depend on the number of workers.
func newRanks(ctx context.Context, sets []Set, workers int, enough func(ranks) bool) ranks {
	r := ranker{sets: sets, ranks: ranks{start: make([]int, len(sets)+1)}}
	for i, s := range sets {
		r.start[i+1] = r.start[i] + len(s.Hashes)
	}
	total := r.start[len(sets)]
	r.of = bytes.Repeat([]byte{uncounted}, total)
	rounds := min((total+rankRound-1)/rankRound, rankRounds)
	bounds := quantiles(sets, total, rounds)
	r.chunks = min((len(sets)+rankChunk-1)/rankChunk, 4*workers)
	r.begin, r.end = make([]uint32, len(sets)), make([]uint32, len(sets))
	for k := 0; k < rounds && ctx.Err() == nil; k++ {
		if r.last = bounds[k+1] - 1; r.last >= bounds[k] {
			r.begin, r.end = r.end, r.begin
			r.round(ctx, workers)
			if enough(r.ranks) {
				break
			}
		}
	}
	return r.ranks
}

// quantiles returns bounds that cut the hashes of all sets in parts of about equal
// number, whatever bits of them are fair: part p is from bound p up to, but not
// with, bound p+1, of which the last is 0 for 2⁶⁴.
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

// round ranks the hashes from one bound to another.
func (r *ranker) round(ctx context.Context, workers int) {
	// How many hashes there are decides the number of parts, so they are counted by as
	// many as there may be.
	const most = 10
	counts := make([][]int, r.chunks)
	r.width = most
	r.eachChunk(ctx, workers, func(c int) {
		n := make([]int, 1<<most)
		for i := c * len(r.sets) / r.chunks; i < (c+1)*len(r.sets)/r.chunks; i++ {
			at := r.begin[i]
			for _, h := range r.sets[i].Hashes[at:] {
				if h > r.last {
					break
				}
				n[h*hashFactor>>(64-most)]++
				at++
			}
			r.end[i] = at
		}
		counts[c] = n
	})
	if ctx.Err() != nil {
		return
	}
	total := 0
	for _, c := range counts {
		for _, n := range c {
			total += n
		}
	}
	r.width = min(1+bits.Len(uint(total/rankPart)), most)
	join := 1 << (most - r.width) // counts to a part
	parts := 1 << r.width
	starts := make([]int, parts+1)
	r.at = make([][]int, r.chunks)
	for c := range r.at {
		r.at[c] = make([]int, parts)
	}
	n := 0
	for p := range parts {
		starts[p] = n
		for c := range r.at {
			r.at[c][p] = n
			for _, count := range counts[c][p*join : (p+1)*join] {
				n += count
			}
		}
	}
	starts[parts] = n
	r.keys = slices.Grow(r.keys[:0], n)[:n]
	r.rankOfKeys = slices.Grow(r.rankOfKeys[:0], n)[:n]

	shift := 64 - r.width
	r.eachChunk(ctx, workers, func(c int) {
		at := slices.Clone(r.at[c])
		r.eachSet(c, func(_ int, hashes []uint64) {
			for _, h := range hashes {
				key := h * hashFactor
				next := &at[key>>(shift&63)]
				r.keys[*next] = uint32(key << r.width >> 32)
				*next++
			}
		})
	})
	parallel(ctx, parts, workers, func() func(int) {
		var c counter
		return func(p int) { c.rank(r.rankOfKeys[starts[p]:starts[p+1]], r.keys[starts[p]:starts[p+1]]) }
	})
	r.eachChunk(ctx, workers, func(c int) {
		at := r.at[c]
		r.eachSet(c, func(first int, hashes []uint64) {
			of := r.of[first : first+len(hashes)]
			for k, h := range hashes {
				next := &at[h*hashFactor>>(shift&63)]
				of[k] = r.rankOfKeys[*next]
				*next++
			}
		})
	})
}

func (r *ranker) eachChunk(ctx context.Context, workers int, do func(c int)) {
	parallel(ctx, r.chunks, workers, func() func(int) { return do })
}

// eachSet calls do for the hashes of the round in each set of a chunk, first being the number of
// the first one among the hashes of all sets.
func (r *ranker) eachSet(c int, do func(first int, hashes []uint64)) {
	for i := c * len(r.sets) / r.chunks; i < (c+1)*len(r.sets)/r.chunks; i++ {
		do(r.start[i]+int(r.begin[i]), r.sets[i].Hashes[r.begin[i]:r.end[i]])
	}
}

// counter counts keys approximately in bytes: exactly up to exactCounts, and from there on
// each step stands for a twelfth more (Morris, Communications of the ACM 1978).
type counter struct {
	cells []uint8
	rng   stream
}

const exactCounts = 32

// stepLimits are, for each count, how many of 2³² random numbers lead to the next.
var stepLimits = func() (limits [256]uint32) {
	width := 1.0
	for n := range limits {
		if n >= exactCounts {
			width = max(width*13/12, float64(n)/12)
		}
		limits[n] = uint32(math.MaxUint32 / width)
	}
	limits[255] = 0
	return limits
}()

// rank ranks keys of a part by how many there are of each.
func (c *counter) rank(of []uint8, keys []uint32) {
	width := max(8, bits.Len(uint(cellsEach*len(keys))))
	c.cells = slices.Grow(c.cells[:0], 1<<width)[:1<<width]
	clear(c.cells)
	c.rng = 0
	shift := 32 - width
	for _, key := range keys {
		cell := &c.cells[key>>(shift&31)]
		if n := *cell; n < exactCounts {
			*cell = n + 1
		} else if uint32(c.rng.next()>>32) < stepLimits[n] {
			*cell = n + 1
		}
	}
	for i, key := range keys {
		of[i] = c.cells[key>>(shift&31)] - 1
	}
}
