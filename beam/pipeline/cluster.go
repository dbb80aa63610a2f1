package pipeline

import (
	"context"
	"os"

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
	e = e.bool(n.Removed).uint(len(n.Earlier))
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
	n := steps.Node{Rank: rank, Removed: d.bool()}
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
	err := w.t.decodeAll(next, func(d *decoder) {
		p := steps.Pair{A: rank, B: rank}
		if d.byte() == 0 {
			p.B = d.rank()
		} else {
			p.A = d.rank()
		}
		p.Score = d.float()
		pairs = append(pairs, p)
	})
	if err != nil {
		return err
	}
	n := steps.NewNode(rank, pairs)
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
	if len(n.Earlier) == 0 { // all earlier ones are removed, so it stays
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

// ProcessElement takes all pairs that are left.
func (w *sweep) ProcessElement(ctx context.Context, _ []byte, next func(*[]byte) bool, decided func([]byte, []byte)) (err error) {
	dir, err := os.MkdirTemp("", "alike-sweep-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := steps.NewRankSweep(dir, sweepMemory)
	defer s.Close()
	err = w.t.decodeAll(next, func(d *decoder) {
		if d.byte() == 0 {
			key := encoder{}.rank(d.rank())
			decided(key, key.float(1))
		} else if p := (steps.Pair{A: d.rank(), B: d.rank(), Score: d.float()}); d.failed == nil {
			d.fail(s.Add(p))
		}
	})
	if err != nil {
		return err
	}
	return s.Each(ctx, func(d steps.Decision) error {
		decided(encoder{}.rank(d.Rank), encoder{}.rank(d.Leader).float(d.Score))
		return nil
	})
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
