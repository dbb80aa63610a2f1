package local

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/similarity"
)

// The files of an index in a workspace.
const (
	knownFile  = "known"  // the documents of the index that new ones are alike to, a sketch file
	addingFile = "adding" // the documents that go into it, a sketch file
)

// known is what an index says of the new rows. It is a checkpoint too.
type known struct {
	Rows []uint32 // by pair, of the new rows, counted from the first of them
	Docs []uint32 // by pair, the place in knownFile of the document that the row is alike to
	Sums []string // of the sources that were asked about

	// Values has the values of the fields of Options.Limits, for each document in the
	// order of knownFile.
	Values []float64
}

// least is the minimum score of two alike documents.
func (o *Options) least() float64 {
	if o.Unverified {
		return o.Candidates
	}
	return max(o.Candidates, o.Threshold)
}

// checkIndex refuses an index that a run cannot compare with.
func (o *Options) checkIndex() error {
	if o.Index == nil {
		return nil
	}
	h := o.Index.Header()
	if err := o.checkTextless(o.IndexName); err != nil {
		return err
	}
	if err := h.CheckLimits(o.Limits); err != nil {
		return fmt.Errorf("dedup: %s: %w", o.IndexName, err)
	}
	switch {
	case o.Update && len(h.Fields) > 0:
		return fmt.Errorf("dedup: %s keeps fields, which Update cannot fill: want no Update, and the documents that were kept added afterwards (alike index add)", o.IndexName)
	case o.Method.Settings() != o.Index.Method().Settings():
		return fmt.Errorf("dedup: %s was made by %s (%s); this run has %s (%s): %w", o.IndexName,
			o.Index.Method(), o.Index.Method().Settings(), o.Method, o.Method.Settings(), similarity.ErrSettings)
	case h.Threshold > o.least():
		return fmt.Errorf("dedup: %s finds documents that score %v or more, want one that finds those from %v on, the threshold of this run: %w",
			o.IndexName, h.Threshold, o.least(), similarity.ErrSettings)
	case o.Cohesion != 0 && o.Cohesion < o.Settings().MinScore():
		return fmt.Errorf("dedup: a cohesion below the threshold follows chains, which %s cannot tell of", o.IndexName)
	case o.Update && len(o.Against) > 0:
		return errors.New("dedup: Update of an Index goes without Against")
	}
	return nil
}

// checkTextless returns an error if old documents need texts and a source of that
// name has none.
func (o *Options) checkTextless(name string) error {
	switch {
	case o.Verify != nil:
		return fmt.Errorf("dedup: %s holds sketches and no texts: what decides must be the sketches (--verify sketch)", name)
	case o.Clean.Boilerplate > 0:
		return fmt.Errorf("dedup: %s holds sketches and no texts: passages cannot be taken out of them", name)
	}
	return nil
}

// hit is a document of the index that a row is alike to.
type hit struct {
	row int
	index.Document
	values []float64 // of the limits
}

// askIndex asks the index about all new rows. It puts the documents that they are
// alike to before all sources, as documents that are kept in any case. A run that
// goes on keeps to the answers it had.
func (c *corpus) askIndex(ctx context.Context) error {
	if c.o.Index == nil {
		return nil
	}
	path := filepath.Join(c.dir, knownFile)
	k := &known{}
	ok, err := c.loadGob(knownFile+"-rows", k)
	if err != nil {
		return err
	}
	if ok {
		_, err := os.Stat(path)
		ok = err == nil
	}
	if !ok {
		c.stage("ask")
		if k, err = c.ask(ctx, path); err != nil {
			return err
		}
		if err := c.saveGob(knownFile+"-rows", k); err != nil {
			return err
		}
	}
	first := []datasets.Source{{Path: path, Name: c.o.IndexName}}
	c.in = c.in.with(append(first, c.in.sources...), append([]bool{true}, c.in.sketched...))
	c.old++
	c.known = k
	return nil
}

