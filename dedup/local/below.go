package local

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/repeats"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/passages"
)

// Below says what Run removes below the document. Documents are then not compared
// as a whole: Method, Threshold and all that belongs to them must be unset.
type Below struct {
	// Unit, Fold and MinLength say what repeats: see passages.Options.
	Unit      passages.Unit
	Fold      feature.Fold
	MinLength int

	// MinCount is the minimum number of documents that text stands in to be removed.
	// Zero means 2. With 1, text also goes that repeats within one document only.
	MinCount int

	// MinLeft and MaxShare are those of repeats.Options. Zero means 1 in both.
	MinLeft  int
	MaxShare float64
}

// String returns the settings.
func (b *Below) String() string {
	s := fmt.Sprintf("%vs of %d characters or more in %d documents or more", b.Unit, b.MinLength, b.MinCount)
	if fold := b.Fold.String(); fold != "" {
		s += ", folded by " + fold
	}
	if b.MinLeft > 1 {
		s += fmt.Sprintf(", at least %d characters left", b.MinLeft)
	}
	if b.MaxShare < 1 {
		s += fmt.Sprintf(", at most %.4g%% of a document", 100*b.MaxShare)
	}
	return s
}

// checkBelow fills in the defaults of Below, and refuses what does not go with it.
func (o *Options) checkBelow() error {
	b := *o.Below
	o.Below = &b
	if b.MinLength == 0 {
		b.MinLength = b.Unit.DefaultLength()
	}
	if b.MinCount == 0 {
		b.MinCount = 2
	}
	if b.MinLeft == 0 {
		b.MinLeft = 1
	}
	if b.MaxShare == 0 {
		b.MaxShare = 1
	}
	switch {
	case b.MinCount < 1:
		return fmt.Errorf("dedup: MinCount is %d, want 1 or more documents", b.MinCount)
	case b.MinLeft < 1:
		return fmt.Errorf("dedup: MinLeft is %d, want 1 or more characters", b.MinLeft)
	case !(b.MaxShare > 0 && b.MaxShare <= 1):
		return fmt.Errorf("dedup: MaxShare is %v, want more than 0 and at most 1", b.MaxShare)
	case o.Method != nil || o.Verify != nil || o.Unverified || o.Threshold != 0 || o.Candidates != 0 || o.Recall != 0 || o.Cohesion != 0 || o.Lower != 0 || o.MaxPairs != 0:
		return errors.New("dedup: Below compares no whole documents, so it goes without Method, Threshold and what belongs to them")
	case len(o.Against) > 0 || o.Index != nil || o.Update || o.Limits.Any() || o.Judged != nil || o.Warranty != nil || o.Sketches || o.Explain || o.Annotate || o.Clean.Boilerplate > 0 || o.Clean.Mask != 0:
		return errors.New("dedup: Below goes without Against, Index, Update, Limits, Judged, Warranty, Clean, Sketches, Explain and Annotate")
	}
	for i := range o.Sources {
		if err := o.Sources[i].CanSetText(); err != nil {
			return prefixed(err)
		}
	}
	return nil
}

// below removes what repeats below the document: read → find → decide → write.
func (r *run) below(ctx context.Context) (*Report, error) {
	c, err := r.newCorpus(ctx)
	if err != nil {
		return nil, err
	}
	d, err := c.loadCuts()
	if d == nil && err == nil {
		d, err = c.cutUp(ctx)
	}
	if err != nil {
		return nil, err
	}
	w := &belowWriter{writer: &writer{corpus: c, Decided: &Decided{Findings: d.Findings}}, d: d}
	return w.conclude(ctx)
}

// cutting is what was decided. The cuts themselves are in two files. It is a
// checkpoint.
type cutting struct {
	Seen seen
	Bad  map[int]string
	Findings

	Cut, Dropped, Named bitmap // rows; Named are those that a cut names
	Rows                int
	Alone               int
	Parts, Cuts         int64
	Gone                int64 // bytes of text
	Sums                [2][]byte
}

