package choose

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// mostSketches is the maximum memory for sketches at a time, in bytes by the table
// of costs.
const mostSketches = 400 << 20

// Ranked is a candidate with its ranking of a sample.
type Ranked struct {
	*ranking
	Method   similarity.Method     // fitted, where it learns
	Sketches similarity.Collection // of the sample's texts
}

// Rank scores the pairs of a sample by each candidate and passes the result to each,
// on the calling goroutine, in an order that depends on the candidates alone. Rank
// keeps no result. It fits methods that learn on the texts of fit, which may be the
// sample itself. Candidates with the same features share one extraction, as far as
// the memory for their sketches allows. Rank returns the first error of each.
func Rank(ctx context.Context, s, fit *Sample, candidates []Candidate, workers int, each func(i int, r Ranked) error) error {
	for _, batch := range batches(candidates, s.Bytes()) {
		picked := make([]Candidate, len(batch))
		for k, i := range batch {
			picked[k] = candidates[i]
		}
		methods, err := fitAll(ctx, fit, picked, workers)
		if err != nil {
			return err
		}
		sketches, err := s.sketch(ctx, methods, workers)
		if err != nil {
			return err
		}
		for k, i := range batch {
			scores := sketch.Scores(ctx, sketches[k], len(s.Pairs), func(i int) (a, b int) { return int(s.Pairs[i].A), int(s.Pairs[i].B) }, workers)
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("choose: %w", err)
			}
			if err := each(i, Ranked{newRanking(s, scores), methods[k], sketches[k]}); err != nil {
				return err
			}
			sketches[k] = nil
		}
	}
	return nil
}

// batches groups candidates, by number: those with the same features together,
// within the memory for sketches.
func batches(candidates []Candidate, bytes int) [][]int {
	var groups [][]int
	at := map[string]int{}
	for i, c := range candidates {
		key := featureKey(c)
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], i)
	}
	var out [][]int
	for _, g := range groups {
		from, held := 0, 0.0
		for k, i := range g {
			size := candidates[i].cost.bytes * float64(bytes) / 1000
			if held += size; held > mostSketches && k > from {
				out = append(out, g[from:k])
				from, held = k, size
			}
		}
		out = append(out, g[from:])
	}
	return out
}

// featureKey is the same for candidates that read the same features.
func featureKey(c Candidate) string {
	if x := c.Method.Features(); x != nil {
		return x.Settings()
	}
	return "text of " + c.Spec
}

// sketch sketches the texts of a sample by every method.
func (s *Sample) sketch(ctx context.Context, methods []similarity.Method, workers int) ([]similarity.Collection, error) {
	out, err := sketch.By(methods).All(ctx, len(s.Texts), func(i int) (id, text string) { return "", s.Texts[i] }, workers, nil)
	if err != nil {
		return nil, fmt.Errorf("choose: %w", err)
	}
	return out, nil
}

// fitAll returns the methods of the candidates. It fits those that learn on the texts
// of fit.
func fitAll(ctx context.Context, fit *Sample, candidates []Candidate, workers int) ([]similarity.Method, error) {
	methods := make([]similarity.Method, len(candidates))
	errs := make([]error, len(candidates))
	parallel.For(ctx, workers, len(candidates), func(_, i int) {
		if methods[i] = candidates[i].Method; methods[i].FitState() != similarity.FitNone {
			return
		}
		methods[i], errs[i] = methods[i].Fit(func(yield func(string) bool) {
			for _, t := range fit.Texts {
				if ctx.Err() != nil || !yield(t) {
					return
				}
			}
		})
	})
	for i, err := range append(errs, ctx.Err()) {
		if err != nil && i < len(candidates) {
			return nil, fmt.Errorf("choose: fit %s: %w", candidates[i].Spec, err)
		} else if err != nil {
			return nil, fmt.Errorf("choose: %w", err)
		}
	}
	return methods, nil
}
