package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

func init() {
	register.DoFn6x1[context.Context, string, func([]byte, []byte), func([]byte), func([]byte, []byte), func(string, int64), error](&readTexts{})
	register.DoFn6x1[context.Context, []byte, func(*[]byte) bool, func([]byte, []byte), func([]byte, []byte), func(string, int64), error](&groupTexts{})
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
	n, err := p.each(ctx, w.t.like, func(row, file int, raw datasets.RawRow) error {
		doc, err := parser.Row(raw)
		if b, is := isBad(err); is {
			if bad++; bad > int64(w.t.SkipBad) {
				return p.absolute(b, file)
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
		rank, err := w.t.keep.Rank(&dedup.Doc{Ref: ref, Length: len(doc.Doc.Text), Values: values}, false)
		if err != nil {
			return err
		}
		hash := dedup.HashText(doc.Doc.Text)
		text(hash[:], encoder{}.rank(rank))
		return nil
	})
	if err != nil {
		return err
	}
	sized(encoder{}.uint(p.Source).uint(p.Part).uint(n.rows).uint(n.lines).string(p.Files[0].Name))
	stat("rows", int64(n.rows))
	stat("unreadable", bad)
	stat("bytes", bytes)
	stat("missing", missing)
	return nil
}

// absolute returns the error of a bad row with the line of the file rather than that of the piece.
func (p *Piece) absolute(b *datasets.BadRow, file int) error {
	line := b.Line
	if p.From > 0 {
		f, err := os.Open(p.Files[file].Path)
		if err != nil {
			return fmt.Errorf("beam: %w", err)
		}
		defer f.Close()
		buf := make([]byte, 1<<16)
		for r := io.LimitReader(f, p.From); ; {
			n, err := r.Read(buf)
			line += bytes.Count(buf[:n], []byte("\n"))
			if err == io.EOF {
				break
			}
			if err != nil {
				return fmt.Errorf("beam: %w", err)
			}
		}
	}
	return &datasets.BadRow{File: p.Files[file].Name, Line: line, Err: b.Err}
}

// groupTexts finds of documents that have the same text the one that is wanted most. The others
// are passed over from here on.
type groupTexts struct{ worker }

// ProcessElement takes the documents of a text.
func (w *groupTexts) ProcessElement(_ context.Context, _ []byte, next func(*[]byte) bool, skip, equal func([]byte, []byte), stat func(string, int64)) error {
	var ranks []dedup.Rank
	var b []byte
	best := 0
	for next(&b) {
		d := w.t.decode(b)
		ranks = append(ranks, d.rank())
		if err := d.err(); err != nil {
			return err
		}
		if n := len(ranks) - 1; ranks[n] < ranks[best] {
			best = n
		}
	}
	if len(ranks) == 1 {
		return nil
	}
	stat("doubles", int64(len(ranks)-1))
	key := encoder{}.rank(ranks[best])
	for i, r := range ranks {
		if i != best {
			skip(pieceOf(r), encoder{}.uint(rowOf(r)))
			equal(key, encoder{}.rank(r))
		}
	}
	return nil
}
