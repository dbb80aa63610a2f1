package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// readSketches is readSource for a sketch file, whose documents come without texts.
func (in *input) readSketches(ctx context.Context, source, row int, want func(int) bool, emit func(*chunk) error) (n int, sum string, err error) {
	s, err := openSketches(in.sources[source].Path)
	if err != nil {
		return 0, "", err
	}
	defer s.close()
	h := xxh3.New()
	for {
		p, err := s.next()
		if err == io.EOF {
			sum := h.Sum128().Bytes()
			return n, fmt.Sprintf("%x", sum), nil
		}
		if err != nil {
			return 0, "", err
		}
		h.Write(p.Hashes)
		h.Write(p.Sketches)
		for _, id := range p.IDs {
			h.WriteString(id)
			h.Write([]byte{0})
		}
		if ctx.Err() != nil {
			return 0, "", context.Cause(ctx)
		}
		c := in.chunk(source)
		c.path, c.part, c.first = in.sources[source].Path, p, row+n
		name := in.sources[source].Name // of an index, whose documents have no lines
		if name != "" {
			c.path = name
		}
		for i := range p.IDs {
			if want == nil || want(c.first+i) {
				line := 0
				if name == "" {
					line = n + i + 1
				}
				c.rows = append(c.rows, datasets.RawRow{Line: line})
				c.numbers = append(c.numbers, c.first+i)
			}
		}
		n += len(p.IDs)
		if len(c.rows) > 0 {
			c.share = (float64(source) + float64(s.at)/float64(s.size)) / float64(len(in.sources))
			if err := emit(c); err != nil {
				return 0, "", err
			}
		}
	}
}

// takeSketches is sketchChunk for a chunk of a sketch file.
func (r *run) takeSketches(c *chunk) (*sketched, error) {
	all, err := c.part.load(r.o.Method)
	if err != nil {
		return nil, fmt.Errorf("%w (of %s)", err, r.in.sources[c.source].Path)
	}
	n := len(c.rows)
	s := &sketched{chunk: c, hash: make([]dedup.Hash, n), length: make([]int, n), size: make([]int, n), bad: make([]error, n)}
	at := make([]int, n)
	for i, row := range c.numbers {
		at[i] = row - c.first
		s.hash[i], s.length[i] = c.part.hash(at[i]), c.part.Lengths[at[i]]
	}
	s.sketches = all.Pick(at)
	for range r.o.Keep.Fields() { // an old document stays whatever it has
		values := make([]float64, n)
		for i := range values {
			values[i] = dedup.Missing
		}
		s.values = append(s.values, values)
	}
	return s, nil
}

// writeSketches writes a sketch file of the rows that are kept, and before them of those
// of Against if they belong to it.
func (r *run) writeSketches(ctx context.Context, path string, old bool) (err error) {
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	w, err := newSketchWriter(f, r.sketchHeader())
	if err != nil {
		return err
	}
	type made struct {
		part  *sketchPart
		share float64
	}
	err = parallel.Ordered(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return r.in.read(ctx, func(row int) bool {
			if row < r.oldRows {
				return old
			}
			_, reason, _ := r.kept(row)
			return reason == ""
		}, emit)
	}, func(c *chunk) (made, error) {
		share := c.share
		p, err := r.sketchPart(c)
		return made{p, share}, err
	}, func(m made) error {
		r.o.progress("sketches", m.share)
		return w.add(m.part)
	})
	return errors.Join(err, w.close())
}

// sketchPart sketches the rows of a chunk again: of all that a run has read only those
// of candidates are still there.
func (r *run) sketchPart(c *chunk) (*sketchPart, error) {
	if c.part != nil {
		return c.part, nil // all of its rows stay
	}
	p := r.parsers.Get().(*datasets.Parser)
	defer r.parsers.Put(p)
	part := &sketchPart{}
	sketches := r.o.Method.NewCollection()
	for _, raw := range c.rows {
		row, err := p.Row(raw)
		if err != nil {
			return nil, err
		}
		text := r.cleaner.Clean(row.Doc.Text)
		h := dedup.HashText(text)
		part.IDs = append(part.IDs, row.Doc.ID)
		part.Hashes, part.Lengths = append(part.Hashes, h[:]...), append(part.Lengths, len(row.Doc.Text))
		sketches.Add(text)
	}
	r.in.release(c)
	var err error
	part.Sketches, err = saved(sketches)
	return part, err
}

func saved(c similarity.Collection) ([]byte, error) {
	var b bytes.Buffer
	if err := c.Save(&b); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return b.Bytes(), nil
}
