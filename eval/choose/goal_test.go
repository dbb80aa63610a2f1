package choose

import (
	"testing"

	"github.com/alike-go/alike/eval"
)

func TestParseGoal(t *testing.T) {
	for s, want := range map[string]Goal{
		"": {}, "f1": {}, "F1": {}, "precision>=.95": {"precision", .95}, "recall >= 0.9": {"recall", .9}, "recall>=1": {"recall", 1},
	} {
		g, err := ParseGoal(s)
		if err != nil || g != want {
			t.Errorf("%q is %v, %v, want %v", s, g, err, want)
		}
		if again, err := ParseGoal(g.String()); err != nil || again != g {
			t.Errorf("%q prints %q, which is %v, %v", s, g, again, err)
		}
	}
	for _, s := range []string{"accuracy", "precision", "precision>=", "precision>=0", "precision>=1.1", "recall>=NaN", "f1>=.9", "precision<=.9"} {
		if g, err := ParseGoal(s); err == nil {
			t.Errorf("%q is %v, want an error", s, g)
		}
	}
}

func FuzzParseGoal(f *testing.F) {
	f.Add("precision>=.95")
	f.Add("recall>=1e-3")
	f.Fuzz(func(t *testing.T, s string) {
		g, err := ParseGoal(s)
		if err != nil {
			return
		}
		if again, err := ParseGoal(g.String()); err != nil || again != g {
			t.Fatalf("%q prints %q, which is %v, %v", s, g, again, err)
		}
	})
}

// 8 found of 10, among 16 called alike.
func TestGoalValues(t *testing.T) {
	c := eval.Confusion{TP: 8, FP: 8, FN: 2, TN: 100}
	for _, x := range []struct {
		goal    string
		value   float64
		reached bool
	}{
		{"f1", 16. / 26, true},
		{"precision>=.5", .8, true}, {"precision>=.51", .8, false},
		{"recall>=.8", .5, true}, {"recall>=.9", .5, false},
	} {
		g, err := ParseGoal(x.goal)
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Value(c); v != x.value || g.Reached(c) != x.reached {
			t.Errorf("%s: value %v, reached %v, want %v, %v", g, v, g.Reached(c), x.value, x.reached)
		}
	}
	if v := (Goal{}).Value(eval.Confusion{TN: 5}); v != 0 {
		t.Errorf("F1 of nothing found where nothing is alike is %v, want 0", v)
	}
}
