package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/passages"
)

// spanMethod finds passages of two documents.
type spanMethod struct {
	name string
	find score.Finder
}

// evaluatedSpans is the row of one method. It is a line of JSON.
type evaluatedSpans struct {
	Method string `json:"method"`
	spanRow
}

// checkSpans refuses flags that say nothing about passages.
func (r *evalRun) checkSpans(cmd *cobra.Command, format tables.Output) error {
	if !r.Spans {
		if r.TrueSpans != "" {
			return errors.New("eval: --true-spans is the truth of --spans, want both")
		}
		return nil
	}
	for _, name := range []string{"sweep", "split", "strict-splits", "pairs", "max-docs", "join", "floor", "recall", "exact", "limit", "resamples", "repeat", "details", "out", "resume", "plots", "margin", "ceiling", "no-baselines", "lang", "text1", "text2", "label", "positive", "alike-from"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return fmt.Errorf("eval: --spans has no pairs with labels, thresholds, splits, speeds and records, want it without --%s", name)
		}
	}
	switch {
	case len(r.Data) == 0:
		return errors.New("eval: --spans wants --data, a folder that alike datasets make --passages made, or documents and --true-spans")
	case r.TrueSpans != "" && len(r.Data) > 1:
		return errors.New("eval: --true-spans is the truth about one --data, want one")
	case format.Format == "html":
		return errors.New("eval: --spans has no page, want another --format")
	}
	return nil
}

// spanMethods returns the methods that specs name: of the catalog, or passages.
func spanMethods(specs []string, features string) (all []spanMethod, err error) {
	if len(specs) == 0 {
		specs = []string{"manber", "winnow", "passages"}
	}
	for _, spec := range specs {
		m := spanMethod{name: spec}
		if name, keys, _ := strings.Cut(spec, ":"); name == "passages" {
			m.find, err = exactPassages(keys)
		} else if parsed, parseErr := catalog.ParseAll([]string{spec}, features); parseErr != nil {
			err = parseErr
		} else {
			m.name = parsed[0].String()
			m.find, err = score.FinderOf(parsed[0])
		}
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// passagesKeys are the keys of the method passages.
var passagesKeys = append(settings.Table[passages.Options]{
	settings.Int("min-length", passages.DefaultLength, 8, 4096, "minimum length in characters", func(o *passages.Options) *int { return &o.MinLength }),
	settings.Int("words", 0, 4, 1024, "minimum length in words instead", func(o *passages.Options) *int { return &o.MinWords }),
}, settings.Lift(feature.FoldKeys, func(o *passages.Options) *feature.Fold { return &o.Fold })...)

// exactPassages returns a finder of what alike passages finds in two documents.
func exactPassages(keys string) (score.Finder, error) {
	o := passages.Options{Workers: 1, Memory: 64 << 20}
	pairs, err := settings.Parse(keys)
	if err == nil {
		err = passagesKeys.Apply(&o, pairs)
	}
	if err != nil {
		return nil, fmt.Errorf("passages: %w", err)
	}
	find := func(a, b string) (inA, inB []feature.Span, err error) {
		f, err := passages.New(o)
		if err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		for _, text := range []string{a, b} {
			p, err := f.Prepare(text)
			if err == nil {
				err = f.Add(p)
			}
			if err != nil {
				return nil, nil, err
			}
		}
		_, err = f.Each(context.Background(), func(p passages.Passage) error {
			n, _ := slices.BinarySearchFunc(p.Occurrences, 1, func(o passages.Occurrence, doc int) int { return cmp.Compare(o.Doc, doc) })
			for _, x := range p.Occurrences[:n] {
				for _, y := range p.Occurrences[n:] {
					inA, inB = append(inA, x.Bytes), append(inB, y.Bytes)
				}
			}
			return nil
		})
		return inA, inB, err
	}
	_, _, err = find("", "") // what makes no sense is said before anything is read
	return find, err
}

// spans compares the passages that methods find with the true ones.
func (r *evalRun) spans(ctx context.Context, stderr, stdout io.Writer, format tables.Output) error {
	of := func(s evaluatedSpans) (string, spanRow) { return s.Method, s.spanRow }
	if err := writeSpans(io.Discard, format, "<method", []evaluatedSpans{{spanRow: anySpans}}, of); err != nil {
		return fmt.Errorf("eval: %w", err) // --columns-out is wrong, before the work is done
	}
	methods, err := spanMethods(r.Methods, r.Features)
	if err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	show, done := terminal.Progress(stderr)
	defer done()
	var rows []evaluatedSpans
	var read []string
	for i, data := range r.Data {
		file, err := spansOf(data, r.TrueSpans)
		if err != nil {
			return fmt.Errorf("eval: %w", err)
		}
		truth, err := readSpanTruth(ctx, &r.source, data, file, r.stdin)
		if err != nil {
			return err
		}
		pairs, withTruth := truth.texts.Pairs(truth.Passages, r.Seed)
		read = append(read, fmt.Sprintf("alike: %s: %s in %s of documents, and %d other pairs\n", truth.name, plural(int64(len(truth.List)), "passage"), plural(int64(withTruth), "pair"), len(pairs)-withTruth))
		for k, m := range methods {
			found, err := truth.texts.Find(ctx, pairs, m.find, r.Workers, func(n int) {
				show((float64(i)+(float64(k)+float64(n)/float64(len(pairs)))/float64(len(methods)))/float64(len(r.Data)), m.name)
			})
			if err != nil {
				return err
			}
			for _, row := range truth.judge(found) {
				rows = append(rows, evaluatedSpans{m.name, row})
			}
		}
	}
	done()
	for _, line := range read {
		fmt.Fprint(stderr, line)
	}
	return writeSpans(stdout, format, "<method", rows, of)
}
