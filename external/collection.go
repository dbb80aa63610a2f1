package external

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// NewCollection returns an empty collection. What is added to it goes to the process by
// the batch, and the collection waits for the answers when it is first read.
func (m *Method) NewCollection() similarity.Collection { return &collection{m: m} }

// collection is documents some of which are still to be answered.
type collection struct {
	m    *Method
	docs []*Sketch
	open *batch // not yet handed over; nil where there is none

	mu      sync.Mutex // of waiting, among readers
	waiting []*batch   // handed over
	settled atomic.Pointer[similarity.Collection]
}

var _ similarity.Remote = (*collection)(nil)

func (c *collection) Add(text string) { c.AddNamed("", text) }

func (c *collection) AddNamed(name, text string) {
	c.settled.Store(nil)
	s := &Sketch{}
	c.docs = append(c.docs, s)
	if c.open == nil {
		c.open = &batch{done: make(chan struct{})}
	}
	if c.open.add(name, text, s); c.open.full() {
		c.handOver()
	}
}

// handOver gives the open batch to the process.
func (c *collection) handOver() {
	if c.open == nil {
		return
	}
	if p, err := c.m.process(); err == nil {
		p.submit(c.open)
	}
	c.waiting = append(c.waiting, c.open)
	c.open = nil
}

func (c *collection) AddFeatures([]feature.Feature) {
	panic(fmt.Sprintf("external: %s does not work on features", c.m))
}

func (c *collection) Append(other similarity.Collection) {
	o := c.same(other)
	c.handOver()
	o.handOver()
	c.settled.Store(nil)
	c.docs, c.waiting = append(c.docs, o.docs...), append(c.waiting, o.waiting...)
}

func (c *collection) same(other similarity.Collection) *collection {
	o, ok := other.(*collection)
	if !ok || o.m != c.m {
		panic(fmt.Sprintf("external: a collection of %s beside one of another method", c.m))
	}
	return o
}

func (c *collection) Err() error {
	c.read()
	return c.m.Err()
}

// read waits for the answers and returns the sketches. Of a method that has failed
// meanwhile these are empty, because some may be half written.
func (c *collection) read() similarity.Collection {
	if s := c.settled.Load(); s != nil {
		return *s
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.settled.Load(); s != nil {
		return *s
	}
	c.handOver()
	docs := c.docs
	p, err := c.m.process()
	for _, b := range c.waiting {
		if err == nil {
			err = p.await(b)
		}
	}
	c.waiting = nil
	if err != nil {
		docs = make([]*Sketch, len(c.docs))
		for i := range docs {
			docs[i] = &Sketch{}
		}
	}
	s := similarity.Collect(c.m, docs)
	c.settled.Store(&s)
	return s
}

func (c *collection) Len() int               { return len(c.docs) }
func (c *collection) Empty(i int) bool       { return c.read().Empty(i) }
func (c *collection) Blank(i int) bool       { return c.read().Blank(i) }
func (c *collection) Bytes(i int) int        { return c.read().Bytes(i) }
func (c *collection) Score(i, j int) float64 { return c.read().Score(i, j) }
func (c *collection) Groups() []int          { return c.read().Groups() }

func (c *collection) Scores(i, from int, dst []float32) { c.read().Scores(i, from, dst) }

func (c *collection) Containment(i, j int) (float64, bool) { return 0, false }

func (c *collection) ScorePairs(pairs [][2]int, dst []float32) {
	c.read()
	if c.m.Err() != nil {
		clear(dst)
		return
	}
	ask, out := make([]pair, len(pairs)), make([]float64, len(pairs))
	for k, p := range pairs {
		ask[k] = pair{c.docs[p[0]], c.docs[p[1]]}
	}
	c.m.scores(ask, out)
	for k, s := range out {
		dst[k] = float32(s)
	}
}

func (c *collection) Join(ctx context.Context, other similarity.Collection, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	var second similarity.Collection
	if other != nil {
		second = c.same(other).read()
	}
	st, err := c.read().Join(ctx, second, o, emit)
	if failed := c.m.Err(); failed != nil && ctx.Err() == nil {
		return st, failed
	}
	return st, err
}

func (c *collection) Buckets(o similarity.JoinOptions) (similarity.Buckets[int], error) {
	return c.read().Buckets(o)
}

func (c *collection) Pick(docs []int) similarity.Collection {
	c.read()
	failed := c.m.Err() != nil
	out := &collection{m: c.m}
	for _, d := range docs {
		s := c.docs[d]
		if failed {
			s = &Sketch{}
		}
		out.docs = append(out.docs, s)
	}
	return out
}

func (c *collection) Save(w io.Writer) error {
	p, err := c.m.process()
	if err != nil {
		return err
	}
	if p.hello.Kind == kindScores {
		return c.m.errKept()
	}
	s := c.read()
	if err := c.m.Err(); err != nil {
		return err
	}
	return s.Save(w)
}

func (c *collection) Load(r io.Reader) error {
	docs, err := similarity.ReadSketches[*Sketch](r, c.m)
	if err != nil {
		return err
	}
	c.handOver()
	c.settled.Store(nil)
	c.docs = append(c.docs, docs...)
	return nil
}
