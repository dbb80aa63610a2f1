package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

func newIndexAdd() *cobra.Command {
	var (
		fit, format string
		ifNew, load bool
		workers     int
		seconds     int64
		src         source
	)
	cmd := &cobra.Command{
		Use:   "add URL INPUT...",
		Short: "add documents to an index",
		Long: `Add the documents of INPUT to an index under their ids. A document that is there with the same text
stays as it is, and one that is there with another is replaced, so a run that was
interrupted can be repeated. Documents without features are not stored.

With --if-new only documents are added to which none is alike, neither in the index nor among
those before them in INPUT; standard output names for each of the others the document that is
most alike. Where others add to the same index at a time: of documents of the same text exactly
one is added, on every store; of near-duplicates too on disk, which has one writer.

--load fills an empty index much faster, with all ids different; it is there when it is
complete, and not before.`,
		Example: `  alike index add disk:seen crawl/*.jsonl.gz
  alike index add disk:seen new.jsonl --if-new > known.tsv
  alike index add disk:seen corpus.parquet --load`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ifNew && load {
				return errors.New("index: --load takes every document, want it without --if-new")
			}
			ctx := cmd.Context()
			src.stderr = cmd.ErrOrStderr()
			if !cmd.Flags().Changed("time") {
				seconds = time.Now().Unix()
			}
			a := adder{states: map[index.State]int64{}, seconds: seconds}
			if ifNew {
				w, err := datasets.NewWriter(cmd.OutOrStdout(), format)
				if err != nil {
					return err
				}
				if err := w.Columns("id", "match", "score", "distance"); err != nil {
					return err
				}
				a.known = w
			}
			err := useIndex(ctx, cmd.ErrOrStderr(), args[0], fit, false, func(x *index.Index) error {
				a.x = x
				warnIndex(ctx, cmd.ErrOrStderr(), x)
				each := func(do func([]index.Doc) error) error {
					return src.sketched(ctx, x.Method(), workers, args[1:], cmd.InOrStdin(), do)
				}
				if load {
					return a.load(ctx, each)
				}
				return each(func(docs []index.Doc) error { return a.add(ctx, docs) })
			})
			if err != nil {
				return err
			}
			if a.known != nil {
				if err := a.known.Close(); err != nil {
					return err
				}
			}
			a.report(cmd.ErrOrStderr())
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&ifNew, "if-new", false, "add only documents to which none is alike, and name the others")
	flags.BoolVar(&load, "load", false, "fill an empty index")
	flags.Int64Var(&seconds, "time", 0, "when the documents came, in `SECONDS` since 1970 (default now)")
	flags.StringVarP(&format, "format", "f", "tsv", "output `FORMAT` of --if-new: tsv or jsonl")
	flags.IntVar(&workers, "workers", 0, "goroutines that sketch (default one for each CPU)")
	fitFlag(cmd, &fit)
	src.docFlags(cmd)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(pairFormats, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// adder adds documents and counts what became of them.
type adder struct {
	x       *index.Index
	states  map[index.State]int64
	seconds int64
	known   *datasets.Writer // where documents that are not new are named; nil where all are added
}

func (a *adder) add(ctx context.Context, docs []index.Doc) error {
	for i := range docs {
		docs[i].Time = a.seconds
	}
	add := a.x.Add
	if a.known != nil {
		add = a.x.AddIfNew
	}
	results, err := add(ctx, docs)
	if err != nil {
		return err
	}
	for i, r := range results {
		a.states[r.State]++
		if r.State != index.Known {
			continue
		}
		if err := a.known.Write(append([]datasets.Field{{Name: "id", Value: docs[i].ID}}, matchFields(r.Match)...)); err != nil {
			return err
		}
	}
	return nil
}

// load fills the index with the documents that each hands on.
func (a *adder) load(ctx context.Context, each func(do func([]index.Doc) error) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan []index.Doc)
	var failed error
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	wg.Go(func() {
		defer close(batches)
		failed = each(func(docs []index.Doc) error {
			select {
			case batches <- docs:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	var batch []index.Doc
	stored, empty, err := a.x.Load(ctx, func() (index.Doc, bool, error) {
		for len(batch) == 0 {
			var ok bool
			if batch, ok = <-batches; !ok {
				return index.Doc{}, false, failed
			}
		}
		d := batch[0]
		batch = batch[1:]
		d.Time = a.seconds
		return d, true, nil
	})
	a.states[index.Added], a.states[index.Empty] = stored, empty
	return err
}

func (a *adder) report(w io.Writer) {
	for _, s := range []struct {
		state index.State
		what  string
	}{
		{index.Added, "added"},
		{index.Replaced, "replaced by what was added under their id"},
		{index.Same, "there already, under their id"},
		{index.Known, "not added, since one alike is there"},
		{index.Empty, "not added, since they have no features"},
	} {
		if n := a.states[s.state]; n > 0 || s.state == index.Added {
			fmt.Fprintf(w, "alike: %d documents %s\n", n, s.what)
		}
	}
}

// sketched reads documents, sketches them on several goroutines, and hands them
// on in order, in batches that do may keep.
func (s *source) sketched(ctx context.Context, m similarity.Method, workers int, inputs []string, stdin io.Reader, do func([]index.Doc) error) error {
	inputs, err := expand(inputs)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	type result struct {
		docs []index.Doc
		bad  []error
		err  error
	}
	type job struct {
		batch *batch
		done  chan result
	}
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	work, order := make(chan job, 2*workers), make(chan job, 4*workers)
	var failed error // of reading; set before order is closed
	wg.Go(func() {
		defer close(order)
		defer close(work)
		failed = s.batches(ctx, inputs, stdin, func() *batch { return &batch{} }, func(b *batch) {
			j := job{b, make(chan result, 1)}
			order <- j
			work <- j
		})
	})
	for range workers {
		wg.Go(func() {
			var p datasets.Parser
			for j := range work {
				var r result
				if ctx.Err() == nil {
					r.docs, r.bad, r.err = sketchDocs(m, &p, j.batch)
				}
				j.done <- r
			}
		})
	}
	show, done := progress(s.stderr)
	defer done()
	var wrong error
	skipped, n := 0, 0
	for j := range order {
		r := <-j.done
		if wrong != nil || ctx.Err() != nil {
			continue // until the reader has noticed
		}
		for _, err := range r.bad {
			if skipped++; skipped > s.SkipBad {
				wrong = err
				break
			}
			fmt.Fprintf(s.stderr, "alike: passed over: %v\n", err)
		}
		if wrong == nil {
			wrong = r.err
		}
		if wrong == nil {
			wrong = do(r.docs)
		}
		if wrong != nil {
			stop()
			continue
		}
		n += len(r.docs)
		show(j.batch.share, fmt.Sprintf("%d documents", n))
	}
	switch {
	case wrong != nil:
		return wrong
	case failed != nil:
		return failed
	}
	return ctx.Err()
}

// sketchDocs takes a batch apart and sketches it.
func sketchDocs(m similarity.Method, p *datasets.Parser, b *batch) (docs []index.Doc, bad []error, err error) {
	c := m.NewCollection()
	coder, ok := c.(similarity.Coder)
	for d, err := range b.each(p) {
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if !ok { // the index says what is wrong with the method
			docs = append(docs, index.Doc{ID: d.ID, Text: d.Text})
			continue
		}
		c.AddNamed(d.ID, d.Text)
		docs = append(docs, index.Doc{ID: d.ID, Hash: index.ContentHash(d.Text)})
	}
	if err := c.Err(); err != nil || !ok {
		return docs, bad, err
	}
	for i := range docs {
		docs[i].Sketch = coder.AppendSketch([]byte{}, i)
	}
	return docs, bad, nil
}
