package local

import (
	"context"
	"errors"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// sketched is what a worker makes of a chunk.
type sketched struct {
	chunk    *chunk
	hash     []dedup.Hash
	length   []int
	bad      []error // by row, nil for sound ones
	values   [][]float64
	sketches similarity.Collection
}

// sketch reads all sources once: equal texts are found, each text that is new is
// sketched.
func (r *run) sketch(ctx context.Context) error {
	skipped := 0
	fields := r.o.Keep.Fields()
	r.texts.values = make([][]float64, len(fields))
	return inOrder(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return r.in.read(ctx, nil, emit)
	}, r.sketchChunk, func(s *sketched) error {
		var picked []int
		for i := range s.chunk.rows {
			for f := range fields {
				r.texts.values[f] = append(r.texts.values[f], s.values[f][i])
			}
			if err := s.bad[i]; err != nil {
				if skipped++; skipped > r.o.SkipBad {
					return err
				}
				r.bad(s.chunk.numbers[i], err)
				continue
			}
			r.report.Bytes += int64(s.length[i])
			if r.texts.add(s.hash[i], s.length[i], s.sketches.Empty(i)) {
				picked = append(picked, i)
			}
		}
		if len(picked) < s.sketches.Len() {
			s.sketches = s.sketches.Pick(picked)
		}
		r.o.progress("sketch", s.chunk.share)
		r.in.release(s.chunk)
		return r.sketches.add(s.sketches)
	})
}

func (r *run) bad(row int, err error) {
	r.texts.addBad()
	r.badRows[row] = err
	if r.o.OnBad != nil {
		r.o.OnBad(err)
	}
}

// parsers are taken by the worker that needs one.
func (r *run) sketchChunk(c *chunk) (*sketched, error) {
	p := r.parsers.Get().(*datasets.Parser)
	defer r.parsers.Put(p)
	n := len(c.rows)
	s := &sketched{
		chunk: c, hash: make([]dedup.Hash, n), length: make([]int, n), bad: make([]error, n),
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
		text := r.o.prepare(row.Doc.Text)
		s.hash[i], s.length[i] = dedup.HashText(text), len(row.Doc.Text)
		s.sketches.Add(text)
		for f, field := range fields {
			v, ok := row.Get(field.Name)
			if s.values[f][i], ok = readValue(field, v, ok); !ok {
				r.missing.Add(1)
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
