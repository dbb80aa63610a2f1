package pipeline

import (
	"context"
	"math"
	"os"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
)

// ends sends a pair to both of its texts.
type ends struct{ worker }

func (w *ends) ProcessElement(_ context.Context, a, b []byte, emit func([]byte, []byte)) error {
	d := w.t.decode(b)
	later, score := d.rank(), d.float()
	if err := d.err(); err != nil {
		return err
	}
	// 0 means that the other text is the later one, 1 that it is the earlier one.
	emit(a, encoder{0}.rank(later).float(score))
	emit(encoder{}.rank(later), append(encoder{1}, a...).float(score))
	return nil
}

func (e encoder) node(n *steps.Node) encoder {
	e = e.bool(n.Removed).bool(n.Held).uint(len(n.Earlier))
	for _, o := range n.Earlier {
		e = e.rank(o.Rank).float(o.Score).bool(o.Kept)
	}
	e = e.uint(len(n.Later))
	for _, l := range n.Later {
		e = e.rank(l)
	}
	return e
}

func (d *decoder) node(rank dedup.Rank) steps.Node {
	n := steps.Node{Rank: rank, Removed: d.bool(), Held: d.bool()}
	d.times(d.uint(), func() {
		n.Earlier = append(n.Earlier, steps.Neighbour{Rank: d.rank(), Score: d.float(), Kept: d.bool()})
	})
	d.times(d.uint(), func() { n.Later = append(n.Later, d.rank()) })
	return n
}

// decide ends a wave for a node.
func decide(n *steps.Node, key []byte, node, news, decided func([]byte, []byte)) {
	d, done := n.Decide(func(to dedup.Rank, what steps.News) {
		news(encoder{}.rank(to), encoder{}.bool(what.Kept).rank(what.From))
	})
	if done {
		decided(key, encoder{}.rank(d.Leader).float(d.Score))
		return
	}
	node(key, encoder{}.node(n))
}

// begin makes the node of a text, and decides the first wave for it.
type begin struct{ worker }

// ProcessElement takes the pairs that a text is in.
func (w *begin) ProcessElement(_ context.Context, key []byte, next func(*[]byte) bool, node, news, decided func([]byte, []byte)) error {
	rank := w.t.decode(key).rank()
	var pairs []steps.Pair
	held := false
	err := w.t.decodeAll(next, func(d *decoder) {
		p := steps.Pair{A: rank, B: rank}
		switch d.byte() {
		case 0:
			p.B = d.rank()
		case 1:
			p.A = d.rank()
		default:
			held = true
			return
		}
		p.Score = d.float()
		pairs = append(pairs, p)
	})
	if err != nil {
		return err
	}
	n := steps.NewNode(rank, pairs)
	n.Held = held
	decide(&n, key, node, news, decided)
	return nil
}

// hear returns the node of a text with the news of the last wave, or nil if the text
// is decided.
func (t *tools) hear(key []byte, nodes, news func(*[]byte) bool) (*steps.Node, error) {
	var b []byte
	if !nodes(&b) {
		return nil, nil // decided before
	}
	d := t.decode(b)
	n := d.node(t.decode(key).rank())
	if err := d.err(); err != nil {
		return nil, err
	}
	var heard []steps.News
	err := t.decodeAll(news, func(d *decoder) { heard = append(heard, steps.News{Kept: d.bool(), From: d.rank()}) })
	n.Hear(heard)
	return &n, err
}

// wave is one wave.
type wave struct{ worker }

// ProcessElement takes a node and its news.
func (w *wave) ProcessElement(_ context.Context, key []byte, nodes, told func(*[]byte) bool, node, news, decided func([]byte, []byte)) error {
	n, err := w.t.hear(key, nodes, told)
	if n != nil && err == nil {
		decide(n, key, node, news, decided)
	}
	return err
}

// rest gives what the waves have not decided to the sweep.
type rest struct{ worker }

// ProcessElement takes a node and the news of the last wave.
func (w *rest) ProcessElement(_ context.Context, key []byte, nodes, told func(*[]byte) bool, pair func([]byte, []byte)) error {
	n, err := w.t.hear(key, nodes, told)
	if err != nil || n == nil {
		return err
	}
	if len(n.Earlier) == 0 && !n.Held { // all earlier ones are removed, so it stays
		pair([]byte("sweep"), encoder{0}.rank(n.Rank))
		return nil
	}
	return n.Pairs(func(p steps.Pair) error {
		pair([]byte("sweep"), encoder{1}.rank(p.A).rank(p.B).float(p.Score))
		return nil
	})
}

