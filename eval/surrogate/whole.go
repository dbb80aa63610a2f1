package surrogate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/resample"
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

// Count estimates the sum of a function over all pairs of the collection. The interval
// is by bootstrap over the queries of each stratum; one that is queried in full leaves
// nothing to chance. If Docs is a sample, the pairs that other samples would miss or have
// besides come on top: a share f of the documents leaves the variance (1-f) times the sum of
// squares of what each document is part of (Hájek's projection), or less.
func (t *Truth) Count(of func(p *Pair) float64) Estimate {
	type part struct {
		query int32
		value float64
	}
	var parts []part
	sum := 0.0
	each := make([]float64, len(t.Docs))
	for i := range t.Pairs {
		p := &t.Pairs[i]
		v := of(p)
		if v == 0 {
			continue
		}
		each[p.A] += v * float64(p.Weight)
		each[p.B] += v * float64(p.Weight)
		for k, d := range [2]int32{p.A, p.B} {
			if p.by[k] > 0 {
				parts = append(parts, part{d, v * float64(p.by[k])})
				sum += v * float64(p.by[k])
			}
		}
	}
	spread := 0.0
	for _, v := range each {
		spread += float64(v * v)
	}
	spread = math.Sqrt(spread * (1 - float64(len(t.Docs))/float64(t.Of)))
	rng := rand.New(rand.NewPCG(t.seed, uint64(len(parts))))
	times := make([]int32, len(t.Docs))
	values := make([]float32, resamples)
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
		values[n] = float32(max(0, total))
	}
	i := eval.Interval95(values)
	return Estimate{sum, i.Low, i.High}
}

// Wanted estimates the pairs of the collection that are what w says.
func (t *Truth) Wanted(w dedup.Want) Estimate {
	return t.Count(func(p *Pair) float64 { return t.wanted(w, p) })
}

// Expected estimates the alike pairs of the collection, after what was learnt from answers.
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

// copiesRule finds all copies and nothing else. Of two texts of which a share d of the
// longer one's words differ, at least 1-d of these words stand in both, so that the bags of
// words resemble each other by (1-d)/(1+d) or more.
func (t *Truth) copiesRule() Rule {
	d := t.Differ
	return Rule{Method: "shingle:bag=true,tokens=single,width=1", Threshold: 1 - d, Verify: "words", Candidates: math.Floor((1-d)/(1+d)*1e6) / 1e6}
}

// Effect is what a rule does on the whole collection: counted, not estimated.
type Effect struct {
	Rule    Rule `json:"rule"`
	Removed int  `json:"removed"` // documents that alike dedup removes
	Docs    int  `json:"docs"`    // of the collection that have a text

	// Sampled is how many of the removed documents were compared, word by word, with the
	// document that stays instead, and Copies how many of them are copies. Share is their
	// share, with the exact interval of Clopper and Pearson (Biometrika 1934).
	Sampled int      `json:"sampled"`
	Copies  int      `json:"copies"`
	Share   Estimate `json:"copies_share"`
}

// removalSample is how many removed documents are compared word by word.
const removalSample = 1000

// mostEdges bounds the pairs that are looked at to find what a rule removes.
const mostEdges = 20_000_000

var errEdges = errors.New("too many pairs to look at each")

// Effect runs a rule on the whole collection. It removes as package dedup does: equal texts
// first, and then in the order of the documents each is kept that is not removed yet, and
// those after it that are alike to it are removed.
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
	_, sketches, err := t.sketch(ctx, docs, c)
	if err != nil {
		return nil, err
	}
	leader := make([]int32, len(docs))
	for i := range leader {
		leader[i] = int32(i)
	}
	var lists []align.WordList // of documents that were compared
	differ := func(a, b int) bool {
		if lists == nil {
			lists = make([]align.WordList, len(docs))
		}
		for _, i := range []int{a, b} {
			if lists[i] == nil {
				lists[i] = words.Sketch(docs[i].Text)
			}
		}
		_, ok := words.Differ(lists[a], lists[b], t.Differ)
		return ok
	}
	least := r.Threshold
	if r.Verify != "" {
		least = r.Candidates
	}
	// Pairs come in ascending order, so that what happens to the first of a pair is
	// decided before.
	edges := 0
	_, err = sketches.Join(ctx, nil, similarity.JoinOptions{Threshold: least, Workers: t.workers}, func(p similarity.Pair) error {
		if edges++; edges > mostEdges {
			return errEdges
		}
		if leader[p.A] == int32(p.A) && leader[p.B] == int32(p.B) && (r.Verify == "" || differ(p.A, p.B)) {
			leader[p.B] = int32(p.A)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("surrogate: %s from %v on: %w", r.Method, least, err)
	}
	var removed []int
	for i, l := range leader {
		if l != int32(i) {
			removed = append(removed, i)
		}
	}
	equal := len(t.all) - len(docs)
	e.Removed = len(removed) + equal
	// Equal texts are copies; the others are sampled evenly.
	step := max(1, float64(len(removed))/removalSample)
	for at := 0.0; int(at) < len(removed); at += step {
		d := removed[int(at)]
		e.Sampled++
		if differ(int(leader[d]), d) {
			e.Copies++
		}
	}
	if r.Verify == "" {
		e.Share = clopperPearson(e.Copies, e.Sampled)
	}
	return e, nil
}

// clopperPearson returns k of n as a share with its exact 95 % interval; NaN for none of 0.
func clopperPearson(k, n int) Estimate {
	if n == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	e := Estimate{float64(k) / float64(n), 0, 1}
	if k > 0 {
		e.Low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(0.025)
	}
	if k < n {
		e.High = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(0.975)
	}
	return e
}
