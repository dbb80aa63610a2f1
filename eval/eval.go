// Package eval runs many methods over the same labelled documents and measures
// quality, space and speed the same way for each.
//
// Fits and thresholds are chosen on one split and reported on another. Methods
// are values; none is named here. Methods whose features have the same settings
// share one extraction, so that they are compared on the same features.
package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Config says how a run is made. The zero value is a sound default.
type Config struct {
	// Report names the split that quality is reported on: "dev", "test" or
	// "train". "" means test, or dev where the set has no test, or the second of two
	// seeded halves (by cluster) where it has no splits.
	Report string

	// Seed selects the bootstrap's draws and the halves of a set without splits.
	Seed uint64

	// Resamples is the number of bootstrap resamples; 0 means 1000, negative none.
	Resamples int

	// Workers is the number of goroutines for quality (never for speed); 0 means
	// one for each CPU. Quality figures are the same for any number.
	Workers int

	// Repeat is how often speed is measured; 0 means 3, negative not at all.
	Repeat int

	// Progress, when not nil, is called as work proceeds, with the share done in
	// [0, 1] and what is being done; never from two goroutines at once.
	Progress func(share float64, what string)
}

// Record is the outcome of one method on one data set: one line of JSON.
// Undefined figures are NaN in Go and null in JSON.
type Record struct {
	Dataset   string `json:"dataset"`
	Method    string `json:"method"`
	Split     string `json:"split"`    // reported on
	TunedOn   string `json:"tuned_on"` // split that the threshold and the fit were chosen on
	Docs      int    `json:"n_docs"`   // documents that occur in the split's pairs
	Pairs     int    `json:"n_pairs"`
	Positives int    `json:"n_positive"`

	Threshold Figure `json:"threshold"`
	Precision Figure `json:"precision"`
	Recall    Figure `json:"recall"`
	F1        Figure `json:"f1"`
	F1Low     Figure `json:"f1_low"` // 95 % interval by bootstrap over clusters
	F1High    Figure `json:"f1_high"`
	AUC       Figure `json:"auc"`

	BytesPerDoc   Figure `json:"bytes_per_doc"` // mean over the split's documents
	SketchMBs     Figure `json:"sketch_mb_s"`   // text to sketch on one core, median, 10^6 bytes a second
	PairsS        Figure `json:"pairs_s"`       // scores on one core, median
	NoFeatureDocs int    `json:"no_feature_docs"`

	// FittedOn is the split that the method learnt from; "" where its settings
	// learn nothing or it came with a fit. Method is then the spec before the fit,
	// which this run gives again.
	FittedOn string `json:"fitted_on"`
}

// Figure is a float64 whose NaN and infinities are null in JSON.
type Figure float64

// MarshalJSON writes null for a figure that is not finite.
func (f Figure) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON reads null as NaN.
func (f *Figure) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*f = Figure(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(f))
}

