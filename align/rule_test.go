package align_test

import (
	"testing"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func newRule(t testing.TB, o feature.Options) *align.Rule {
	t.Helper()
	r, err := align.NewRule(align.RuleOptions{Features: o})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRuleLaws(t *testing.T) {
	for _, o := range []feature.Options{{}, {Tokens: feature.Rune, MinWidth: 2}, {Stop: []string{"en"}, Stem: "en"}} {
		r := newRule(t, o)
		t.Run(r.String(), func(t *testing.T) { similaritytest.Run[align.Terms](t, r) })
	}
}

// Counted by hand: terms shared over the fewer, sizes with repeats.
func TestRuleScores(t *testing.T) {
	r := newRule(t, feature.Options{})
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"a b c d e", "a b c d e", 1},
		{"a b c d e", "a b c d x", 0.8},
		{"a b c d", "a b c d e", 0.8}, // all terms of the fewer, size 4 of 5
		{"a b c d e", "e d c b", 0.8}, // order does not matter
		{"a b", "a b a b", 0.5},       // the same terms, twice as many
		{"a b c d e f", "a b c", 0.5}, // a part
		{"a b c d", "w x y z", 0},     // nothing shared
		{"", "a", 0},                  // no evidence
		{"a b c d", "a b c x y z", 0.6666666666666666},
	} {
		if got := r.Score(r.Sketch(c.a), r.Sketch(c.b)); got != c.want {
			t.Errorf("score of %q and %q is %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestRuleRefusesWeights(t *testing.T) {
	for _, o := range []feature.Options{{Weights: feature.Binary}, {Top: 5}, {Levels: 5}, {Phrases: 3}, {MinWidth: -1}} {
		if r, err := align.NewRule(align.RuleOptions{Features: o}); err == nil {
			t.Errorf("no error for %+v: %s", o, r)
		}
	}
}

func FuzzDecodeTerms(f *testing.F) {
	r := newRule(f, feature.Options{})
	f.Add(r.AppendSketch(nil, r.Sketch("")))
	f.Add(r.AppendSketch(nil, r.Sketch("the cat sat on the mat")))
	f.Add(similarity.Marshal(r, r.Sketch("a b")))
	f.Fuzz(func(t *testing.T, data []byte) {
		terms, n, err := r.DecodeSketch(data)
		if err != nil {
			return
		}
		again, _, err := r.DecodeSketch(r.AppendSketch(nil, terms))
		if err != nil || n > len(data) || again.Size != terms.Size || len(again.Hashes) != len(terms.Hashes) {
			t.Fatalf("%v decodes to %v after encoding, %v", terms, again, err)
		}
	})
}
