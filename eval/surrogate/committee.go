package surrogate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/similarity"
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

// Which pairs are kept: about mostLikely of those that a trusted member considers
// possible, tailSample of the others in the tail of a member's scores, and
// farSample of the rest.
const (
	mostLikely = 60_000
	tailSample = 12_000
	farSample  = 12_000
)

// convene scores all pairs of the sample by the committee and fits a mixture for
// each member. It keeps the pairs that matter and those that have answers.
func (t *Truth) convene(ctx context.Context, labels []Label, o Options) error {
	texts := &choose.Sample{Texts: make([]string, len(t.Docs))}
	for i, d := range t.Docs {
		texts.Texts[i] = d.Text
	}
	var candidates []choose.Candidate
	for _, spec := range committee[t.Profile] {
		c, err := choose.NewCandidate(spec)
		if err != nil {
			return fmt.Errorf("surrogate: %w", err)
		}
		candidates = append(candidates, c)
		t.Members = append(t.Members, Member{Spec: c.Spec})
	}
	s := &scan{sketches: make([]similarity.Collection, len(candidates)), workers: o.Workers}
	err := choose.Rank(ctx, texts, texts, candidates, o.Workers, func(i int, r choose.Ranked) error {
		s.sketches[i] = r.Sketches
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	o.Progress(0.1, "scores of all pairs")
	histograms, err := s.histograms(ctx, func(share float64) { o.Progress(0.1+0.4*share, "scores of all pairs") })
	if err != nil {
		return err
	}
	for i := range t.Members {
		m := &t.Members[i]
		m.m = fitMixture(histograms[i], len(t.Docs), t.grow)
		m.Threshold, m.Alike, m.F1 = m.m.threshold, m.m.pairs, m.m.f1
	}
	t.trust()
	s.members, s.seed = t.Members, o.Seed
	s.asked = t.numbers(labels)
	t.Pairs, err = s.pairs(ctx, s.chances(histograms), func(share float64) { o.Progress(0.5+0.5*share, "pairs to judge by") })
	return err
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

// scan is all pairs of a sample under all members.
type scan struct {
	sketches []similarity.Collection
	members  []Member
	asked    map[[2]int32]bool
	seed     uint64
	workers  int
}

func (s *scan) histograms(ctx context.Context, progress func(share float64)) ([]*histogram, error) {
	out := make([]*histogram, len(s.sketches))
	for k := range out {
		out[k] = new(histogram)
	}
	err := sketch.Rows(ctx, s.sketches, s.workers, progress, func() (func(int, [][]float32), func()) {
		own := make([]histogram, len(s.sketches))
		return func(_ int, rows [][]float32) {
				for k, row := range rows {
					for _, v := range row {
						own[k][binOf(v)]++
					}
				}
			}, func() {
				for k := range own {
					for b, n := range own[k] {
						out[k][b] += n
					}
				}
			}
	})
	return out, err
}

// Levels of pairs.
const (
	far = iota
	tail
	near
	levels
)

func (s *scan) level(rows [][]float32, b int) int {
	at := far
	for k := range s.members {
		m := &s.members[k]
		switch bin := binOf(rows[k][b]); {
		case m.Trusted && m.m.alike[bin] > 0:
			return near
		case bin >= m.m.from:
			at = tail
		}
	}
	return at
}

// chances returns the probability of keeping a pair of each level. The histograms
// of the members give an upper bound on the pairs of a level.
func (s *scan) chances(histograms []*histogram) [levels]float64 {
	var counts [levels]float64
	for _, n := range histograms[0] {
		counts[far] += n
	}
	for k, h := range histograms {
		m := &s.members[k]
		for i, n := range h {
			if m.Trusted && m.m.alike[i] > 0 {
				counts[near] += n
			} else if i >= m.m.from {
				counts[tail] += n
			}
		}
	}
	var out [levels]float64
	for l, most := range []float64{farSample, tailSample, mostLikely} {
		out[l] = min(1, most/max(1, counts[l]))
	}
	return out
}

// pairs returns the pairs that matter, ascending. Each weighs the inverse of the
// probability of keeping it.
func (s *scan) pairs(ctx context.Context, chances [levels]float64, progress func(share float64)) ([]Pair, error) {
	var out []Pair
	err := sketch.Rows(ctx, s.sketches, s.workers, progress, func() (func(int, [][]float32), func()) {
		var own []Pair
		return func(first int, rows [][]float32) {
				a := int32(first)
				for k := range rows[0] {
					b := a + 1 + int32(k)
					level := s.level(rows, k)
					p := chances[level]
					if resample.Chance(a, b, s.seed) >= p {
						if _, ok := s.asked[[2]int32{a, b}]; !ok {
							continue
						}
					}
					scores := make([]float32, len(rows))
					for m := range rows {
						scores[m] = rows[m][k]
					}
					own = append(own, Pair{A: a, B: b, Weight: float32(1 / p), Scores: scores, Vote: s.vote(scores), far: level == far})
				}
			}, func() {
				out = append(out, own...)
			}
	})
	slices.SortFunc(out, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return out, err
}

// vote returns the mean probability of the trusted members; 0 where there are none.
func (s *scan) vote(scores []float32) float64 {
	sum, n := 0.0, 0.0
	for k := range s.members {
		if m := &s.members[k]; m.Trusted {
			sum += m.m.alike[binOf(scores[k])]
			n++
		}
	}
	return sum / max(1, n)
}
