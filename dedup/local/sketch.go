package local

import (
	"context"
	"errors"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// sketched is what a worker makes of a chunk.
type sketched struct {
	hash     []dedup.Hash
	length   []int       // of the texts as they are compared
	size     []int       // of the texts as they were read
	bad      []error     // by row, nil for sound ones
	values   [][]float64 // by field of the policy and row
	missing  int64       // values
	sketches similarity.Collection
}

// sketcher fills a corpus with rows and a store with the sketches of its texts.
type sketcher struct {
	*corpus
	sketches *store
	part     part // of rows that no checkpoint holds
	parts    int  // saved
}

// sketch reads all sources once: equal texts are found, and each new text is
// sketched. It goes on with what an earlier run has come to.
func (c *corpus) sketch(ctx context.Context, to *store) error {
	s := &sketcher{corpus: c, sketches: to}
	c.texts.values = make([][]float64, len(c.o.Keep.Fields()))
	done, err := s.loadParts()
	if err != nil {
		return err
	}
	var all seen
	if ok, err := c.loadGob("seen", &all); err != nil {
		return err
	} else if ok && done == all.Starts[len(all.Starts)-1] {
		c.in.files, c.in.starts, c.in.sums = all.Files, all.Starts, all.Sums
		return nil
	}
	var want func(row int) bool
	if done > 0 {
		want = func(row int) bool { return row >= done }
	}
	if err := eachChunk(ctx, c.in, want, c.progress("sketch"), c.sketchChunk, s.collect); err != nil {
		return err
	}
	if err := s.checkpoint(nil, nil, nil, true); err != nil {
		return err
	}
	return c.saveGob("seen", &seen{c.in.files, c.in.starts, c.in.sums})
}

// collect takes the rows of a chunk, which come in their order.
func (s *sketcher) collect(ch *chunk, made *sketched) error {
	for f, v := range made.values {
		s.texts.values[f] = append(s.texts.values[f], v...)
	}
	var picked []int
	for i := range ch.rows {
		if err := made.bad[i]; err != nil {
			s.addBad(ch.numbers[i], err)
			if _, large := errors.AsType[*datasets.SizeError](err); len(s.bad) > s.o.SkipBad || large && s.o.MaxDocument == 0 {
				return err
			}
			continue
		}
		if ch.source >= s.old {
			s.bytes += int64(made.size[i])
		}
		if s.texts.add(made.hash[i], made.length[i], made.sketches.Empty(i)) {
			picked = append(picked, i)
		}
	}
	s.missing += made.missing
	new := made.sketches
	if len(picked) < new.Len() {
		new = new.Pick(picked)
	}
	if err := s.checkpoint(ch, made, new, false); err != nil {
		return err
	}
	return s.sketches.add(new)
}

func (c *corpus) addBad(row int, err error) {
	c.texts.AddBad()
	c.bad[row] = err
	if c.o.OnBad != nil && len(c.bad) <= c.o.SkipBad {
		c.o.OnBad(err)
	}
}

func (c *corpus) sketchChunk(p *datasets.Parser, ch *chunk) (*sketched, error) {
	if ch.part != nil {
		return c.takeSketches(ch)
	}
	s := newSketched(len(ch.rows), len(c.o.Keep.Fields()))
	s.sketches = c.o.Method.NewCollection()
	return s, ch.documents(p, func(i int, row *datasets.Row, bad error) error {
		if bad != nil {
			s.bad[i] = bad
			s.sketches.Add("") // keeps the numbers of rows and sketches the same
			return nil
		}
		text := c.cleaner.Clean(row.Doc.Text)
		s.hash[i], s.length[i], s.size[i] = dedup.HashText(text), len(text), len(row.Doc.Text)
		s.sketches.Add(text)
		values, missing := c.o.Keep.Values(row.Get)
		for f, v := range values {
			s.values[f][i] = v
		}
		s.missing += missing
		return nil
	})
}

// newSketched returns one of so many rows, without the values of so many fields.
func newSketched(rows, fields int) *sketched {
	s := &sketched{hash: make([]dedup.Hash, rows), length: make([]int, rows), size: make([]int, rows), bad: make([]error, rows)}
	for range fields {
		s.values = append(s.values, slices.Repeat([]float64{dedup.Missing}, rows))
	}
	return s
}

// doc returns what the policy needs to know of a row.
func (c *corpus) doc(row uint32) dedup.Doc {
	source := c.in.source(int(row))
	d := dedup.Doc{
		Ref:    dedup.Ref{Source: source, Row: int(row) - c.in.starts[source]},
		Length: int(c.texts.length[c.texts.Of[row]]),
	}
	for _, v := range c.texts.values {
		d.Values = append(d.Values, v[row])
	}
	return d
}

// chooseBest finds for each text the row that is kept of it.
func (c *corpus) chooseBest() {
	var compare func(a, b uint32) int
	if !c.o.Keep.InputOrder() {
		compare = func(a, b uint32) int {
			x, y := c.doc(a), c.doc(b)
			return c.o.Keep.Compare(&x, &y)
		}
	}
	c.best = c.texts.Best(c.oldRows, compare)
}
