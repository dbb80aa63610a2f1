package surrogate

import (
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/resample"
)

// How much planted copies weigh beside the alike pairs of the collection: a share of them where
// edits are the default mix, as much where edits were stated, but never less than leastPlanted
// pairs, so that a collection without duplicates is judged by them alone.
const (
	plantedShare = 0.1
	leastPlanted = 20
)

// certainly is how near to 0 or 1 a label is taken for it.
const certainly = 0.02

// mostUnit bounds the documents of a bootstrap unit: chains of doubtful pairs would make one of all.
const mostUnit = 100

// taskBytes bounds the text that a search sketches by each of its candidates. Half of it
// is for documents of pairs that can be alike, which are taken first.
const taskBytes = 8e6

// Task returns the truth as the task of a search. A pair that is alike by halves stands in
// it twice, once as either, each with its share of the weight. Of a large collection it
// has the documents of pairs that can be alike, and a sample of the others.
func (t *Truth) Task() *choose.Task {
	chance, keep := t.thin()
	s := &choose.Sample{}
	number := make([]int32, len(t.Docs)) // from 1
	of := func(d int32) int32 {
		if number[d] == 0 {
			s.Texts = append(s.Texts, t.Docs[d].Text)
			number[d] = int32(len(s.Texts))
		}
		return number[d] - 1
	}
	type edge struct{ a, b int32 }
	var edges []edge
	expected := 0.0
	for i := range t.Pairs {
		p := &t.Pairs[i]
		w := p.Weight
		if p.Alike > 0 {
			w /= keep
		} else {
			w /= chance[p.A] * chance[p.B]
		}
		if w == 0 || !t.taken(p, chance, keep) {
			continue
		}
		a, b := of(p.A), of(p.B)
		switch {
		case p.Alike <= certainly:
			s.Pairs = append(s.Pairs, choose.Pair{A: a, B: b, Weight: w})
		case p.Alike >= 1-certainly:
			s.Pairs = append(s.Pairs, choose.Pair{A: a, B: b, Weight: w, Alike: true})
		default:
			s.Pairs = append(s.Pairs,
				choose.Pair{A: a, B: b, Weight: float32(float64(w) * p.Alike), Alike: true},
				choose.Pair{A: a, B: b, Weight: float32(float64(w) * (1 - p.Alike))})
		}
		expected += float64(float64(w) * p.Alike)
		if p.Alike >= 0.5 {
			edges = append(edges, edge{a, b})
		}
	}
	f := datasets.NewForest(len(s.Texts))
	size := make([]int, len(s.Texts))
	for i := range size {
		size[i] = 1
	}
	for _, e := range edges {
		a, b := f.Root(int(e.a)), f.Root(int(e.b))
		if a != b && size[a]+size[b] <= mostUnit {
			size[min(a, b)] += size[max(a, b)]
			f.Join(a, b)
		}
	}
	for _, u := range f.Numbers() {
		s.Unit = append(s.Unit, int32(u))
		s.Units = max(s.Units, u+1)
	}
	share := plantedShare
	if t.planted {
		share = 1
	}
	each := float32(max(leastPlanted, share*expected) / float64(max(1, len(t.Copies))))
	for _, c := range t.Copies {
		if number[c.Of] == 0 {
			s.Unit = append(s.Unit, int32(s.Units))
			s.Units++
		}
		a := of(c.Of)
		s.Pairs = append(s.Pairs, choose.Pair{A: a, B: int32(len(s.Texts)), Weight: each, Alike: true})
		s.Texts = append(s.Texts, c.Text)
		s.Unit = append(s.Unit, s.Unit[a])
	}
	return &choose.Task{Name: t.Name, Checksum: t.Checksum, Profile: t.Profile, Dev: s}
}

// thin returns the probability that each document is in the task, and that of a pair
// that can be alike.
func (t *Truth) thin() (chance []float32, keep float32) {
	chance = make([]float32, len(t.Docs))
	all, held := 0.0, 0.0
	for _, d := range t.Docs {
		all += float64(len(d.Text))
	}
	hold := func(d int32) {
		if chance[d] == 0 {
			chance[d] = 1
			held += float64(len(t.Docs[d].Text))
		}
	}
	keep = 1
	for {
		clear(chance)
		held = 0
		for i := range t.Pairs {
			if p := &t.Pairs[i]; p.Alike > 0 && resample.Chance(p.A, p.B, t.seed+1) < float64(keep) {
				hold(p.A)
				hold(p.B)
			}
		}
		if all <= taskBytes || held <= taskBytes/2 || keep < 1e-3 {
			break
		}
		keep /= 2
	}
	rest := float32(min(1, max(taskBytes/2, taskBytes-held)/max(1, all-held)))
	for d := range chance {
		if chance[d] == 0 {
			chance[d] = rest
		}
	}
	return chance, keep
}

// taken reports whether a pair is in the task.
func (t *Truth) taken(p *Pair, chance []float32, keep float32) bool {
	if p.Alike > 0 {
		return resample.Chance(p.A, p.B, t.seed+1) < float64(keep)
	}
	return resample.Chance(p.A, p.A, t.seed+2) < float64(chance[p.A]) && resample.Chance(p.B, p.B, t.seed+2) < float64(chance[p.B])
}