// sweepMemory is the memory of a sweep in bytes, besides 12 bytes per text that it
// decides on. The rest is in files.
const sweepMemory = 256 << 20

// sweep decides what is left on one worker.
type sweep struct{ worker }

// ProcessElement takes all pairs that are left, and all texts that were judged. Of a
// text that is removed without a pair that says how alike it is to the one kept, it
// emits the two.
func (w *sweep) ProcessElement(ctx context.Context, _ []byte, next func(*[]byte) bool, decided, unscored func([]byte, []byte)) (err error) {
	dir, err := os.MkdirTemp("", "alike-sweep-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := steps.NewRankSweep(dir, sweepMemory)
	defer s.Close()
	if w.t.judged != nil {
		s.Apart = w.t.judged.Apart
		s.Old = func(r dedup.Rank) bool { return w.t.old(r.Ref().Source) }
	}
	err = w.t.decodeAll(next, func(d *decoder) {
		switch d.byte() {
		case 0:
			key := encoder{}.rank(d.rank())
			decided(key, key.float(1))
		case 1:
			if p := (steps.Pair{A: d.rank(), B: d.rank(), Score: d.float()}); d.failed == nil {
				d.fail(s.Add(p))
			}
		default:
			if r, group := d.rank(), d.uint(); d.failed == nil {
				d.fail(s.Judge(r, int32(group)))
			}
		}
	})
	if err != nil {
		return err
	}
	return s.Each(ctx, func(d steps.Decision) error {
		if math.IsNaN(d.Score) {
			unscored(encoder{}.rank(d.Leader), encoder{}.rank(d.Rank))
			return nil
		}
		decided(encoder{}.rank(d.Rank), encoder{}.rank(d.Leader).float(d.Score))
		return nil
	})
}

// judgedTexts finds the texts that were judged. It reads the pieces again.
type judgedTexts struct{ worker }

// ProcessElement takes a piece and the rows to skip.
func (w *judgedTexts) ProcessElement(ctx context.Context, _ []byte, pieces, skips func(*[]byte) bool, held, swept func([]byte, []byte), stat func(string, int64)) error {
	p, skip, err := w.t.readPiece(pieces, skips)
	if err != nil {
		return err
	}
	return w.t.each(ctx, p, but(skip), func(_ int, d document) error {
		if d.group < 0 {
			return nil
		}
		rank := encoder{}.rank(d.rank)
		held(rank, encoder{2})
		swept([]byte("sweep"), append(encoder{2}, rank...).uint(int(d.group)))
		stat("judged texts", 1)
		return nil
	})
}

// scored makes a decision of a pair that was scored after it.
type scored struct{ worker }

// ProcessElement takes the text that is kept, and the removed one with the score.
func (w *scored) ProcessElement(_ context.Context, kept, b []byte, decided func([]byte, []byte)) error {
	d := w.t.decode(b)
	removed, score := d.rank(), d.float()
	if err := d.err(); err != nil {
		return err
	}
	decided(encoder{}.rank(removed), append(slices.Clone(kept), encoder{}.float(score)...))
	return nil
}

// leaders replaces one end of a pair by the text that is kept for it, under the
// other end as the key. The second time, pairs whose ends have the same leader are
// dropped.
type leaders struct {
	worker
	Second bool
}

// ProcessElement takes the decision on a text and the texts it is paired with.
func (w *leaders) ProcessElement(_ context.Context, key []byte, decided, pairs func(*[]byte) bool, emit func([]byte, []byte)) error {
	leader := w.t.decode(key).rank()
	if err := w.t.decodeAll(decided, func(d *decoder) { leader = d.rank() }); err != nil {
		return err
	}
	return w.t.decodeAll(pairs, func(d *decoder) {
		other := d.rank()
		switch {
		case !w.Second:
			emit(encoder{}.rank(other), encoder{}.rank(leader))
		case other != leader:
			emit([]byte("chain"), encoder{}.rank(min(leader, other)).rank(max(leader, other)))
		}
	})
}
