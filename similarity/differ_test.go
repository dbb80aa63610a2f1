package similarity_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// shingles returns the sets of runs of three words.
func shingles(words []int) map[[3]int]bool {
	set := map[[3]int]bool{}
	for i := range len(words) - 2 {
		set[[3]int(words[i:])] = true
	}
	return set
}

// resemblance and overlap of sets by their definitions.
func resemblance(a, b []int) (resemblance, overlap float64) {
	x, y := shingles(a), shingles(b)
	both := 0
	for s := range x {
		if y[s] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both), float64(both) / float64(min(len(x), len(y)))
}

// Words replaced at random, in one block, and left out: the score is the one to expect if
// they stand apart, and the estimate is never further off than 1.96 standard errors.
func TestDifferModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 4000
	text := make([]int, n)
	for i := range text {
		text[i] = i
	}
	sets, smaller := similarity.DifferModel{Span: 3}, similarity.DifferModel{Span: 3, Overlap: true}
	for _, d := range []float64{.01, .05, .1, .2} {
		k := int(d * n)
		apart, block := append([]int{}, text...), append([]int{}, text...)
		for _, i := range rng.Perm(n)[:k] {
			apart[i] = n + i
		}
		for i := range k {
			block[n/3+i] = n + i
		}
		for name, other := range map[string][]int{"apart": apart, "block": block, "cut": text[k:]} {
			j, c := resemblance(text, other)
			for _, words := range []int{n, len(other)} {
				if share, se := sets.ShareByOne(j, words); math.Abs(share-d) > 1.96*se {
					t.Errorf("%s, %v: %v ± %v by %d words of one", name, d, share, se, words)
				}
			}
			inLonger := slices.Clone(other) // among as many words again, so that text is the smaller
			for i := range n {
				inLonger = append(inLonger, 3*n+i)
			}
			_, part := resemblance(text, inLonger)
			if share, se := smaller.ShareByOne(part, n); math.Abs(share-d) > 1.96*se {
				t.Errorf("%s, %v: %v ± %v within a longer text", name, d, share, se)
			}
			for _, m := range []struct {
				similarity.DifferModel
				score float64
			}{{sets, j}, {smaller, c}} {
				share, se := m.Share(m.score, n, len(other))
				if math.Abs(share-d) > 1.96*se {
					t.Errorf("%s, %v: %v ± %v, overlap %v", name, d, share, se, m.Overlap)
				}
				// By chance about sqrt(3dn) of n runs more or fewer are changed.
				if want := m.Score(d); name == "apart" && math.Abs(m.score-want) > 4*math.Sqrt(9*d/n) {
					t.Errorf("%v: score %v, want about %v, overlap %v", d, m.score, want, m.Overlap)
				}
			}
		}
	}
}

func TestDifferModelEdges(t *testing.T) {
	m := similarity.DifferModel{Span: 3, Noise: func(float64) float64 { return .05 }}
	if share, se := m.Share(1, 100, 100); share != 0 || se <= 0 {
		t.Errorf("equal sketches: %v ± %v, want 0 and an error", share, se)
	}
	if share, _ := m.Share(0, 100, 100); share != 1 {
		t.Errorf("nothing in common: %v, want 1", share)
	}
	if share, _ := m.Share(.5, 0, 10); share != 1 {
		t.Errorf("no words: %v, want 1", share)
	}
	if share, _ := m.Share(1, 50, 100); share < .5 {
		t.Errorf("half as long: %v, want .5 or more", share)
	}
	if share, se := m.ShareByOne(1, 100); share != 0 || se <= 0 {
		t.Errorf("equal sketches, by one length: %v ± %v, want 0 and an error", share, se)
	}
	if share, _ := m.ShareByOne(.5, 0); share != 1 {
		t.Errorf("no words, by one length: %v, want 1", share)
	}
	// Half of the features may mean that half of the text was cut off.
	if share, se := (similarity.DifferModel{Span: 3}).ShareByOne(.5, 100); share+1.96*se < .5 {
		t.Errorf("half of the features, by one length: %v ± %v", share, se)
	}
	exact := similarity.DifferModel{}
	if share, se := exact.ShareByOne(.75, 4); share != .25 || se != 0 {
		t.Errorf("exact, by one length: %v ± %v", share, se)
	}
	if share, se := exact.Share(.75, 4, 4); share != .25 || se != 0 || exact.Score(.25) != .75 {
		t.Errorf("exact: %v ± %v", share, se)
	}
}
