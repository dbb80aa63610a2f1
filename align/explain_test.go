package align

import (
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

func explained(t *testing.T, m Measure, a, b string) similarity.Explanation {
	t.Helper()
	x, err := New(Options{Measure: m, Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}})
	if err != nil {
		t.Fatal(err)
	}
	return x.Explain(a, b)
}

func TestExplain(t *testing.T) {
	e := explained(t, Edit, "kitten", "sitting")
	if e.Note != "3 edits between 6 and 7 characters" || len(e.Evidence) != 2 || e.Evidence[0].Text != "itt" || e.Evidence[1].Text != "n" {
		t.Errorf("%+v", e)
	}
	e = explained(t, Subsequence, "回家吃饭", "不回家，吃了饭")
	if e.Note != "4 characters in the same order, of 4 and 7" || len(e.Evidence) != 3 || e.Evidence[0].Text != "回家" {
		t.Errorf("%+v", e)
	}
	if got := e.Evidence[0].B[0]; got != (feature.Span{Start: 3, End: 9}) {
		t.Errorf("the run stands at %v of the second text, want 3 to 9", got)
	}
	e = explained(t, Substring, "the cat sat on the mat", "on a cat sat we")
	if e.Note != "a run of 9 characters, of 22 and 15" || len(e.Evidence) != 1 || e.Evidence[0].Text != " cat sat " {
		t.Errorf("%+v", e)
	}
}

// The runs stand in both texts in the same order, and their number of characters is that of
// a best alignment: what is kept of a distance d leaves at most d characters of the longer text.
func TestRunsAreBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for name, alphabet := range alphabets {
		for range rounds {
			a := word(rng, alphabet, rng.IntN(400))
			b := edited(rng, alphabet, a, rng.Float64())
			ra, rb := []rune(a), []rune(b)
			s := scratches.Get().(*scratch)
			for _, m := range []Measure{Edit, Subsequence} {
				kept, endA, endB, cost := 0, 0, 0, 0
				for _, r := range s.runs(m, ra, rb) {
					if r.endA-r.length < endA || r.endB-r.length < endB || string(ra[r.endA-r.length:r.endA]) != string(rb[r.endB-r.length:r.endB]) {
						t.Fatalf("%s: %q and %q do not share %+v behind %d and %d", name, a, b, r, endA, endB)
					}
					cost += max(r.endA-r.length-endA, r.endB-r.length-endB)
					kept, endA, endB = kept+r.length, r.endA, r.endB
				}
				cost += max(len(ra)-endA, len(rb)-endB)
				if want := naiveSubsequence(ra, rb); m == Subsequence && kept != want {
					t.Errorf("%s: runs of %q and %q have %d characters, want %d", name, a, b, kept, want)
				}
				if want := naiveDistance(ra, rb); m == Edit && cost != want {
					t.Errorf("%s: the runs of %q and %q leave %d edits, want %d", name, a, b, cost, want)
				}
			}
			s.release()
		}
	}
}
