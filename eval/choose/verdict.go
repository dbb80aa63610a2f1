package choose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/feature"
)

// Where no method is fit: where calling every pair alike is not beaten by more than
// constantSlack, or the best F1 gets less than leastSkill of the way from there to 1 or is
// below leastValue, at which more is wrong than right.
const (
	constantSlack = 0.03
	leastSkill    = 1. / 3
	leastValue    = 0.5
)

// verdict says whether the best candidate is worth taking. constant is what calling
// every pair of test alike gives.
func (r *Result) verdict(g Goal, constant eval.Confusion) {
	b := &r.Best
	name := "F1"
	if g.Bound == "precision" {
		name = "recall"
	} else if g.Bound == "recall" {
		name = "precision"
	}
	all := 0.0
	if g.Reached(constant) {
		all = g.Value(constant)
	}
	r.All = eval.Figure(all)
	value, low := float64(b.Test.Value), float64(b.Test.Low)
	why := func(format string, args ...any) { r.Why = append(r.Why, fmt.Sprintf(format, args...)) }
	switch {
	case b.Dev.Value == 0:
		why("no threshold of any candidate reaches %s on dev", g)
	case value <= all+constantSlack:
		why("calling every pair alike gives %s %.3f, the best candidate %.3f", name, all, value)
	case low <= all:
		why("the interval of the best candidate's %s, %.3f to %.3f, reaches down to the %.3f of calling every pair alike", name, low, float64(b.Test.High), all)
	case g.Bound != "":
		// Little found at the precision asked for may be what is wanted.
	case value < leastValue:
		why("the best candidate's F1 is %.3f: no threshold parts what is alike from what is not", value)
	case value-all < leastSkill*(1-all):
		why("calling every pair alike gives F1 %.3f, and the best candidate's %.3f is not a third of the way from there to 1: no threshold parts what is alike from what is not", all, value)
	}
	r.Fit = len(r.Why) == 0
}

// note says of each method, by name, what speaks against its best candidate, and
// whether there are too few units for an interval.
func (r *Result) note() {
	if r.Best.Test.Unusable {
		r.Notes = append(r.Notes, fmt.Sprintf("the labels lie in fewer than %d effective units: intervals are unusable, and no candidate is shown better or cheaper", eval.LeastUnits))
	}
	best := map[string]*Trial{}
	var names []string
	for i := range r.Trials {
		t := &r.Trials[i]
		name, _, _ := strings.Cut(t.Spec, ":")
		if best[name] == nil {
			names = append(names, name)
		}
		if best[name] == nil || t.Share > best[name].Share || t.Share == best[name].Share && t.Dev.Value > best[name].Dev.Value {
			best[name] = t
		}
	}
	for _, name := range names {
		if t := best[name]; t.Spec != r.Best.Spec {
			for _, w := range t.Warnings {
				r.Notes = append(r.Notes, fmt.Sprintf("%s is not fit: %s %s", name, t.Spec, w))
			}
		}
	}
}

// shape is what warnings about a method go by.
type shape struct {
	texts []string // a sample, evenly spread
	count map[string]int
}

// shapeTexts is how many texts stand for all.
const shapeTexts = 200

func newShape(t *Task) *shape {
	s := &shape{count: map[string]int{}}
	step := max(1, len(t.Dev.Texts)/shapeTexts)
	for i := 0; i < len(t.Dev.Texts); i += step {
		s.texts = append(s.texts, t.Dev.Texts[i])
	}
	return s
}

// features returns the median number of distinct features of a text.
func (s *shape) features(x *feature.Extractor) int {
	key := x.Settings()
	if n, ok := s.count[key]; ok {
		return n
	}
	var counts []int
	var buf []feature.Feature
	for _, t := range s.texts {
		buf = x.Append(buf[:0], t)
		distinct := map[uint64]bool{}
		for _, f := range buf {
			distinct[f.Hash] = true
		}
		counts = append(counts, len(distinct))
	}
	slices.Sort(counts)
	s.count[key] = counts[len(counts)/2]
	return s.count[key]
}

// A fingerprint of fewer features than this is mostly noise, and a method that has nothing
// to compare of more than this share of documents is not fit for them.
const (
	fewFeatures = 20
	mostBlank   = 0.2
)

// warn adds what speaks against a candidate whatever its figures.
func (t *Trial) warn(c Candidate, s *shape) {
	if t.Blank > mostBlank {
		t.Warnings = append(t.Warnings, fmt.Sprintf("has nothing to compare of %.0f %% of the documents", 100*t.Blank))
	}
	if x := c.Method.Features(); x != nil && strings.HasPrefix(c.Spec, "simhash") && !x.NeedsFit() {
		if n := s.features(x); n < fewFeatures {
			t.Warnings = append(t.Warnings, fmt.Sprintf("makes fingerprints of %d features in the median, and of less than %d they are mostly noise", n, fewFeatures))
		}
	}
}
