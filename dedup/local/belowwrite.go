package local

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// belowWriter writes what Options.Below has removed.
type belowWriter struct {
	*writer
	d *cutting
}

// conclude does the steps behind the decision.
func (w *belowWriter) conclude(ctx context.Context) (*Report, error) {
	w.describeBelow()
	if w.report.DropShare() > w.o.MaxDrop {
		return nil, &DropError{w.timed(), w.o.MaxDrop}
	}
	w.stage("write")
	if err := w.divideBelow(ctx); err != nil {
		return nil, err
	}
	w.stage("")
	if w.o.DryRun {
		return w.timed(), nil
	}
	if err := w.timed().write(w.made); err != nil {
		return nil, err
	}
	if err := w.finish(ctx); err != nil {
		return nil, err
	}
	return &w.report, nil
}

// describeBelow makes the report.
func (w *belowWriter) describeBelow() {
	d, rep := w.d, &w.report
	rep.Settings = w.o.Settings()
	w.describe()
	rep.Rows, rep.Unreadable = d.Rows, len(d.Bad)
	rep.Documents, rep.Short = d.Rows-len(d.Bad), len(d.Dropped.list())
	rep.Kept = rep.Documents - rep.Removed()
	rep.Below = &BelowReport{Parts: d.Parts, Cut: len(d.Cut.list()), Cuts: d.Cuts, Gone: d.Gone, Alone: d.Alone}
}

// reason says what became of a row; it is empty if nothing did.
func (w *belowWriter) reason(row int) string {
	switch {
	case w.bad[row] != nil:
		return reasonBad
	case w.d.Dropped.has(uint32(row)):
		return reasonShort
	case w.d.Cut.has(uint32(row)):
		return reasonCut
	}
	return ""
}

// divideBelow reads the sources once more and writes each row to where it goes.
func (w *belowWriter) divideBelow(ctx context.Context) (err error) {
	var kept, removed sink = nowhere{}, nowhere{}
	ending := ""
	if !w.o.DryRun {
		var open func(string) (sink, error)
		if open, ending, err = newSinks(w.made, w.o.Format, w.o.Counts, w.in.sources[w.old:]); err != nil {
			return err
		}
		if kept, err = open("kept"); err != nil {
			return err
		}
		if !w.o.DropText {
			if removed, err = open("removed"); err != nil {
				return errors.Join(err, kept.close())
			}
		}
	}
	m := &members{}
	if len(w.bad) > 0 {
		if m.content, err = newSpool(w.scratch); err != nil {
			return err
		}
	}
	defer func() { m.content.close() }()
	err = w.routeBelow(ctx, m, kept, removed)
	if err = errors.Join(err, kept.close(), removed.close(), m.content.flush()); err != nil {
		return err
	}
	if err := w.writeWhyBelow(ctx, m); err != nil || w.o.DryRun {
		return err
	}
	return w.writeLayout(ending)
}

// routeBelow sends the rows to the sinks, and names those that why.jsonl names.
func (w *belowWriter) routeBelow(ctx context.Context, m *members, kept, removed sink) error {
	told := func(row int) bool { return w.reason(row) != "" || w.d.Named.has(uint32(row)) }
	var want func(int) bool
	if w.o.DryRun {
		want = told
	}
	cuts, err := w.openCuts()
	if err != nil {
		return err
	}
	defer cuts.close()
	var p datasets.Parser
	return eachChunk(ctx, w.in, want, w.progress("write"), func(p *datasets.Parser, ch *chunk) ([]datasets.Doc, error) {
		docs := make([]datasets.Doc, len(ch.rows))
		for i, row := range ch.numbers {
			if !told(row) || w.bad[row] != nil {
				continue
			}
			parsed, err := p.Row(ch.rows[i])
			if err != nil {
				return nil, err
			}
			docs[i].ID = parsed.Doc.ID
			if w.d.Cut.has(uint32(row)) {
				docs[i].Text = parsed.Doc.Text
			}
		}
		return docs, nil
	}, func(ch *chunk, docs []datasets.Doc) error {
		for i, raw := range ch.rows {
			row, doc := ch.numbers[i], docs[i]
			reason, to := w.reason(row), kept
			switch reason {
			case reasonBad:
				if to = removed; w.o.DropText || !treeOrParquet(raw, kept) {
					to = nowhere{}
				}
				if !w.o.DropText && !treeOrParquet(raw, kept) {
					doc.Text = string(raw.Bytes)
				}
			case reasonShort:
				to = removed
			case reasonCut:
				text, err := cuts.cut(row, doc.Text)
				if err == nil {
					err = change(kept, raw, text, &p)
				}
				if err != nil {
					return err
				}
				to, doc.Text = removed, ""
			}
			if told(row) {
				if err := m.add(row, doc, ch.file(i), raw.Line); err != nil {
					return err
				}
			}
			if err := to.write(raw, &p); err != nil {
				return err
			}
		}
		return nil
	})
}

