package steps

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// Pair is two texts that are alike by their sketches. A is kept rather than B:
// its rank is the smaller one.
type Pair struct {
	A, B  dedup.Rank
	Score float64
}

// Member is a text in a bucket.
type Member struct {
	Rank   dedup.Rank
	Sketch []byte
}

// BlockMembers is the average number of members of a block. Larger buckets are
// cut in blocks.
const BlockMembers = 2048

// Blocks returns the number of blocks that a bucket of so many members is cut in.
func Blocks(members int64) int {
	return int(max(1, (members+BlockMembers-1)/BlockMembers))
}

// BlockOf returns the block of a member, less than blocks. Blocks have about the
// same size.
func BlockOf(r dedup.Rank, blocks int) int {
	if blocks <= 1 {
		return 0
	}
	return int(xxh3.HashString(string(r)) % uint64(blocks))
}

// Task is a part of the work on a bucket: block A against block B, where A ≤ B. If
// the two are equal, it is the pairs within the block. All tasks together compare
// each two members once.
type Task struct{ A, B int }

// Tasks calls emit with the tasks that need the members of a block: as many as there are blocks.
func Tasks(block, blocks int, emit func(Task)) {
	for other := range blocks {
		emit(Task{min(block, other), max(block, other)})
	}
}

// Pairer finds pairs that are alike. It is not safe for concurrent use: each
// worker has its own.
type Pairer struct {
	*kit
	keys    []similarity.Key // of all members at hand, one behind the other
	ends    []int
	indices []int
}

// NewPairer returns a pairer. The error wraps similarity.ErrNoBuckets if the
// method has no buckets.
func NewPairer(o Options) (*Pairer, error) {
	k, err := newKit(o)
	if err != nil {
		return nil, err
	}
	return &Pairer{kit: k}, nil
}

// NewVerifier returns a Pairer that only scores: by the sketches of the method
// that decides, without buckets. The floor is the threshold.
func NewVerifier(m similarity.Method, threshold float64) (*Pairer, error) {
	s, err := NewSketcher(m)
	if err != nil {
		return nil, err
	}
	return &Pairer{kit: &kit{Sketcher: s, layout: Layout{Floor: threshold}}}, nil
}

// Pairs calls emit with the pairs of a task of the bucket of a key whose
// sketches score at least Layout.Floor, in ascending order of A and B. members
// are the members of the task's blocks, in any order. Of two members with one rank
// it takes one. It leaves out pairs outside of Options.Limits, and pairs of two old
// documents. If two texts share several buckets, their pair is emitted only in the
// bucket of the least key, so no pair comes twice from all buckets and tasks.
func (p *Pairer) Pairs(ctx context.Context, key similarity.Key, blocks int, task Task, members []Member, emit func(Pair) error) error {
	p.docs.Truncate(0)
	p.keys, p.ends, p.indices = p.keys[:0], p.ends[:0], p.indices[:0]
	for i := range members {
		p.indices = append(p.indices, i)
	}
	slices.SortFunc(p.indices, func(i, j int) int { return cmp.Compare(members[i].Rank, members[j].Rank) })
	p.indices = slices.CompactFunc(p.indices, func(i, j int) bool { return members[i].Rank == members[j].Rank })
	own := make([]int, len(p.indices)) // blocks
	limits, limited := make([][]float64, len(p.indices)), p.o.Limits.Any()
	for n, i := range p.indices {
		own[n] = BlockOf(members[i].Rank, blocks)
		if own[n] != task.A && own[n] != task.B {
			return fmt.Errorf("dedup: a member of block %d in task %d, %d", own[n], task.A, task.B)
		}
		sketch, values := p.split(members[i].Sketch)
		limits[n] = values
		if err := p.add(sketch); err != nil {
			return err
		}
		p.keys = p.buckets.Append(p.keys, n)
		p.ends = append(p.ends, len(p.keys))
	}
	for a, i := range p.indices {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("dedup: pairs: %w", err)
		}
		rank := members[i].Rank
		old := p.old(rank)
		for b := a + 1; b < len(p.indices); b++ {
			if task.A != task.B && own[a] == own[b] {
				continue
			}
			other := members[p.indices[b]].Rank
			if old && p.old(other) || limited && !p.o.Limits.Counts(limits[a], limits[b]) {
				continue
			}
			s := p.docs.Score(a, b)
			if s < p.layout.Floor || !p.first(key, a, b) {
				continue
			}
			if err := emit(Pair{rank, other, s}); err != nil {
				return err
			}
		}
	}
	return nil
}

// first reports whether the first key that two members share is this one.
func (p *Pairer) first(key similarity.Key, a, b int) bool {
	of := func(n int) []similarity.Key {
		from := 0
		if n > 0 {
			from = p.ends[n-1]
		}
		return p.keys[from:p.ends[n]]
	}
	shared, ok := firstShared(of(a), of(b))
	return ok && shared == key
}

// firstShared returns the first key that two ascending lists have in common.
func firstShared(a, b []similarity.Key) (key similarity.Key, ok bool) {
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Or(cmp.Compare(a[0].Table, b[0].Table), cmp.Compare(a[0].Bucket, b[0].Bucket)); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			return a[0], true
		}
	}
	return key, false
}

// Candidates is Pairs for members that are sent without their sketches. It calls
// emit with the pairs of a task, which may come from several buckets too. An
// engine drops repeated pairs, fetches the sketches, and asks Score.
func (p *Pairer) Candidates(ctx context.Context, blocks int, task Task, members []dedup.Rank, emit func(a, b dedup.Rank) error) error {
	members = slices.Compact(slices.Sorted(slices.Values(members)))
	for i, a := range members {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("dedup: candidates: %w", err)
		}
		own, old := BlockOf(a, blocks), p.old(a)
		if own != task.A && own != task.B {
			return fmt.Errorf("dedup: a member of block %d in task %d, %d", own, task.A, task.B)
		}
		for _, b := range members[i+1:] {
			if task.A != task.B && own == BlockOf(b, blocks) || old && p.old(b) {
				continue
			}
			if err := emit(a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// Score calls emit with each of the others that makes a pair with a member, in
// their order: their sketches share a bucket and score at least Layout.Floor,
// and the two are not both old.
func (p *Pairer) Score(of Member, others iter.Seq[Member], emit func(Pair) error) error {
	sketch, limits := p.split(of.Sketch)
	if err := p.load(sketch); err != nil {
		return err
	}
	keyed, old := p.buckets.Append != nil, p.old(of.Rank)
	if p.keys = p.keys[:0]; keyed {
		p.keys = p.buckets.Append(p.keys, 0)
	}
	own := len(p.keys)
	for o := range others {
		if o.Rank == of.Rank || old && p.old(o.Rank) {
			continue
		}
		sketch, values := p.split(o.Sketch)
		if !p.o.Limits.Counts(limits, values) {
			continue
		}
		p.docs.Truncate(1)
		if err := p.add(sketch); err != nil {
			return err
		}
		s := p.docs.Score(0, 1)
		if s < p.layout.Floor {
			continue
		}
		if keyed {
			p.keys = p.buckets.Append(p.keys[:own], 1)
			if _, ok := firstShared(p.keys[:own], p.keys[own:]); !ok {
				continue
			}
		}
		if err := emit(Pair{min(of.Rank, o.Rank), max(of.Rank, o.Rank), s}); err != nil {
			return err
		}
	}
	return nil
}
