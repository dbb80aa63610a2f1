package local

import (
	"context"
	"errors"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// sketched is what a worker makes of a chunk.
type sketched struct {
	chunk    *chunk
	hash     []dedup.Hash
	length   []int   // of the texts as they are compared
	size     []int   // of the texts as they were read
	bad      []error // by row, nil for sound ones
	values   [][]float64
	missing  int64 // values
	sketches similarity.Collection
}

// sketch reads all sources once: equal texts are found, each text that is new is
// sketched. Of what a run before has come to, it goes on.
func (r *run) sketch(ctx context.Context) error {
	fields := r.o.Keep.Fields()
	r.texts.values = make([][]float64, len(fields))
	done, err := r.loadParts()
	if err != nil {
		return err
	}
	var all seen
	if ok, err := r.loadGob("seen", &all); err != nil {
		return err
	} else if ok && done == all.Starts[len(all.Starts)-1] {
		r.in.files, r.in.starts, r.in.sums = all.Files, all.Starts, all.Sums
		return nil
	}
	var want func(row int) bool
	if done > 0 {
		want = func(row int) bool { return row >= done }
	}
	err = parallel.Ordered(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return r.in.read(ctx, want, emit)
	}, r.sketchChunk, r.collect)
	if err != nil {
		return err
	}
	if err := r.checkpoint(nil, nil, true); err != nil {
		return err
	}
	return r.saveGob("seen", &seen{r.in.files, r.in.starts, r.in.sums})
}

// collect takes the rows of a chunk, which come in their order.
func (r *run) collect(s *sketched) error {
	for f, v := range s.values {
		r.texts.values[f] = append(r.texts.values[f], v...)
	}
	var picked []int
	for i := range s.chunk.rows {
		if err := s.bad[i]; err != nil {
			r.bad(s.chunk.numbers[i], err)
			if _, large := errors.AsType[*datasets.SizeError](err); len(r.badRows) > r.o.SkipBad || large && r.o.MaxDocument == 0 {
				return err
			}
			continue
		}
		if s.chunk.source >= r.oldSources() {
			r.report.Bytes += int64(s.size[i])
		}
		if r.texts.add(s.hash[i], s.length[i], s.sketches.Empty(i)) {
			picked = append(picked, i)
		}
	}
	r.report.Missing += s.missing
	new := s.sketches
	if len(picked) < new.Len() {
		new = new.Pick(picked)
	}
	r.o.progress("sketch", s.chunk.share)
	if err := r.checkpoint(s, new, false); err != nil {
		return err
	}
	r.in.release(s.chunk)
	return r.sketches.add(new)
}

func (r *run) bad(row int, err error) {
	r.texts.addBad()
	r.badRows[row] = err
	if r.o.OnBad != nil && len(r.badRows) <= r.o.SkipBad {
		r.o.OnBad(err)
	}
}

// parsers are taken by the worker that needs one.
func (r *run) sketchChunk(c *chunk) (*sketched, error) {
	if c.part != nil {
		return r.takeSketches(c)
	}
	p := r.parsers.Get().(*datasets.Parser)
	defer r.parsers.Put(p)
	n := len(c.rows)
	s := &sketched{
		chunk: c, hash: make([]dedup.Hash, n), length: make([]int, n), size: make([]int, n), bad: make([]error, n),
		sketches: r.o.Method.NewCollection(),
	}
	fields := r.o.Keep.Fields()
	for range fields {
		s.values = append(s.values, make([]float64, n))
	}
	for i, raw := range c.rows {
		row, err := p.Row(raw)
		if err != nil {
			if _, bad := errors.AsType[*datasets.BadRow](err); !bad {
				return nil, err
			}
			s.bad[i] = err
			s.sketches.Add("") // keeps the numbers of rows and sketches the same
			for f := range fields {
				s.values[f][i] = dedup.Missing
			}
			continue
		}
		text := r.cleaner.Clean(row.Doc.Text)
		s.hash[i], s.length[i], s.size[i] = dedup.HashText(text), len(text), len(row.Doc.Text)
		s.sketches.Add(text)
		for f, field := range fields {
			v, ok := row.Get(field.Name)
			if s.values[f][i], ok = readValue(field, v, ok); !ok {
				s.missing++
			}
		}
	}
	return s, nil
}

func readValue(f dedup.Field, text string, there bool) (float64, bool) {
	if !there {
		return dedup.Missing, false
	}
	return f.Value(text)
}

// doc returns what the policy needs to know of a row.
func (r *run) doc(row uint32) dedup.Doc {
	source := r.in.source(int(row))
	d := dedup.Doc{
		Ref:    dedup.Ref{Source: source, Row: int(row) - r.in.starts[source]},
		Length: int(r.texts.length[r.texts.of[row]]),
	}
	for _, v := range r.texts.values {
		d.Values = append(d.Values, v[row])
	}
	return d
}

// chooseBest finds for each text the row that is kept of it.
func (r *run) chooseBest() {
	t := &r.texts
	r.best = append([]uint32{}, t.first...)
	if r.o.Keep.InputOrder() {
		return
	}
	for row, text := range t.of {
		if text == none || t.size[text] == 1 || row < r.oldRows || int(r.best[text]) < r.oldRows {
			continue // of equal texts an old one stays
		}
		a, b := r.doc(uint32(row)), r.doc(r.best[text])
		if r.o.Keep.Compare(&a, &b) < 0 {
			r.best[text] = uint32(row)
		}
	}
}
