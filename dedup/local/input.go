package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/semaphore"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/parallel"
)

// input is the sources of a run in their order, and what reading has shown of
// them.
type input struct {
	sources  []datasets.Source
	sketched []bool // by source, whether it is a sketch file; those beyond are not
	workers  int
	free     chan *chunk
	held     held

	// What the first reading has shown.
	files  []file
	starts []int    // by source, the number of its first row, and at the end of all rows
	sums   []string // by source, the checksum of its rows
}

// newInput returns the input of some sources. The chunks in use at once have at
// most most bytes.
func newInput(sources []datasets.Source, workers int, most int64) *input {
	return &input{
		sources: sources, workers: workers, free: make(chan *chunk, 4*workers),
		held: newHeld(most),
	}
}

// with returns the input of other sources, within the same bounds.
func (in *input) with(sources []datasets.Source, sketched []bool) *input {
	return &input{sources: sources, sketched: sketched, workers: in.workers, free: in.free, held: in.held}
}

// parsers are taken by the worker that needs one.
var parsers = sync.Pool{New: func() any { return &datasets.Parser{} }}

// eachChunk reads the rows that want accepts, in chunks; nil accepts all. Workers
// make a value of each chunk, and collect takes these in the order of the rows.
// After it the rows must not be used any more.
func eachChunk[T any](ctx context.Context, in *input, want func(row int) bool, progress func(share float64), work func(*datasets.Parser, *chunk) (T, error), collect func(*chunk, T) error) error {
	type made struct {
		chunk *chunk
		value T
	}
	return parallel.Ordered(ctx, in.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return in.read(ctx, want, emit)
	}, func(c *chunk) (made, error) {
		p := parsers.Get().(*datasets.Parser)
		defer parsers.Put(p)
		value, err := work(p, c)
		return made{c, value}, err
	}, func(m made) error {
		if err := collect(m.chunk, m.value); err != nil {
			return err
		}
		progress(m.chunk.share)
		in.release(m.chunk)
		return nil
	})
}

// asRead is for eachChunk, where the rows alone are wanted.
func asRead(*datasets.Parser, *chunk) (none struct{}, err error) { return }

// documents calls do with each row of the chunk. bad is the error of a row that
// holds no document.
func (c *chunk) documents(p *datasets.Parser, do func(i int, row *datasets.Row, bad error) error) error {
	for i, raw := range c.rows {
		row, err := p.Row(raw)
		if _, bad := errors.AsType[*datasets.BadRow](err); err != nil && !bad {
			return err
		}
		if err := do(i, &row, err); err != nil {
			return err
		}
	}
	return nil
}

// held limits the bytes of the chunks in use. There is always room for one
// chunk alone, so that a huge row passes.
type held struct {
	*semaphore.Weighted
	most int64
}

func newHeld(most int64) held { return held{semaphore.NewWeighted(most), most} }

