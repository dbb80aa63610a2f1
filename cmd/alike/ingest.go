package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// corpus is documents of which the sketches and ids are kept, and nothing else.
type corpus struct {
	sketches similarity.Collection
	ids      ids
	bytes    int64 // of text
	empty    int   // documents without features
}

func (c *corpus) add(d datasets.Doc) {
	c.sketches.AddNamed(d.ID, d.Text)
	c.ids.add(d.ID)
	c.bytes += int64(len(d.Text))
}

func (c *corpus) append(other corpus) {
	c.sketches.Append(other.sketches)
	c.ids.append(other.ids)
	c.bytes += other.bytes
	c.empty += other.empty
}

// ids holds strings one behind the other, so that a short id costs its bytes
// and eight more.
type ids struct {
	text []byte
	ends []int
}

func (l *ids) add(id string) {
	l.text = append(l.text, id...)
	l.ends = append(l.ends, len(l.text))
}

func (l *ids) append(other ids) {
	from := len(l.text)
	l.text = append(l.text, other.text...)
	for _, e := range other.ends {
		l.ends = append(l.ends, from+e)
	}
}

func (l *ids) at(i int) string {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return string(l.text[from:l.ends[i]])
}

// expand replaces patterns by the paths that match them, in lexical order. What
// exists under its own name is no pattern.
func expand(inputs []string) ([]string, error) {
	var out []string
	stdins := 0
	for _, in := range inputs {
		format, path := "", in
		if f, rest, ok := strings.Cut(in, ":"); ok && slices.Contains(datasets.Formats(), f) {
			format, path = f+":", rest
		}
		if path == "-" {
			if stdins++; stdins > 1 {
				return nil, fmt.Errorf("standard input is named twice, want at most one -")
			}
		}
		if _, err := os.Stat(path); err == nil || !strings.ContainsAny(path, "*?[") {
			out = append(out, in)
			continue
		}
		paths, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("the pattern %q: %w", path, err)
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("no file matches %q", path)
		}
		for _, p := range paths {
			out = append(out, format+p)
		}
	}
	return out, nil
}

// A batch is the documents that a worker takes at a time.
const (
	batchDocs  = 256
	batchBytes = 256 << 10
)

type batch struct {
	rows []datasets.RawRow // still to be taken apart
	buf  []byte            // what they stand in
	size int64             // of the rows in memory
	docs []datasets.Doc    // of a set that was in memory already

	share float64 // of the input read up to here
	done  chan sketched
}

// sketched is what a worker makes of a batch.
type sketched struct {
	corpus
	bad    []error // rows that are none, in order
	failed error   // of the method
}