// The files of the cuts, in the folder of a run. A cut is the row, the first byte,
// the one behind the last, and the number of the text that is kept for it, or none.
// In the other file stand the row and the span of these texts.
var cutFiles = [2]string{"cuts", "cuts-kept"}

const (
	cutBytes  = 4 + 8 + 8 + 8
	keptBytes = 4 + 8 + 8
	noText    = math.MaxUint64
)

// cutUp reads the sources and decides what to cut.
func (c *corpus) cutUp(ctx context.Context) (_ *cutting, err error) {
	b := c.o.Below
	f, err := passages.New(passages.Options{
		Unit: b.Unit, Fold: b.Fold, MinLength: b.MinLength, Docs: b.MinCount,
		Memory: max(c.o.Memory/2, leastMemory), Dir: c.scratch, Workers: c.o.Workers, Progress: c.o.Progress,
	})
	if err != nil {
		return nil, prefixed(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := &cutting{Bad: map[int]string{}}
	if err := c.readParts(ctx, f, d); err != nil {
		return nil, err
	}
	cuts := extsort.NewBytes(c.scratch, c.o.Memory/8)
	defer func() { err = errors.Join(err, cuts.Close()) }()
	if err := c.chooseCuts(ctx, f, d, cuts); err != nil {
		return nil, err
	}
	c.stage("locate")
	m := &cutMapper{corpus: c, f: f, d: d, own: extsort.NewBytes(c.scratch, c.o.Memory/8)}
	defer func() { err = errors.Join(err, m.own.Close()) }()
	if err := m.locate(ctx, cuts); err != nil {
		return nil, err
	}
	return d, c.saveGob("decision", d)
}

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
					return err
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

// wholeFile returns an error for a text that is a file, if the text is not what
// stands in the file: what is left of it could not be written there.
func wholeFile(row *datasets.RawRow) error {
	info, err := os.Stat(row.File())
	if err != nil {
		return nil // the standard input, or an error that writing meets too
	}
	if n := info.Size() - int64(len(row.Bytes)); n != 0 && n != int64(len(mark)) {
		return fmt.Errorf("dedup: %s is compressed or in another encoding: no part of it can be taken out; --format writes texts as rows", row.File())
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
	cutter := repeats.New(f.Passages(), repeats.Options{None: c.o.Keep.None(), MinLeft: c.o.Below.MinLeft, MaxShare: c.o.Below.MaxShare})
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

// cutMapper finds where cuts, and what is kept for them, stand in the original
// texts. Each text is mapped once.
type cutMapper struct {
	*corpus
	f    *passages.Finder
	d    *cutting
	own  *extsort.Bytes // row and span that go, and the number of the text that is kept
	kept []byte
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
	err = cuts.Each(func(b []byte) error {
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
	kept := make([]repeats.Span, len(l.kept))
	for i, s := range spans[len(l.cuts):] {
		l.kept[i], kept[i] = s, repeats.Span{Start: s.Start, End: s.End}
	}
	for i := range l.cuts {
		l.cuts[i].Start, l.cuts[i].End = spans[i].Start, spans[i].End
	}
	repeats.Tidy(text, l.cuts, kept)
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

// loadCuts returns what an earlier run has decided, or nil.
func (c *corpus) loadCuts() (*cutting, error) {
	d := &cutting{}
	ok, err := c.loadGob("decision", d)
	if !ok || err != nil {
		return nil, err
	}
	for i, name := range cutFiles {
		sum := xxh3.New()
		f, err := os.Open(filepath.Join(c.dir, name))
		if err == nil {
			_, err = io.Copy(sum, f)
			f.Close()
		}
		if err != nil || string(sum.Sum(nil)) != string(d.Sums[i]) {
			return nil, nil // it is decided again
		}
	}
	c.in.files, c.in.starts, c.in.sums = d.Seen.Files, d.Seen.Starts, d.Seen.Sums
	for row, text := range d.Bad {
		c.bad[row] = errors.New(text)
	}
	return d, nil
}
