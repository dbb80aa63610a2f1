package main

import (
	"context"
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

// documents yields the documents of all inputs in order. Of several inputs, ids
// that are not stated begin with the path. share, which is set with every document, is
// how much was read.
func (s *source) documents(inputs []string, stdin io.Reader, share *float64) iter.Seq2[datasets.Doc, error] {
	return func(yield func(datasets.Doc, error) bool) {
		left := s.SkipBad
		for i, name := range inputs {
			at := func(done float64) { *share = (float64(i) + done) / float64(len(inputs)) }
			src := s.at(name, stdin)
			if _, err := os.Stat(src.Path); err != nil && isSet(name) {
				if !slices.Contains(datasets.Inside(), name) {
					shared, _ := datasets.SharedDir()
					src.Path = filepath.Join(shared, name)
				} else if !yieldSet(name, at, yield) {
					return
				} else {
					continue
				}
			}
			src.SkipBad, src.PathIDs = left, len(inputs) > 1
			skipped, ok := yieldRows(src, at, yield)
			if left -= skipped; !ok {
				return
			}
		}
	}
}

func yieldSet(name string, at func(float64), yield func(datasets.Doc, error) bool) bool {
	set, err := datasets.Load(name)
	if err != nil {
		yield(datasets.Doc{}, err)
		return false
	}
	for i, d := range set.Docs {
		at(float64(i) / float64(len(set.Docs)))
		if !yield(d, nil) {
			return false
		}
	}
	return true
}

func yieldRows(src datasets.Source, at func(float64), yield func(datasets.Doc, error) bool) (skipped int, ok bool) {
	r, err := datasets.Open(src)
	if err != nil {
		yield(datasets.Doc{}, err)
		return 0, false
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err == nil {
			at(r.Done())
		}
		if !yield(row.Doc, err) || err != nil {
			return r.Skipped(), false
		}
	}
	return r.Skipped(), true
}

// A batch is the documents that a worker takes at a time.
const (
	batchDocs  = 256
	batchBytes = 256 << 10
)

type batch struct {
	docs  []datasets.Doc
	share float64 // of the input read up to here
	done  chan similarity.Collection
}

// sketchAll reduces documents to their sketches and ids: one goroutine reads, the
// workers sketch, and the collection grows in the order of the input. Texts are
// kept no longer than that takes; beyond the sketches and ids memory holds a few
// batches for each worker. The result does not depend on their number. seen, where not nil,
// is called with each id in order.
func sketchAll(ctx context.Context, m similarity.Method, workers int, docs iter.Seq2[datasets.Doc, error], share *float64, seen func(id string), show func(share float64, what string)) (*corpus, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	work, order := make(chan *batch, 2*workers), make(chan *batch, 4*workers)
	var failed error // of reading; set before order is closed
	wg.Go(func() {
		defer close(order)
		defer close(work)
		failed = batches(ctx, docs, share, func(b *batch) {
			order <- b
			work <- b
		})
	})
	for range workers {
		wg.Go(func() {
			for b := range work {
				c := m.NewCollection()
				for _, d := range b.docs {
					if ctx.Err() != nil {
						break
					}
					c.Add(d.Text)
				}
				b.done <- c
			}
		})
	}
	out := &corpus{sketches: m.NewCollection()}
	for b := range order {
		c := <-b.done
		if ctx.Err() != nil {
			continue // the reader is about to end
		}
		out.sketches.Append(c)
		for i, d := range b.docs {
			out.ids.add(d.ID)
			out.bytes += int64(len(d.Text))
			if c.Empty(i) {
				out.empty++
			}
			if seen != nil {
				seen(d.ID)
			}
		}
		show(b.share, fmt.Sprintf("%d documents", out.sketches.Len()))
	}
	if failed == nil {
		failed = ctx.Err()
	}
	if failed != nil {
		return nil, failed
	}
	return out, nil
}

// batches cuts the documents into batches.
func batches(ctx context.Context, docs iter.Seq2[datasets.Doc, error], share *float64, send func(*batch)) error {
	b, size := &batch{}, 0
	flush := func() {
		b.share, b.done = *share, make(chan similarity.Collection, 1)
		send(b)
		b, size = &batch{}, 0
	}
	for d, err := range docs {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		b.docs = append(b.docs, d)
		if size += len(d.Text); len(b.docs) == batchDocs || size >= batchBytes {
			flush()
		}
	}
	if len(b.docs) > 0 {
		flush()
	}
	return nil
}
