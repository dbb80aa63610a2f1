package sketches

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// Options says what to write. Sources, Out, Method and Columns are needed, and Candidates
// and Threshold.
type Options struct {
	// Sources are the documents in their order, the same for all workers. None may be the
	// standard input.
	Sources []datasets.Source

	// Out is the folder, which may be there if other workers have begun it.
	Out string

	// Method makes the sketches, and Columns their columns. It must have buckets.
	Method  similarity.Method
	Columns Columns

	// Verify is the method that decides, with its columns; nil means that the sketches decide
	// themselves.
	Verify        similarity.Method
	VerifyColumns Columns

	// Unverified believes all candidates.
	Unverified bool

	// Candidates, Recall, Threshold and Keep are as in local.Options. The cohesion
	// is the threshold: chains need scores of documents that are no pair.
	Candidates, Recall, Threshold float64
	Keep                          dedup.Policy

	// Documents is the expected number of documents of all shards;
	// similarity.JoinOptions describes its effect on buckets. Zero means the
	// buckets of package local.
	Documents int64

	// Clean says what to remove from texts before they are compared. Boilerplate
	// must be 0, because it needs all documents.
	Clean clean.Options

	// Shard is the number of this worker, from 0 to Shards-1. Zero Shards means
	// one. If there are at least as many sources as shards, each source belongs to
	// one worker, and no other reads it. Otherwise every worker reads all sources,
	// and the blocks of BlockRows rows are shared out.
	Shard, Shards int

	// Slices is the number of files for the keys of a part and table, a power of
	// two up to 256. Keys are divided by their highest bits, so that an engine can
	// go through buckets slice by slice. Zero means 1.
	Slices int

	// SkipBad is the maximum number of rows of the shard that hold no document.
	// OnBad is called with the error of each.
	SkipBad int
	OnBad   func(error)

	// PartRows is the maximum number of rows of a part. Zero means 65,536.
	PartRows int

	// Workers is the number of goroutines. Zero means GOMAXPROCS.
	Workers int

	// Progress, if set, is called with the share of the input that has been read.
	Progress func(share float64)
}

// BlockRows is the number of consecutive rows of a source that go to one shard, if
// there are fewer sources than shards.
const BlockRows = 4096

// defaultPart is the number of rows of a part, which ends earlier where these have
// partBytes.
const (
	defaultPart = 1 << 16
	partBytes   = 64 << 20
)

