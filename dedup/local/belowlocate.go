package local

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/dedup/repeats"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/passages"
)

// cutMapper finds where cuts, and what is kept for them, stand in the original
// texts. Each text is mapped once.
type cutMapper struct {
	*corpus
	f   *passages.Finder
	d   *cutting
	own *extsort.Bytes // row and span that go, and the number of the text that is kept
}

// locatedRow is the cuts of a row, and the texts in it that are kept for others.
type locatedRow struct {
	row   uint32
	cuts  []repeats.Cut // in the text that the rule saw, then in the original
	texts []uint64      // by cut, of what is kept
	kept  []feature.Span
	bytes int // of the text
}

// locate writes the files of the cuts.
func (m *cutMapper) locate(ctx context.Context, cuts *extsort.Bytes) (err error) {
	texts, err := newSpanFile(m.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, texts.close()) }()
	// Number the texts that are kept.
	var last [12]byte
	n := uint64(0)
	var row [20]byte
	seen := 0
	err = cuts.Each(func(b []byte) error {
		if seen++; seen%(1<<16) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		number := uint64(noText)
		if binary.BigEndian.Uint32(b) != none {
			if n == 0 || [12]byte(b) != last {
				last = [12]byte(b)
				n++
				texts.w.Write(b[:12])
			}
			number = n - 1
		}
		copy(row[:], b[12:24])
		binary.BigEndian.PutUint64(row[12:], number)
		return m.own.Add(row[:])
	})
	if err = errors.Join(err, texts.w.Flush()); err != nil {
		return prefixed(err)
	}
	out, err := m.createFiles()
	if err != nil {
		return err
	}
	err = parallel.Ordered(ctx, m.o.Workers, func(ctx context.Context, emit func(*locatedRow) error) error {
		return m.eachRow(texts, emit)
	}, m.original, func(l *locatedRow) error {
		m.o.Progress("locate", float64(l.row)/float64(m.d.Rows))
		return m.write(out, l)
	})
	for i, f := range out {
		sum, closed := f.close()
		m.d.Sums[i] = sum
		err = errors.Join(err, closed)
	}
	return err
}

// eachRow calls emit with each row that has a cut or a text that is kept.
func (m *cutMapper) eachRow(texts *spanFile, emit func(*locatedRow) error) error {
	if _, err := texts.f.Seek(0, io.SeekStart); err != nil {
		return prefixed(err)
	}
	in := bufio.NewReaderSize(texts.f, 1<<16)
	var next [12]byte
	read := func() error {
		_, err := io.ReadFull(in, next[:])
		if err == io.EOF {
			copy(next[:], "\xff\xff\xff\xff") // behind all rows
			err = nil
		}
		return prefixed(err)
	}
	if err := read(); err != nil {
		return err
	}
	textRow := func() uint32 { return binary.BigEndian.Uint32(next[:]) }
	finish := func(l *locatedRow) error {
		for textRow() == l.row {
			l.kept = append(l.kept, feature.Span{Start: int(binary.BigEndian.Uint32(next[4:])), End: int(binary.BigEndian.Uint32(next[8:]))})
			if err := read(); err != nil {
				return err
			}
		}
		return emit(l)
	}
	var l *locatedRow
	begin := func(row uint32) error { // once all rows before it are finished
		if l != nil {
			if err := finish(l); err != nil {
				return err
			}
		}
		for textRow() < row {
			if err := finish(&locatedRow{row: textRow()}); err != nil {
				return err
			}
		}
		l = &locatedRow{row: row}
		return nil
	}
	err := m.own.Each(func(b []byte) error {
		if row := binary.BigEndian.Uint32(b); l == nil || l.row != row {
			if err := begin(row); err != nil {
				return err
			}
		}
		l.cuts = append(l.cuts, repeats.Cut{Start: int(binary.BigEndian.Uint32(b[4:])), End: int(binary.BigEndian.Uint32(b[8:]))})
		l.texts = append(l.texts, binary.BigEndian.Uint64(b[12:]))
		return nil
	})
	if err != nil {
		return err
	}
	return begin(none)
}

// original maps a row.
func (m *cutMapper) original(l *locatedRow) (*locatedRow, error) {
	spans := make([]feature.Span, 0, len(l.cuts)+len(l.kept))
	for _, c := range l.cuts {
		spans = append(spans, feature.Span{Start: c.Start, End: c.End})
	}
	text, spans, err := m.f.Original(int(l.row), append(spans, l.kept...))
	if err != nil {
		return nil, prefixed(err)
	}
	l.bytes = len(text)
	copy(l.kept, spans[len(l.cuts):])
	for i := range l.cuts {
		l.cuts[i].Start, l.cuts[i].End = spans[i].Start, spans[i].End
	}
	repeats.Tidy(text, l.cuts, l.kept)
	return l, nil
}

// write adds a row to the files of the cuts.
func (m *cutMapper) write(out [2]*summedFile, l *locatedRow) error {
	gone := 0
	var b [cutBytes]byte
	for i, c := range l.cuts {
		if c.Start == c.End {
			continue
		}
		gone += c.End - c.Start
		m.d.Cuts++
		binary.BigEndian.PutUint32(b[:], l.row)
		for i, v := range []uint64{uint64(c.Start), uint64(c.End), l.texts[i]} {
			binary.BigEndian.PutUint64(b[4+8*i:], v)
		}
		if _, err := out[0].w.Write(b[:]); err != nil {
			return prefixed(err)
		}
	}
	for _, s := range l.kept {
		m.d.Named.add(l.row)
		binary.BigEndian.PutUint32(b[:], l.row)
		binary.BigEndian.PutUint64(b[4:], uint64(s.Start))
		binary.BigEndian.PutUint64(b[12:], uint64(s.End))
		if _, err := out[1].w.Write(b[:keptBytes]); err != nil {
			return prefixed(err)
		}
	}
	switch {
	case gone == 0: // whole words took everything back
		m.d.Dropped[l.row/64] &^= 1 << (l.row % 64)
	case m.d.Dropped.has(l.row):
		gone = l.bytes
	default:
		m.d.Cut.add(l.row)
	}
	m.d.Gone += int64(gone)
	return nil
}

// spanFile is a temporary file.
type spanFile struct {
	f *os.File
	w *bufio.Writer
}

func newSpanFile(dir string) (*spanFile, error) {
	f, err := os.CreateTemp(dir, "spans-*")
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return &spanFile{f, bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *spanFile) close() error { return prefixed(errors.Join(s.f.Close(), os.Remove(s.f.Name()))) }

// summedFile is a file of the cuts in the making.
type summedFile struct {
	f   *aside
	w   *bufio.Writer
	sum hash.Hash
}

func (m *cutMapper) createFiles() (out [2]*summedFile, err error) {
	for i, name := range cutFiles {
		f, err := create(filepath.Join(m.dir, name))
		if err != nil {
			if i > 0 {
				out[0].f.close()
			}
			return out, err
		}
		s := &summedFile{f: f, sum: xxh3.New()}
		s.w = bufio.NewWriterSize(io.MultiWriter(f, s.sum), 1<<16)
		out[i] = s
	}
	return out, nil
}

func (s *summedFile) close() (sum []byte, err error) {
	err = errors.Join(s.w.Flush(), s.f.close())
	return s.sum.Sum(nil), prefixed(err)
}
