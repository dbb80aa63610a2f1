package surrogate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/proportion"
)

// Question is two documents for a reader to judge.
type Question struct {
	A, B   datasets.Doc
	Alike  float64   // probability that they are alike, by all that is known
	Differ float64   // share of words that differ; 1 for more than half
	Scores []float64 // by member of the committee; nil for a removal
	Check  bool      // whether it checks the rule: A stays and B is removed
}

// Answer is what a reader says.
type Answer int

const (
	Skip Answer = iota // cannot say; the pair is not asked about again
	Yes                // they are alike
	No                 // they are not
	Stop               // no more questions
)

// Of every questionsPerCheck questions of a review, checksOf check the rule.
const (
	questionsPerCheck = 10
	checksOf          = 3
)

// Review asks up to n questions. It learns from the first seven tenths, each before the
// next is asked. Then it fixes the rule, draws removals of it at random, and asks about
// them: nothing is learned from these answers, and Choose estimates from them how many
// removals are right. Where there are too few removals, it goes on to learn. Review
// returns the answers; an error of ask ends it.
//
// Questions to learn from take turns: one about the pair that the committee and the
// answers so far know least of, one from a walk over the scores, so that answers tell
// where the border lies even where the committee has none in doubt. No document is asked
// about twice as long as there are others.
func (t *Truth) Review(ctx context.Context, n int, ask func(Question) (Answer, error)) ([]Label, error) {
	checks := n * checksOf / questionsPerCheck
	given, stopped, err := t.teach(n-checks, ask)
	if err != nil || stopped || checks == 0 {
		return given, err
	}
	rule, err := t.Rule(ctx)
	if err != nil {
		return given, err
	}
	if rule.Threshold > 0 && rule.Threshold <= 1 {
		e, err := t.Effect(ctx, rule)
		if err != nil && !errors.Is(err, errEdges) {
			return given, err
		}
		asked, stop, err := t.check(e, checks, ask)
		given = append(given, asked...)
		if stop || err != nil {
			return given, err
		}
	}
	more, _, err := t.teach(n-len(given), ask)
	return append(given, more...), err
}

// teach asks up to n questions and learns from the answers.
func (t *Truth) teach(n int, ask func(Question) (Answer, error)) (given []Label, stopped bool, err error) {
	r := newReview(t)
	for turn := 0; len(given) < n; turn++ {
		i := r.next(turn)
		if i < 0 {
			break
		}
		p := &t.Pairs[i]
		r.asked[i] = true
		r.seen[p.A], r.seen[p.B] = r.seen[p.A]+1, r.seen[p.B]+1
		answer, err := ask(t.question(p))
		if err != nil || answer == Stop {
			return given, true, err
		}
		if answer == Skip {
			continue
		}
		l := t.label([2]int32{p.A, p.B}, answer == Yes)
		given = append(given, l)
		t.Learn(append(slices.Clip(t.labels), l))
	}
	return given, false, nil
}

// check asks about up to n removals that were not judged yet.
func (t *Truth) check(e *Effect, n int, ask func(Question) (Answer, error)) (given []Label, stopped bool, err error) {
	if e == nil { // the removals cannot be listed
		return nil, false, nil
	}
	for _, r := range t.toCheck(e) {
		k := Key(r.Kept.ID, r.Removed.ID)
		if _, known := t.checks[k]; known || t.skipped[k] {
			continue
		}
		if len(given) == n {
			break
		}
		q := Question{A: r.Kept, B: r.Removed, Alike: 1, Differ: 1, Check: true}
		if share, ok := words.Differ(words.Sketch(r.Kept.Text), words.Sketch(r.Removed.Text), mostDiffer); ok {
			q.Differ = share
		}
		answer, err := ask(q)
		if err != nil || answer == Stop {
			return given, true, err
		}
		if answer == Skip {
			t.skipped[k] = true
			continue
		}
		l := Label{A: r.Kept.ID, B: r.Removed.ID, Alike: answer == Yes, Check: true}
		given = append(given, l)
		t.Learn(append(slices.Clip(t.labels), l))
	}
	return given, false, nil
}

// toCheck returns the removals that no answer to learn from was about, in an order that
// depends on their ids and the seed alone.
func (t *Truth) toCheck(e *Effect) []Removal {
	learned := map[[2]string]bool{}
	for _, l := range t.given {
		learned[Key(l.A, l.B)] = true
	}
	type place struct {
		hash uint64
		r    Removal
	}
	var order []place
	for _, r := range e.Removals {
		if k := Key(r.Kept.ID, r.Removed.ID); !learned[k] {
			order = append(order, place{xxh3.HashStringSeed(fmt.Sprintf("%q %q", k[0], k[1]), t.seed), r})
		}
	}
	slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(a.hash, b.hash) })
	out := make([]Removal, len(order))
	for i, p := range order {
		out[i] = p.r
	}
	return out
}

// checked fills in how many of the removals are right, by the answers that check a rule.
// Removals come in an order that no answer has changed, so the first ones are a uniform
// sample of them, also if answers were given for another rule.
func (t *Truth) checked(e *Effect) {
	for _, r := range t.toCheck(e) {
		k := Key(r.Kept.ID, r.Removed.ID)
		alike, ok := t.checks[k]
		if t.skipped[k] {
			continue
		}
		if !ok {
			break
		}
		e.Checked++
		if alike {
			e.Right++
		}
	}
	if e.Checked > 0 {
		e.Precision.Value = float64(e.Right) / float64(e.Checked)
		e.Precision.Low, e.Precision.High = proportion.ClopperPearson(e.Right, e.Checked, 0.95)
	}
}

