package eval

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// fit fits those methods that would learn from a corpus, and have not, on the
// documents of the tuning part alone. times holds the seconds that fits took, nil
// where there was none.
func fit(ctx context.Context, set *datasets.Set, tune *part, methods []similarity.Method, cfg Config) (fitted []similarity.Method, times []*Spread, err error) {
	var docs iter.Seq[string] = func(yield func(string) bool) {
		for _, d := range tune.docs {
			if ctx.Err() != nil || !yield(set.Docs[d].Text) {
				return
			}
		}
	}
	fitted = make([]similarity.Method, len(methods))
	times = make([]*Spread, len(methods))
	for i, m := range methods {
		fitted[i] = m
		if m.FitState() != similarity.FitNone {
			continue
		}
		cfg.Progress(0, set.Name+" fit "+m.String())
		var seconds []float64
		for len(seconds) == 0 || len(seconds) < cfg.Repeat && seconds[0] < repeatFit.Seconds() {
			start := time.Now()
			f, err := m.Fit(docs)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, nil, fmt.Errorf("eval: fit %s on %s: %w", m, set.Name, err)
			}
			seconds = append(seconds, time.Since(start).Seconds())
			fitted[i] = f
		}
		times[i] = spread(seconds, 1)
	}
	return fitted, times, nil
}

// sketch sketches documents with every method, extracting features once for all
// methods that share them. Workers take contiguous ranges of documents.
func sketch(ctx context.Context, set *datasets.Set, docs []int, methods []similarity.Method, workers int, progress func(share float64)) ([]similarity.Collection, error) {
	groups := group(methods)
	const chunk = 64
	chunks := make([][]similarity.Collection, (len(docs)+chunk-1)/chunk)
	done := parallel.Progress(len(chunks), progress)
	parallel.Ranges(ctx, workers, len(docs), chunk, func(_, from, to int) {
		chunks[from/chunk] = sketchChunk(set, docs[from:to], methods, groups)
		done()
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([]similarity.Collection, len(methods))
	for i, m := range methods {
		out[i] = m.NewCollection()
		for _, c := range chunks {
			out[i].Append(c[i])
		}
		if err := settle(ctx, out[i]); err != nil {
			return nil, wrap(set, m, err)
		}
	}
	return out, nil
}

// featureGroup is the methods, by number, that share an extractor. A method that
// reads the text itself stands in a group of its own with a nil extractor.
type featureGroup struct {
	features *feature.Extractor
	methods  []int
}

// group groups the methods in order of first use.
func group(methods []similarity.Method) []featureGroup {
	var groups []featureGroup
	at := map[string]int{}
	for i, m := range methods {
		x := m.Features()
		if x == nil {
			groups = append(groups, featureGroup{nil, []int{i}})
			continue
		}
		key := x.Settings()
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, featureGroup{x, nil})
		}
		g := &groups[at[key]]
		g.methods = append(g.methods, i)
	}
	return groups
}

func sketchChunk(set *datasets.Set, docs []int, methods []similarity.Method, groups []featureGroup) []similarity.Collection {
	out := make([]similarity.Collection, len(methods))
	for i, m := range methods {
		out[i] = m.NewCollection()
	}
	var features []feature.Feature
	for _, d := range docs {
		text := set.Docs[d].Text
		for _, g := range groups {
			if g.features == nil {
				out[g.methods[0]].AddNamed(set.Docs[d].ID, text)
				continue
			}
			features = g.features.Append(features[:0], text)
			for _, i := range g.methods {
				out[i].AddFeatures(features)
			}
		}
	}
	return out
}
