package surrogate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/internal/proportion"
	"github.com/alike-go/alike/similarity"
)

// Estimate is a number with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// resamples is how often queries are drawn for an interval.
const resamples = 400

// Count estimates the sum of a function over all pairs of the collection. The interval is
// by bootstrap over the queries of each stratum. One that is queried in full leaves to
// chance only which pairs were drawn: a pair with probability p adds the variance (1-p)
// times the square of what it stands for (Horvitz and Thompson). If Docs is a sample, the
// pairs that other samples would miss or have besides come on top: a share f of the
// documents leaves the variance (1-f) times the sum of squares of what each document is
// part of (Hájek's projection), or less.
func (t *Truth) Count(of func(p *Pair) float64) Estimate {
	type part struct {
		query int32
		value float64
	}
	var parts []part
	sum, variance := 0.0, 0.0
	full := make([]bool, len(t.Docs)) // in a stratum that is queried in full
	for k, s := range t.strata {
		for _, d := range s {
			full[d] = t.drawn[k] == len(s)
		}
	}
	each := make([]float64, len(t.Docs))
	for i := range t.Pairs {
		p := &t.Pairs[i]
		v := of(p)
		if v == 0 {
			continue
		}
		each[p.A] += v * float64(p.Weight)
		each[p.B] += v * float64(p.Weight)
		drawn := 0.0
		for k, d := range [2]int32{p.A, p.B} {
			if full[d] {
				drawn += v * float64(p.by[k])
			}
			if p.by[k] > 0 {
				parts = append(parts, part{d, v * float64(p.by[k])})
				sum += v * float64(p.by[k])
			}
		}
		variance += float64(drawn * drawn * (1 - float64(p.chance)))
	}
	squares := 0.0
	for _, v := range each {
		squares += float64(v * v)
	}
	spread := math.Sqrt(variance + float64(squares*(1-float64(t.sampled)/float64(t.Of))))
	rng := rand.New(rand.NewPCG(t.seed, uint64(len(parts))))
	times := make([]int32, len(t.Docs))
	values := make([]float64, resamples)
	for n := range values {
		for k, s := range t.strata {
			queries := s[:t.drawn[k]]
			drawn := make([]int32, len(queries))
			if len(queries) == len(s) {
				for i := range drawn {
					drawn[i] = 1
				}
			} else {
				resample.Draw(drawn, t.seed+uint64(k), n)
			}
			for i, q := range queries {
				times[q] = drawn[i]
			}
		}
		total := spread * rng.NormFloat64()
		for _, p := range parts {
			total += float64(p.value * float64(times[p.query]))
		}
		values[n] = max(0, total)
	}
	if sum == 0 {
		return Estimate{High: t.unseen()}
	}
	slices.Sort(values)
	quantile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, values, nil) }
	return Estimate{sum, quantile(0.025), quantile(0.975)}
}

// unseen returns how many pairs of a kind there may be if none was seen: -ln(.025) is the
// largest mean of a Poisson distribution that gives 0 with a probability of .025 or more,
// and each pair would stand for some others. It assumes that pairs of the kind are among
// the highest of their queries, all of which are drawn. If all documents are queries, it
// is 0.
func (t *Truth) unseen() float64 {
	most := 1.0
	for _, w := range t.perQuery() {
		most = max(most, 2*w)
	}
	if most == 1 {
		return 0
	}
	return float64(-math.Log(0.025) * most)
}

// Wanted estimates the pairs of the collection that are what w says.
func (t *Truth) Wanted(w dedup.Want) Estimate {
	return t.Count(func(p *Pair) float64 { return t.wanted(w, p) })
}

// Expected estimates the alike pairs of the collection, after what was learnt from
// answers.
func (t *Truth) Expected() Estimate {
	return t.Count(func(p *Pair) float64 { return p.Alike })
}

// Rule says which documents alike dedup removes: those that score at least Threshold with
// one that stays.
type Rule struct {
	Method    string  `json:"method"` // decides, or finds candidates where Verify is stated
	Threshold float64 `json:"threshold"`

	// Verify is the method that decides about pairs that score at least Candidates by
	// Method; "" where Method decides.
	Verify     string  `json:"verify,omitempty"`
	Candidates float64 `json:"candidates,omitempty"`
}

// CopiesRule finds all copies and nothing else.
func (t *Truth) CopiesRule() Rule { return wordsRule(1 - t.Differ) }

