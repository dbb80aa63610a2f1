package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// edge emits a pair: the earlier text as the key, the later one and the score.
func edge(emit func([]byte, []byte)) func(steps.Pair) error {
	return func(p steps.Pair) error {
		emit(encoder{}.rank(p.A), encoder{}.rank(p.B).float(p.Score))
		return nil
	}
}

// member takes a rank and the sketch behind it.
func (d *decoder) member() (m steps.Member) {
	m.Rank = d.rank()
	m.Sketch = d.b
	return m
}

// buckets returns the buckets of a slot from its blocks.
func (w *pairBuckets) buckets(slot int, next func(*[]byte) bool) (map[similarity.Key][]steps.Member, error) {
	out := map[similarity.Key][]steps.Member{}
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
			if d.failed != nil {
				return
			}
			keys, err := w.mapper.Keys(m.Sketch)
			d.fail(err)
			for _, k := range keys {
				if s, rest := w.t.bucketSlot(k); s == slot && !slices.Contains(crowded, rest) {
					out[k] = append(out[k], m)
				}
			}
		})
	})
	return out, err
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

func (w *pairer) Setup() error {
	err := w.worker.Setup()
	if err == nil {
		w.p, err = steps.NewPairer(w.t.steps)
	}
	return err
}

// task emits the result of a task: pairs if postings carry sketches, otherwise
// candidates.
func (w *pairer) task(ctx context.Context, key similarity.Key, blocks int, task steps.Task, members []steps.Member, pair func([]byte, []byte)) error {
	if w.t.Carry {
		return w.p.Pairs(ctx, key, blocks, task, members, edge(pair))
	}
	return w.p.Candidates(ctx, blocks, task, ranks(members), func(a, b dedup.Rank) error {
		pair(encoder{}.rank(a), encoder{}.rank(b))
		return nil
	})
}

// pairBuckets finds the pairs of the buckets of a slot. In large buckets that were
// not known to be crowded, each two blocks are a task of their own.
type pairBuckets struct {
	pairer
	mapper *steps.Mapper
}

func (w *pairBuckets) Setup() error {
	err := w.pairer.Setup()
	if err == nil {
		w.mapper, err = steps.NewMapper(w.t.steps)
	}
	return err
}

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
	err := w.t.decodeAll(next, func(d *decoder) {
		for len(d.b) > 0 {
			m := w.t.decode(d.bytes())
			members = append(members, m.member())
			d.fail(m.failed)
		}
	})
	if err != nil {
		return err
	}
	return w.task(ctx, key, blocks, task, members, pair)
}

// tasks sends a piece to the joins that need it, with the rows to skip. Two groups
// of old documents are not joined.
type tasks struct{ worker }

func (w *tasks) ProcessElement(_ context.Context, _ []byte, pieces, skips func(*[]byte) bool, task func([]byte, []byte)) error {
	p, skip, err := w.t.readPiece(pieces, skips)
	if err != nil {
		return err
	}
	b, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	element := encoder{}.bytes(b).rows(skip)
	steps.Tasks(w.t.group(p), w.t.Groups, func(t steps.Task) {
		if t.A < t.B && t.B < w.t.NewGroup {
			return
		}
		task(encoder{}.uint(t.A).uint(t.B), element)
	})
	return nil
}

// group returns the group that the documents of a piece belong to.
func (s *settings) group(p *piece) int { return p.Index * s.Groups / p.Of }

// joinGroups finds pairs by the method's own join, within a group or between two. It
// reads the pieces of the groups again, because their sketches are as large as the
// texts.
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
	var limits [2][][]float64
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
		skip := d.rows()
		if err := d.err(); err != nil {
			return err
		}
		side := 0
		if w.t.group(p) != task.A {
			side = 1
		}
		err = w.t.each(ctx, p, but(skip), func(_ int, d document) error {
			n, rank := len(names[side]), d.rank
			docs[side].Add(d.text)
			names[side] = append(names[side], rank)
			limits[side] = append(limits[side], d.limits)
			if task.A == task.B && docs[side].Empty(n) {
				w.t.empty(p, &d, empty, stat)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if task.B < w.t.NewGroup { // it was read for texts without features only
		return nil
	}
	other := docs[1]
	if task.A == task.B {
		other, names[1], limits[1] = nil, names[0], limits[0]
	}
	emit := edge(pair)
	o := similarity.JoinOptions{Threshold: w.t.Candidates, Recall: w.t.Recall, Workers: 1}
	_, err := docs[0].Join(ctx, other, o, func(p similarity.Pair) error {
		a, b := names[0][p.A], names[1][p.B]
		if w.t.old(a.Ref().Source) && w.t.old(b.Ref().Source) || !w.t.Limits.Counts(limits[0][p.A], limits[1][p.B]) {
			return nil
		}
		return emit(steps.Pair{A: min(a, b), B: max(a, b), Score: p.Score})
	})
	return err
}

// comparison says what pairs are compared for.
type comparison int

const (
	bySketches comparison = iota // to find candidates, within limits
	byTexts                      // to verify candidates
	byScore                      // to score pairs that are decided on
)

// partners collects the texts that a text is compared with, drops repeats, and asks
// for their sketches.
type partners struct {
	worker
	By comparison
}

// ProcessElement takes the later candidates of a text.
func (w *partners) ProcessElement(_ context.Context, key []byte, next func(*[]byte) bool, wanted, list func([]byte, []byte), stat func(string, int64)) error {
	var others []dedup.Rank
	if err := w.t.decodeAll(next, func(d *decoder) { others = append(others, d.rank()) }); err != nil {
		return err
	}
	slices.Sort(others)
	others = slices.Compact(others)
	of := w.t.decode(key).rank()
	wanted(pieceOf(of), append(encoder{}.uint(rowOf(of)), isEarlier))
	if w.By == byTexts {
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

// send sends the sketch of a text to the texts that it is compared with.
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

// score compares a text with the texts that have sent it their sketches. Postings
// name a bucket by a hash, which other buckets may have too, so the sketches show
// whether the two texts share a bucket.
type score struct {
	worker
	By comparison

	p *steps.Pairer
}

func (w *score) Setup() error {
	err := w.worker.Setup()
	switch {
	case err != nil:
	case w.By == byTexts:
		w.p, err = steps.NewVerifier(w.t.verify, w.t.Threshold)
	case w.By == byScore:
		w.p, err = steps.NewVerifier(w.t.decider(), 0)
	default:
		w.p, err = steps.NewPairer(w.t.steps)
	}
	return err
}

// ProcessElement takes a text's sketch and the sketches sent to it.
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
