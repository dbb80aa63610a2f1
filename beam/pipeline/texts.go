package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

func init() {
	beam.RegisterDoFn(&readTexts{})
	beam.RegisterDoFn(&groupTexts{})
	register.Emitter1[[]byte]()
	register.Emitter2[[]byte, []byte]()
	register.Emitter2[string, int64]()
	register.Iter1[[]byte]()
}

// worker is what steps have in common.
type worker struct {
	Settings settings
	t        *tools
}

// Setup makes the tools.
func (w *worker) Setup() (err error) {
	w.t, err = w.Settings.tools()
	return err
}

func pieceOfJSON(b string) (*Piece, error) {
	p := &Piece{}
	if err := json.Unmarshal([]byte(b), p); err != nil {
		return nil, fmt.Errorf("beam: piece: %w", err)
	}
	return p, nil
}

// values returns those of the policy's fields, and how many are missing.
func (t *tools) values(row *datasets.Row) (values []float64, missing int64) {
	for _, f := range t.fields {
		text, ok := row.Get(f.Name)
		v := dedup.Missing
		if ok {
			v, ok = f.Value(text)
		}
		if !ok {
			missing++
		}
		values = append(values, v)
	}
	return values, missing
}

// isBad returns the error of a row that is no document.
func isBad(err error) (*datasets.BadRow, bool) { return errors.AsType[*datasets.BadRow](err) }

// hashBytes is how much of the hash of a text is sent beside its slot. With 96 bits and those of the slot, no two of
// 10^10 texts are expected to be taken for one: chances are below one in 10^9.
const hashBytes = 12

// readTexts reads a piece and says of each document which text it has, and of the piece how large
// it is. Documents of equal texts meet by the hash.
type readTexts struct{ worker }

// ProcessElement reads a piece.
func (w *readTexts) ProcessElement(ctx context.Context, piece string, text func([]byte, []byte), sized func([]byte), badRow func([]byte, []byte), stat func(string, int64)) error {
	p, err := pieceOfJSON(piece)
	if err != nil {
		return err
	}
	var parser datasets.Parser
	var bytes, bad, missing int64
	texts := w.t.blocks()
	n, err := p.each(ctx, w.t.like, func(row, file int, raw datasets.RawRow) error {
		doc, err := parser.Row(raw)
		if b, is := isBad(err); is {
			// One that is too many does not end the run here, where it may not be the first in input order.
			if bad++; bad > int64(w.t.SkipBad)+1 {
				return nil
			}
			badRow([]byte("bad"), encoder{}.bytes(p.key()).uint(row).uint(b.Line).string(p.Files[file].Name).string(b.Err.Error()))
			return nil
		}
		if err != nil {
			return err
		}
		ref, err := p.ref(row)
		if err != nil {
			return err
		}
		values, none := w.t.values(&doc)
		missing += none
		bytes += int64(len(doc.Doc.Text))
		doc.Doc.Text = w.t.Mask.Apply(doc.Doc.Text)
		rank, err := w.t.keep.Rank(&dedup.Doc{Ref: ref, Length: len(doc.Doc.Text), Values: values}, false)
		if err != nil {
			return err
		}
		hash := dedup.HashText(doc.Doc.Text)
		slot, _ := w.t.slot(binary.BigEndian.Uint64(hash[:]))
		texts[slot].rank(rank)
		texts[slot].encoder = append(texts[slot].encoder, hash[len(hash)-hashBytes:]...)
		return nil
	})
	if err != nil {
		return err
	}
	texts.send(text)
	sized(encoder{}.uint(p.Source).uint(p.Part).uint(n.rows).uint(n.lines).string(p.Files[0].Name))
	stat("rows", int64(n.rows))
	stat("unreadable", bad)
	stat("bytes", bytes)
	stat("missing", missing)
	return nil
}

// groupTexts finds of documents that have the same text the one that is wanted most. The others
// are passed over from here on.
type groupTexts struct{ worker }

// ProcessElement takes the texts of a slot.
func (w *groupTexts) ProcessElement(_ context.Context, _ []byte, next func(*[]byte) bool, skip, equal func([]byte, []byte), stat func(string, int64)) error {
	type text struct {
		hash [hashBytes]byte
		rank dedup.Rank
	}
	var texts []text
	var b []byte
	for next(&b) {
		d := w.t.decode(b)
		err := d.block(func(r dedup.Rank) {
			t := text{rank: r}
			copy(t.hash[:], d.take(hashBytes))
			texts = append(texts, t)
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(texts, func(a, b text) int {
		return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.rank, b.rank))
	})
	best, doubles := 0, int64(0)
	for i, t := range texts {
		if t.hash != texts[best].hash {
			best = i
		}
		if i > best {
			skip(pieceOf(t.rank), encoder{}.uint(rowOf(t.rank)))
			equal(encoder{}.rank(texts[best].rank), encoder{}.rank(t.rank))
			doubles++
		}
	}
	if doubles > 0 {
		stat("doubles", doubles)
	}
	return nil
}
