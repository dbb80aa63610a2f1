package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// readSketches is readSource for a sketch file, which holds no texts.
func (in *input) readSketches(ctx context.Context, source, row int, want func(int) bool, emit func(*chunk) error) (n int, sum string, err error) {
	s, err := openSketches(in.sources[source].Path)
	if err != nil {
		return 0, "", err
	}
	defer s.close()
	h := xxh3.New()
	for p, err := range s.parts() {
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
		name := in.sources[source].Name // of an index: its documents have no lines
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
	return n, fmt.Sprintf("%x", h.Sum128().Bytes()), nil
}

// takeSketches is sketchChunk for a chunk of a sketch file. An old document always
// stays, so the policy needs no values of it. Only an index has the values that limits
// need.
func (c *corpus) takeSketches(ch *chunk) (*sketched, error) {
	all, err := ch.part.load(c.o.Method)
	if err != nil {
		return nil, fmt.Errorf("%w (of %s)", err, c.in.sources[ch.source].Path)
	}
	s := c.newSketched()
	at := make([]int, len(ch.rows))
	for i, row := range ch.numbers {
		at[i] = row - ch.first
		var values []float64
		if n := len(c.o.Limits.Fields()); n > 0 {
			values = slices.Repeat([]float64{dedup.Missing}, c.o.Keep.Fields())
			values = append(values, c.known.Values[row*n:(row+1)*n]...)
		}
		s.add(hashAt(ch.part.Hashes, at[i]), ch.part.Lengths[at[i]], all.Empty(at[i]), values)
	}
	s.sketches = all.Pick(at)
	return s, nil
}

// writeSketches writes a sketch file of the rows that are kept. With old, the
// rows of Against come before them.
func (w *writer) writeSketches(ctx context.Context, path string, old bool) (err error) {
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	out, err := newSketchWriter(f, w.sketchHeader())
	if err != nil {
		return err
	}
	err = eachChunk(ctx, w.in, func(row int) bool { return w.stays(row, old) }, w.progress("sketches"), w.sketchPart, func(_ *chunk, part *sketchPart) error {
		return out.add(part)
	})
	return errors.Join(err, out.close())
}

// sketchPart sketches the rows of a chunk again, because a run keeps only the
// sketches of candidates.
func (c *corpus) sketchPart(p *datasets.Parser, ch *chunk) (*sketchPart, error) {
	if ch.part != nil {
		return ch.part, nil // all of its rows stay
	}
	part := &sketchPart{}
	sketches := c.o.Method.NewCollection()
	err := ch.documents(p, func(_ int, row *datasets.Row, bad error) error {
		if bad != nil {
			return bad
		}
		text := c.cleaner.Clean(row.Doc.Text)
		h := dedup.HashText(text)
		part.IDs = append(part.IDs, row.Doc.ID)
		part.Hashes, part.Lengths = append(part.Hashes, h[:]...), append(part.Lengths, len(row.Doc.Text))
		sketches.Add(text)
		return nil
	})
	if err == nil {
		part.Sketches, err = saved(sketches)
	}
	return part, err
}

func saved(c similarity.Collection) ([]byte, error) {
	var b bytes.Buffer
	if err := c.Save(&b); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return b.Bytes(), nil
}
