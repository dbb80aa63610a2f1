package choose

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// mostSketches bounds the memory of sketches that are held at a time, in bytes by the
// table of costs.
const mostSketches = 400 << 20

// Ranked is what comes of a candidate on a sample.
type Ranked struct {
	*Ranking
	Method   similarity.Method     // fitted, where it learns
	Sketches similarity.Collection // of the sample's texts
}

// Rank scores the pairs of a sample by each candidate and calls each with what comes
// of it, from one goroutine, in an order that depends on the candidates alone. What it is
// called with is not kept. Methods that learn are fitted on the texts of fit, which may be the
// sample itself. Features are extracted once for all candidates that share them, as far as the
// memory for their sketches allows. Rank returns the first error of each.
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
		sketches, err := sketchAll(ctx, s, methods, workers)
		if err != nil {
			return err
		}
		for k, i := range batch {
			r := NewRanking(s, scorePairs(s, sketches[k], workers))
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("choose: %w", err)
			}
			if err := each(i, Ranked{r, methods[k], sketches[k]}); err != nil {
				return err
			}
			sketches[k] = nil
		}
	}
	return nil
}

// batches groups candidates, by number, so that those of the same features stand
// together and the sketches of a batch are bounded.
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

// sketchAll sketches the texts of a sample, extracting once for all methods that
// read the same features.
func sketchAll(ctx context.Context, s *Sample, methods []similarity.Method, workers int) ([]similarity.Collection, error) {
	type group struct {
		features *feature.Extractor // nil for a method that reads the text itself
		methods  []int
	}
	var groups []group
	at := map[string]int{}
	for i, m := range methods {
		x := m.Features()
		key := fmt.Sprint(i)
		if x != nil {
			key = x.Settings()
		}
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, group{features: x})
		}
		groups[at[key]].methods = append(groups[at[key]].methods, i)
	}
	const chunk = 64
	n := len(s.Texts)
	parts := make([][]similarity.Collection, (n+chunk-1)/chunk)
	parallel.Ranges(ctx, workers, n, chunk, func(_, from, to int) {
		part := make([]similarity.Collection, len(methods))
		for i, m := range methods {
			part[i] = m.NewCollection()
		}
		var features []feature.Feature
		for _, text := range s.Texts[from:to] {
			for _, g := range groups {
				if g.features == nil {
					part[g.methods[0]].Add(text)
					continue
				}
				features = g.features.Append(features[:0], text)
				for _, i := range g.methods {
					part[i].AddFeatures(features)
				}
			}
		}
		parts[from/chunk] = part
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choose: %w", err)
	}
	out := make([]similarity.Collection, len(methods))
	for i, m := range methods {
		out[i] = m.NewCollection()
		for _, p := range parts {
			out[i].Append(p[i])
		}
	}
	return out, nil
}

// fitAll returns the methods of the candidates, those that learn fitted on the texts of fit.
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

// scorePairs scores the pairs of a sample; workers take contiguous ranges.
func scorePairs(s *Sample, c similarity.Collection, workers int) []float32 {
	out := make([]float32, len(s.Pairs))
	const chunk = 512
	parallel.Ranges(context.Background(), workers, len(out), chunk, func(_, from, to int) {
		for i, p := range s.Pairs[from:to] {
			out[from+i] = float32(c.Score(int(p.A), int(p.B)))
		}
	})
	return out
}