// spare lowers Differ until no reply is removed because of what it quotes: a word of
// assent above a long quote differs from what it quotes in few words. A Differ that was
// stated stays. It returns how many replies the first Differ would have removed.
func (t *Truth) spare(ctx context.Context) (replies int, err error) {
	if t.Want != dedup.Copies || t.Labels > 0 || t.differed || t.Shape.Quotes <= manyQuotes {
		return 0, nil
	}
	for first := true; ; first = false {
		e, err := t.Effect(ctx, t.CopiesRule())
		if err != nil {
			return 0, err
		}
		if first {
			replies = e.Replies
		}
		if e.Replies == 0 || t.Differ < leastDiffer {
			return replies, nil
		}
		t.Differ /= 2
	}
}

// leastDiffer is the share of words below which spare lowers Differ no further.
const leastDiffer = 0.005

// Effect is what a rule does on the whole collection.
type Effect struct {
	Rule Rule `json:"rule"`

	// Removed is the number of documents that alike dedup removes: counted, or where that
	// takes long estimated from a random sample of the documents, of Docs that have a text.
	Removed Estimate `json:"removed"`
	Docs    int      `json:"docs"`

	// Replies is how many of the removed documents have little in common with the one that
	// stays but what they quote, where the collection quotes and the removed were counted.
	Replies int `json:"replies,omitempty"`

	// Sampled is how many of the removed documents that equal no other were compared, word by
	// word, with the document that stays instead, and Copies how many of them are copies.
	// Share is their share, with its exact interval if not all were compared. All are 0
	// where they are copies by the rule, or Removed is estimated.
	Sampled int      `json:"sampled"`
	Copies  int      `json:"copies"`
	Share   Estimate `json:"copies_share"`

	// Checked is how many removed documents that equal no other a reader has judged, of a
	// uniform sample that was drawn after the rule was fixed, and Right how many of them are
	// alike to the document that stays instead. Precision is their share, with its exact
	// interval (Clopper and Pearson, Biometrika 1934). All are 0 without such answers.
	Checked   int      `json:"checked"`
	Right     int      `json:"right"`
	Precision Estimate `json:"precision"`

	// Removals are the removed documents that equal no other, if Removed was counted.
	Removals []Removal `json:"-"`
}

// Removal is a document that a rule removes, and the one that stays instead.
type Removal struct{ Kept, Removed datasets.Doc }

// removalSample is how many removed documents are compared word by word.
const removalSample = 1000

// mostEdges bounds the pairs that are looked at to find what a rule removes.
const mostEdges = 20_000_000

var errEdges = errors.New("too many pairs to look at each")

// A rule is run on all documents where its threshold is at least countFrom, the documents
// are at most countDocs, or copies are decided word by word. Joins below that threshold
// look at most pairs.
const (
	countFrom = 0.6
	countDocs = 2000
)

// Effect runs a rule on the whole collection. It removes as package dedup does: equal
// texts first, and then in the order of the documents each is kept that is not removed
// yet, and those after it that are alike to it are removed.
func (t *Truth) Effect(ctx context.Context, r Rule) (*Effect, error) {
	c, err := choose.NewCandidate(r.Method)
	if err != nil {
		return nil, fmt.Errorf("surrogate: %w", err)
	}
	e := &Effect{Rule: r, Docs: len(t.all)}
	first := map[dedup.Hash]bool{}
	var docs []datasets.Doc
	for _, d := range t.all {
		if h := dedup.HashText(d.Text); !first[h] {
			first[h] = true
			docs = append(docs, d)
		}
	}
	sketches, err := t.sketch(ctx, docs, t.all, c) // as alike fit does, on all of them
	if err != nil {
		return nil, err
	}
	if r.Verify == "" && r.Threshold < countFrom && len(docs) > countDocs {
		err = t.estimate(ctx, e, sketches)
	} else {
		err = t.count(ctx, e, docs, sketches)
	}
	if err != nil {
		return nil, fmt.Errorf("surrogate: %s: %w", r.Method, err)
	}
	t.checked(e)
	equal := float64(len(t.all) - len(docs))
	e.Removed.Value += equal
	e.Removed.Low += equal
	e.Removed.High += equal
	return e, nil
}

// How many documents, drawn at random, an estimate follows, and for how many documents it
// asks for the scores with all others.
const (
	followed = 400
	mostRows = 1600
)

