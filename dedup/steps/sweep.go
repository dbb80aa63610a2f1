package steps

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/extsort"
)

// Sweep decides on one machine, by dedup.Cluster over pairs in files: for chains
// of any length, in memory of a stated size and 12 bytes per text.
type Sweep struct {
	pairs *extsort.Sorter
}

// NewSweep returns a sweep over texts with numbers up to 2³²-2, in the order of
// keeping: 0 is kept rather than 1. It holds about memory bytes of pairs, and the
// rest in files in dir, which Close removes.
func NewSweep(dir string, memory int64) *Sweep { return &Sweep{extsort.New(dir, memory)} }

// Add adds a pair; one that was added before must have the same score. Not safe for concurrent use.
func (s *Sweep) Add(a, b uint32, score float64) error {
	if a == b {
		return fmt.Errorf("dedup: a pair of text %d with itself", a)
	}
	return s.pairs.Add(extsort.Record{uint64(min(a, b))<<32 | uint64(max(a, b)), math.Float64bits(score)})
}

// Decide decides on all texts. nodes is more than the numbers of all texts. It
// can be called again, but nothing can be added after it.
func (s *Sweep) Decide(ctx context.Context, nodes uint32) (*dedup.Clustering, error) {
	return s.decide(ctx, nodes, 0, nil)
}

// decide is Decide with judgements, or nil. The first texts, as many as fixed, are old
// ones. The score of two texts that are in no pair is NaN.
func (s *Sweep) decide(ctx context.Context, nodes, fixed uint32, judged *dedup.Groups) (*dedup.Clustering, error) {
	next, stop := iter.Pull2(s.later(nodes))
	defer stop()
	at, err, more := next()
	// Nodes are asked about in their order, and all before them are decided on.
	near := func(dst []uint32, node uint32, _ func(uint32) bool) ([]uint32, error) {
		for more && err == nil && at.node < node {
			at, err, more = next()
		}
		if more && err == nil && at.node == node {
			dst = append(dst, at.later...)
		}
		return dst, err
	}
	score := func(a, b uint32) (float64, error) {
		if at != nil && at.node == a {
			if i, found := slices.BinarySearch(at.later, b); found {
				return at.scores[i], nil
			}
		}
		return math.NaN(), nil
	}
	c, decideErr := dedup.Cluster(ctx, dedup.Graph{Nodes: int(nodes), Fixed: int(fixed), Near: near}, dedup.Rule{Score: score, Judged: judged})
	for more && err == nil { // no damage behind the last text that is kept goes unseen
		at, err, more = next()
	}
	if decideErr != nil {
		return nil, decideErr
	}
	return c, err
}

// pairsOf are the pairs of a text with those behind it, in their order.
type pairsOf struct {
	node   uint32
	later  []uint32
	scores []float64
}

// later returns the pairs text by text. What is yielded is used again.
func (s *Sweep) later(nodes uint32) iter.Seq2[*pairsOf, error] {
	return func(yield func(*pairsOf, error) bool) {
		stopped := errors.New("dedup: no more pairs are wanted")
		var of pairsOf
		err := s.pairs.Each(func(r extsort.Record) error {
			a, b := uint32(r[0]>>32), uint32(r[0])
			if b >= nodes {
				return fmt.Errorf("dedup: sweep: text %d of %d", b, nodes)
			}
			n := len(of.later)
			if n > 0 && a != of.node {
				if !yield(&of, nil) {
					return stopped
				}
				of.later, of.scores, n = of.later[:0], of.scores[:0], 0
			}
			if of.node = a; n == 0 || of.later[n-1] != b {
				of.later, of.scores = append(of.later, b), append(of.scores, math.Float64frombits(r[1]))
			}
			return nil
		})
		switch {
		case errors.Is(err, stopped):
		case err != nil:
			yield(nil, err)
		case len(of.later) > 0:
			yield(&of, nil)
		}
	}
}

// Close removes the files.
func (s *Sweep) Close() error { return s.pairs.Close() }

// RankSweep is a Sweep over texts named by their ranks.
type RankSweep struct {
	// Old reports whether a text is an old one, and Apart is that of dedup.Judged. Both
	// are needed after Judge only.
	Old   func(dedup.Rank) bool
	Apart func(a, b int32) bool

	groups map[uint64]int32 // by number, as of a pair, of texts that were judged
	dir    string
	memory int64
	ends   *extsort.Bytes  // of pairs: rank, number of the pair, 0 or 1
	pairs  *extsort.Sorter // of the same: four times the number of the pair, with 0, 1 the number of a text, with 2 the score; with 3 the number of a text that was judged
	n      uint64          // pairs
	length int             // of a rank
	buf    []byte
}

// NewRankSweep returns a sweep over texts that go by rank, up to 2³²-2 of them in
// pairs. It holds about memory bytes and 12 bytes per text. The rest is in files in
// dir, which Close removes.
func NewRankSweep(dir string, memory int64) *RankSweep {
	return &RankSweep{dir: dir, memory: memory, ends: extsort.NewBytes(dir, memory/3), pairs: extsort.New(dir, memory/3)}
}

