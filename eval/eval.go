// Package eval runs many methods over the same documents and truth and measures
// quality, space and speed the same way for each.
//
// Fits and thresholds are chosen on one split and reported on another. Methods
// are values; none is named here. Methods whose features have the same settings
// share one extraction, so that they are compared on the same features.
//
// If truth is labelled pairs, those pairs are scored. If truth is clusters, all
// pairs of documents of a split are scored, or, in large sets, the pairs that
// each method's join finds. So precision is the precision of a search among all
// documents: it falls as their number grows, and figures of sets of different
// sizes do not compare. Documents of dev clusters are paired only with each
// other, and so are documents of test clusters. Equal texts of different
// clusters, and pairs that the set says to ignore, count neither as hits nor as
// errors.
//
// Intervals come from a bootstrap over clusters, or over connected components
// of labelled pairs. If a component holds more than 5% of the pairs, only alike
// pairs connect documents. Every method of a run sees the same resamples, so
// records of two methods can be compared in pairs; see [Compare].
//
// The commands alike eval, diff, score, stress and report use it, and serve and
// the packages below eval. Searching for settings belongs to choose, edits to
// stress, pictures and pages to plots and report.
package eval

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// Config says how a run is made. The zero value is a sound default.
type Config struct {
	// Report is the split that quality is reported on. None means Test, or Dev if
	// the set has no Test, or the second of two seeded halves (by cluster) if it
	// has no splits.
	Report datasets.Split

	// StrictSplits leaves documents out of the tuning split if the reported
	// split has the same text, with their pairs. The reported split stays as it
	// is. Otherwise such documents stay in both; Record.Shared counts their
	// texts.
	StrictSplits bool

	// Pairs says what is scored of a set whose truth is clusters: "all" pairs of
	// its documents, which "" means too, or the "sampled" pairs of the set.
	Pairs string

	// MaxDocs bounds the documents of which all pairs are scored, both splits
	// together. 0 means 20,000. What becomes of larger sets, Join says.
	MaxDocs int

	// Join says when the pairs of clustered documents are found by each method's own
	// join, from a floor on, instead of scoring every pair: "auto", which "" means too,
	// for sets of more than MaxDocs documents, "always", of a sample of MaxDocs documents
	// where that is not 0, or "never": then larger sets are sampled.
	Join string

	// Floor is the score from which on a join finds pairs. 0 means that each
	// method's is chosen on the split tuned on.
	Floor float64

	// Recall is the probability with which a join that is not exact shall find a
	// pair at the floor; 0 means similarity.DefaultRecall.
	Recall float64

	// Exact counts what joins miss by scoring every pair too.
	Exact bool

	// Seed selects the bootstrap's draws, the halves of a set without splits and
	// samples of clusters.
	Seed uint64

	// Resamples is the number of bootstrap resamples; 0 means 1000, negative none.
	Resamples int

	// Workers is the number of goroutines for quality (never for speed); 0 means
	// one for each CPU. Quality figures are the same for any number.
	Workers int

	// Repeat is how often speed is measured; 0 means 3, negative not at all.
	Repeat int

	// Reference, when not nil, returns the exact method that a method estimates,
	// or nil for one that estimates nothing. Records then say how well it does.
	Reference func(similarity.Method) similarity.Method

	// Details adds to records what Compare needs for tests in pairs, and what
	// figures are drawn from.
	Details bool

	// Commit is the version of the program for the record; "" means what the
	// build says.
	Commit string

	// Origin goes into the record as it is.
	Origin Origin

	// Progress, when not nil, is called as work proceeds, with the share done in
	// [0, 1] and what is being done; never from two goroutines at once.
	Progress func(share float64, what string)
}

// withDefaults fills in what the zero value means, and refuses what has no meaning.
func (c Config) withDefaults() (Config, error) {
	switch c.Pairs {
	case "":
		c.Pairs = "all"
	case "all", "sampled":
	default:
		return c, fmt.Errorf("eval: Pairs is %q, want all or sampled", c.Pairs)
	}
	switch c.Join {
	case "":
		c.Join = "auto"
	case "auto", "always", "never":
	default:
		return c, fmt.Errorf("eval: Join is %q, want auto, always or never", c.Join)
	}
	if !(c.Floor >= 0 && c.Floor <= 1) {
		return c, fmt.Errorf("eval: Floor is %v, want 0 to 1", c.Floor)
	}
	if !(c.Recall >= 0 && c.Recall < 1) {
		return c, fmt.Errorf("eval: Recall is %v, want 0 or more and less than 1", c.Recall)
	}
	if c.MaxDocs == 0 {
		c.MaxDocs = 20_000
		if c.Join == "always" {
			c.MaxDocs = math.MaxInt
		}
	}
	if c.MaxDocs < 4 {
		return c, fmt.Errorf("eval: MaxDocs is %d, want 4 or more", c.MaxDocs)
	}
	if c.Resamples == 0 {
		c.Resamples = 1000
	}
	c.Resamples = max(0, c.Resamples)
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Repeat == 0 {
		c.Repeat = 3
	}
	c.Repeat = max(0, c.Repeat)
	if c.Progress == nil {
		c.Progress = func(float64, string) {}
	}
	return c, nil
}

func (c Config) allPairs(set *datasets.Set) bool { return set.Clusters != nil && c.Pairs == "all" }

// joins reports whether pairs of the set are found by joins.
func (c Config) joins(set *datasets.Set) bool {
	return c.allPairs(set) && (c.Join == "always" || c.Join == "auto" && len(set.Docs) > c.MaxDocs)
}

