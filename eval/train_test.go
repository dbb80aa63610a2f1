package eval

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/ensemble"
	"github.com/alike-go/alike/similarity"
)

// pupil remembers what it was taught.
type pupil struct {
	similarity.Method
	learnt bool
	texts  *[]string
	pairs  *[][2]int
	alike  *[]bool
}

func (p pupil) Trained() bool { return p.learnt }

func (p pupil) String() string {
	if p.learnt {
		return "pupil:learnt=true"
	}
	return "pupil"
}

func (p pupil) Train(_ context.Context, texts []string, pairs [][2]int, alike []bool, _ int) (similarity.Method, error) {
	if texts == nil {
		return nil, errors.New("nothing to learn from")
	}
	*p.texts, *p.pairs, *p.alike = texts, pairs, alike
	p.learnt = true
	return p, nil
}

func newPupil() pupil {
	return pupil{Method: hidden(words{min: 3}), texts: new([]string), pairs: new([][2]int), alike: new([]bool)}
}

// What is learnt from are documents of the split that thresholds are chosen on, with the truth
// about their pairs.
func TestTrainSeesTheTuningSplit(t *testing.T) {
	for name, set := range map[string]*datasets.Set{"clusters": cluttered(7, 80), "pairs": labelled(7, 60)} {
		t.Run(name, func(t *testing.T) {
			p := newPupil()
			r := run(t, set, Config{Seed: 3}, hidden(words{min: 3}), p)
			if r[1].Method != "pupil" || r[1].Trained != "pupil:learnt=true" || r[1].FittedOn != r[1].TunedOn || r[0].Trained != "" {
				t.Errorf("%s, trained %q on %q; beside it %q", r[1].Method, r[1].Trained, r[1].FittedOn, r[0].Trained)
			}
			if r[1].F1 != r[0].F1 {
				t.Errorf("F1 %v of a method that is the other one's with %v", r[1].F1, r[0].F1)
			}
			tune, _, err := Divide(set, Config{Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			want := map[[2]string]bool{} // alike, by texts
			text := func(d int) string { return set.Docs[tune.Docs[d]].Text }
			for _, q := range tune.Pairs {
				want[[2]string{text(q.A), text(q.B)}] = q.Alike()
			}
			if tune.Pairs == nil {
				for i := range tune.Docs {
					for j := i + 1; j < len(tune.Docs); j++ {
						if !tune.Skips(i, j) {
							want[[2]string{text(i), text(j)}] = tune.Unit[i] == tune.Unit[j]
						}
					}
				}
			}
			got := map[[2]string]bool{}
			for i, q := range *p.pairs {
				got[[2]string{(*p.texts)[q[0]], (*p.texts)[q[1]]}] = (*p.alike)[i]
			}
			if len(got) != len(want) {
				t.Errorf("%d pairs to learn from, want %d", len(got), len(want))
			}
			for q, alike := range want {
				if a, ok := got[q]; !ok || a != alike {
					t.Fatalf("pair %q: learnt %v, %v, want %v", q, ok, a, alike)
				}
			}
		})
	}
}

// Of many clusters some are drawn, small ones and large ones alike, none in part but for giants.
func TestDrawClusters(t *testing.T) {
	p := &part{clusters: &clustered{}}
	rng := rand.New(rand.NewPCG(1, 1))
	add := func(n int) {
		end := int32(len(p.docs) + n)
		for range n {
			p.docs = append(p.docs, len(p.docs))
			p.clusters.end = append(p.clusters.end, end)
		}
	}
	add(500)
	for range 3000 {
		add(1 + rng.IntN(4))
	}
	docs := p.drawClusters(1)
	if len(docs) < trainDocs-5 || len(docs) > trainDocs || !slices.IsSorted(docs) {
		t.Errorf("%d documents, want about %d in order", len(docs), trainDocs)
	}
	count, single := map[int32]int{}, 0
	for _, d := range docs {
		count[p.clusters.end[d]]++
	}
	for end, n := range count {
		size := int(end)
		if end > 500 {
			for size = 1; p.clusters.end[int(end)-size-1] == end; size++ {
			}
		}
		if want := min(size, trainCluster); n != want {
			t.Errorf("%d documents of a cluster of %d, want %d", n, size, want)
		}
		if size == 1 {
			single++
		}
	}
	if single < trainDocs/4 || single > trainDocs/2 {
		t.Errorf("%d single documents of %d", single, len(docs))
	}
}

// An ensemble in a run: the records do not depend on workers, and what is recorded as trained
// names its weights.
func TestRunTrainsAnEnsemble(t *testing.T) {
	m, err := ensemble.New(ensemble.Options{Members: []similarity.Method{hidden(words{min: 1}), hidden(words{steps: 4})}})
	if err != nil {
		t.Fatal(err)
	}
	set := cluttered(7, 80)
	first := ""
	for _, workers := range []int{1, 3} {
		r := run(t, set, Config{Seed: 3, Workers: workers}, m)
		if !strings.Contains(r[0].Trained, "weights=") || strings.Contains(r[0].Method, "weights=") {
			t.Errorf("method %s, trained %s", r[0].Method, r[0].Trained)
		}
		if first == "" {
			first = r[0].Trained
		}
		if r[0].Trained != first {
			t.Errorf("trained %s with %d workers, %s with one", r[0].Trained, workers, first)
		}
	}
}