// take waits for room.
func (h held) take(ctx context.Context, bytes int64) error {
	if h.Acquire(ctx, min(bytes, h.most)) != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (h held) give(bytes int64) { h.Release(min(bytes, h.most)) }

// file is one file of a source.
type file struct {
	datasets.Layout
	Source int `json:"source"` // that it belongs to
	First  int `json:"first"`  // number of its first row in the source

	Name string `json:"name,omitempty"` // where Restore puts it; set for new sources when the layout is written
}

// source returns the source of a row, by the row's number.
func (in *input) source(row int) int {
	s, found := slices.BinarySearch(in.starts, row)
	if !found {
		return s - 1
	}
	for in.starts[s+1] == row { // sources without rows
		s++
	}
	return s
}

// ref returns the place of a row, by the row's number.
func (in *input) ref(row int) dedup.Ref {
	s := in.source(row)
	return dedup.Ref{Source: s, Row: row - in.starts[s]}
}

// origins describes the sources.
func (in *input) origins() (all []Origin) {
	for i, s := range in.sources {
		all = append(all, Origin{cmp.Or(s.Name, s.Path), in.starts[i+1] - in.starts[i], in.sums[i]})
	}
	return all
}

// chunk is some rows of one source.
type chunk struct {
	source  int
	rows    []datasets.RawRow
	numbers []int // of the rows, over all sources
	buf     []byte
	bytes   int64   // of the rows in memory
	share   float64 // of all sources that has been read

	path  string      // of a sketch file
	part  *sketchPart // of a sketch file: its rows have only numbers
	first int         // number of the first document of part
}

// The size of a chunk without its last row. Handing over a larger chunk is not
// faster, and smaller chunks need less memory.
const (
	chunkRows  = 1024
	chunkBytes = 1 << 20
)

// read emits the rows that want accepts, in chunks; nil accepts all. The first
// call notes the layout of the files. Later calls return an error if the files
// have changed. Pass each chunk to release, of this input or of one that with
// made of it. Otherwise read waits for room forever.
func (in *input) read(ctx context.Context, want func(row int) bool, emit func(*chunk) error) error {
	first := in.starts == nil
	row := 0
	var files []file
	starts, sums := []int{0}, []string{}
	for i := range in.sources {
		var n int
		var sum string
		var err error
		if i < len(in.sketched) && in.sketched[i] {
			n, sum, err = in.readSketches(ctx, i, row, want, emit)
		} else {
			n, sum, err = in.readSource(ctx, i, row, want, &files, emit)
		}
		if err != nil {
			return err
		}
		if row += n; row >= 1<<32-1 {
			return fmt.Errorf("dedup: %d rows are more than 2³²-2", row)
		}
		starts, sums = append(starts, row), append(sums, sum)
		if !first && (in.starts[i+1] != row || in.sums[i] != sum) {
			return fmt.Errorf("dedup: %s has changed since it was read first", in.sources[i].Path)
		}
	}
	in.files, in.starts, in.sums = files, starts, sums
	return nil
}

func (in *input) readSource(ctx context.Context, source, row int, want func(int) bool, files *[]file, emit func(*chunk) error) (n int, sum string, err error) {
	src := in.sources[source]
	src.Context = ctx
	r, err := datasets.OpenRaw(src)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	h := xxh3.New()
	var layout *datasets.Layout
	c := in.chunk(source)
	flush := func() error {
		if len(c.rows) == 0 {
			return nil
		}
		c.share = (float64(source) + r.Done()) / float64(len(in.sources))
		if err := in.held.take(ctx, c.bytes); err != nil {
			return err
		}
		if err := emit(c); err != nil {
			return err
		}
		c = in.chunk(source)
		return nil
	}
	begin := func(l *datasets.Layout) { // of a file
		if layout = l; layout.BOM {
			h.WriteString("\xef\xbb\xbf")
		}
		h.Write(layout.Header)
		if layout.Format != "text" {
			*files = append(*files, file{Source: source, First: n})
		}
	}
	end := func() {
		h.Write(layout.Tail)
		if layout.Format != "text" {
			(*files)[len(*files)-1].Layout = *layout
		}
	}
	begin(r.Layout())
	for {
		raw, err := r.Next()
		if l, was := r.Layout(), layout; l != was {
			end()
			for _, p := range r.Passed() {
				if p != was {
					begin(p)
					end()
				}
			}
			begin(l)
		}
		if err == io.EOF {
			end()
			if err := flush(); err != nil {
				return 0, "", err
			}
			s := h.Sum128().Bytes()
			return n, fmt.Sprintf("%x", s), nil
		}
		if err != nil {
			return 0, "", err
		}
		h.Write(raw.Bytes)
		n++
		if want != nil && !want(row+n-1) {
			continue
		}
		c.bytes += raw.Memory()
		raw, c.buf = raw.Keep(c.buf)
		c.rows, c.numbers = append(c.rows, raw), append(c.numbers, row+n-1)
		if len(c.rows) == chunkRows || c.bytes >= chunkBytes {
			if err := flush(); err != nil {
				return 0, "", err
			}
		}
	}
}

// chunk returns an empty chunk, a used one if there is any.
func (in *input) chunk(source int) *chunk {
	var c *chunk
	select {
	case c = <-in.free:
	default:
		c = &chunk{}
	}
	c.source, c.part, c.bytes = source, nil, 0
	c.rows, c.numbers, c.buf = c.rows[:0], c.numbers[:0], c.buf[:0]
	return c
}

// file returns the path of the file that a row is in.
func (c *chunk) file(i int) string {
	if c.part != nil {
		return c.path
	}
	return c.rows[i].File()
}

// release gives a chunk back. Its rows must not be used any more.
func (in *input) release(c *chunk) {
	in.held.give(c.bytes)
	if cap(c.buf) > 4*chunkBytes {
		return // a huge row has passed
	}
	clear(c.rows)
	select {
	case in.free <- c:
	default:
	}
}
