package eval

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// Trainer is implemented by methods that learn from labelled pairs, such as ensembles. A run
// trains those that have not been on the split that it tunes on, after all fits and
// before thresholds are chosen.
type Trainer interface {
	similarity.Method

	// Trained reports whether it has learnt from pairs.
	Trained() bool

	// Train returns a method that has learnt from pairs of texts, by number, of which alike
	// says whether they are. The method itself is unchanged. The result does not depend
	// on the number of workers.
	Train(ctx context.Context, texts []string, pairs [][2]int, alike []bool, workers int) (similarity.Method, error)
}

// trains reports whether a run trains the method.
func trains(m similarity.Method) bool {
	t, ok := m.(Trainer)
	return ok && !t.Trained()
}

// Training sees at most so many labelled pairs, taken evenly, or the pairs of so many
// documents, of which each cluster gives at most trainCluster.
const (
	trainPairs   = 100_000
	trainDocs    = 1_200
	trainCluster = 40
)

// train trains those methods that learn from pairs, in place.
func train(ctx context.Context, set *datasets.Set, tune *part, methods []similarity.Method, cfg Config) error {
	var texts []string
	var pairs [][2]int
	var alike []bool
	for i, m := range methods {
		if !trains(m) {
			continue
		}
		if texts == nil {
			texts, pairs, alike = tune.lessons(set, cfg.Seed)
		}
		cfg.Progress(0, set.Name+" train "+m.String())
		t, err := m.(Trainer).Train(ctx, texts, pairs, alike, cfg.Workers)
		if err != nil {
			return wrap(set, m, err)
		}
		methods[i] = t
	}
	return nil
}

// lessons returns what is learnt from: texts, and pairs of them with their labels, in ascending order.
func (p *part) lessons(set *datasets.Set, seed uint64) (texts []string, pairs [][2]int, alike []bool) {
	if p.clusters == nil {
		step := max(1, (len(p.pairs)+trainPairs-1)/trainPairs)
		number := map[int]int{}
		add := func(d int) int {
			n, ok := number[d]
			if !ok {
				n = len(texts)
				number[d] = n
				texts = append(texts, set.Docs[p.docs[d]].Text)
			}
			return n
		}
		for i := 0; i < len(p.pairs); i += step {
			q := p.pairs[i]
			pairs = append(pairs, [2]int{add(q.A), add(q.B)})
			alike = append(alike, q.Alike())
		}
		return texts, pairs, alike
	}
	docs := p.drawClusters(seed)
	for _, d := range docs {
		texts = append(texts, set.Docs[p.docs[d]].Text)
	}
	for i, d := range docs {
		for j := i + 1; j < len(docs); j++ {
			if !p.clusters.skips(d, docs[j]) {
				pairs = append(pairs, [2]int{i, j})
				alike = append(alike, docs[j] < int(p.clusters.end[d]))
			}
		}
	}
	return texts, pairs, alike
}

// drawClusters returns the documents of clusters drawn at random, ascending: up to two thirds
// from clusters of several documents, as long as there are any.
func (p *part) drawClusters(seed uint64) []int {
	var several, single [][]int
	for i := 0; i < len(p.docs); {
		end := int(p.clusters.end[i])
		var docs []int
		for d := i; d < min(end, i+trainCluster); d++ {
			docs = append(docs, d)
		}
		if len(docs) > 1 {
			several = append(several, docs)
		} else {
			single = append(single, docs)
		}
		i = end
	}
	rng := rand.New(rand.NewPCG(seed, 5))
	var out []int
	take := func(clusters [][]int, most int) {
		for _, k := range rng.Perm(len(clusters)) {
			if len(out)+len(clusters[k]) <= most {
				out = append(out, clusters[k]...)
			}
		}
	}
	least := trainDocs * 2 / 3
	if len(single) < trainDocs-least {
		least = trainDocs - len(single)
	}
	take(several, least)
	take(single, trainDocs)
	slices.Sort(out)
	return out
}
