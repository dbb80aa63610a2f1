package surrogate

import (
	"context"
	"strings"

	"github.com/alike-go/alike/eval/choose"
)

// Disagreement is how two members of the committee differ, each from its own threshold on.
type Disagreement struct {
	Jaccard, Cosine         Member
	Both                    float64 // pairs that both call alike
	OnlyJaccard, OnlyCosine float64
}

// Disagreement compares the resemblance of sets with the cosine of vectors: of either kind the member that
// expects most of itself.
func (t *Truth) Disagreement() Disagreement {
	at := [2]int{0, 1}
	for k := range t.Members {
		if t.Members[k].F1 > t.Members[at[k%2]].F1 {
			at[k%2] = k
		}
	}
	d := Disagreement{Jaccard: t.Members[at[0]], Cosine: t.Members[at[1]]}
	for _, p := range t.Pairs {
		j := float64(p.Scores[at[0]]) >= d.Jaccard.Threshold
		c := float64(p.Scores[at[1]]) >= d.Cosine.Threshold
		switch w := float64(p.Weight); {
		case j && c:
			d.Both += w
		case j:
			d.OnlyJaccard += w
		case c:
			d.OnlyCosine += w
		}
	}
	return d
}

// Found is how many copies of a kind of edit a method finds.
type Found struct {
	Edit          string
	Copies, Found int
}

// Found returns for each planted edit, in the order of their first copies, how many copies score at least
// the threshold with their original.
func (t *Truth) Found(ctx context.Context, c choose.Candidate, threshold float64, workers int) ([]Found, error) {
	fit, s := &choose.Sample{}, &choose.Sample{}
	for _, d := range t.Docs {
		fit.Texts = append(fit.Texts, d.Text)
	}
	for _, c := range t.Copies {
		s.Texts = append(s.Texts, t.Docs[c.Of].Text, c.Text)
	}
	var out []Found
	err := choose.Rank(ctx, s, fit, []choose.Candidate{c}, workers, func(_ int, r choose.Ranked) error {
		at := map[string]int{}
		for i, c := range t.Copies {
			name := c.Edit.String()
			k, ok := at[name]
			if !ok {
				k = len(out)
				at[name] = k
				out = append(out, Found{Edit: name})
			}
			out[k].Copies++
			if float64(float32(r.Sketches.Score(2*i, 2*i+1))) >= threshold {
				out[k].Found++
			}
		}
		return nil
	})
	return out, err
}

// Doubts returns what speaks against trusting this truth, in words.
func (t *Truth) Doubts() []string {
	var out []string
	best := Member{}
	for _, m := range t.Members {
		if m.F1 > best.F1 {
			best = m
		}
	}
	if expected := t.Expected(); expected < leastPlanted {
		out = append(out, "the documents seem to hold hardly any alike pairs, so that planted edits alone decide")
	} else if best.F1 < doubtful {
		out = append(out, "no gap parts alike pairs from others: what is alike here is for a reader to say (--review)")
	}
	var none []string
	for _, m := range t.Members {
		if !m.Trusted {
			none = append(none, m.Spec)
		}
	}
	if len(none) > 0 {
		out = append(out, "of the committee these saw no clear classes and had no vote: "+strings.Join(none, ", "))
	}
	return out
}

// doubtful is the F1 that the best member must expect of itself for classes to be plain.
const doubtful = 0.75