// Run evaluates the methods on the set and returns one record a method, in the
// order given. It returns early with ctx's error when ctx is cancelled.
func Run(ctx context.Context, set *datasets.Set, methods []similarity.Method, cfg Config) ([]Record, error) {
	if cfg.Resamples == 0 {
		cfg.Resamples = 1000
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.Repeat == 0 {
		cfg.Repeat = 3
	}
	if cfg.Progress == nil {
		cfg.Progress = func(float64, string) {}
	}
	tune, report, err := split(set, cfg.Report, cfg.Seed)
	if err != nil {
		return nil, err
	}
	fitted, err := fit(ctx, set, tune.pairs, methods, cfg)
	if err != nil {
		return nil, err
	}
	used := occurring(len(set.Docs), tune.pairs, report.pairs)
	collections, err := sketch(ctx, set, used, fitted, cfg)
	if err != nil {
		return nil, err
	}

	unit, units := bootstrapUnits(len(set.Docs), report.pairs)
	inReport := occurring(len(set.Docs), report.pairs)
	records := make([]Record, len(methods))
	for i, m := range fitted {
		cfg.Progress(0.5+0.5*float64(i)/float64(len(methods)), set.Name+" "+m.String())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := collections[i]
		threshold, _ := BestF1(score(c, used, tune.pairs, nil))
		scored := score(c, used, report.pairs, unit)
		at := Count(scored, threshold)
		f1 := F1Interval(scored, units, threshold, max(0, cfg.Resamples), cfg.Seed)
		r := Record{
			Dataset: set.Name, Method: m.String(), Split: report.name, TunedOn: tune.name,
			Pairs: len(report.pairs), Positives: int(at.TP + at.FN),
			Threshold: Figure(threshold), Precision: Figure(at.Precision()), Recall: Figure(at.Recall()),
			F1: Figure(at.F1()), F1Low: Figure(f1.Low), F1High: Figure(f1.High), AUC: Figure(AUC(scored)),
		}
		if methods[i].FitState() == similarity.FitNone {
			r.Method, r.FittedOn = similarity.WithoutFit(methods[i].String()), tune.name
		}
		bytes := 0
		for d, k := range inReport {
			if k < 0 {
				continue
			}
			r.Docs++
			bytes += c.Bytes(used[d])
			if c.Empty(used[d]) {
				r.NoFeatureDocs++
			}
		}
		r.BytesPerDoc = Figure(float64(bytes) / float64(r.Docs))
		r.SketchMBs, r.PairsS = Figure(math.NaN()), Figure(math.NaN())
		if cfg.Repeat > 0 {
			r.SketchMBs = Figure(sketchSpeed(set, used, m, cfg.Repeat))
			r.PairsS = Figure(scoreSpeed(c, used, report.pairs, cfg.Repeat))
		}
		records[i] = r
	}
	cfg.Progress(1, set.Name)
	return records, nil
}

// occurring maps each document that occurs in the pairs to its place among them,
// in document order, and every other document to -1.
func occurring(docs int, lists ...[]datasets.Pair) []int {
	at := make([]int, docs)
	for i := range at {
		at[i] = -1
	}
	for _, pairs := range lists {
		for _, p := range pairs {
			at[p.A], at[p.B] = 0, 0
		}
	}
	n := 0
	for i := range at {
		if at[i] == 0 {
			at[i] = n
			n++
		}
	}
	return at
}

// fit fits those methods that would learn from a corpus, and have not, on the
// documents of the tuning pairs alone.
func fit(ctx context.Context, set *datasets.Set, tune []datasets.Pair, methods []similarity.Method, cfg Config) ([]similarity.Method, error) {
	in := occurring(len(set.Docs), tune)
	var docs iter.Seq[string] = func(yield func(string) bool) {
		for i, d := range set.Docs {
			if in[i] >= 0 && (ctx.Err() != nil || !yield(d.Text)) {
				return
			}
		}
	}
	fitted := make([]similarity.Method, len(methods))
	for i, m := range methods {
		fitted[i] = m
		if m.FitState() != similarity.FitNone {
			continue
		}
		cfg.Progress(0, set.Name+" fit "+m.String())
		f, err := m.Fit(docs)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("eval: fit %s on %s: %w", m, set.Name, err)
		}
		fitted[i] = f
	}
	return fitted, nil
}

// sketch sketches the used documents with every method, extracting features once
// for all methods that share them. Workers take contiguous ranges of documents.
func sketch(ctx context.Context, set *datasets.Set, used []int, methods []similarity.Method, cfg Config) ([]similarity.Collection, error) {
	var texts []string
	for i, d := range set.Docs {
		if used[i] >= 0 {
			texts = append(texts, d.Text)
		}
	}
	groups := group(methods)
	const chunk = 64
	chunks := make([][]similarity.Collection, (len(texts)+chunk-1)/chunk)
	work := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, cfg.Workers) {
		wg.Go(func() {
			for n := range work {
				chunks[n] = sketchChunk(texts[n*chunk:min(len(texts), (n+1)*chunk)], methods, groups)
				mu.Lock()
				done++
				cfg.Progress(0.5*float64(done)/float64(len(chunks)), set.Name+" sketches")
				mu.Unlock()
			}
		})
	}
	for n := range chunks {
		if ctx.Err() != nil {
			break
		}
		work <- n
	}
	close(work)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([]similarity.Collection, len(methods))
	for i, m := range methods {
		out[i] = m.NewCollection()
		for _, c := range chunks {
			out[i].Append(c[i])
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

func sketchChunk(texts []string, methods []similarity.Method, groups []featureGroup) []similarity.Collection {
	out := make([]similarity.Collection, len(methods))
	for i, m := range methods {
		out[i] = m.NewCollection()
	}
	var features []feature.Feature
	for _, text := range texts {
		for _, g := range groups {
			if g.features == nil {
				out[g.methods[0]].Add(text)
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

func score(c similarity.Collection, used []int, pairs []datasets.Pair, unit []int) []Scored {
	out := make([]Scored, len(pairs))
	for i, p := range pairs {
		out[i] = Scored{Score: c.Score(used[p.A], used[p.B]), Alike: p.Alike()}
		if unit != nil {
			out[i].Unit = [2]int{unit[p.A], unit[p.B]}
		}
	}
	return out
}