// batches reads the inputs in order and cuts them into batches. Of several inputs,
// ids that are not stated begin with the path. take returns an empty batch.
func (s *source) batches(ctx context.Context, inputs []string, stdin io.Reader, take func() *batch, send func(*batch)) error {
	b := take()
	flush := func() {
		send(b)
		b = take()
	}
	for i, name := range inputs {
		share := func(done float64) float64 { return (float64(i) + done) / float64(len(inputs)) }
		src := s.at(name, stdin)
		src.PathIDs, src.Context = len(inputs) > 1, ctx
		if _, err := os.Stat(src.Path); err != nil && isSet(name) {
			if slices.Contains(datasets.Inside(), name) {
				set, err := datasets.Load(name)
				if err != nil {
					return err
				}
				for docs := range slices.Chunk(set.Docs, batchDocs) {
					b.docs = docs
					flush()
				}
				continue
			}
			shared, _ := datasets.SharedDir()
			src.Path = filepath.Join(shared, name)
		}
		r, err := datasets.OpenRaw(src)
		if err != nil {
			return err
		}
		for err == nil {
			var row datasets.RawRow
			if row, err = r.Next(); err == nil {
				b.size += row.Memory()
				row, b.buf = row.Keep(b.buf)
				b.rows = append(b.rows, row)
			}
			if len(b.rows) == batchDocs || b.size >= batchBytes || err != nil {
				b.share = share(r.Done())
				flush()
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sketchAll reduces documents to their sketches and ids: one goroutine reads, the
// workers take rows apart and sketch, and the collection grows in the order of the
// input. Texts are kept no longer than that takes; beyond sketches and ids memory
// holds a few batches for each worker. The result does not depend on their number. seen,
// where not nil, is called with each id in order.
func (s *source) sketchAll(ctx context.Context, m similarity.Method, workers int, inputs []string, stdin io.Reader, seen func(id string), show func(share float64, what string)) (*corpus, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	work, order := make(chan *batch, 2*workers), make(chan *batch, 4*workers)
	pool := sync.Pool{New: func() any { return &batch{done: make(chan sketched, 1)} }}
	var failed error // of reading; set before order is closed
	wg.Go(func() {
		defer close(order)
		defer close(work)
		failed = s.batches(ctx, inputs, stdin, func() *batch { return pool.Get().(*batch) }, func(b *batch) {
			order <- b
			work <- b
		})
	})
	for range workers {
		wg.Go(func() {
			var p datasets.Parser
			for b := range work {
				b.done <- sketchBatch(ctx, m, &p, b)
			}
		})
	}
	out := &corpus{sketches: m.NewCollection()}
	var wrong error
	skipped := 0
	for b := range order {
		c := <-b.done
		if wrong != nil || ctx.Err() != nil {
			continue // until the reader has noticed
		}
		for _, err := range c.bad {
			if skipped++; skipped > s.SkipBad {
				wrong = err
				stop()
				break
			}
			fmt.Fprintf(s.stderr, "alike: passed over: %v\n", err)
		}
		if wrong == nil && c.failed != nil {
			wrong = c.failed
			stop()
		}
		if seen != nil {
			for i := range c.ids.ends {
				seen(c.ids.at(i))
			}
		}
		out.append(c.corpus)
		show(b.share, fmt.Sprintf("%d documents", out.sketches.Len()))
		b.rows, b.buf, b.docs, b.size = b.rows[:0], b.buf[:0], nil, 0
		if cap(b.buf) <= 2*batchBytes {
			pool.Put(b)
		}
	}
	if wrong == nil {
		wrong = failed
	}
	if wrong == nil {
		wrong = ctx.Err()
	}
	if wrong != nil {
		return nil, wrong
	}
	return out, nil
}

// sketchBatch takes a batch apart and sketches it.
func sketchBatch(ctx context.Context, m similarity.Method, p *datasets.Parser, b *batch) sketched {
	out := sketched{corpus: corpus{sketches: m.NewCollection()}}
	for d, err := range b.each(p) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			out.bad = append(out.bad, err)
		} else {
			out.add(d)
		}
	}
	// Counted at the end, so that a method that works elsewhere gets whole batches.
	out.failed = out.sketches.Err()
	for i := range out.sketches.Len() {
		if out.sketches.Empty(i) {
			out.empty++
		}
	}
	return out
}

// each yields the documents of a batch, and the errors of bad rows.
func (b *batch) each(p *datasets.Parser) iter.Seq2[datasets.Doc, error] {
	return func(yield func(datasets.Doc, error) bool) {
		for _, d := range b.docs {
			if !yield(d, nil) {
				return
			}
		}
		for _, raw := range b.rows {
			if row, err := p.Row(raw); !yield(row.Doc, err) {
				return
			}
		}
	}
}

// texts yields the texts of the inputs in order, each time it is walked, and sets
// failed to what stopped it.
func (s *source) texts(ctx context.Context, inputs []string, failed *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var p datasets.Parser
		var wrong error
		skipped, done := 0, false
		err := s.batches(ctx, inputs, nil, func() *batch { return &batch{} }, func(b *batch) {
			for d, err := range b.each(&p) {
				switch {
				case done || wrong != nil:
				case err == nil:
					done = !yield(d.Text)
				case skipped < s.SkipBad:
					skipped++
				default:
					wrong = err
				}
				if done || wrong != nil {
					stop()
					return
				}
			}
		})
		if *failed = wrong; wrong == nil && !done {
			*failed = err
		}
	}
}
