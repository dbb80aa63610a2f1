package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

func init() {
	beam.RegisterDoFn(&pairBuckets{})
	beam.RegisterDoFn(&pairTasks{})
	beam.RegisterDoFn(&tasks{})
	beam.RegisterDoFn(&joinGroups{})
	beam.RegisterDoFn(&partners{})
	beam.RegisterDoFn(&send{})
	beam.RegisterDoFn(&score{})
}

// edge is the element of a pair: the earlier text as the key, the later one and the score.
func edge(emit func([]byte, []byte)) func(steps.Pair) error {
	return func(p steps.Pair) error {
		emit(encoder{}.rank(p.A), encoder{}.rank(p.B).float(p.Score))
		return nil
	}
}

// member takes a rank and what stands behind it.
func (d *decoder) member() (m steps.Member) {
	m.Rank = d.rank()
	m.Sketch = d.b
	return m
}

// buckets takes the blocks of a slot apart into the buckets there.
func (w *pairBuckets) buckets(slot int, next func(*[]byte) bool) (map[similarity.Key][]steps.Member, error) {
	out := map[similarity.Key][]steps.Member{}
	var failed error
	err := w.t.decodeAll(next, func(d *decoder) {
		var crowded []uint32
		if w.t.Carry {
			for head := (decoder{b: d.bytes()}); len(head.b) >= 4; {
				crowded = append(crowded, head.uint32())
			}
		}
		d.block(func(r dedup.Rank) {
			if !w.t.Carry {
				k := keyOf(d.uint32())
				out[k] = append(out[k], steps.Member{Rank: r})
				return
			}
			m := steps.Member{Rank: r, Sketch: d.bytes()}
			if d.bad || failed != nil {
				return
			}
			var keys []similarity.Key
			if keys, failed = w.mapper.Keys(m.Sketch); failed != nil {
				return
			}
			for _, k := range keys {
				if s, rest := w.t.bucketSlot(k); s == slot && !slices.Contains(crowded, rest) {
					out[k] = append(out[k], m)
				}
			}
		})
	})
	return out, cmp.Or(err, failed)
}

func ranks(members []steps.Member) []dedup.Rank {
	out := make([]dedup.Rank, len(members))
	for i, m := range members {
		out[i] = m.Rank
	}
	return out
}

// pairer is a step that finds pairs in buckets.
type pairer struct {
	worker
	p *steps.Pairer
}

// Setup makes the tools.
func (w *pairer) Setup() error {
	if err := w.worker.Setup(); err != nil {
		return err
	}
	var err error
	w.p, err = steps.NewPairer(w.t.steps)
	return err
}

// task emits what comes of a task: pairs where postings carry sketches, otherwise candidates.
func (w *pairer) task(ctx context.Context, key similarity.Key, blocks int, task steps.Task, members []steps.Member, pair func([]byte, []byte)) error {
	if w.t.Carry {
		return w.p.Pairs(ctx, key, blocks, task, members, edge(pair))
	}
	return w.p.Candidates(ctx, blocks, task, ranks(members), func(a, b dedup.Rank) error {
		pair(encoder{}.rank(a), encoder{}.rank(b))
		return nil
	})
}

// pairBuckets finds the pairs of the buckets of a slot. Of those that are large, though not so large that they were known
// to be crowded, each two blocks are a task of their own.
type pairBuckets struct {
	pairer
	mapper *steps.Mapper
}

// Setup makes the tools.
func (w *pairBuckets) Setup() error {
	if err := w.pairer.Setup(); err != nil {
		return err
	}
	var err error
	w.mapper, err = steps.NewMapper(w.t.steps)
	return err
}

