package ingest

import (
	"context"
	"iter"

	"github.com/alike-go/alike/datasets"
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
}

// IDs holds strings one behind the other, so that a short id costs its bytes and
// eight more.
type IDs struct {
	text []byte
	ends []int
}

func (l *IDs) add(id string) {
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
	out := &Corpus{Sketches: m.NewCollection()}
	err := run(ctx, in, func(docs iter.Seq[datasets.Doc]) (*Corpus, error) {
		c := &Corpus{Sketches: m.NewCollection()}
		for d := range docs {
			c.Sketches.AddNamed(d.ID, d.Text)
			c.IDs.add(d.ID)
			c.Bytes += int64(len(d.Text))
			if in.Keep {
				c.Texts.add(d.Text)
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
		if seen != nil {
			for i := range c.IDs.ends {
				seen(c.IDs.At(i))
			}
		}
		out.Sketches.Append(c.Sketches)
		out.IDs.append(c.IDs)
		out.Texts.append(c.Texts)
		out.Bytes += c.Bytes
		out.Empty += c.Empty
		out.Counts = append(out.Counts, c.Counts...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
