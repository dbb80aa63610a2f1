package steps

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// Document is a document as it was read.
type Document struct {
	Ref  dedup.Ref
	Text string // as it is compared: masked and stripped where that is asked for

	// Values are those of the policy's fields, in the order of Policy.Fields: Field.Value of the
	// text, or dedup.Missing where there is none.
	Values []float64
}

// Mapped is what the steps know of a document. It holds no part of the text.
type Mapped struct {
	// Rank orders documents and names this one.
	Rank dedup.Rank

	// Hash is that of the text. Texts of equal hashes are equal, but see Empty.
	Hash dedup.Hash

	// Empty says that the text has no features. Such a document is like nothing, its equals
	// included: it is kept, and takes part in no further step.
	Empty bool

	// Sketch is the encoded sketch. Equal texts have the same.
	Sketch []byte
}

// Mapper sketches documents and puts sketches in buckets. It is not safe for concurrent use: each
// worker has its own, for as long as it likes.
type Mapper struct {
	*kit
	keys []similarity.Key
	rank []byte
}

// NewMapper returns a mapper. The error wraps similarity.ErrNoBuckets where the method has none.
func NewMapper(o Options) (*Mapper, error) {
	k, err := newKit(o)
	if err != nil {
		return nil, err
	}
	return &Mapper{kit: k}, nil
}

// Map calls emit with each document in order, and with memory that is emit's to keep. It
// stops at the first error of emit or the context and returns it.
func (m *Mapper) Map(ctx context.Context, docs []Document, emit func(Mapped) error) error {
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("dedup: map: %w", err)
		}
		d := &docs[i]
		var err error
		m.rank, err = m.o.Keep.AppendRank(m.rank[:0], &dedup.Doc{Ref: d.Ref, Length: len(d.Text), Values: d.Values}, d.Ref.Source < m.o.Old)
		if err != nil {
			return err
		}
		m.coder.Truncate(0)
		m.docs.Add(d.Text)
		out := Mapped{Rank: dedup.Rank(m.rank), Hash: dedup.HashText(d.Text), Empty: m.docs.Empty(0)}
		if !out.Empty {
			out.Sketch = m.coder.AppendSketch(nil, 0)
		}
		if err := emit(out); err != nil {
			return err
		}
	}
	return nil
}

// Keys returns the keys of the buckets that a sketch belongs in, in ascending order and none twice,
// until the next call. Two texts whose sketches score Options.Candidates share one with the probability
// Layout.Recall.
func (m *Mapper) Keys(sketch []byte) ([]similarity.Key, error) {
	if err := m.load(sketch); err != nil {
		return nil, err
	}
	m.keys = m.buckets.Append(m.keys[:0], 0)
	return m.keys, nil
}

// Group is what is known of documents of equal texts, or of some of them. The zero value is a group
// of none. Adding and merging can be done in any order and grouping.
type Group struct {
	// Best is the rank of the one that stands for all: it goes through the next steps, and where it is kept the
	// others, old ones excepted, are removed as equal to it.
	Best dedup.Rank

	// Rows is the number of documents.
	Rows int64
}

// Add takes in a document.
func (g *Group) Add(r dedup.Rank) { g.Merge(Group{r, 1}) }

// Merge takes in a group.
func (g *Group) Merge(o Group) {
	if o.Rows > 0 && (g.Rows == 0 || o.Best < g.Best) {
		g.Best = o.Best
	}
	g.Rows += o.Rows
}
