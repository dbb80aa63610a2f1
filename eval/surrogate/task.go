package surrogate

import (
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
)

// How much planted copies weigh beside the alike pairs of the collection: a share of them where
// edits are the default mix, as much where edits were stated, but never less than leastPlanted
// pairs, so that a collection without duplicates is judged by them alone.
const (
	plantedShare = 0.1
	leastPlanted = 20
)

// certain is how near to 0 or 1 a label is taken for it.
const certain = 0.02

// mostUnit bounds the documents of a bootstrap unit: chains of doubtful pairs would make one of all.
const mostUnit = 100

// Task returns the truth as the task of a search. A pair that is alike by halves stands in
// it twice, once as either, each with its share of the weight.
func (t *Truth) Task() *choose.Task {
	s := &choose.Sample{}
	f := datasets.NewForest(len(t.Docs))
	size := make([]int, len(t.Docs))
	for i, d := range t.Docs {
		s.Texts = append(s.Texts, d.Text)
		size[i] = 1
	}
	expected := 0.0
	for _, p := range t.Pairs {
		w := t.stands(&p)
		switch {
		case p.Alike <= certain:
			s.Pairs = append(s.Pairs, choose.Pair{A: p.A, B: p.B, Weight: float32(w)})
		case p.Alike >= 1-certain:
			expected += w
			s.Pairs = append(s.Pairs, choose.Pair{A: p.A, B: p.B, Weight: float32(w), Alike: true})
		default:
			expected += float64(w * p.Alike)
			s.Pairs = append(s.Pairs,
				choose.Pair{A: p.A, B: p.B, Weight: float32(w * p.Alike), Alike: true},
				choose.Pair{A: p.A, B: p.B, Weight: float32(w * (1 - p.Alike))})
		}
		if p.Alike >= 0.5 {
			a, b := f.Root(int(p.A)), f.Root(int(p.B))
			if a != b && size[a]+size[b] <= mostUnit {
				size[min(a, b)] += size[max(a, b)]
				f.Join(a, b)
			}
		}
	}
	for _, u := range f.Numbers() {
		s.Unit = append(s.Unit, int32(u))
		s.Units = max(s.Units, u+1)
	}
	share := plantedShare
	if t.stated {
		share = 1
	}
	each := float32(max(leastPlanted, share*expected) / float64(max(1, len(t.Copies))))
	for _, c := range t.Copies {
		s.Pairs = append(s.Pairs, choose.Pair{A: c.Of, B: int32(len(s.Texts)), Weight: each, Alike: true})
		s.Texts = append(s.Texts, c.Text)
		s.Unit = append(s.Unit, s.Unit[c.Of])
	}
	return &choose.Task{Name: t.Name, Checksum: t.Checksum, Profile: t.Profile, Dev: s}
}

// Expected returns the expected number of alike pairs of the sample.
func (t *Truth) Expected() float64 {
	sum := 0.0
	for i := range t.Pairs {
		sum += float64(t.stands(&t.Pairs[i]) * t.Pairs[i].Alike)
	}
	return sum
}

// stands returns how many pairs a pair stands for where the collection is larger than the sample. A sample keeps
// alike documents together, so there are grow times as many of the pairs that are not alike for each that
// is, and the probability to be alike is that among all these: of a pair that is alike with probability q in
// the sample, q + (1-q)·grow pairs are made, of which q are alike.
func (t *Truth) stands(p *Pair) float64 {
	return float64(p.Weight) * t.grow / (1 - p.Alike + float64(p.Alike*t.grow))
}
