// Package choose decides which method, settings and threshold find the alike
// documents of a set, from truth that may be partial. It searches the
// candidates of [Space] by successive halving (Jamieson and Talwalkar, AISTATS
// 2016).
//
// Candidates and thresholds are chosen on dev (one half of the set's clusters,
// or the split of that name) and reported on test. The result recommends one
// candidate, with its interval. It also has the front of candidates that no
// other beats in quality, bytes and speed at once, and the cheaper candidates
// that are shown not worse by more than a margin. If nothing that compares words and
// characters tells the documents apart, the result says so; see [Result].
//
// A table of costs, not the clock, plans how much work a search does: the same
// input gives the same answer on every machine, for any number of workers. Only
// if a machine is several times slower than the table does a deadline end the
// search early. The result then says so.
//
// Six thousand documents of five kilobytes take some 210 seconds of one core,
// and 1.3 GB.
//
// The command alike choose and serve run it. Labels for documents without any
// belong to package surrogate; methods belong to package catalog.
//
// # Pairs
//
// If truth is clusters, all pairs of documents count, but not all are scored.
// Cheap sketches score them all first. A pair that any of these ranks high is
// always drawn, pairs further down with a lower probability, and the rest with
// a small one. Each pair weighs the inverse of its probability (Horvitz and
// Thompson, JASA 1952), so that precision, and with it the threshold, is
// estimated for all pairs of the documents and not for a sample in which
// duplicates abound. The same holds for the samples of clusters in the first
// rungs of a search.
package choose

import (
	"fmt"
	"runtime"
	"time"

	"github.com/alike-go/alike/eval"
)

// Options configures a search. The zero value is a sound default.
type Options struct {
	// Goal is what thresholds are chosen for; zero means F1.
	Goal Goal

	// MaxBytesPerDoc bounds the mean size of a sketch, in bytes; 0 means no bound.
	MaxBytesPerDoc float64

	// Budget is the time that the search may take on two cores like those of the
	// table of costs; 0 means five minutes, the least is a second. It is turned into an amount of work.
	Budget time.Duration

	// Candidates are searched; nil means Space of the documents' profile.
	Candidates []Candidate

	// MaxDocs bounds the documents of both parts together; whole clusters are left
	// out beyond it. 0 means 20,000.
	MaxDocs int

	// StrictSplits leaves documents out of dev if test has the same text.
	StrictSplits bool

	// Margin is how much less of the goal's value counts as no worse; 0 means
	// eval.DefaultMargin.
	Margin float64

	// Resamples is the number of bootstrap resamples; 0 means 1000. With less,
	// nothing is shown of two dozen finalists after correction.
	Resamples int

	// Seed selects samples of clusters and pairs, and the bootstrap's draws.
	Seed uint64

	// Workers is the number of goroutines; 0 means one for each CPU. No result
	// depends on it but speeds.
	Workers int

	// NoSpeed leaves out the measurement of speeds, the one thing that differs between
	// two runs.
	NoSpeed bool

	// NoDeadline takes the emergency brake off: work is done as planned however long
	// it takes.
	NoDeadline bool

	// Progress, when not nil, is called as work proceeds, with the share done in
	// [0, 1] and what is being done; never from two goroutines at once.
	Progress func(share float64, what string)
}

func (o Options) withDefaults() (Options, error) {
	if o.Budget == 0 {
		o.Budget = 5 * time.Minute
	}
	if o.Budget < time.Second {
		return o, fmt.Errorf("choose: Budget is %v, want a second or more", o.Budget)
	}
	if o.MaxDocs == 0 {
		o.MaxDocs = 20_000
	}
	if o.MaxDocs < 8 {
		return o, fmt.Errorf("choose: MaxDocs is %d, want 8 or more", o.MaxDocs)
	}
	if !(o.MaxBytesPerDoc >= 0) {
		return o, fmt.Errorf("choose: MaxBytesPerDoc is %v, want 0 or more", o.MaxBytesPerDoc)
	}
	if o.Margin == 0 {
		o.Margin = eval.DefaultMargin
	}
	if !(o.Margin > 0 && o.Margin < 1) {
		return o, fmt.Errorf("choose: Margin is %v, want more than 0 and less than 1", o.Margin)
	}
	if o.Resamples == 0 {
		o.Resamples = 1000
	}
	if o.Resamples < 20 {
		return o, fmt.Errorf("choose: Resamples is %d, want 20 or more", o.Resamples)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(float64, string) {}
	}
	return o, nil
}

