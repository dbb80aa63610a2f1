package setjoin

import (
	"bytes"
	"context"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
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
	// Hashes are taken a round at a time, of rankRound or an eighth of them.
	rankRound  = 1 << 20
	rankRounds = 8
	// rankChunk is how many sets are worth a task.
	rankChunk = 1 << 10
	// cellsEach is the number of counters for a hash. With as many as hashes two thirds of
	// those that are alone are seen to be, with four times as many nine tenths.
	cellsEach = 4
)

// ranker ranks the hashes of sets, round by round.
type ranker struct {
	ranks
	sets       []Set
	chunks     int      // pieces that the sets are cut in, to be done apart
	last       uint64   // hash of the round
	begin, end []uint32 // of each set, the shingles of the round
	varied     bool     // there are too many different hashes to count them as they come

	keys   []uint32 // room for rankMany
	ofKeys []uint8
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
	if rounds > 0 {
		r.varied = r.manyDifferent((bounds[1] - 1) / sample)
	}
	for k := 0; k < rounds && ctx.Err() == nil; k++ {
		if r.last = bounds[k+1] - 1; r.last >= bounds[k] {
			r.begin, r.end = r.end, r.begin
			if !r.varied {
				r.varied = !r.rankFew(ctx, workers)
			}
			if r.varied {
				r.rankMany(ctx, workers)
			}
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

// mostCells is the number of counters for the hashes of a round where these are counted as they
// come, in the second cache, and one of sample hashes of the first round says whether they can be.
const mostCells, sample = 1 << 17, 16

// manyDifferent says whether so many different hashes go up to last, a sample of a round,
// that the round's are too many for rankFew.
func (r *ranker) manyDifferent(last uint64) bool {
	seen := map[uint64]struct{}{}
	for _, s := range r.sets {
		for _, h := range s.Hashes {
			if h > last {
				break
			}
			seen[h] = struct{}{}
		}
		if len(seen) > mostCells/cellsEach/sample {
			return true
		}
	}
	return false
}

// rankFew ranks the hashes of the round if there are few different ones, as there are of single
// words, and otherwise returns false.
func (r *ranker) rankFew(ctx context.Context, workers int) bool {
	width := 8
	for 1<<width < mostCells && 1<<width < cellsEach*len(r.of) {
		width++
	}
	shift := 64 - width
	counts := make([][]uint32, r.chunks)
	r.eachChunk(ctx, workers, func(c int) {
		cells := make([]uint32, 1<<width)
		for i := c * len(r.sets) / r.chunks; i < (c+1)*len(r.sets)/r.chunks; i++ {
			r.end[i] = r.begin[i]
			for _, h := range r.sets[i].Hashes[r.begin[i]:] {
				if h > r.last {
					break
				}
				cells[h*hashFactor>>(shift&63)]++
				r.end[i]++
			}
		}
		counts[c] = cells
	})
	if ctx.Err() != nil {
		return true
	}
	used := 0
	level := make([]uint8, 1<<width)
	for k := range level {
		var n uint32
		for c := range counts {
			n += counts[c][k]
		}
		if n > 0 {
			used++
			level[k] = levelOf(n) - 1
		}
	}
	if used > len(level)/cellsEach {
		return false
	}
	r.eachChunk(ctx, workers, func(c int) {
		r.eachSet(c, func(first int, hashes []uint64) {
			of := r.of[first : first+len(hashes)]
			for k, h := range hashes {
				of[k] = level[h*hashFactor>>(shift&63)]
			}
		})
	})
	return true
}

func (r *ranker) eachChunk(ctx context.Context, workers int, do func(c int)) {
	parallel.For(ctx, workers, r.chunks, func(_, c int) { do(c) })
}

// eachSet calls do for the hashes of the round in each set of a chunk, first being the number of
// the first one among the hashes of all sets.
func (r *ranker) eachSet(c int, do func(first int, hashes []uint64)) {
	for i := c * len(r.sets) / r.chunks; i < (c+1)*len(r.sets)/r.chunks; i++ {
		do(r.start[i]+int(r.begin[i]), r.sets[i].Hashes[r.begin[i]:r.end[i]])
	}
}
