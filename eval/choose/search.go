package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

// finalists is the number of candidates that are judged on test at most: the best on
// dev and those of the front.
const finalists = 24

// errBrake ends a rung that the deadline cut short.
var errBrake = errors.New("choose: out of time")

// Search divides a labelled set and searches it; see SearchTask.
func Search(ctx context.Context, set *datasets.Set, o Options) (Result, error) {
	t, err := NewTask(ctx, set, o)
	if err != nil {
		return Result{}, err
	}
	return SearchTask(ctx, t, o)
}

// SearchTask finds the candidate that serves the goal best. Candidates are dropped rung by
// rung by their figures on dev; the last third are judged on all of it, and those of
// them that might be taken on test. It is an error if the candidates are none, or none keeps within
// MaxBytesPerDoc.
func SearchTask(ctx context.Context, t *Task, o Options) (Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	candidates := o.Candidates
	if candidates == nil {
		candidates = Space(t.Profile)
	}
	if len(candidates) == 0 {
		return Result{}, errors.New("choose: no candidates")
	}
	h := &halving{t: t, o: o, candidates: candidates, trials: make([]Trial, len(candidates))}
	if !o.NoDeadline {
		h.deadline = time.Now().Add(o.Budget * 3 / 4)
	}
	var rungs []rung
	work := o.Budget.Seconds() * 2 * workShare
	rungs, h.result.Work = plan(t.Dev, candidates, work)
	h.result.OverWork = h.result.Work > work
	alive := make([]int, len(candidates))
	for i := range alive {
		alive[i] = i
	}
	for n, r := range rungs {
		if n > 0 {
			alive = h.keep(alive, r.candidates)
		}
		done, err := h.rung(ctx, alive, r, float64(n)/float64(len(rungs)), 1/float64(len(rungs)))
		if err != nil {
			return Result{}, err
		}
		if h.result.Braked && len(done) == 0 {
			break // what the rung before says stands
		}
		if alive = done; o.MaxBytesPerDoc > 0 {
			alive = slices.DeleteFunc(alive, func(i int) bool { return float64(h.trials[i].BytesPerDoc) > o.MaxBytesPerDoc })
		}
		if len(alive) == 0 {
			return Result{}, fmt.Errorf("choose: no candidate takes %v bytes a document or less", o.MaxBytesPerDoc)
		}
		if h.result.Braked {
			break
		}
	}
	return h.finish(ctx, alive)
}

// halving is a search under way.
type halving struct {
	t          *Task
	o          Options
	candidates []Candidate
	trials     []Trial // by candidate
	deadline   time.Time
	result     Result
}

// rung judges candidates on a share of dev, and returns those it came to before the deadline.
func (h *halving) rung(ctx context.Context, alive []int, r rung, from, span float64) (done []int, err error) {
	s := h.t.Dev.Shrink(r.share, h.o.Seed)
	h.result.Rungs = append(h.result.Rungs, Rung{len(alive), r.share, len(s.Texts), len(s.Pairs)})
	picked := make([]Candidate, len(alive))
	for k, i := range alive {
		picked[k] = h.candidates[i]
	}
	err = Rank(ctx, s, s, picked, h.o.Workers, func(k int, x Ranked) error {
		i := alive[k]
		h.trials[i] = newTrial(picked[k], x, h.o.Goal, r.share)
		done = append(done, i)
		h.o.Progress(0.05+0.8*(from+span*float64(len(done))/float64(len(alive))), "candidates")
		if !h.deadline.IsZero() && time.Now().After(h.deadline) {
			return errBrake
		}
		return nil
	})
	if errors.Is(err, errBrake) {
		h.result.Braked = len(done) < len(alive) || r.share < 1
		err = nil
	}
	slices.Sort(done)
	return done, err
}

// newTrial judges a ranking on dev.
func newTrial(c Candidate, x Ranked, g Goal, share float64) Trial {
	threshold, at := x.Best(g)
	bytes, blank := 0, 0
	n := x.Sketches.Len()
	for d := range n {
		bytes += x.Sketches.Bytes(d)
		if x.Sketches.Blank(d) {
			blank++
		}
	}
	undefined := eval.Figure(math.NaN())
	return Trial{
		Spec: c.Spec, Share: share, Threshold: eval.Figure(threshold), Dev: quality(g, at, x.AP()),
		BytesPerDoc: eval.Figure(float64(bytes) / float64(n)), Blank: float64(blank) / float64(n),
		Nominal: c.cost.us(), SketchMBs: undefined, PairsS: undefined,
	}
}

func quality(g Goal, c eval.Confusion, ap float64) Quality {
	undefined := eval.Figure(math.NaN())
	return Quality{
		Precision: eval.Figure(c.Precision()), Recall: eval.Figure(c.Recall()), F1: eval.Figure(c.F1()), AP: eval.Figure(ap),
		Value: eval.Figure(g.Value(c)), Low: undefined, High: undefined, Reached: g.Reached(c),
	}
}

// keep returns so many of the candidates: half of them the best by value, the others
// front by front of those that no other beats in value, bytes and nominal speed at once.
func (h *halving) keep(alive []int, n int) []int {
	if n >= len(alive) {
		return alive
	}
	order := h.order(alive)
	out := slices.Clone(order[:(n+1)/2])
	rest := order[(n+1)/2:]
	for len(out) < n {
		layer := h.front(rest)
		layer = layer[:min(len(layer), n-len(out))]
		out = append(out, layer...)
		rest = slices.DeleteFunc(slices.Clone(rest), func(i int) bool { return slices.Contains(layer, i) })
	}
	slices.Sort(out)
	return out
}

// order returns candidates from the best on dev down: by value, then average precision,
// then bytes, then their place in the space.
func (h *halving) order(alive []int) []int {
	out := slices.Clone(alive)
	slices.SortFunc(out, func(a, b int) int {
		x, y := &h.trials[a], &h.trials[b]
		return cmp.Or(
			cmp.Compare(y.Dev.Value, x.Dev.Value), cmp.Compare(y.Dev.AP, x.Dev.AP),
			cmp.Compare(x.BytesPerDoc, y.BytesPerDoc), cmp.Compare(a, b))
	})
	return out
}

// front returns those of the candidates, given from the best down, that no other of them
// beats or equals in value, bytes and nominal speed at once.
func (h *halving) front(order []int) []int {
	var out []int
	for _, i := range order {
		x := &h.trials[i]
		beaten := slices.ContainsFunc(out, func(j int) bool {
			y := &h.trials[j] // at least as good, since it comes before
			return y.BytesPerDoc <= x.BytesPerDoc && y.Nominal <= x.Nominal
		})
		if !beaten {
			out = append(out, i)
		}
	}
	return out
}
