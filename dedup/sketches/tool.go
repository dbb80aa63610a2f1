package sketches

import (
	"errors"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// tool is what a goroutine sketches with.
type tool struct {
	o       *Options
	mapper  *steps.Mapper
	keyed   bool
	verify  *steps.Sketcher // nil unless another method decides
	cleaner *clean.Cleaner
	parser  datasets.Parser
	code    []byte
}

func newTool(o *Options) (*tool, error) {
	layout := o.Columns.Layout()
	t := &tool{o: o, keyed: layout.Keyed()}
	var err error
	t.mapper, err = steps.NewMapper(steps.Options{
		Method: o.Method, Candidates: o.Candidates, Recall: o.Recall, Documents: o.Documents, Texts: o.Verify != nil, Keep: o.Keep,
	})
	if err != nil {
		return nil, err
	}
	if o.Verify != nil {
		if t.verify, err = steps.NewSketcher(o.Verify); err != nil {
			return nil, err
		}
	}
	t.cleaner, err = clean.New(o.Clean)
	return t, err
}

// mapped is what a chunk becomes.
type mapped struct {
	documents []Document
	bad       []error // by document
	sketches  []Row
	verify    []Row
	keys      [][]similarity.Key
	missing   int64 // values of the policy's fields
	share     float64
}

// sketch reduces a chunk.
func (t *tool) sketch(c *chunk) (*mapped, error) {
	n := len(c.rows)
	m := &mapped{
		documents: make([]Document, n), bad: make([]error, n), sketches: make([]Row, n), verify: make([]Row, n),
		keys: make([][]similarity.Key, n), share: c.share,
	}
	for i, raw := range c.rows {
		number, ok := c.refs[i].Number()
		if !ok {
			return nil, errors.New("sketches: more than 2⁴⁰ rows or 2²³ sources")
		}
		d := &m.documents[i]
		d.Number, d.Source, d.Row = int64(number), int32(c.refs[i].Source), int64(c.refs[i].Row)
		row, err := t.parser.Row(raw)
		if _, bad := errors.AsType[*datasets.BadRow](err); bad {
			m.bad[i], d.Error = err, err.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := t.document(m, i, &row); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (t *tool) document(m *mapped, i int, row *datasets.Row) error {
	d := &m.documents[i]
	values, missing := t.o.Keep.Values(row.Get)
	m.missing += missing
	ref := dedup.Ref{Source: int(d.Source), Row: int(d.Row)}
	text := t.cleaner.Clean(row.Doc.Text)
	k, err := t.mapper.Map(&steps.Document{Ref: ref, Text: text, Values: values})
	if err != nil {
		return err
	}
	d.ID, d.Rank, d.Length, d.Empty = row.Doc.ID, []byte(k.Rank), int64(len(row.Doc.Text)), k.Empty
	d.HashHigh, d.HashLow = halves(k.Hash)
	if k.Empty {
		return nil
	}
	if m.sketches[i], err = t.o.Columns.Row(k.Sketch); err != nil {
		return err
	}
	if t.keyed {
		keys, err := t.mapper.Keys(k.Sketch)
		if err != nil {
			return err
		}
		m.keys[i] = slices.Clone(keys)
	}
	if t.verify == nil {
		return nil
	}
	var empty bool
	if t.code, empty = t.verify.Sketch(t.code[:0], text); empty {
		return nil // it has no row, and scores 0 with any text
	}
	m.verify[i], err = t.o.VerifyColumns.Row(t.code)
	return err
}