// estimate says how many documents a rule removes. Whether a document is removed depends
// only on those before it that are alike to it, and on those before these; for a
// random sample all of them are looked up.
func (t *Truth) estimate(ctx context.Context, e *Effect, sketches similarity.Collection) error {
	n := sketches.Len()
	queries := t.shuffled(n)[:min(n, followed)]
	before := map[int32][]int32{} // of each document looked at, those before it that are alike to it
	for need := queries; len(need) > 0; {
		if len(before)+len(need) > mostRows {
			return errEdges
		}
		found := make([][]int32, len(need))
		at := make(map[int]int, len(need))
		for i, d := range need {
			at[int(d)] = i
		}
		err := sketch.Against(ctx, []similarity.Collection{sketches}, need, t.workers, nil, func() (func(int, [][]float32), func()) {
			return func(d int, rows [][]float32) {
				for b, v := range rows[0][:d] {
					if float64(v) >= e.Rule.Threshold {
						found[at[d]] = append(found[at[d]], int32(b))
					}
				}
			}, func() {}
		})
		if err != nil {
			return err
		}
		for i, d := range need {
			before[d] = found[i]
		}
		need = nil
		for _, list := range found {
			for _, b := range list {
				if _, ok := before[b]; !ok {
					before[b] = nil
					need = append(need, b)
				}
			}
		}
	}
	removed := map[int32]bool{}
	for _, d := range slices.Sorted(maps.Keys(before)) {
		removed[d] = slices.ContainsFunc(before[d], func(b int32) bool { return !removed[b] })
	}
	k := 0
	for _, q := range queries {
		if removed[q] {
			k++
		}
	}
	low, high := proportion.ClopperPearson(k, len(queries), 0.95)
	e.Removed = Estimate{float64(n) * float64(k) / float64(len(queries)), float64(n) * low, float64(n) * high}
	return nil
}

// count counts the documents that a rule removes of those with different texts.
func (t *Truth) count(ctx context.Context, e *Effect, docs []datasets.Doc, sketches similarity.Collection) error {
	r := e.Rule
	leader := make([]int32, len(docs))
	for i := range leader {
		leader[i] = int32(i)
	}
	var lists []align.WordList // of documents that were compared
	list := func(i int) align.WordList {
		if lists == nil {
			lists = make([]align.WordList, len(docs))
		}
		if lists[i] == nil {
			lists[i] = words.Sketch(docs[i].Text)
		}
		return lists[i]
	}
	least := r.Threshold
	if r.Verify != "" {
		least = r.Candidates
	}
	// Pairs come in ascending order, so that what happens to the first of a pair is
	// decided before.
	edges := 0
	_, err := sketches.Join(ctx, nil, similarity.JoinOptions{Threshold: least, Workers: t.workers}, func(p similarity.Pair) error {
		if edges++; edges > mostEdges {
			return errEdges
		}
		if leader[p.A] == int32(p.A) && leader[p.B] == int32(p.B) && (r.Verify == "" || words.Score(list(p.A), list(p.B)) >= r.Threshold) {
			leader[p.B] = int32(p.A)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var removed []int
	for i, l := range leader {
		if l != int32(i) {
			removed = append(removed, i)
		}
	}
	n := float64(len(removed))
	e.Removed = Estimate{n, n, n}
	for _, d := range removed {
		e.Removals = append(e.Removals, Removal{docs[leader[d]], docs[d]})
	}
	if t.Shape.Quotes > manyQuotes {
		for _, r := range e.Removals {
			if replies(r.Kept.Text, r.Removed.Text) {
				e.Replies++
			}
		}
	}
	if r.Verify != "" {
		return nil
	}
	step := max(1, float64(len(removed))/removalSample)
	for at := 0.0; int(at) < len(removed); at += step {
		d := removed[int(at)]
		e.Sampled++
		if _, ok := words.Differ(list(int(leader[d])), list(d), t.Differ); ok {
			e.Copies++
		}
	}
	if e.Sampled > 0 {
		share := float64(e.Copies) / float64(e.Sampled)
		e.Share = Estimate{share, share, share}
		if e.Sampled < len(removed) {
			e.Share.Low, e.Share.High = proportion.ClopperPearson(e.Copies, e.Sampled, 0.95)
		}
	}
	return nil
}
