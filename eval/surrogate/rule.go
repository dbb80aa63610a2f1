package surrogate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/sketch"
)

// byWords is the name of the share of equal words among the scores of pairs.
const byWords = "words"

// When answers replace a rule: it is looked at again after every learnFrom
// answers and after the last. A rule takes the place of the one before only if
// its expected F1 is higher by leastGain. Without leastGain, 26 samples of the
// shared sets lost more than .02 between two looks twice. With it none of them
// did, and as many were within .05 of the best rule after 50 answers. On the
// samples of docs/choose.md, one lost more than .02.
const (
	learnFrom = 10
	leastGain = 0.02
)

// scored is a method with the scores of all pairs.
type scored struct {
	method string // a spec, or byWords
	score  []float32
	order  []int32 // pairs that score more than 0, from the highest down
}

func newScored(method string, score []float32) scored {
	s := scored{method: method, score: score}
	for i, v := range score {
		if v > 0 {
			s.order = append(s.order, int32(i))
		}
	}
	slices.SortFunc(s.order, func(a, b int32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return s
}

// best returns the threshold of the greatest expected F1, where alike says how likely a
// pair is.
func (s *scored) best(pairs []Pair, alike func(*Pair) float64) (threshold, f1 float64) {
	threshold = math.Inf(1)
	total := sum(pairs, alike)
	hits, called := 0.0, 0.0
	for k, i := range s.order {
		p := &pairs[i]
		hits += float64(alike(p) * float64(p.Weight))
		called += float64(p.Weight)
		next := 0.0
		if k+1 < len(s.order) {
			next = float64(s.score[s.order[k+1]])
		}
		if v := float64(s.score[i]); v > next && 2*hits > f1*(called+total) {
			f1, threshold = 2*hits/(called+total), (v+max(next, v-1.0/bins))/2
		}
	}
	return threshold, f1
}

// f1 returns the expected F1 at a threshold.
func (s *scored) f1(pairs []Pair, threshold float64, alike func(*Pair) float64) float64 {
	hits, called := 0.0, 0.0
	for _, i := range s.order {
		if s.score[i] < float32(threshold) {
			break
		}
		hits += float64(alike(&pairs[i]) * float64(pairs[i].Weight))
		called += float64(pairs[i].Weight)
	}
	return 2 * hits / max(1e-9, called+sum(pairs, alike))
}

// sum returns the number of pairs that are expected to be alike.
func sum(pairs []Pair, alike func(*Pair) float64) (total float64) {
	for i := range pairs {
		total += float64(alike(&pairs[i]) * float64(pairs[i].Weight))
	}
	return total
}

// scores returns the scores of all pairs by a method.
func (t *Truth) scores(ctx context.Context, method string) (scored, error) {
	out := make([]float32, len(t.Pairs))
	member := slices.IndexFunc(t.Members, func(m Member) bool { return m.Spec == method })
	switch {
	case method == byWords:
		for i := range out {
			if d := t.Pairs[i].Differ; d < 1 {
				out[i] = float32(1 - d)
			}
		}
	case method == contains[t.Profile]:
		for i := range out {
			out[i] = t.Pairs[i].contains
		}
	case member >= 0:
		for i := range out {
			out[i] = t.Pairs[i].Scores[member]
		}
	default:
		c, err := choose.NewCandidate(method)
		if err != nil {
			return scored{}, fmt.Errorf("surrogate: %w", err)
		}
		sketches, err := t.sketch(ctx, t.Docs, t.Docs, c)
		if err != nil {
			return scored{}, err
		}
		out = sketch.Scores(ctx, sketches, len(t.Pairs), func(i int) (a, b int) { return int(t.Pairs[i].A), int(t.Pairs[i].B) }, t.workers)
	}
	return newScored(method, out), ctx.Err()
}

// Rule returns the rule of the greatest expected F1 among the committee's
// methods, the share of equal words, and for excerpts the part of the shorter
// text that stands in the longer. It goes through the answers in their order,
// so that more of them seldom make it worse.
func (t *Truth) Rule(ctx context.Context) (Rule, error) {
	var methods []scored
	for _, m := range t.Members {
		s, err := t.scores(ctx, m.Spec)
		if err != nil {
			return Rule{}, err
		}
		methods = append(methods, s)
	}
	others := []string{byWords}
	if t.Want == dedup.Excerpts { // pairs are drawn by what one contains of the other
		others = []string{contains[t.Profile], byWords}
	}
	for _, method := range others {
		s, err := t.scores(ctx, method)
		if err != nil {
			return Rule{}, err
		}
		methods = append(methods, s)
	}
	alike := func(p *Pair) float64 { return p.Alike }
	given := t.given
	var at *scored
	threshold := math.Inf(1)
	for n := 0; ; n = min(n+learnFrom, len(given)) {
		t.learn(given[:n])
		held := 0.0
		if at != nil {
			held = at.f1(t.Pairs, threshold, alike) + leastGain
		}
		for k := range methods {
			if n == 0 && k < len(t.Members) && t.anyTrusted() && !t.Members[k].Trusted {
				continue
			}
			if cut, f1 := methods[k].best(t.Pairs, alike); f1 > held {
				at, threshold, held = &methods[k], cut, f1
			}
		}
		if n == 0 && t.Want == dedup.Copies { // by definition
			at, threshold = &methods[len(methods)-1], 1-t.Differ
		}
		if n == len(given) {
			break
		}
	}
	if at == nil {
		return Rule{}, nil
	}
	if at.method == byWords && threshold == 1-t.Differ {
		return t.CopiesRule(), nil
	}
	threshold = math.Round(threshold*1e6) / 1e6 // as it is printed
	if at.method == byWords {
		return wordsRule(threshold), nil
	}
	return Rule{Method: at.method, Threshold: threshold}, nil
}

// wordsRule finds all pairs of which at least a share of the words is equal,
// and nothing else. Such texts share at least that part e of the longer one's
// words, so that the bags of words resemble each other by e/(2-e) or more. The
// threshold is not rounded: 7 of 100 words differ by .07, whose score 1-.07 is
// a little below .93.
func wordsRule(equal float64) Rule {
	return Rule{
		Method: "shingle:bag=true,tokens=single,width=1", Threshold: equal,
		Verify: byWords, Candidates: math.Floor(equal/(2-equal)*1e6) / 1e6,
	}
}

// regret returns how much F1 a rule loses if the member with a vote is right that says
// the worst of it: beside what that member's own method would reach.
func (t *Truth) regret(ctx context.Context, s *scored, threshold float64) (most float64, by string, err error) {
	for k := range t.Members {
		m := &t.Members[k]
		if !m.Trusted {
			continue
		}
		own, err := t.scores(ctx, m.Spec)
		if err != nil {
			return 0, "", err
		}
		alike := func(p *Pair) float64 {
			if p.Differ <= t.Differ {
				return 1
			}
			return m.m.alike[binOf(p.Scores[k])]
		}
		_, f1 := own.best(t.Pairs, alike)
		if loss := f1 - s.f1(t.Pairs, threshold, alike); loss > most {
			most, by = loss, m.Spec
		}
	}
	return most, by, nil
}
