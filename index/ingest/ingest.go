// Package ingest reads documents from files and data sets, sketches them on
// several goroutines, and passes them on in the order of the input.
//
//   - Docs gives batches for an index, and Add and Load put them in.
//   - Collect gives one collection with the ids of the documents.
//   - Each gives what a function makes of each document.
//
// Texts are kept no longer than sketching takes, and results do not depend on
// the number of workers. The commands of alike use it: fit, pairs, passages and index.
// What a flag says, and what a user is shown, does not belong here.
package ingest

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/parallel"
)

// Inputs are where documents come from.
type Inputs struct {
	// Names are read one after the other. If there are several, ids that are not
	// stated begin with the path.
	Names []string

	// Open returns the source of a name, or the documents of a set in memory.
	Open func(name string) (datasets.Source, []datasets.Doc, error)

	// Keep says that Collect keeps the texts, and that Docs passes them on.
	Keep bool

	// Count, if set, is called with each text that Collect reads.
	Count func(text string) int

	// Memory, when positive, is how many bytes of rows may be under way, as they
	// are read. A larger row is alone.
	Memory int64

	// UniqueIDs makes it an error of Collect if two documents have the same id.
	UniqueIDs bool

	// Fields names the fields that Docs reads. A missing value is empty.
	Fields []string

	// Limits are those by which Corpus.Counted goes.
	Limits dedup.Limits

	// Workers is the number of goroutines that parse and sketch. Zero means
	// GOMAXPROCS.
	Workers int

	// SkipBad is how many malformed rows of all inputs together are skipped. One
	// more is an error. Skipped, if set, is called with each of them in order.
	SkipBad int
	Skipped func(err error)

	// Progress, if set, is called with the share of the input that is done, and the
	// number of documents.
	Progress func(share float64, docs int)

	// From is what an earlier run has done: its rows are passed over. Done, if set,
	// is called when all documents up to some row have been collected.
	From State
	Done func(State) error
}

// State is how far a run has come.
type State struct {
	Rows    int // read
	Skipped int // of these, malformed
}

// A batch is the documents that a worker takes at a time.
const (
	batchDocs  = 256
	batchBytes = 256 << 10
)

type batch struct {
	rows  []datasets.RawRow // still to be parsed
	buf   []byte            // that they stand in
	size  int64             // of the rows in memory
	docs  []datasets.Doc    // of a set that was in memory already
	share float64           // of the input that was read up to here
	upTo  int               // rows of all inputs up to here
}

