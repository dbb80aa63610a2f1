package hamming

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
)

// A joiner cuts codes into radius+1 pieces. One piece is equal in both codes of a near
// pair (Manku, Jain, Das Sarma, WWW 2007). So it sorts the codes by one piece after
// another and looks for pairs within the buckets. Large buckets are cut again, by the
// other bits, until all pairs of a bucket are compared.
//
// A pair is taken from the first piece that is equal in both codes, at each level.
type joiner struct {
	ctx      context.Context
	o        JoinOptions
	width, k int
	workers  int
	a        Codes
	b        *Codes // nil in a self-join
	n        int    // codes in both lists
	stats    JoinStats

	pieces [][]int // the bits of each piece, cut to those looked up

	// codes are the distinct codes of a and, from split on, of b.
	codes    columns
	split    int
	ofA, ofB distinct
	pairs    []uint64 // of positions in codes, the lower one in the upper half
}

// plan chooses the pieces.
func (j *joiner) plan() {
	all := j.a.columns()
	if j.b != nil && j.b.Len() > j.a.Len() {
		all = j.b.columns()
	}
	even, sample := balance(all, j.width)
	if j.k < j.width {
		for _, p := range pieces(even, sample, j.width, j.k+1, maxLookup) {
			j.pieces = append(j.pieces, p[:lookupBits(len(p), j.n)])
		}
	}
	j.stats.Design = "scan"
	if !j.scans() {
		bits := 0
		for _, p := range j.pieces {
			bits = max(bits, len(p))
		}
		j.stats.Design = fmt.Sprintf("%d pieces of %d bits", len(j.pieces), bits)
	}
}

// scans reports whether to compare all pairs: it is faster if the buckets of all pieces
// together hold at least half as many pairs.
func (j *joiner) scans() bool {
	if j.o.design != "" {
		return j.o.design == "scan"
	}
	share := 0.0
	for _, p := range j.pieces {
		share += 1 / float64(uint64(1)<<len(p))
	}
	return len(j.pieces) == 0 || share > 0.5
}

// run fills pairs.
func (j *joiner) run() error {
	if len(j.pieces) == 0 { // every pair is near
		j.pieces = [][]int{nil}
	}
	tmp := newColumns(j.n, j.width == 128)
	first := newKey(j.pieces[0])
	starts := make([]uint32, 1<<first.width+1)
	j.ofA = newDistinct(j.a.columns(), tmp, &first, starts, j.workers)
	j.codes, j.split = j.ofA.codes, j.ofA.codes.len()
	if j.b != nil {
		j.ofB = newDistinct(j.b.columns(), tmp, &first, make([]uint32, len(starts)), j.workers)
		j.codes = concat(j.ofA.codes, j.ofB.codes)
		j.split = j.ofA.codes.len()
	}
	j.codes.ids = nil // positions stand for codes
	if err := j.ctx.Err(); err != nil {
		return fmt.Errorf("hamming: join: %w", err)
	}
	if j.k == 0 && j.b == nil {
		return nil // distinct codes differ
	}

	finders := make([]*pairFinder, j.workers)
	for i := range finders {
		finders[i] = &pairFinder{joiner: j}
	}
	even, sample := balance(j.codes, j.width)
	out := newWords(j.codes.len())
	var differ []Code
	for i, p := range j.pieces {
		lookup := newKey(p)
		order := append(append([]int{}, p...), others(p, even, sample, j.width)...)
		gather := wordKey(order[len(p):])
		if i == 0 && j.b == nil {
			// The codes are already in the order of the first piece.
			j.inOrder(out, &gather)
		} else {
			if i > 0 {
				starts = make([]uint32, 1<<lookup.width+1)
			}
			partitionWords(out, tmp, j.codes, packing(order, len(p)), starts, j.workers)
		}
		if err := j.buckets(finders, out, starts, &gather, differ, i); err != nil {
			return fmt.Errorf("hamming: join: %w", err)
		}
		differ = append(differ, lookup.mask)
	}
	for _, f := range finders {
		j.pairs = append(j.pairs, f.pairs...)
		j.stats.Candidates += f.candidates
	}
	return nil
}

// inOrder fills the words of codes that need no sorting.
func (j *joiner) inOrder(out words, gather *key) {
	chunks := (j.codes.len() + 1<<14 - 1) >> 14
	parallel.For(context.Background(), j.workers, chunks, func(_, c int) {
		var buf [blockLen]uint64
		for at := c << 14; at < min((c+1)<<14, j.codes.len()); at += blockLen {
			b := buf[:min(blockLen, j.codes.len()-at)]
			gather.words(b, j.codes.lo[at:], tail(j.codes.hi, at))
			for i, w := range b {
				out.word[at+i], out.pos[at+i] = uint32(w), uint32(at+i)
			}
		}
	})
}

// buckets looks for pairs in all buckets of the i-th piece.
func (j *joiner) buckets(finders []*pairFinder, w words, starts []uint32, gather *key, differ []Code, i int) error {
	for _, f := range finders {
		f.reset(gather, differ)
	}
	// Runs of buckets with enough codes to be worth handing to a worker.
	const enough = 1 << 12
	var runs []int
	last := -enough
	for b := range len(starts) - 1 {
		if at := int(starts[b]); at-last >= enough {
			runs = append(runs, b)
			last = at
		}
	}
	runs = append(runs, len(starts)-1)
	n := 0
	done := parallel.Progress(len(runs), func(share float64) {
		if n++; j.o.Progress != nil && n%64 == 0 {
			j.o.Progress((float64(i) + share) / float64(len(j.pieces)))
		}
	})
	parallel.For(j.ctx, j.workers, len(runs)-1, func(worker, r int) {
		for b := runs[r]; b < runs[r+1]; b++ {
			from, to := starts[b], starts[b+1]
			if to-from > 1 {
				finders[worker].bucket(words{w.word[from:to], w.pos[from:to]}, limits.byCodes)
			}
		}
		done()
	})
	return j.ctx.Err()
}

func concat(a, b columns) columns {
	c := newColumns(a.len()+b.len(), a.hi != nil)
	c.copyWithin(0, a)
	tail := columns{lo: c.lo[a.len():], ids: c.ids[a.len():]}
	if c.hi != nil {
		tail.hi = c.hi[a.len():]
	}
	tail.copyWithin(0, b)
	return c
}
