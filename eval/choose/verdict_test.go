package choose

import (
	"strings"
	"testing"

	"github.com/alike-go/alike/eval"
)

// What is found is held against what calling every pair alike finds: F1 .667 where half of the
// pairs are alike, about 0 where one in ten thousand is.
func TestVerdict(t *testing.T) {
	half, few := eval.Confusion{TP: 100, FP: 100}, eval.Confusion{TP: 1, FP: 10_000}
	for _, c := range []struct {
		goal       Goal
		all        eval.Confusion
		value, low float64
		why        string // "" where it is fit
	}{
		{Goal{}, half, .69, .68, "every pair alike"},
		{Goal{}, half, .75, .60, "reaches down"},
		{Goal{}, half, .75, .74, "a third"},
		{Goal{}, half, .79, .74, ""},
		{Goal{}, few, .45, .40, "no threshold"},
		{Goal{}, few, .55, .40, ""},
		{Goal{}, few, 0, 0, "no threshold of any candidate"},
		{Goal{"precision", .95}, few, .2, .1, ""},
		{Goal{"precision", .95}, few, .02, .01, "every pair alike"},
		{Goal{"precision", .4}, half, .98, .97, "every pair alike"},
		{Goal{"recall", .9}, half, .52, .51, "every pair alike"},
		{Goal{"recall", .9}, half, .7, .6, ""},
	} {
		q := Quality{Value: eval.Figure(c.value), Low: eval.Figure(c.low), High: 1}
		r := Result{Best: Trial{Dev: q, Test: &q}}
		r.verdict(c.goal, c.all)
		why := strings.Join(r.Why, "; ")
		if r.Fit != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s of %v from %v: fit %v, %q, want %q", c.goal, c.value, c.low, r.Fit, why, c.why)
		}
	}
}