// ProcessElement takes a slot.
func (w *pairBuckets) ProcessElement(ctx context.Context, name []byte, next func(*[]byte) bool, pair, tasks func([]byte, []byte)) error {
	d := decoder{b: name}
	slot := d.uint()
	if err := d.err(); err != nil {
		return err
	}
	buckets, err := w.buckets(slot, next)
	if err != nil {
		return err
	}
	for key, members := range buckets { // in any order: pairs meet again under their texts
		blocks := steps.Blocks(int64(len(members)))
		switch {
		case len(members) == 1:
		case blocks == 1:
			if err := w.task(ctx, key, 1, steps.Task{}, members, pair); err != nil {
				return err
			}
		default:
			s := newSplit(slotKey{slot, key}, blocks)
			for _, m := range members {
				s.add(m)
			}
			s.send(tasks)
		}
	}
	return nil
}

// pairTasks finds the pairs of a task.
type pairTasks struct{ pairer }

// ProcessElement takes the blocks of a task.
func (w *pairTasks) ProcessElement(ctx context.Context, name []byte, next func(*[]byte) bool, pair func([]byte, []byte)) error {
	d := w.t.decode(name)
	d.uint() // the slot
	key := similarity.Key{Table: byte(d.uint()), Bucket: d.uint64()}
	blocks := d.uint()
	task := steps.Task{A: d.uint(), B: d.uint()}
	if err := d.err(); err != nil {
		return err
	}
	var members []steps.Member
	cut := false
	err := w.t.decodeAll(next, func(d *decoder) {
		for len(d.b) > 0 {
			m := w.t.decode(d.bytes())
			members = append(members, m.member())
			cut = cut || m.bad
		}
	})
	switch {
	case err != nil:
		return err
	case cut:
		return errCut
	}
	return w.task(ctx, key, blocks, task, members, pair)
}

// tasks tells the joins that take part in a piece of it, and which of its documents they pass over. Two groups of old
// documents are not joined.
type tasks struct{ worker }

// ProcessElement takes a piece.
func (w *tasks) ProcessElement(_ context.Context, _ []byte, pieces, skips func(*[]byte) bool, task func([]byte, []byte)) error {
	p, skip, err := w.t.readPiece(pieces, skips)
	if err != nil {
		return err
	}
	b, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	element := encoder{}.bytes(b)
	last := 0
	for _, row := range skip {
		element, last = element.uint(row-last), row
	}
	steps.Tasks(w.t.group(p), w.t.Groups, func(t steps.Task) {
		if t.A < t.B && t.B < w.t.NewGroup {
			return
		}
		task(encoder{}.uint(t.A).uint(t.B), element)
	})
	return nil
}

// group returns the one that the documents of a piece belong to.
func (s *settings) group(p *piece) int { return p.Index * s.Groups / p.Of }

// joinGroups finds pairs by the method's own join: those within a group, or those between two. It reads the
// pieces of the groups again, since their sketches are as large as the texts.
type joinGroups struct{ worker }

