package eval

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/alike-go/alike/datasets"
	sketching "github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/similarity"
)

// fit fits those methods that would learn from a corpus, and have not, on the
// documents of the tuning part alone. times holds the seconds that fits took, nil
// where there was none.
func fit(ctx context.Context, set *datasets.Set, tune *Part, methods []similarity.Method, cfg Config) (fitted []similarity.Method, times []*Spread, err error) {
	var docs iter.Seq[string] = func(yield func(string) bool) {
		for _, d := range tune.Docs {
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

// sketch sketches documents with every method.
func sketch(ctx context.Context, set *datasets.Set, docs []int, methods []similarity.Method, workers int, progress func(share float64)) ([]similarity.Collection, error) {
	out, err := sketching.By(methods).All(ctx, len(docs), func(i int) (id, text string) {
		d := &set.Docs[docs[i]]
		return d.ID, d.Text
	}, workers, progress)
	if err != nil {
		return nil, err
	}
	for i, m := range methods {
		if err := settle(ctx, out[i]); err != nil {
			return nil, wrap(set, m, err)
		}
	}
	return out, nil
}
