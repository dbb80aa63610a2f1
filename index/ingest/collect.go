package ingest

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// Corpus is the sketches and ids of documents.
type Corpus struct {
	Sketches similarity.Collection
	IDs      IDs
	Bytes    int64 // of text
	Empty    int   // documents without features
	Counts   []int // of Inputs.Count, in the order of the documents
	Texts    IDs   // with Inputs.Keep
	Repeats  datasets.Repeats
	Unpaired int // documents that lack a field of Inputs.Limits

	limits dedup.Limits
	values []float64 // of limits.Values, document by document
}

// Counted reports whether the pair of document i and document j of another corpus,
// or of the same, counts by Inputs.Limits.
func (c *Corpus) Counted(i int, other *Corpus, j int) bool {
	n := len(c.limits.Fields())
	return n == 0 || c.limits.Counts(c.values[i*n:(i+1)*n], other.values[j*n:(j+1)*n])
}

// Lacking returns the error of dedup.Limits.Lacking for the documents.
func (c *Corpus) Lacking() error {
	n := len(c.limits.Fields())
	if len(c.values) == 0 {
		return nil
	}
	return c.limits.Lacking(func(field int) bool {
		for i := field; i < len(c.values); i += n {
			if c.values[i] != dedup.Missing {
				return true
			}
		}
		return false
	})
}

// IDs holds strings one behind the other, so that a short id costs its bytes and
// eight more.
type IDs struct {
	text []byte
	ends []int
}

// Add adds a string.
func (l *IDs) Add(id string) {
	l.text = append(l.text, id...)
	l.ends = append(l.ends, len(l.text))
}

func (l *IDs) append(other IDs) {
	from := len(l.text)
	l.text = append(l.text, other.text...)
	for _, e := range other.ends {
		l.ends = append(l.ends, from+e)
	}
}

// At returns the id of document i.
func (l *IDs) At(i int) string {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return string(l.text[from:l.ends[i]])
}

// Collect sketches all documents. It calls seen, if it is not nil, with each id in
// order. Beyond sketches and ids, memory holds a few batches per worker.
func (in *Inputs) Collect(ctx context.Context, m similarity.Method, seen func(id string)) (*Corpus, error) {
	out := &Corpus{Sketches: m.NewCollection(), limits: in.Limits}
	err := run(ctx, in, func(docs iter.Seq[datasets.Row]) (*Corpus, error) {
		c := &Corpus{Sketches: m.NewCollection()}
		for row := range docs {
			d := row.Doc
			if in.Limits.Any() {
				values := in.Limits.Values(row.Get)
				if slices.Contains(values, dedup.Missing) {
					c.Unpaired++
				}
				c.values = append(c.values, values...)
			}
			c.Sketches.AddNamed(d.ID, d.Text)
			c.IDs.Add(d.ID)
			c.Bytes += int64(len(d.Text))
			if in.Keep {
				c.Texts.Add(d.Text)
			}
			if in.Count != nil {
				c.Counts = append(c.Counts, in.Count(d.Text))
			}
		}
		// Counted at the end, so that a method that works elsewhere gets whole batches.
		err := c.Sketches.Err()
		for i := range c.Sketches.Len() {
			if c.Sketches.Empty(i) {
				c.Empty++
			}
		}
		return c, err
	}, func(c *Corpus) error {
		for i := range c.IDs.ends {
			id := c.IDs.At(i)
			if out.Repeats.Add(id) && in.UniqueIDs {
				return fmt.Errorf("ingest: two documents have the id %q", id)
			}
			if seen != nil {
				seen(id)
			}
		}
		out.Sketches.Append(c.Sketches)
		out.IDs.append(c.IDs)
		out.Texts.append(c.Texts)
		out.Bytes += c.Bytes
		out.Empty += c.Empty
		out.Counts = append(out.Counts, c.Counts...)
		out.Unpaired += c.Unpaired
		out.values = append(out.values, c.values...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
