package surrogate

import (
	"cmp"
	"math"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// Question is two documents for a reader to judge.
type Question struct {
	A, B   datasets.Doc
	Alike  float64   // probability that they are alike, by all that is known
	Differ float64   // share of words that differ; 1 for more than half
	Scores []float64 // by member of the committee
}

// Answer is what a reader says.
type Answer int

const (
	Skip Answer = iota // cannot say; the pair is not asked about again
	Yes                // they are alike
	No                 // they are not
	Stop               // no more questions
)

// Review asks for up to n answers and learns from each before the next. Questions take
// turns: one about the pair that the committee and the answers so far know least of, one
// from a walk over the scores, so that answers tell where the border lies even where the
// committee has none in doubt. No document is asked about twice as long as there are
// others. Review returns the answers; an error of ask ends it.
func (t *Truth) Review(n int, ask func(Question) (Answer, error)) ([]Label, error) {
	r := newReview(t)
	labels := slices.Clone(t.given)
	var given []Label
	for turn := 0; len(given) < n; turn++ {
		i := r.next(turn)
		if i < 0 {
			break
		}
		p := &t.Pairs[i]
		r.asked[i] = true
		r.seen[p.A], r.seen[p.B] = r.seen[p.A]+1, r.seen[p.B]+1
		answer, err := ask(t.question(p))
		if err != nil {
			return given, err
		}
		if answer == Stop {
			break
		}
		if answer == Skip {
			continue
		}
		l := t.label([2]int32{p.A, p.B}, answer == Yes)
		given = append(given, l)
		t.Learn(slices.Concat(labels, given))
	}
	return given, nil
}

func (t *Truth) label(key [2]int32, alike bool) Label {
	return Label{t.Docs[key[0]].ID, t.Docs[key[1]].ID, alike}
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
		if _, ok := t.answers[[2]int32{p.A, p.B}]; ok {
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