// change writes a row with another text.
func change(to sink, row datasets.RawRow, text string, p *datasets.Parser) error {
	switch to := to.(type) {
	case nowhere:
		return nil
	case *tree:
		return to.change(row, text)
	}
	row, err := p.SetText(row, text)
	if err != nil {
		return prefixed(err)
	}
	return to.write(row, p)
}

// cutReader reads the files of the cuts.
type cutReader struct {
	f, kept *os.File
	in      *bufio.Reader
	next    madeCut
	ok      bool
}

type madeCut struct {
	row        int
	start, end int
	text       uint64 // that is kept, or noText
}

func (w *belowWriter) openCuts() (*cutReader, error) {
	f, err := os.Open(filepath.Join(w.dir, cutFiles[0]))
	if err != nil {
		return nil, prefixed(err)
	}
	kept, err := os.Open(filepath.Join(w.dir, cutFiles[1]))
	if err != nil {
		return nil, prefixed(errors.Join(err, f.Close()))
	}
	r := &cutReader{f: f, kept: kept, in: bufio.NewReaderSize(f, 1<<16)}
	return r, r.read()
}

func (r *cutReader) close() error { return errors.Join(r.f.Close(), r.kept.Close()) }

func (r *cutReader) read() error {
	var b [cutBytes]byte
	_, err := io.ReadFull(r.in, b[:])
	if r.ok = err == nil; err == io.EOF {
		return nil
	}
	n := func(at int) uint64 { return binary.BigEndian.Uint64(b[at:]) }
	r.next = madeCut{int(binary.BigEndian.Uint32(b[:])), int(n(4)), int(n(12)), n(20)}
	return prefixed(err)
}

// each calls do with the cuts of a row. Rows must ascend.
func (r *cutReader) each(row int, do func(madeCut) error) error {
	for r.ok && r.next.row <= row {
		if c := r.next; c.row == row {
			if err := do(c); err != nil {
				return err
			}
		}
		if err := r.read(); err != nil {
			return err
		}
	}
	return nil
}

// cut returns the text of a row without its cuts.
func (r *cutReader) cut(row int, text string) (string, error) {
	var b strings.Builder
	at := 0
	err := r.each(row, func(c madeCut) error {
		if c.start < at || c.end > len(text) {
			return fmt.Errorf("dedup: row %d has changed since it was read first", row+1)
		}
		b.WriteString(text[at:c.start])
		at = c.end
		return nil
	})
	b.WriteString(text[min(at, len(text)):])
	return b.String(), err
}

// keptText returns the row and the span of a text that is kept.
func (r *cutReader) keptText(text uint64) (row, start, end int, err error) {
	var b [keptBytes]byte
	if _, err := r.kept.ReadAt(b[:], int64(text)*keptBytes); err != nil {
		return 0, 0, 0, prefixed(err)
	}
	return int(binary.BigEndian.Uint32(b[:])), int(binary.BigEndian.Uint64(b[4:])), int(binary.BigEndian.Uint64(b[12:])), nil
}

// writeWhyBelow writes the reasons, and passes them on.
func (w *belowWriter) writeWhyBelow(ctx context.Context, m *members) (err error) {
	file := io.Discard
	if w.work != nil {
		f, err := create(filepath.Join(w.made, whyFile))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.close()) }()
		file = f
	}
	cuts, err := w.openCuts()
	if err != nil {
		return err
	}
	defer cuts.close()
	w.stage("why")
	out := bufio.NewWriterSize(file, 1<<16)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, row := range m.rows {
		w.o.Progress("why", float64(i)/float64(len(m.rows)))
		reason := w.reason(int(row))
		if reason == "" {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		why := Removal{ID: m.id(i), Ref: w.ref(int(row)), At: m.at(i), Reason: reason}
		if reason == reasonBad {
			why.Error = w.bad[int(row)].Error()
			raw, err := m.content.at(i)
			if err != nil {
				return err
			}
			if raw != "" {
				why.Raw = []byte(raw)
			}
		}
		err := cuts.each(int(row), func(c madeCut) error {
			cut := Cut{Start: c.start, End: c.end}
			if c.text != noText {
				k, start, end, err := cuts.keptText(c.text)
				if err != nil {
					return err
				}
				j := m.find(uint32(k))
				cut.Kept = &KeptText{Kept{ID: m.id(j), Ref: w.ref(k), At: m.at(j)}, start, end}
			}
			why.Cuts = append(why.Cuts, cut)
			return nil
		})
		if err != nil {
			return err
		}
		if w.o.OnRemoved != nil {
			if err := w.o.OnRemoved(why); err != nil {
				return err
			}
		}
		if err := enc.Encode(&why); err != nil {
			return fmt.Errorf("dedup: %s: %w", whyFile, err)
		}
	}
	return prefixed(out.Flush())
}