// read reads the inputs and cuts them into batches, which it takes from pool.
func (in *Inputs) read(ctx context.Context, pool *sync.Pool, emit func(*batch) error) error {
	n := 0 // rows
	for i, name := range in.Names {
		src, docs, err := in.Open(name)
		if err != nil {
			return err
		}
		again := min(max(in.From.Rows-n, 0), len(docs))
		n += again
		for part := range slices.Chunk(docs[again:], batchDocs) {
			n += len(part)
			if err := emit(&batch{docs: part, upTo: n, share: float64(i) / float64(len(in.Names))}); err != nil {
				return err
			}
		}
		if docs != nil {
			continue
		}
		src.PathIDs, src.Context = len(in.Names) > 1, ctx
		r, err := datasets.OpenRaw(src)
		if err != nil {
			return err
		}
		for err == nil {
			b := pool.Get().(*batch)
			for err == nil && len(b.rows) < batchDocs && b.size < batchBytes {
				var row datasets.RawRow
				if row, err = r.Next(); err == nil {
					if n++; n <= in.From.Rows {
						continue
					}
					b.size += row.Memory()
					row, b.buf = row.Keep(b.buf)
					b.rows = append(b.rows, row)
				}
			}
			b.upTo = n
			b.share = (float64(i) + r.Done()) / float64(len(in.Names))
			if stop := emit(b); stop != nil {
				err = stop
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

// each yields the documents of a batch, and the errors of malformed rows.
func (b *batch) each(p *datasets.Parser) iter.Seq2[datasets.Row, error] {
	return func(yield func(datasets.Row, error) bool) {
		for _, d := range b.docs {
			if !yield(datasets.Row{Doc: d}, nil) {
				return
			}
		}
		for _, raw := range b.rows {
			if row, err := p.Row(raw); !yield(row, err) {
				return
			}
		}
	}
}

// Each calls work with each document, on several goroutines, and collect with the
// results in the order of the input.
func Each[R any](ctx context.Context, in *Inputs, work func(d *datasets.Doc) (R, error), collect func(d datasets.Doc, made R) error) error {
	type made struct {
		doc   datasets.Doc
		value R
	}
	return run(ctx, in, func(docs iter.Seq[datasets.Row]) (all []made, err error) {
		for row := range docs {
			m := made{doc: row.Doc}
			if m.value, err = work(&m.doc); err != nil {
				return nil, err
			}
			all = append(all, m)
		}
		return all, nil
	}, func(all []made) error {
		for _, m := range all {
			if err := collect(m.doc, m.value); err != nil {
				return err
			}
		}
		return nil
	})
}

// run calls work with the documents of each batch, on several goroutines, and
// collect with the results in order. Of a batch, the errors of rows come before
// that of work.
func run[R any](ctx context.Context, in *Inputs, work func(docs iter.Seq[datasets.Row]) (R, error), collect func(R) error) error {
	type made struct {
		*batch
		value R
		n     int
		bad   []error
		err   error
	}
	pool := sync.Pool{New: func() any { return &batch{} }}
	if in.Memory == 0 {
		in.Memory = math.MaxInt64
	}
	room := semaphore.NewWeighted(in.Memory)
	parsers := make([]*datasets.Parser, parallel.Workers(in.Workers))
	for w := range parsers {
		parsers[w] = &datasets.Parser{}
	}
	skipped, n := in.From.Skipped, 0
	return parallel.OrderedWith(ctx, parsers, func(ctx context.Context, emit func(*batch) error) error {
		return in.read(ctx, &pool, func(b *batch) error {
			if room.Acquire(ctx, min(b.size, in.Memory)) != nil {
				return context.Cause(ctx)
			}
			return emit(b)
		})
	}, func(p *datasets.Parser, b *batch) (*made, error) {
		m := &made{batch: b}
		m.value, m.err = work(func(yield func(datasets.Row) bool) {
			for d, err := range b.each(p) {
				switch {
				case ctx.Err() != nil:
					return
				case err != nil:
					m.bad = append(m.bad, err)
				default:
					if m.n++; !yield(d) {
						return
					}
				}
			}
		})
		return m, ctx.Err()
	}, func(m *made) error {
		for _, err := range m.bad {
			if skipped++; skipped > in.SkipBad {
				return err
			}
			if in.Skipped != nil {
				in.Skipped(err)
			}
		}
		if m.err != nil {
			return m.err
		}
		if err := collect(m.value); err != nil {
			return err
		}
		room.Release(min(m.size, in.Memory))
		if n += m.n; in.Progress != nil {
			in.Progress(m.share, n)
		}
		if in.Done != nil {
			if err := in.Done(State{m.upTo, skipped}); err != nil {
				return err
			}
		}
		if m.rows, m.buf, m.size = m.rows[:0], m.buf[:0], 0; m.docs == nil && cap(m.buf) <= 2*batchBytes {
			pool.Put(m.batch)
		}
		return nil
	})
}

// errStopped ends a run of which nobody wants more.
var errStopped = errors.New("ingest: stopped")

// Documents yields the documents in order, each time it is walked, and sets failed
// to what stopped it.
func (in *Inputs) Documents(ctx context.Context, failed *error) iter.Seq[datasets.Doc] {
	return func(yield func(datasets.Doc) bool) {
		err := run(ctx, in, func(rows iter.Seq[datasets.Row]) (docs []datasets.Doc, err error) {
			for row := range rows {
				docs = append(docs, row.Doc)
			}
			return docs, nil
		}, func(docs []datasets.Doc) error {
			for _, d := range docs {
				if !yield(d) {
					return errStopped
				}
			}
			return nil
		})
		if *failed = err; err == errStopped {
			*failed = nil
		}
	}
}
