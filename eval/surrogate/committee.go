package surrogate

import (
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/sketch"
)

// committee are the members by profile: Jaccard and cosine, each on words, on pieces of
// words, and on words with their neighbours.
var committee = map[choose.Profile][]string{
	choose.Text: {
		"shingle:width=1", "cosine:scheme=ltc,width=1",
		"shingle:tokens=rune,width=4", "cosine:scheme=ltc,tokens=rune,width=4",
		"shingle:width=1-2", "cosine:scheme=ltc,width=1-2",
	},
	choose.Han: {
		"shingle:tokens=rune,width=1-2,punct=drop,space=drop,han=simplified", "cosine:scheme=ltc,tokens=rune,width=1-2,punct=drop,space=drop,han=simplified",
		"shingle:width=1,han=simplified", "cosine:scheme=ltc,width=1,han=simplified",
		"shingle:tokens=rune,width=3,punct=drop,space=drop,han=simplified", "cosine:scheme=ltc,tokens=rune,width=3,punct=drop,space=drop,han=simplified",
	},
}

// A member has a vote under three conditions: it expects for itself an F1 of at
// least leastTrust; the number of alike pairs that it expects is within a factor of
// mostApart of the median of such members; and none of those left expects an F1
// that is more than trustGap higher. A mixture finds alike pairs even if there are
// none, but then it cannot separate them from the background. And a wrong mixture
// can be confident.
const (
	leastTrust = 0.7
	mostApart  = 2
	trustGap   = 0.1
)

// trust gives votes to members.
func (t *Truth) trust() {
	var expected []float64
	for _, m := range t.Members {
		if m.F1 >= leastTrust {
			expected = append(expected, m.Alike)
		}
	}
	if len(expected) == 0 {
		return
	}
	slices.Sort(expected)
	median := (expected[(len(expected)-1)/2] + expected[len(expected)/2]) / 2
	inside := func(m *Member) bool {
		return m.F1 >= leastTrust && m.Alike <= mostApart*median && m.Alike >= median/mostApart
	}
	best := 0.0
	for i := range t.Members {
		if m := &t.Members[i]; inside(m) {
			best = max(best, m.F1)
		}
	}
	for i := range t.Members {
		m := &t.Members[i]
		m.Trusted = inside(m) && m.F1 >= best-trustGap
	}
}

// convene scores the drawn pairs by the committee and fits a mixture for each member.
func (t *Truth) convene(ctx context.Context, progress func(share float64)) error {
	all := texts(t.Docs)
	var candidates []choose.Candidate
	for _, spec := range append(slices.Clone(committee[t.Profile]), contains[t.Profile]) {
		c, err := choose.NewCandidate(spec)
		if err != nil {
			return fmt.Errorf("surrogate: %w", err)
		}
		candidates = append(candidates, c)
	}
	members := len(candidates) - 1
	t.Members = make([]Member, members)
	scores := make([]float32, members*len(t.Pairs))
	for i := range t.Pairs {
		t.Pairs[i].Scores = scores[i*members : (i+1)*members]
	}
	done := 0
	err := choose.Rank(ctx, all, all, candidates, t.workers, func(k int, r choose.Ranked) error {
		of := sketch.Scores(ctx, r.Sketches, len(t.Pairs), func(i int) (a, b int) { return int(t.Pairs[i].A), int(t.Pairs[i].B) }, t.workers)
		for i, v := range of {
			if k == members {
				t.Pairs[i].contains = v
			} else {
				t.Pairs[i].Scores[k] = v
			}
		}
		if k < members {
			t.Members[k] = t.member(candidates[k].Spec, of)
		}
		done++
		progress(float64(done) / float64(len(candidates)))
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	t.trust()
	for i := range t.Pairs {
		p := &t.Pairs[i]
		p.Vote, p.far = t.vote(p.Scores), true
		for k := range t.Members {
			p.far = p.far && binOf(p.Scores[k]) < t.Members[k].m.from
		}
	}
	return nil
}

// member fits a mixture to the scores of the pairs.
func (t *Truth) member(spec string, scores []float32) Member {
	h := new(histogram)
	for i := range t.Pairs {
		h[binOf(scores[i])] += float64(t.Pairs[i].Weight)
	}
	m := fitMixture(h, t.Of)
	return Member{Spec: spec, Threshold: m.threshold, Alike: m.pairs, F1: m.f1, m: m}
}

// numbers returns the answers by number of the documents.
func (t *Truth) numbers(labels []Label) map[[2]int32]bool {
	at := make(map[string]int32, len(t.Docs))
	for i, d := range t.Docs {
		at[d.ID] = int32(i)
	}
	out := map[[2]int32]bool{}
	for _, l := range labels {
		a, okA := at[l.A]
		b, okB := at[l.B]
		if okA && okB && a != b {
			out[[2]int32{min(a, b), max(a, b)}] = l.Alike
		}
	}
	return out
}

// vote returns the mean probability of the trusted members; 0 where there are none.
func (t *Truth) vote(scores []float32) float64 {
	sum, n := 0.0, 0.0
	for k := range t.Members {
		if m := &t.Members[k]; m.Trusted {
			sum += m.m.alike[binOf(scores[k])]
			n++
		}
	}
	return sum / max(1, n)
}