// Run evaluates the methods on the set and returns one record a method, in the
// order given. It returns early with ctx's error when ctx is cancelled.
func Run(ctx context.Context, set *datasets.Set, methods []similarity.Method, cfg Config) ([]Record, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	tune, report, err := split(set, cfg)
	if err != nil {
		return nil, err
	}
	all, reference := withReferences(methods, cfg.Reference)
	defer closing(ctx, all)()
	fitted, fitTimes, err := fit(ctx, set, tune, all, cfg)
	if err != nil {
		return nil, err
	}
	stage := func(from, to float64, what string) func(float64) {
		return func(share float64) { cfg.Progress(from+(to-from)*share, set.Name+" "+what) }
	}
	tuneSketches, err := sketch(ctx, set, tune.Docs, fitted[:len(methods)], cfg.Workers, stage(0, 0.1, "sketches"))
	if err != nil {
		return nil, err
	}
	sketches, err := sketch(ctx, set, report.Docs, fitted, cfg.Workers, stage(0.1, 0.2, "sketches"))
	if err != nil {
		return nil, err
	}

	checksum := set.Checksum()
	machine := machine(cfg.Commit)
	watch := newStopwatch(set, report, cfg.Repeat)
	var estimated [][2]int
	records := make([]Record, len(methods))
	for i, m := range fitted[:len(methods)] {
		at := func(share float64) float64 { return 0.2 + 0.8*(float64(i)+share)/float64(len(methods)) }
		floor := 0.0
		if cfg.joins(set) {
			if floor = cfg.Floor; floor == 0 {
				if floor, err = chooseFloor(ctx, tuneSketches[i], tune, cfg.Seed, cfg.Workers); err != nil {
					return nil, wrap(set, m, err)
				}
			}
		}
		tuned, err := evaluate(ctx, tuneSketches[i], tune, floor, math.Inf(1), cfg, stage(at(0), at(0.3), m.String()))
		if err != nil {
			return nil, wrap(set, m, err)
		}
		threshold, tunedF1 := tuned.ranking.bestF1()
		threshold = max(threshold, floor) // between the lowest pair found and 0 there is nothing to choose from
		tuned, tuneSketches[i] = nil, nil // lets the memory go
		e, err := evaluate(ctx, sketches[i], report, floor, threshold, cfg, stage(at(0.3), at(0.6), m.String()))
		if err != nil {
			return nil, wrap(set, m, err)
		}
		r := Record{
			Origin: cfg.Origin, Dataset: set.Name, Method: m.String(), Split: report.Name, TunedOn: tune.Name, Shared: report.Shared, StrictSplits: cfg.StrictSplits,
			Threshold: Figure(threshold), TunedF1: Figure(tunedF1),
			Baseline: isBaseline(m), Settings: m.Settings(), Checksum: checksum, Seed: cfg.Seed, Resamples: cfg.Resamples,
			Key: key(checksum, methods[i], cfg, cfg.joins(set)), Machine: machine,
		}
		if methods[i].FitState() == similarity.FitNone {
			r.Method, r.FittedOn = similarity.WithoutFit(methods[i].String()), tune.Name
		}
		r.setTruth(set, report, e.join != nil)
		r.setQuality(e, report, set.Graded)
		replicates := e.ranking.bootstrap(report.Units, threshold, cfg.Resamples, cfg.Seed, cfg.Workers)
		r.setIntervals(replicates)
		r.resamples = newDetails(e, replicates)
		r.resamples.Draws = report.draws(checksum, cfg.Seed, cfg.Resamples)
		if cfg.Details {
			r.Details = r.resamples
		}
		if err := r.setSpace(m, sketches[i]); err != nil {
			return nil, wrap(set, m, err)
		}
		if k := reference[i]; k >= 0 {
			if estimated == nil {
				estimated = report.estimatedPairs(cfg.Seed)
			}
			r.Estimate = estimate(all[k].String(), sketches[i], sketches[k], estimated)
		}
		cfg.Progress(at(0.8), set.Name+" speed of "+m.String())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.SketchMBs, r.PairsS = Figure(math.NaN()), Figure(math.NaN())
		if cfg.Repeat > 0 && !r.Baseline {
			r.Speed = watch.measure(m, sketches[i], report, cfg.Seed)
			r.Speed.FitS = fitTimes[i]
			r.SketchMBs, r.PairsS = r.Speed.SketchMB.Median, r.Speed.PairsS.Median
		}
		if err := settle(ctx, sketches[i]); err != nil {
			return nil, wrap(set, m, err)
		}
		records[i] = r
	}
	if cfg.Details {
		n := slices.IndexFunc(records, func(r Record) bool { return r.Baseline })
		if n < 0 {
			n = len(records)
		}
		if err := addExamples(ctx, set, report, sketches[:n], records[:n], cfg); err != nil {
			return nil, fmt.Errorf("eval: examples of %s: %w", set.Name, err)
		}
	}
	cfg.Progress(1, set.Name)
	return records, nil
}

func wrap(set *datasets.Set, m similarity.Method, err error) error {
	return fmt.Errorf("eval: %s on %s: %w", m, set.Name, err)
}

// withReferences returns the methods followed by the exact methods that some of
// them estimate, each once, and for each method the number of its reference, -1
// for none.
func withReferences(methods []similarity.Method, of func(similarity.Method) similarity.Method) (all []similarity.Method, reference []int) {
	all = append(all, methods...)
	reference = make([]int, len(methods))
	at := map[string]int{}
	for i, m := range methods {
		if _, ok := at[m.String()]; !ok {
			at[m.String()] = i
		}
	}
	for i, m := range methods {
		reference[i] = -1
		if of == nil {
			continue
		}
		x := of(m)
		if x == nil || x.String() == m.String() {
			continue
		}
		k, ok := at[x.String()]
		if !ok {
			k = len(all)
			at[x.String()] = k
			all = append(all, x)
		}
		reference[i] = k
	}
	return all, reference
}