func (t *Truth) label(key [2]int32, alike bool) Label {
	return Label{A: t.Docs[key[0]].ID, B: t.Docs[key[1]].ID, Alike: alike}
}

func (t *Truth) question(p *Pair) Question {
	q := Question{A: t.Docs[p.A], B: t.Docs[p.B], Alike: t.chance(p), Differ: p.Differ}
	for _, s := range p.Scores {
		q.Scores = append(q.Scores, float64(s))
	}
	return q
}

// Borderline returns up to n pairs that are in doubt, for a reader to look at: those that
// Review would ask about if nobody answered.
func (t *Truth) Borderline(n int) []Question {
	r := newReview(t)
	var out []Question
	for len(out) < n {
		i := r.next(0)
		if alike := t.chance(&t.Pairs[max(0, i)]); i < 0 || alike < certainly || alike > 1-certainly {
			break
		}
		p := &t.Pairs[i]
		r.asked[i] = true
		r.seen[p.A], r.seen[p.B] = r.seen[p.A]+1, r.seen[p.B]+1
		out = append(out, t.question(p))
	}
	return out
}

// review is the state of a review.
type review struct {
	t       *Truth
	asked   map[int]bool
	seen    map[int32]int // questions about a document
	heights []float64     // mean of the members, by pair
	order   []int         // pairs that can be alike, from the highest down
}

func newReview(t *Truth) *review {
	r := &review{t: t, asked: map[int]bool{}, seen: map[int32]int{}, heights: make([]float64, len(t.Pairs))}
	for i := range t.Pairs {
		p := &t.Pairs[i]
		r.heights[i] = t.traits(p)[2]
		_, learned := t.answers[[2]int32{p.A, p.B}]
		if _, checked := t.checks[Key(t.Docs[p.A].ID, t.Docs[p.B].ID)]; learned || checked {
			r.asked[i] = true
			r.seen[p.A], r.seen[p.B] = r.seen[p.A]+1, r.seen[p.B]+1
		}
		if !p.far && t.Docs[p.A].Text != t.Docs[p.B].Text {
			r.order = append(r.order, i)
		}
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(r.heights[b], r.heights[a]) })
	return r
}

// walkPast is how far the walk over the scores goes, in expected alike pairs.
const walkPast = 1.3

// next returns the pair to ask about, -1 for none.
func (r *review) next(turn int) int {
	least := math.MaxInt
	for _, i := range r.order {
		if !r.asked[i] {
			least = min(least, r.met(i))
		}
	}
	if least == math.MaxInt {
		return -1
	}
	if turn%2 == 1 {
		if i := r.walk(turn/2, least); i >= 0 {
			return i
		}
	}
	best, most := -1, -1.0
	for _, i := range r.order {
		if r.asked[i] || r.met(i) > least {
			continue
		}
		if v := r.doubt(i); v > most {
			best, most = i, v
		}
	}
	return best
}

// met returns how often the documents of a pair were asked about.
func (r *review) met(i int) int {
	p := &r.t.Pairs[i]
	return max(r.seen[p.A], r.seen[p.B])
}

// doubt is how little is known of a pair: the variance of its label, and that of the
// members' views.
func (r *review) doubt(i int) float64 {
	p := &r.t.Pairs[i]
	sum, squares, n := 0.0, 0.0, 0.0
	for k := range r.t.Members {
		if m := &r.t.Members[k]; m.Trusted {
			v := m.m.alike[binOf(p.Scores[k])]
			sum, squares, n = sum+v, squares+float64(v*v), n+1
		}
	}
	alike := r.t.chance(p)
	return float64(alike*(1-alike)) + (squares/max(1, n)-float64(sum/max(1, n)*(sum/max(1, n))))/4
}

// walk returns the pair at a place among the expected alike ones and a little past them,
// in the order of height. The places of successive steps lie by the golden ratio, which
// fills the range evenly however many there are.
func (r *review) walk(step, least int) int {
	all := 0.0
	for _, i := range r.order {
		all += r.mass(i)
	}
	_, place := math.Modf(float64(step+1) * (math.Sqrt(5) - 1) / 2)
	want := place * all * walkPast
	for _, i := range r.order {
		if want -= r.mass(i); want <= 0 && !r.asked[i] && r.met(i) <= least {
			return i
		}
	}
	return -1
}

// chance returns the probability that a pair is alike, where nobody said what is wanted by
// all readings.
func (t *Truth) chance(p *Pair) float64 {
	if t.Labels == 0 {
		return t.likely(p)
	}
	return p.Alike
}

// mass is what a pair counts in the walk: what it stands for as an alike pair, and a
// little for all that the committee does not rule out.
func (r *review) mass(i int) float64 {
	p := &r.t.Pairs[i]
	alike := r.t.chance(p)
	if p.Vote > 0 {
		alike = max(alike, doubtless)
	}
	return float64(float64(p.Weight) * alike)
}
