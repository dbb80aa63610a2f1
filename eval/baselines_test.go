package eval

import (
	"fmt"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// The figures of baselines follow from counts: all pairs alike has the share of alike
// pairs as its precision, and equal texts find the pairs that the record counts.
func TestBaselines(t *testing.T) {
	set := cluttered(9, 240)
	for i := range set.Docs {
		if d := &set.Docs[i]; d.Text == "" { // scores 0 with every text
			d.Text = fmt.Sprint("text ", i)
		}
	}
	cfg := Config{Details: true, Resamples: 50, Repeat: -1}
	methods := append([]similarity.Method{hidden(words{})}, Baselines(set, cfg)...)
	r := run(t, set, cfg, methods...)
	if len(r) != 5 || r[0].Baseline {
		t.Fatalf("%d records, the first a baseline: %v", len(r), r[0].Baseline)
	}
	for _, x := range r[1:] {
		if !x.Baseline || x.Speed != nil || len(x.Details.Examples) > 0 {
			t.Errorf("%s: baseline %v, speed %v, %d examples, want true, none, none", x.Method, x.Baseline, x.Speed, len(x.Details.Examples))
		}
	}
	all, equal := r[1], r[4]
	if want := float64(all.Positives) / float64(all.Pairs); !near(float64(all.Precision), want) || all.Recall != 1 {
		t.Errorf("all alike: precision %v, recall %v, want %v and 1", all.Precision, all.Recall, want)
	}
	if want := float64(equal.Equal) / float64(equal.Positives); !near(float64(equal.Recall), want) {
		t.Errorf("equal text: recall %v, want %v", equal.Recall, want)
	}
	if grid, err := Grid(r, DefaultMargin); err != nil || len(grid) != 0 {
		t.Errorf("%d comparisons of one method with baselines, error %v, want none", len(grid), err)
	}
	cfg.Join = "always"
	if got := Baselines(set, cfg); got != nil {
		t.Errorf("%d baselines of a joined set, want none", len(got))
	}
}
