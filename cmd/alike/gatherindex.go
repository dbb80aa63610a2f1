package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/passages"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/similarity"
)

// fromIndex gathers the sources of queries from an index.
func (r *gatherRun) fromIndex(cmd *cobra.Command, url string, queries []string) error {
	for _, name := range []string{"fuzzy", "words", "fold", "against-text"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("gather: --%s needs the texts of the documents, which an index does not have", name)
		}
	}
	queries, err := datasets.Expand(queries)
	if err != nil {
		return fmt.Errorf("gather: %w", err)
	}
	return useIndex(cmd.Context(), cmd.ErrOrStderr(), url, "", true, func(x *index.Index) error { return r.index(cmd, x, queries) })
}

// decoder is a method that has fingerprints.
type decoder interface {
	DecodeSketch(src []byte) (rabinkarp.Sketch, int, error)
}

func (r *gatherRun) index(cmd *cobra.Command, x *index.Index, queries []string) (err error) {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	var method decoder
	if w, ok := similarity.As[*rabinkarp.Winnow](x.Method()); ok {
		method = w
	} else if m, ok := similarity.As[*rabinkarp.Manber](x.Method()); ok {
		method, r.sampled = m, true
	} else {
		return fmt.Errorf("gather: the index is of %s, whose sketches have no places, want winnow or manber, or documents", x.Method())
	}
	show, done := terminal.Progress(stderr)
	defer done()
	defer limitMemory(r.o.Memory)()
	p, err := passages.NewPrints(method, passages.PrintOptions{
		MinLength: r.o.MinLength, MinShare: r.gather.MinShare, MaxRows: r.o.MaxRows, Memory: r.o.Memory,
		Progress: func(stage string, share float64) { show(share, stage) },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	start := time.Now()
	var read time.Duration
	var st passages.Stats
	err = r.into(cmd.OutOrStdout(), func(emit func(passages.Gathered) error) error {
		none := func(*datasets.Doc) (struct{}, error) { return struct{}{}, nil }
		err := ingest.Each(ctx, r.source.inputs(queries, cmd.InOrStdin(), r.o.Workers, show), none, func(d datasets.Doc, _ struct{}) error {
			if err := r.addID(d.ID, &r.repeats[0]); err != nil {
				return err
			}
			st.Docs++
			st.Bytes += int64(len(d.Text))
			return p.AddQuery(d.Text)
		})
		if err != nil {
			return err
		}
		read = time.Since(start)
		docs, err := r.matchAll(ctx, x, method, p, show)
		if err != nil {
			return err
		}
		st.Docs += docs
		return p.Each(ctx, emit)
	})
	if err != nil {
		return err
	}
	done()
	r.report(stderr, &st)
	if n := p.Without(); n > 0 {
		fmt.Fprintf(stderr, "alike: queries without a fingerprint, which have no sources here: %d\n", n)
	}
	reportTime(stderr, &st, read, time.Since(start))
	return nil
}

// matchAll adds all documents of an index, and returns how many there are.
func (r *gatherRun) matchAll(ctx context.Context, x *index.Index, method decoder, p *passages.Prints, show func(share float64, what string)) (docs int, err error) {
	stats, err := x.Stats(ctx)
	if err != nil {
		return 0, err
	}
	const size = 256 // documents that a worker takes
	type matched struct {
		id string
		of passages.Matched
	}
	err = parallel.Ordered(ctx, r.o.Workers, func(ctx context.Context, emit func([]index.Document) error) error {
		var b []index.Document
		err := x.Each(ctx, func(d index.Document) error {
			if b = append(b, d); len(b) < size {
				return nil
			}
			err := emit(b)
			b = nil
			return err
		})
		if err != nil {
			return err
		}
		return emit(b)
	}, func(b []index.Document) (all []matched, err error) {
		for _, d := range b {
			s, _, err := method.DecodeSketch(d.Sketch)
			if err != nil {
				return nil, fmt.Errorf("gather: document %q of the index: %w", d.ID, err)
			}
			m := p.Match(s, func(query int) bool { return r.otherIDs && r.ids.At(query) == d.ID })
			all = append(all, matched{d.ID, m})
		}
		return all, nil
	}, func(all []matched) error {
		for _, m := range all {
			if docs++; len(m.of) == 0 {
				continue
			}
			r.sourceIDs.Add(m.id)
			if err := p.Add(m.of); err != nil {
				return err
			}
		}
		if stats.Documents > 0 {
			show(min(1, float64(docs)/float64(stats.Documents)), "index")
		}
		return nil
	})
	return docs, err
}
