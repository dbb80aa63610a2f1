package ingest

import (
	"context"
	"fmt"
	"iter"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// Docs yields the documents, sketched and with the values of in.Fields, in batches
// that the caller may keep, and in the end the error that stopped it.
func (in *Inputs) Docs(ctx context.Context, m similarity.Method) iter.Seq2[[]index.Doc, error] {
	return func(yield func([]index.Doc, error) bool) {
		err := run(ctx, in, func(docs iter.Seq[datasets.Row]) ([]index.Doc, error) {
			return sketch(m, docs, in.Fields, in.Keep)
		}, func(docs []index.Doc) error {
			if !yield(docs, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// sketch returns documents with their sketches and the values of fields, and with their
// texts if keep is set.
func sketch(m similarity.Method, docs iter.Seq[datasets.Row], fields []string, keep bool) ([]index.Doc, error) {
	c, err := similarity.NewCoder(m)
	if err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	var out []index.Doc
	for row := range docs {
		d := row.Doc
		c.AddNamed(d.ID, d.Text)
		values := make([]string, len(fields))
		for i, f := range fields {
			if values[i], _ = row.Get(f); len(values[i]) > index.MaxField {
				return nil, &datasets.BadRow{File: row.File, Line: row.Line, Err: fmt.Errorf("the field %q has %d bytes, want at most %d", f, len(values[i]), index.MaxField)}
			}
		}
		out = append(out, index.Doc{ID: d.ID, Hash: index.ContentHash(d.Text), Fields: values})
		if keep {
			out[len(out)-1].Text = d.Text
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Sketch = c.AppendSketch([]byte{}, i)
	}
	return out, nil
}

// Counts says how many documents came to each state.
type Counts map[index.State]int64

// Add adds documents to an index, with the time when they came. If known is not
// nil, it adds only documents to which none is alike within the limits, and calls
// known with each of the others and the most alike document.
func Add(ctx context.Context, x *index.Index, docs iter.Seq2[[]index.Doc, error], time int64, l dedup.Limits, known func(id string, match *index.Match) error) (Counts, error) {
	counts := Counts{}
	add := x.Add
	if known != nil {
		add = func(ctx context.Context, docs []index.Doc) ([]index.Result, error) { return x.AddIfNew(ctx, docs, l) }
	}
	for batch, err := range docs {
		if err != nil {
			return counts, err
		}
		for i := range batch {
			batch[i].Time = time
		}
		results, err := add(ctx, batch)
		if err != nil {
			return counts, err
		}
		for i, r := range results {
			if counts[r.State]++; r.State == index.Known {
				if err := known(batch[i].ID, r.Match); err != nil {
					return counts, err
				}
			}
		}
	}
	return counts, nil
}

// Load fills an empty index with documents that all have different ids.
func Load(ctx context.Context, x *index.Index, docs iter.Seq2[[]index.Doc, error], time int64) (Counts, error) {
	next, stop := iter.Pull2(docs)
	defer stop()
	var batch []index.Doc
	stored, empty, err := x.Load(ctx, func() (index.Doc, bool, error) {
		for len(batch) == 0 {
			var err error
			var ok bool
			if batch, err, ok = next(); !ok || err != nil {
				return index.Doc{}, false, err
			}
		}
		d := batch[0]
		batch = batch[1:]
		d.Time = time
		return d, true, nil
	})
	return Counts{index.Added: stored, index.Empty: empty}, err
}