// Quality is the figures of a candidate at its threshold, but for AP, which needs none.
type Quality struct {
	Precision eval.Figure `json:"precision"`
	Recall    eval.Figure `json:"recall"`
	F1        eval.Figure `json:"f1"`
	AP        eval.Figure `json:"ap"`

	// Value is what the goal makes as great as can be, and Low and High its 95 %
	// interval by bootstrap over units; null where there is none. Unusable says that
	// there are too few effective units for one. Reached says whether the goal's
	// bound holds.
	Value   eval.Figure `json:"value"`
	Low     eval.Figure `json:"low"`
	High    eval.Figure `json:"high"`
	Reached bool        `json:"reached"`

	Unusable bool `json:"unusable,omitempty"`
}

// Trial is what is known of a candidate.
type Trial struct {
	Spec string `json:"method"`

	// Share is the share of dev's clusters or components that it was last judged on: 1 for
	// those that came through to the last rung.
	Share float64 `json:"share"`

	Threshold eval.Figure `json:"threshold"` // chosen on dev; null where none serves
	Dev       Quality     `json:"dev"`
	Test      *Quality    `json:"test"` // null for those that did not come that far

	BytesPerDoc eval.Figure `json:"bytes_per_doc"`
	SketchMBs   eval.Figure `json:"sketch_mb_s"` // measured on one core; null where it was not
	PairsS      eval.Figure `json:"pairs_s"`

	// Nominal is what one core needs for a document of a thousand bytes by the table of costs, in
	// microseconds: what fronts are made by, since it is the same on every machine.
	Nominal float64 `json:"nominal_us"`

	// Blank is the share of documents that the method has nothing to compare of.
	Blank float64 `json:"blank"`

	// State says what test shows of it beside the best; empty for the best itself,
	// those without test figures, and where intervals are unusable.
	State eval.State `json:"state,omitempty"`

	Warnings []string `json:"warnings,omitempty"`
}

// Result is the answer of a search.
type Result struct {
	Dataset  string  `json:"dataset"`
	Checksum string  `json:"data_checksum"`
	Goal     string  `json:"goal"`
	Profile  Profile `json:"profile"`
	Seed     uint64  `json:"seed"`

	// Shared is the number of distinct texts in both dev and test. StrictSplits
	// reports that they were left out of dev.
	Shared       int  `json:"n_shared"`
	StrictSplits bool `json:"strict_splits,omitempty"`

	// Assumed reports that the documents had no labels, and package surrogate said what
	// is true. Best is then no recommendation either.
	Assumed bool `json:"assumed,omitempty"`

	// Fit is false where no lexical method is fit for the documents; Why says what
	// shows it. Best is the least bad candidate then, and no recommendation.
	Fit bool     `json:"fit"`
	Why []string `json:"why,omitempty"`

	Best    Trial   `json:"best"`
	Front   []Trial `json:"front"`   // descending by dev value; none is beaten in quality, bytes and nominal speed at once
	Cheaper []Trial `json:"cheaper"` // in less space or time than Best, and not worse by more than Margin; cheapest first
	Trials  []Trial `json:"-"`       // all, in the order of the candidates

	// Baselines is what any candidate should beat: see eval.Baselines.
	Baselines []Trial `json:"baselines"`

	// Notes says of methods whose best is far behind, or that have a warning, why not to
	// take them.
	Notes []string `json:"notes,omitempty"`

	// Margin is how much less counts as no worse.
	Margin float64 `json:"margin"`

	// All is the value on test of calling every pair alike.
	All eval.Figure `json:"all_alike"`

	Docs      int     `json:"n_docs"`      // of both parts
	Rungs     []Rung  `json:"rungs"`       // what was done
	Work      float64 `json:"work_s"`      // planned, in nominal seconds of one core
	OverWork  bool    `json:"over_budget"` // even the least plan takes more than the budget
	Braked    bool    `json:"braked"`      // the deadline ended the search before its plan
	Resamples int     `json:"resamples"`

	Machine eval.Machine `json:"machine"` // that speeds were measured on
}

// Rung is one round of halving.
type Rung struct {
	Candidates int     `json:"candidates"`
	Share      float64 `json:"share"` // of dev's units
	Docs       int     `json:"n_docs"`
	Pairs      int     `json:"n_pairs"` // scored
}