// Add adds a pair; one that was added before must have the same score. Not safe for concurrent use.
func (s *RankSweep) Add(p Pair) error {
	if s.n == 0 {
		s.length = len(p.A)
	}
	if len(p.A) != s.length || len(p.B) != s.length || p.A >= p.B {
		return fmt.Errorf("dedup: sweep: %x and %x are no pair of ranks of %d bytes", p.A, p.B, s.length)
	}
	for end, r := range []dedup.Rank{p.A, p.B} {
		s.buf = binary.BigEndian.AppendUint64(append(s.buf[:0], r...), s.n<<2|uint64(end))
		if err := s.ends.Add(s.buf); err != nil {
			return err
		}
	}
	s.n++
	return s.pairs.Add(extsort.Record{(s.n-1)<<2 | 2, math.Float64bits(p.Score)})
}

// Judge adds a text of a group of dedup.Judged. The sweep must have all of them.
// Memory holds them. Not safe for concurrent use.
func (s *RankSweep) Judge(r dedup.Rank, group int32) error {
	if s.n == 0 {
		s.length = len(r)
	}
	if len(r) != s.length {
		return fmt.Errorf("dedup: sweep: %x is no rank of %d bytes", r, s.length)
	}
	if s.groups == nil {
		s.groups = map[uint64]int32{}
	}
	s.groups[s.n] = group
	s.buf = binary.BigEndian.AppendUint64(append(s.buf[:0], r...), s.n<<2|3)
	s.n++
	return s.ends.Add(s.buf)
}

// Each calls emit with the decision on each text that is in a pair with an
// earlier one, or in a group with another text, in the order of ranks. All other
// texts are kept. Call it once, and add nothing after it.
func (s *RankSweep) Each(ctx context.Context, emit func(Decision) error) (err error) {
	if s.n == 0 {
		return nil
	}
	ranks, err := os.CreateTemp(s.dir, "ranks-*")
	if err != nil {
		return fmt.Errorf("dedup: sweep: %w", err)
	}
	defer func() { err = errors.Join(err, ranks.Close(), os.Remove(ranks.Name())) }()
	nodes, fixed, err := s.number(ctx, ranks)
	if err != nil {
		return err
	}
	sweep := NewSweep(s.dir, s.memory/3)
	defer func() { err = errors.Join(err, sweep.Close()) }()
	behind := bitset.New(uint(nodes)) // the texts in a pair with one before them
	var ends [2]uint32
	var judged *dedup.Groups
	members := map[int32]int{}
	if s.groups != nil {
		judged = &dedup.Groups{Of: slices.Repeat([]int32{-1}, int(nodes)), Apart: s.Apart}
	}
	err = s.pairs.Each(func(r extsort.Record) error {
		switch side := r[0] & 3; side {
		case 0, 1:
			ends[side] = uint32(r[1])
			return nil
		case 3:
			group := s.groups[r[0]>>2]
			judged.Of[r[1]] = group
			members[group]++
			return nil
		}
		behind.Set(uint(ends[1]))
		return sweep.Add(ends[0], ends[1], math.Float64frombits(r[1]))
	})
	if err != nil {
		return err
	}
	rank := func(n uint32) (dedup.Rank, error) {
		b := make([]byte, s.length)
		if _, err := ranks.ReadAt(b, int64(n)*int64(s.length)); err != nil {
			return "", fmt.Errorf("dedup: sweep: %w", err)
		}
		return dedup.Rank(b), nil
	}
	c, err := sweep.decide(ctx, nodes, fixed, judged)
	if err != nil {
		return err
	}
	for node, leader := range c.Leader {
		grouped := judged != nil && judged.Of[node] >= 0 && members[judged.Of[node]] > 1
		if !behind.Test(uint(node)) && !grouped {
			continue
		}
		from, err := rank(uint32(node))
		if err != nil {
			return err
		}
		to, err := rank(leader)
		if err != nil {
			return err
		}
		if err := emit(Decision{from, to, c.Score[node]}); err != nil {
			return err
		}
	}
	return nil
}

// number numbers the texts by rank, adds these numbers to the pairs, and writes
// the ranks. If texts were judged, it returns how many are old.
func (s *RankSweep) number(ctx context.Context, ranks *os.File) (nodes, fixed uint32, err error) {
	out := bufio.NewWriterSize(ranks, 1<<16)
	var last []byte
	next := uint64(0)
	err = s.ends.Each(func(b []byte) error {
		rank, end := b[:s.length], binary.BigEndian.Uint64(b[s.length:])
		if next == 0 || !bytes.Equal(rank, last) {
			if next >= math.MaxUint32-1 {
				return fmt.Errorf("dedup: sweep: more than %d texts", next)
			}
			if next%(1<<14) == 0 && ctx.Err() != nil {
				return fmt.Errorf("dedup: sweep: %w", ctx.Err())
			}
			last = append(last[:0], rank...)
			if s.groups != nil && s.Old(dedup.Rank(last)) {
				fixed++
			}
			next++
			out.Write(rank)
		}
		return s.pairs.Add(extsort.Record{end, next - 1})
	})
	if err == nil {
		err = s.ends.Close() // half of the files are not needed any more
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return 0, 0, err
	}
	return uint32(next), fixed, nil
}

// Close removes the files.
func (s *RankSweep) Close() error { return errors.Join(s.ends.Close(), s.pairs.Close()) }