// ProcessElement takes the pieces of one group or two.
func (w *joinGroups) ProcessElement(ctx context.Context, name []byte, next func(*[]byte) bool, pair, empty func([]byte, []byte), stat func(string, int64)) error {
	d := w.t.decode(name)
	task := steps.Task{A: d.uint(), B: d.uint()}
	if err := d.err(); err != nil {
		return err
	}
	var docs [2]similarity.Collection
	var names [2][]dedup.Rank
	for side := range docs {
		docs[side] = w.t.method.NewCollection()
	}
	elements := all(next)
	slices.SortFunc(elements, bytes.Compare)
	for _, element := range elements {
		d := decoder{b: element}
		p, err := pieceOfJSON(d.string())
		if err != nil {
			return err
		}
		var skip []int
		for row := 0; len(d.b) > 0; {
			row += d.uint()
			skip = append(skip, row)
		}
		if err := d.err(); err != nil {
			return err
		}
		side := 0
		if w.t.group(p) != task.A {
			side = 1
		}
		err = w.t.each(ctx, p, but(skip), func(_ int, rank dedup.Rank, text string) error {
			n := len(names[side])
			docs[side].Add(text)
			names[side] = append(names[side], rank)
			if task.A == task.B && docs[side].Empty(n) {
				if !w.t.old(p.Source) {
					stat("empty", 1)
				}
				empty(encoder{}.rank(rank), nil)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if task.B < w.t.NewGroup { // which was read for what has no features
		return nil
	}
	other := docs[1]
	if task.A == task.B {
		other, names[1] = nil, names[0]
	}
	emit := edge(pair)
	o := similarity.JoinOptions{Threshold: w.t.Candidates, Recall: w.t.Recall, Workers: 1}
	_, err := docs[0].Join(ctx, other, o, func(p similarity.Pair) error {
		a, b := names[0][p.A], names[1][p.B]
		if w.t.old(a.Ref().Source) && w.t.old(b.Ref().Source) {
			return nil
		}
		return emit(steps.Pair{A: min(a, b), B: max(a, b), Score: p.Score})
	})
	return err
}

// partners takes all texts that one is to be compared with, drops what comes twice, and asks for
// their sketches.
type partners struct {
	worker
	Verify bool
}

// ProcessElement takes the candidates of a text that are behind it.
func (w *partners) ProcessElement(_ context.Context, key []byte, next func(*[]byte) bool, wanted, list func([]byte, []byte), stat func(string, int64)) error {
	var others []dedup.Rank
	if err := w.t.decodeAll(next, func(d *decoder) { others = append(others, d.rank()) }); err != nil {
		return err
	}
	slices.Sort(others)
	others = slices.Compact(others)
	of := w.t.decode(key).rank()
	wanted(pieceOf(of), append(encoder{}.uint(rowOf(of)), isEarlier))
	if w.Verify {
		stat("scored", int64(len(others)))
	}
	var all encoder
	for _, o := range others {
		wanted(pieceOf(o), append(encoder{}.uint(rowOf(o)), isLater))
		all = all.rank(o)
	}
	list(key, all)
	return nil
}

// send sends the sketch of a text to those that it is compared with.
type send struct{ worker }

// ProcessElement takes a text's partners and its sketch.
func (w *send) ProcessElement(_ context.Context, key []byte, lists, sketches func(*[]byte) bool, to func([]byte, []byte)) error {
	sketch, err := one(sketches, "sketch of a candidate")
	if err != nil {
		return err
	}
	element := append(slices.Clone(key), sketch...)
	return w.t.decodeAll(lists, func(d *decoder) {
		for len(d.b) > 0 {
			to(encoder{}.rank(d.rank()), element)
		}
	})
}

// score compares a text with those that have sent it their sketches. Postings
// say a hash of the key of a bucket, which other keys may have too; so the
// sketches show whether the two share a bucket.
type score struct {
	worker
	Verify bool

	p *steps.Pairer
}

// Setup makes the tools.
func (w *score) Setup() error {
	err := w.worker.Setup()
	switch {
	case err != nil:
	case w.Verify:
		w.p, err = steps.NewVerifier(w.t.verify, w.t.Threshold)
	default:
		w.p, err = steps.NewPairer(w.t.steps)
	}
	return err
}

// ProcessElement takes a text's sketch and those that were sent.
func (w *score) ProcessElement(_ context.Context, key []byte, sketches, sent func(*[]byte) bool, pair func([]byte, []byte)) error {
	own, err := one(sketches, "sketch of a candidate")
	if err != nil {
		return err
	}
	var damaged error
	others := func(yield func(steps.Member) bool) {
		var b []byte
		for damaged == nil && sent(&b) {
			d := w.t.decode(b)
			m := d.member()
			if damaged = d.err(); damaged == nil && !yield(m) {
				return
			}
		}
	}
	err = w.p.Score(steps.Member{Rank: w.t.decode(key).rank(), Sketch: own}, others, edge(pair))
	return errors.Join(err, damaged)
}