func (c *corpus) ask(ctx context.Context, path string) (k *known, err error) {
	hits := extsort.NewBytes(c.scratch, c.o.Memory/8)
	defer func() { err = errors.Join(err, hits.Close()) }()
	in := c.in.with(c.in.sources[c.old:], nil)
	err = eachChunk(ctx, in, nil, c.progress("ask"), func(p *datasets.Parser, ch *chunk) ([]hit, error) {
		return c.askChunk(ctx, p, ch)
	}, func(_ *chunk, found []hit) error {
		for _, h := range found {
			if err := hits.Add(h.encode()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	k = &known{Sums: in.sums}
	return k, c.writeKnown(ctx, path, hits, k)
}

// askChunk returns a hit for each row that is alike to a document of the index:
// the first by id of those with the same text, or else of all.
func (c *corpus) askChunk(ctx context.Context, p *datasets.Parser, ch *chunk) ([]hit, error) {
	h, limits := c.o.Index.Header(), c.o.Limits
	var docs []index.Doc
	var rows []int
	err := ch.documents(p, func(i int, row *datasets.Row, bad error) error {
		if bad == nil { // a bad row is reported where texts are sketched
			d := index.Doc{ID: row.Doc.ID, Text: c.cleaner.Clean(row.Doc.Text)}
			if limits.Any() {
				d.Fields = make([]string, len(h.Fields))
				for i, f := range h.Fields {
					d.Fields[i], _ = row.Get(f)
				}
			}
			docs, rows = append(docs, d), append(rows, ch.numbers[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all, err := c.o.Index.QueryBatch(ctx, docs, index.QueryOptions{Threshold: c.o.least(), Limits: limits})
	if err != nil {
		return nil, err
	}
	var out []hit
	for i, matches := range all {
		if len(matches) == 0 {
			continue
		}
		hash := index.Hash(dedup.HashText(docs[i].Text))
		best := matches[0].Document
		for _, m := range matches[1:] {
			if same := m.Hash == hash; same && best.Hash != hash || same == (best.Hash == hash) && m.ID < best.ID {
				best = m.Document
			}
		}
		out = append(out, hit{rows[i], best, h.Values(limits, best.Fields)})
	}
	return out, nil
}

// encode returns bytes that sort by id and row.
func (h *hit) encode() []byte {
	var b []byte
	for _, c := range []byte(h.ID) {
		if b = append(b, c); c == 0 {
			b = append(b, 1)
		}
	}
	b = append(b, 0, 0) // before every id that is longer
	b = binary.BigEndian.AppendUint32(b, uint32(h.row))
	b = append(b, h.Hash[:]...)
	for _, v := range h.values {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
	}
	return append(b, h.Sketch...)
}

// decodeHit decodes a hit with the given number of values.
func decodeHit(b []byte, values int) hit {
	end := bytes.Index(b, []byte{0, 0})
	h := hit{row: int(binary.BigEndian.Uint32(b[end+2:]))}
	h.ID = string(bytes.ReplaceAll(b[:end], []byte{0, 1}, []byte{0}))
	rest := b[end+6:]
	rest = rest[copy(h.Hash[:], rest):]
	for range values {
		h.values = append(h.values, math.Float64frombits(binary.BigEndian.Uint64(rest)))
		rest = rest[8:]
	}
	h.Sketch = rest
	return h
}

// writeKnown writes the documents of the hits, each once and by id, and notes
// the rows of each.
func (r *run) writeKnown(ctx context.Context, path string, hits *extsort.Bytes, k *known) (err error) {
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	w, err := newSketchWriter(f, r.sketchHeader())
	if err != nil {
		return err
	}
	part, sketches := &sketchPart{}, r.o.Method.NewCollection()
	flush := func() error {
		if len(part.IDs) == 0 {
			return nil
		}
		if part.Sketches, err = saved(sketches); err != nil {
			return err
		}
		err := w.add(part)
		part, sketches = &sketchPart{}, r.o.Method.NewCollection()
		return err
	}
	var last string
	n := uint32(0)
	err = hits.Each(func(b []byte) error {
		h := decodeHit(b, len(r.o.Limits.Fields()))
		if n == 0 || h.ID != last {
			if len(part.IDs) == chunkRows {
				if err := errors.Join(flush(), ctx.Err()); err != nil {
					return err
				}
			}
			part.IDs, part.Lengths = append(part.IDs, h.ID), append(part.Lengths, 0)
			unit := r.o.Limits.Unit(dedup.Hash(h.Hash), h.values, uint64(n), true)
			part.Hashes, k.Values = append(part.Hashes, unit[:]...), append(k.Values, h.values...)
			if err := sketches.(similarity.Coder).AddSketch(h.Sketch); err != nil {
				return fmt.Errorf("dedup: document %q of %s: %w", h.ID, r.o.IndexName, err)
			}
			last = h.ID
			n++
		}
		k.Rows, k.Docs = append(k.Rows, uint32(h.row)), append(k.Docs, n-1)
		return nil
	})
	return errors.Join(err, flush(), w.close())
}

// knownPairs returns the pairs of texts that the index has found, each once, the
// old one first.
func (c *corpus) knownPairs() ([][2]uint32, error) {
	k := c.known
	if k == nil {
		return nil, nil
	}
	if !slices.Equal(k.Sums, c.in.sums[c.old:]) {
		return nil, errors.New("dedup: a source has changed since the index was asked about it")
	}
	var out [][2]uint32
	for i, row := range k.Rows {
		new, old := c.texts.Of[c.oldRows+int(row)], c.texts.Of[k.Docs[i]]
		if new != none && old != none && new != old {
			out = append(out, [2]uint32{old, new})
		}
	}
	slices.SortFunc(out, func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out), nil
}

// link makes neighbours of texts that are pairs, whatever buckets say. The texts
// are active.
func (c *candidates) link(pairs [][2]uint32) {
	if len(pairs) == 0 {
		return
	}
	known := c.adjacency(pairs)
	near, links := c.graph.Near, c.links
	c.graph.Near = func(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error) {
		dst, err := near(dst, node, open)
		for _, b := range known.of(node) {
			if open(b) {
				dst = append(dst, b)
			}
		}
		return dst, err
	}
	c.links = func(yield func([]uint32) error) error {
		if err := links(yield); err != nil {
			return err
		}
		for _, p := range pairs {
			if err := yield([]uint32{c.node(p[0]), c.node(p[1])}); err != nil {
				return err
			}
		}
		return nil
	}
}

// addBatch is how many documents go into the index at a time.
const addBatch = 1024

// prepareAdding writes the documents that go into the index. It refuses an id
// that is not valid, that stands for another text in the index, or that two kept
// documents have.
func (w *writer) prepareAdding(ctx context.Context) (err error) {
	if !w.o.Update || w.o.Index == nil {
		return nil
	}
	w.stage("sketches")
	path := filepath.Join(w.dir, addingFile)
	if err := w.writeSketches(ctx, path, false); err != nil {
		return err
	}
	ids := extsort.NewBytes(w.scratch, w.o.Memory/8)
	defer func() { err = errors.Join(err, ids.Close()) }()
	store := w.o.Index.Store()
	w.report.Added = 0
	err = w.eachAdding(path, func(docs []index.Doc) error {
		names := make([]string, len(docs))
		for i, d := range docs {
			if len(d.ID) == 0 || len(d.ID) > index.MaxID || !utf8.ValidString(d.ID) {
				return fmt.Errorf("dedup: update: the id %.100q cannot stand in an index, want UTF-8 of 1 to %d bytes", d.ID, index.MaxID)
			}
			names[i] = d.ID
			if err := ids.Add([]byte(d.ID)); err != nil {
				return err
			}
		}
		numbers, err := store.Find(ctx, names)
		if err != nil {
			return fmt.Errorf("dedup: update: %w", err)
		}
		there := slices.DeleteFunc(slices.Clone(numbers), func(n uint64) bool { return n == 0 })
		if len(there) > 0 {
			found, err := store.Documents(ctx, there)
			if err != nil {
				return fmt.Errorf("dedup: update: %w", err)
			}
			for _, d := range found {
				if i := slices.Index(names, d.ID); i >= 0 && d.Number != 0 && d.Hash != docs[i].Hash {
					return fmt.Errorf("dedup: update: %s has another text under the id %q, which this run keeps too: want ids that stand for one text (--id-field)", w.o.IndexName, d.ID)
				}
			}
		}
		w.report.Added += len(docs)
		return nil
	})
	if err != nil {
		return err
	}
	var last []byte
	n := 0
	return ids.Each(func(id []byte) error {
		if n++; n > 1 && bytes.Equal(id, last) {
			return fmt.Errorf("dedup: update: two documents that are kept have the id %q: want ids that stand for one text (--id-field)", id)
		}
		last = append(last[:0], id...)
		return nil
	})
}

// eachAdding calls do with the documents of a file of prepareAdding, some at a
// time. It leaves out documents without features.
func (r *run) eachAdding(path string, do func([]index.Doc) error) error {
	s, err := openSketches(path)
	if err != nil {
		return err
	}
	defer s.close()
	for p, err := range s.parts() {
		if err != nil {
			return err
		}
		c, err := p.load(r.o.Method)
		if err != nil {
			return err
		}
		var docs []index.Doc
		for i, id := range p.IDs {
			if c.Empty(i) {
				continue
			}
			docs = append(docs, index.Doc{ID: id, Sketch: c.(similarity.Coder).AppendSketch(nil, i), Hash: index.Hash(hashAt(p.Hashes, i)), Time: r.o.IndexTime})
		}
		for batch := range slices.Chunk(docs, addBatch) {
			if err := do(batch); err != nil {
				return err
			}
		}
	}
	return nil
}

// add puts the documents into the index. Some may be there already.
func (r *run) add(ctx context.Context, path string) error {
	return r.eachAdding(path, func(docs []index.Doc) error {
		if _, err := r.o.Index.Add(ctx, docs); err != nil {
			return fmt.Errorf("dedup: update of %s, which --resume goes on with: %w", r.o.IndexName, err)
		}
		return ctx.Err()
	})
}