func (o *Options) check() error {
	switch {
	case len(o.Sources) == 0:
		return errors.New("sketches: no sources")
	case o.Out == "":
		return errors.New("sketches: no folder to write to")
	case o.Method == nil || o.Columns == nil:
		return errors.New("sketches: no method")
	case (o.Verify == nil) != (o.VerifyColumns == nil):
		return errors.New("sketches: want columns of the method that verifies")
	case o.Verify != nil && o.Unverified:
		return errors.New("sketches: both verified and unverified")
	case math.IsNaN(o.Threshold) || o.Threshold <= 0 || o.Threshold > 1:
		return fmt.Errorf("sketches: threshold is %v, want more than 0 and at most 1", o.Threshold)
	case o.Clean.Boilerplate != 0:
		return errors.New("sketches: Clean.Boilerplate has to know all documents, of which a worker sees some")
	}
	if o.Shards == 0 {
		o.Shards = 1
	}
	if o.Slices == 0 {
		o.Slices = 1
	}
	if o.Shards < 1 || o.Shards > 99999 || o.Shard < 0 || o.Shard >= o.Shards {
		return fmt.Errorf("sketches: shard %d of %d, want 0 to %d of at most 99999", o.Shard, o.Shards, o.Shards-1)
	}
	if o.Slices < 1 || o.Slices > 256 || o.Slices&(o.Slices-1) != 0 {
		return fmt.Errorf("sketches: %d slices, want a power of two from 1 to 256", o.Slices)
	}
	for _, s := range o.Sources {
		if s.Path == "-" {
			return errors.New("sketches: the standard input cannot be read by several workers, nor again")
		}
	}
	if o.PartRows <= 0 {
		o.PartRows = defaultPart
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Recall == 0 {
		o.Recall = similarity.DefaultRecall
	}
	if o.Candidates == 0 {
		o.Candidates = o.Threshold
	}
	if o.OnBad == nil {
		o.OnBad = func(error) {}
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	return nil
}

// header returns the settings of the folder.
func (o *Options) header(l steps.Layout) (*Header, error) {
	h := &Header{
		Version: version, Method: o.Method.String(), Settings: o.Method.Settings(),
		Verify: "sketch", Decides: o.Method.Settings(),
		Candidates: o.Candidates, Recall: o.Recall, Threshold: o.Threshold, Keep: o.Keep.String(), Documents: o.Documents,
		Design: l.Design, Tables: l.Tables, Found: l.Recall, Floor: l.Floor,
		Shards: o.Shards, Slices: o.Slices, PartRows: o.PartRows, Columns: o.Columns.Layout(),
	}
	h.Inline = h.Columns.Inline()
	if !h.Columns.Keyed() {
		h.Design, h.Tables = "prefixes of the rarest words", 0
	}
	switch {
	case o.Unverified:
		h.Verify = "none"
	case o.Verify != nil:
		c := o.VerifyColumns.Layout()
		h.Verify, h.Decides, h.VerifyColumns = o.Verify.String(), o.Verify.Settings(), &c
	}
	h.Mask = o.Clean.Mask.String()
	for _, s := range o.Sources {
		info, err := os.Stat(s.Path)
		if err != nil {
			return nil, fmt.Errorf("sketches: %w", err)
		}
		size := info.Size()
		if info.IsDir() {
			size = 0
		}
		h.Sources = append(h.Sources, Source{
			Path: s.Path, Name: s.Name, Format: s.Format, ID: s.ID, PathIDs: s.PathIDs, Text: s.Text,
			Columns: s.Columns, Quotes: s.Quotes, HTML: s.HTML, Lossy: s.Lossy, Size: size,
			Delimiter: s.Delimiter, Encoding: s.Encoding,
		})
	}
	return h, nil
}

// Write writes a shard, or the parts of it that are missing. It returns the marker
// of the complete shard.
func Write(ctx context.Context, o Options) (*Shard, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	tools := make([]*tool, o.Workers)
	for i := range tools {
		var err error
		if tools[i], err = newTool(&o); err != nil {
			return nil, err
		}
	}
	h, err := o.header(tools[0].mapper.Layout())
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(o.Out, HeaderFile)); o.Shards == 1 && errors.Is(err, os.ErrNotExist) {
		if err := o.checkKeep(ctx); err != nil {
			return nil, err // before anything is written
		}
	}
	if err := os.MkdirAll(o.Out, 0o777); err != nil {
		return nil, fmt.Errorf("sketches: %w", err)
	}
	if err := h.agree(o.Out); err != nil {
		return nil, err
	}
	done, err := readMarker[Shard](o.Out, shardName(o.Shard))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	complete := err == nil
	w := &worker{o: &o, shard: Shard{Rows: make(map[int]int)}}
	if err := w.resume(); err != nil {
		return nil, err
	}
	if complete {
		if w.shard.Parts == done.Parts {
			return done, nil
		}
		// Files have gone since: until they are made again the shard is not complete.
		if err := os.Remove(filepath.Join(o.Out, doneDir, shardName(o.Shard))); err != nil {
			return nil, fmt.Errorf("sketches: %w", err)
		}
	}
	if err := w.run(ctx, tools); err != nil {
		return nil, err
	}
	return &w.shard, nil
}

// checkKeep returns an error if no document has a field of the policy. It reads
// documents until each field was found, which is soon the case for fields that
// are there. Of several shards, one may lack what another has.
func (o *Options) checkKeep(ctx context.Context) error {
	has := make([]bool, o.Keep.Fields())
	documents := false
	for _, src := range o.Sources {
		if !slices.Contains(has, false) {
			return nil
		}
		if err := o.findFields(ctx, src, has, &documents); err != nil {
			return err
		}
	}
	if !documents {
		return nil
	}
	return o.Keep.Lacking(func(field int) bool { return has[field] }, o.Sources[len(o.Sources)-1].FieldNames)
}

// findFields notes which fields of the policy the documents of a source have, until each
// was found.
func (o *Options) findFields(ctx context.Context, src datasets.Source, has []bool, documents *bool) (err error) {
	src.Context = ctx
	r, err := datasets.OpenRaw(src)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var parser datasets.Parser
	for slices.Contains(has, false) {
		raw, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		row, err := parser.Row(raw)
		if err != nil {
			continue // run counts it
		}
		*documents = true
		values, _ := o.Keep.Values(row.Get)
		for field, v := range values {
			has[field] = has[field] || v != dedup.Missing
		}
	}
	return nil
}

// worker writes a shard.
type worker struct {
	o     *Options
	shard Shard
	skip  int // rows of the shard that are in complete parts
	part  part
}

// resume counts the parts that are complete, up to the first that is not: those after it
// are made again too, as they were.
func (w *worker) resume() error {
	for {
		p, err := readMarker[partMarker](w.o.Out, partName(w.o.Shard, w.shard.Parts))
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if !p.there(w.o.Out) {
			return nil
		}
		w.shard.add(p)
		w.skip += p.Rows
	}
}

// chunk is rows that are sketched in one go.
type chunk struct {
	rows  []datasets.RawRow
	refs  []dedup.Ref
	bytes int64 // of the rows in memory
	buf   []byte
	share float64
}

// The size of a chunk.
const (
	chunkRows  = 512
	chunkBytes = 1 << 20
)

func (w *worker) run(ctx context.Context, tools []*tool) error {
	err := parallel.OrderedWith(ctx, tools, w.read, (*tool).sketch, func(m *mapped) error {
		for i := range m.documents {
			if err := w.take(m, i); err != nil {
				return err
			}
		}
		w.o.Progress(m.share)
		return nil
	})
	if err != nil {
		return err
	}
	if w.part.rows() > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if err := sweep(w.o.Out, w.o.Shard); err != nil {
		return err
	}
	return writeMarker(w.o.Out, shardName(w.o.Shard), &w.shard)
}

// own reports whether a row is of the shard.
func (w *worker) own(source, row int) bool {
	if len(w.o.Sources) >= w.o.Shards {
		return source%w.o.Shards == w.o.Shard
	}
	return (source+row/BlockRows)%w.o.Shards == w.o.Shard
}

// read emits the rows of the shard that are in no complete part.
func (w *worker) read(ctx context.Context, emit func(*chunk) error) error {
	seen := 0
	for source := range w.o.Sources {
		if len(w.o.Sources) >= w.o.Shards && !w.own(source, 0) {
			continue
		}
		n, err := w.readSource(ctx, source, &seen, emit)
		if err != nil {
			return err
		}
		w.shard.Rows[source] = n
	}
	if seen < w.skip {
		return fmt.Errorf("sketches: %d rows of the shard are in complete parts, and its sources have only %d: they have changed", w.skip, seen)
	}
	return nil
}

func (w *worker) readSource(ctx context.Context, source int, seen *int, emit func(*chunk) error) (n int, err error) {
	src := w.o.Sources[source]
	src.Context = ctx
	r, err := datasets.OpenRaw(src)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	c := &chunk{}
	flush := func() error {
		if len(c.rows) == 0 {
			return ctx.Err()
		}
		c.share = (float64(source) + r.Done()) / float64(len(w.o.Sources))
		err := emit(c)
		c = &chunk{}
		return err
	}
	for ; ; n++ {
		raw, err := r.Next()
		if err == io.EOF {
			return n, flush()
		}
		if err != nil {
			return 0, err
		}
		if !w.own(source, n) {
			continue
		}
		if *seen++; *seen <= w.skip {
			continue
		}
		c.bytes += raw.Memory()
		raw, c.buf = raw.Keep(c.buf)
		c.rows, c.refs = append(c.rows, raw), append(c.refs, dedup.Ref{Source: source, Row: n})
		if len(c.rows) == chunkRows || c.bytes >= chunkBytes {
			if err := flush(); err != nil {
				return 0, err
			}
		}
	}
}

// take puts a document in the part at hand.
func (w *worker) take(m *mapped, i int) error {
	if err := m.bad[i]; err != nil {
		if w.shard.Unreadable+w.part.unreadable >= w.o.SkipBad {
			return err
		}
		w.o.OnBad(err)
		w.part.unreadable++
	}
	w.part.add(m, i)
	if w.part.rows() < w.o.PartRows && w.part.memory < partBytes {
		return nil
	}
	return w.flush()
}

// flush writes the part at hand, and its marker last.
func (w *worker) flush() error {
	if err := w.part.write(w.o, w.shard.Parts); err != nil {
		return err
	}
	p := w.part.marker()
	if err := writeMarker(w.o.Out, partName(w.o.Shard, w.shard.Parts), p); err != nil {
		return err
	}
	w.shard.add(p)
	w.part.reset()
	return nil
}
