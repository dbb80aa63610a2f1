package choose

import (
	"context"
	"fmt"
	"math"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/internal/resample"
)

// Task is what a search is made on: documents and labelled pairs to choose on and
// to report on. NewTask makes one of a labelled set; whoever has truth of another kind fills it in.
type Task struct {
	Name     string
	Checksum string // of the data, for records
	Profile  Profile
	Dev      *Sample

	Shared int // see Result

	// Test may be nil: then nothing is reported but what was chosen on.
	Test *Sample
}

// Bounds on the pairs of a part that are scored. The pairs that are alike are thinned beyond
// theirs; those of a set whose truth is pairs all to this number.
const (
	mostPositives = 10_000
	mostLabelled  = 20_000
)

// NewTask divides a set as package eval does and draws the pairs to score. It needs
// labelled pairs or clusters, some of them of at least two documents, on both sides.
func NewTask(ctx context.Context, set *datasets.Set, o Options) (*Task, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	dev, test, err := eval.Divide(set, eval.Config{Seed: o.Seed, MaxDocs: math.MaxInt, Join: "never", StrictSplits: o.StrictSplits})
	if err != nil {
		return nil, fmt.Errorf("choose: %w", err)
	}
	t := &Task{Name: set.Name, Checksum: set.Checksum(), Profile: ProfileOf(set.Docs), Shared: test.Shared}
	if t.Dev, err = newSample(ctx, set, dev, t.Profile, o); err != nil {
		return nil, err
	}
	o.Progress(0.02, "pairs to score")
	t.Test, err = newSample(ctx, set, test, t.Profile, o)
	return t, err
}

// newSample returns the documents of a part and the pairs of it to score.
func newSample(ctx context.Context, set *datasets.Set, p *eval.Part, profile Profile, o Options) (*Sample, error) {
	s := &Sample{Units: p.Units}
	for k, d := range p.Docs {
		s.Texts = append(s.Texts, set.Docs[d].Text)
		s.Unit = append(s.Unit, int32(p.Unit[k]))
	}
	var err error
	if p.Pairs != nil {
		s.label(p.Pairs, o.Seed)
	} else if s, err = s.draw(ctx, p, profile, o); err != nil {
		return nil, err
	}
	alike := 0
	for _, q := range s.Pairs {
		if q.Alike {
			alike++
		}
	}
	if alike == 0 || alike == len(s.Pairs) {
		return nil, fmt.Errorf("choose: %s has %d pairs of which %d are alike in %s, want some of either kind", set.Name, len(s.Pairs), alike, p.Name)
	}
	return s, nil
}

// label takes labelled pairs, of which it thins what is too many, and the documents that
// are in them.
func (s *Sample) label(pairs []datasets.Pair, seed uint64) {
	keep := min(1, float64(mostLabelled)/float64(len(pairs)))
	number := make([]int32, len(s.Texts)) // from 1
	out := Sample{Units: s.Units}
	of := func(d int) int32 {
		if number[d] == 0 {
			out.Texts, out.Unit = append(out.Texts, s.Texts[d]), append(out.Unit, s.Unit[d])
			number[d] = int32(len(out.Texts))
		}
		return number[d] - 1
	}
	for _, p := range pairs {
		if resample.Chance(int32(p.A), int32(p.B), seed) < keep {
			a, b := of(p.A), of(p.B)
			out.Pairs = append(out.Pairs, Pair{a, b, float32(1 / keep), p.Alike()})
		}
	}
	// Units that nothing is left of would be drawn for nothing.
	unit := map[int32]int32{}
	for i, u := range out.Unit {
		if _, ok := unit[u]; !ok {
			unit[u] = int32(len(unit))
		}
		out.Unit[i] = unit[u]
	}
	out.Units = len(unit)
	*s = out
}

// draw draws the pairs to score of a part whose truth is clusters; of more documents
// than the options allow it takes a sample of clusters first.
func (s *Sample) draw(ctx context.Context, p *eval.Part, profile Profile, o Options) (*Sample, error) {
	size := make([]int, s.Units)
	for _, u := range s.Unit {
		size[u]++
	}
	several := make([]bool, s.Units)
	for u, n := range size {
		several[u] = n > 1
	}
	t := takeUnits(several, float64(o.MaxDocs)/2/float64(len(s.Texts)), o.Seed)
	out, doc := s.pick(t)
	number := make([]int, len(out.Texts)) // in the part
	unit := make([]int32, out.Units)      // in the part, by unit taken
	members := make([][]int32, out.Units)
	positives := 0
	for i, d := range doc {
		if d < 0 {
			continue
		}
		u := out.Unit[d]
		number[d], unit[u] = i, s.Unit[i]
		positives += len(members[u])
		members[u] = append(members[u], d)
	}
	keep := min(1, mostPositives/float64(positives))
	for u, m := range members {
		for k, a := range m {
			for _, b := range m[k+1:] {
				if !p.Skips(number[a], number[b]) && resample.Chance(a, b, o.Seed) < keep {
					out.Pairs = append(out.Pairs, Pair{a, b, t.inverse[unit[u]] / float32(keep), true})
				}
			}
		}
	}
	d := drawer{
		s: out, positives: positives, workers: o.Workers, seed: o.Seed,
		skips:  func(a, b int32) bool { return out.Unit[a] == out.Unit[b] || p.Skips(number[a], number[b]) },
		weight: func(a, b int32) float32 { return t.weight(unit[out.Unit[a]], unit[out.Unit[b]]) },
	}
	return out, d.draw(ctx, proxies[profile])
}
