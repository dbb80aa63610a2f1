package local

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/repeats"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/passages"
)

// preparedRow is a row that was read.
type preparedRow struct {
	parts  *passages.Prepared
	id     string
	bytes  int
	values []float64
	bad    error
}

// readParts reads the sources.
func (c *corpus) readParts(ctx context.Context, f *passages.Finder, d *cutting) error {
	c.stage("read")
	var ids datasets.Repeats
	c.texts.values = make([][]float64, c.o.Keep.Fields())
	none, err := f.Prepare("")
	if err != nil {
		return prefixed(err)
	}
	first, err := datasets.OpenRaw(c.in.sources[0])
	if err != nil {
		return err
	}
	files := first.Layout().Format == "text" && c.o.Format == ""
	first.Close()
	if files {
		if err := readTwice(c.in.sources); err != nil {
			return err
		}
	}
	type rows struct {
		all     []preparedRow
		missing int64
	}
	err = eachChunk(ctx, c.in, nil, c.progress("read"), func(p *datasets.Parser, ch *chunk) (out rows, err error) {
		out.all = make([]preparedRow, len(ch.rows))
		return out, ch.documents(p, func(i int, row *datasets.Row, bad error) (err error) {
			r := &out.all[i]
			if r.bad = bad; bad != nil {
				return nil
			}
			if files {
				if err := wholeFile(&ch.rows[i]); err != nil {
					return fmt.Errorf("%w; --format writes texts as rows", err)
				}
			}
			var missing int64
			r.values, missing = c.o.Keep.Values(row.Get)
			out.missing += missing
			r.id, r.bytes = row.Doc.ID, len(row.Doc.Text)
			r.parts, err = f.Prepare(row.Doc.Text)
			return prefixed(err)
		})
	}, func(_ *chunk, rows rows) error {
		d.Missing += rows.missing
		for _, r := range rows.all {
			if r.bad != nil {
				d.Bad[len(c.texts.Of)] = r.bad.Error()
				if err := c.addBad(r.bad); err != nil {
					return err
				}
				r.parts = none
			} else {
				if ids.Add(r.id) && c.o.UniqueIDs {
					return fmt.Errorf("dedup: two documents have the id %q", ids.First)
				}
				c.texts.Of = append(c.texts.Of, uint32(len(c.texts.Of)))
			}
			d.Bytes += int64(r.bytes)
			c.texts.length = append(c.texts.length, uint32(min(r.bytes, math.MaxUint32)))
			for i := range c.texts.values {
				v := math.Inf(-1)
				if r.bad == nil {
					v = r.values[i]
				}
				c.texts.values[i] = append(c.texts.values[i], v)
			}
			if err := f.Add(r.parts); err != nil {
				return prefixed(err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.Seen = seen{c.in.files, c.in.starts, c.in.sums}
	d.Repeated, d.RepeatedID = ids.N, ids.First
	d.Rows = len(c.texts.Of)
	d.Cut, d.Dropped, d.Named = newBitmap(d.Rows), newBitmap(d.Rows), newBitmap(d.Rows)
	if d.Rows == len(c.bad) {
		return nil
	}
	return c.lacking()
}

// readTwice returns an error if texts that are files are read more than once: what is
// left of each copy would be written to the same file.
func readTwice(sources []datasets.Source) error {
	seen := map[string]bool{}
	for _, s := range sources {
		path := place(s.Path)
		if seen[path] {
			return fmt.Errorf("dedup: %s is named twice: want it once, or --format, which writes texts as rows", s.Path)
		}
		seen[path] = true
	}
	for _, s := range sources {
		for path := place(s.Path); path != filepath.Dir(path); {
			if path = filepath.Dir(path); seen[path] {
				return fmt.Errorf("dedup: %s lies in %s, which is read too: want it once, or --format, which writes texts as rows", s.Path, path)
			}
		}
	}
	return nil
}

// wholeFile returns an error for a text that is a file, if the text is not what
// stands in the file: what is left of it could not be written there.
func wholeFile(row *datasets.RawRow) error {
	info, err := os.Stat(row.File())
	if err != nil {
		return nil // the standard input, or an error that writing meets too
	}
	if n := info.Size() - int64(len(row.Bytes)); n != 0 && n != int64(len(mark)) {
		return fmt.Errorf("dedup: %s is compressed or in another encoding: no part of it can be taken out", row.File())
	}
	return nil
}

// mark is the byte order mark.
const mark = "\xef\xbb\xbf"

// inOrder returns the rows in the order in which the policy wants them.
func (c *corpus) inOrder() []uint32 {
	rows := make([]uint32, len(c.texts.Of))
	for i := range rows {
		rows[i] = uint32(i)
	}
	if c.o.Keep.InputOrder() {
		return rows
	}
	for row, t := range c.texts.Of {
		if t == none {
			c.texts.Of[row] = uint32(row) // doc looks at its length
		}
	}
	slices.SortFunc(rows, func(a, b uint32) int {
		x, y := c.doc(a), c.doc(b)
		return c.o.Keep.Compare(&x, &y)
	})
	return rows
}

// chooseCuts finds what repeats, and adds what is to be cut to a sorter: the row and
// the span that are kept, the row and the span that go.
func (c *corpus) chooseCuts(ctx context.Context, f *passages.Finder, d *cutting, cuts *extsort.Bytes) (err error) {
	c.stage("find")
	order := c.inOrder()
	rank := make([]uint32, len(order))
	for i, row := range order {
		rank[row] = uint32(i)
	}
	sorter := extsort.New(c.scratch, c.o.Memory/8)
	defer func() { err = errors.Join(err, sorter.Close()) }()
	stats, err := f.EachPlace(ctx, func(p passages.Place) error {
		return sorter.Add(extsort.Record{uint64(rank[p.Doc])<<32 | uint64(p.Start), uint64(^uint32(p.End-p.Start))<<32 | uint64(p.Passage)})
	})
	if err != nil {
		return prefixed(err)
	}
	d.Parts = stats.Passages
	c.stage("decide")
	o := repeats.Options{None: c.o.Keep.None(), MinLeft: c.o.Below.MinLeft, MaxShare: c.o.Below.MaxShare}
	if c.o.Below.Unit == passages.Any {
		o.MinLength = c.o.Below.MinLength
		o.Divide = func(doc int, c repeats.Cut, do func(repeats.Cut)) {
			k := c.Kept
			f.EachEqual(doc, c.Start, k.Doc, k.Start, c.End-c.Start, func(from, to int) {
				do(repeats.Cut{Start: c.Start + from, End: c.Start + to, Kept: repeats.Kept{Doc: k.Doc, Start: k.Start + from, End: k.Start + to}})
			})
		}
	}
	cutter := repeats.New(f.Passages(), o)
	var places []repeats.Place
	at := uint32(0)
	decide := func() error {
		if len(places) == 0 {
			return nil
		}
		row := order[at]
		text, err := f.Text(int(row))
		if err != nil {
			return err
		}
		all, fate := cutter.Document(int(row), text, places)
		switch places = places[:0]; fate {
		case repeats.Alone:
			d.Alone++
		case repeats.Dropped:
			d.Dropped.add(row)
		}
		var b [24]byte
		for _, cut := range all {
			for i, v := range []int{cut.Kept.Doc, cut.Kept.Start, cut.Kept.End, int(row), cut.Start, cut.End} {
				binary.BigEndian.PutUint32(b[4*i:], uint32(v))
			}
			if err := cuts.Add(b[:]); err != nil {
				return err
			}
		}
		return nil
	}
	n := int64(0)
	err = sorter.Each(func(r extsort.Record) error {
		if n++; n%(1<<16) == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			c.o.Progress("decide", float64(n)/float64(sorter.Len()))
		}
		if doc := uint32(r[0] >> 32); doc != at {
			if err := decide(); err != nil {
				return err
			}
			at = doc
		}
		start := int(uint32(r[0]))
		places = append(places, repeats.Place{Start: start, End: start + int(^uint32(r[1]>>32)), Part: int(uint32(r[1]))})
		return nil
	})
	if err == nil {
		err = decide()
	}
	if err != nil && ctx.Err() == nil {
		return prefixed(err)
	}
	return err
}
