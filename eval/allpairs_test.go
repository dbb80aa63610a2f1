package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/similarity"
)

func quiet(float64) {}

// naive scores the pairs of a part one by one.
func naive(set *datasets.Set, c similarity.Collection, p *Part) (out []Scored, skipped int64) {
	ignore := map[[2]int]bool{}
	for _, q := range set.Ignore {
		ignore[[2]int{q.A, q.B}] = true
		ignore[[2]int{q.B, q.A}] = true
	}
	for i, x := range p.Docs {
		for j := i + 1; j < len(p.Docs); j++ {
			y := p.Docs[j]
			alike := set.Clusters[x] == set.Clusters[y]
			if ignore[[2]int{x, y}] || oneSource(set, x, y) || !alike && set.Docs[x].Text == set.Docs[y].Text {
				skipped++
				continue
			}
			out = append(out, Scored{Score: c.Score(i, j), Alike: alike, Unit: [2]int{p.Unit[i], p.Unit[j]}})
		}
	}
	return out, skipped
}

func oneSource(set *datasets.Set, a, b int) bool {
	return set.Sources != nil && set.Sources[a] == set.Sources[b]
}

func clusterCase(t *testing.T, seed uint64, clusters int, w words) (*datasets.Set, *Part, similarity.Collection) {
	t.Helper()
	set := cluttered(seed, clusters)
	_, p, err := splitClusters(set, Config{MaxDocs: 1e6, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	c, err := sketch(context.Background(), set, p.Docs, []similarity.Method{hidden(w)}, 2, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return set, p, c[0]
}

func TestScanAgainstPairByPair(t *testing.T) {
	for seed := range uint64(5) {
		set, p, c := clusterCase(t, seed, 30+80*int(seed), words{steps: float64(seed % 3 * 7)})
		want, skipped := naive(set, c, p)
		threshold, _ := BestF1(want)
		for _, workers := range []int{1, 3} {
			s, err := scanAll(context.Background(), c, p, threshold, workers, quiet)
			if err != nil {
				t.Fatal(err)
			}
			r := s.ranking
			if s.floor != 0 || s.skipped != skipped || int(r.alike+r.other) != len(want) {
				t.Fatalf("seed %d: %d pairs, %d skipped, floor %v; want %d, %d, 0", seed, r.alike+r.other, s.skipped, s.floor, len(want), skipped)
			}
			if at := Count(want, threshold); s.at != at || r.count(threshold) != at {
				t.Errorf("seed %d: confusion %+v and %+v, want %+v", seed, s.at, r.count(threshold), at)
			}
			if got, want := r.averagePrecision(), AveragePrecision(want); got != want {
				t.Errorf("seed %d: AP %v, want %v", seed, got, want)
			}
			if got, want := r.auc(), AUC(want); got != want {
				t.Errorf("seed %d: AUC %v, want %v", seed, got, want)
			}
			if got, _ := r.bestF1(); got != threshold {
				t.Errorf("seed %d: threshold %v, want %v", seed, got, threshold)
			}
			closureAgainstPairByPair(t, set, p, c, s, threshold)
		}
	}
}

// The components are those of a walk over predicted pairs, and closure counts
// the pairs within them.
func closureAgainstPairByPair(t *testing.T, set *datasets.Set, p *Part, c similarity.Collection, s *scan, threshold float64) {
	t.Helper()
	component := make([]int, len(p.Docs))
	for i := range component {
		component[i] = i
	}
	skip := func(i, j int) bool {
		x, y := p.Docs[i], p.Docs[j]
		return slices.ContainsFunc(set.Ignore, func(q datasets.Pair) bool { return q.A == x && q.B == y || q.A == y && q.B == x }) ||
			oneSource(set, x, y) || set.Clusters[x] != set.Clusters[y] && set.Docs[x].Text == set.Docs[y].Text
	}
	for i := range component {
		for j := i + 1; j < len(component); j++ {
			if a, b := component[i], component[j]; a != b && c.Score(i, j) >= threshold && !skip(i, j) {
				for k := range component {
					if component[k] == max(a, b) {
						component[k] = min(a, b)
					}
				}
			}
		}
	}
	for i, want := range component {
		if got := s.forest.Root(i); got != want {
			t.Errorf("document %d lies in the component of %d, want %d", i, got, want)
		}
	}
	var want Confusion
	for i := range component {
		for j := i + 1; j < len(component); j++ {
			if !skip(i, j) {
				want.add(p.Unit[i] == p.Unit[j], component[i] == component[j])
			}
		}
	}
	want.TN = 0
	if got := p.clusters.closure(component); got != want {
		t.Errorf("closure %+v, want %+v", got, want)
	}
}

// Below the floor pairs are counted by bucket, which is 1/2048 of a score wide.
func TestScanUnderAFloor(t *testing.T) {
	for _, steps := range []float64{0, 11} {
		set, p, c := clusterCase(t, 3, 200, words{steps: steps})
		want, _ := naive(set, c, p)
		p.clusters.keep = 100
		s, err := scanAll(context.Background(), c, p, .5, 3, quiet)
		if err != nil {
			t.Fatal(err)
		}
		held, above := 0, 0
		for _, q := range s.ranking.items {
			if !q.alike {
				held++
			}
		}
		for _, q := range want {
			if !q.Alike && q.Score >= s.floor {
				above++
			}
		}
		if s.floor == 0 || held != above || held > 100 {
			t.Fatalf("%d pairs held over the floor %v, want %d and at most 100", held, s.floor, above)
		}
		if at := Count(want, .5); s.at != at {
			t.Errorf("confusion %+v, want %+v", s.at, at)
		}
		if got, want := s.ranking.averagePrecision(), AveragePrecision(want); math.Abs(got-want) > 1e-3 {
			t.Errorf("AP %v, want about %v", got, want)
		}
		if got, want := s.ranking.auc(), AUC(want); math.Abs(got-want) > 1e-3 {
			t.Errorf("AUC %v, want about %v", got, want)
		}
		b := s.ranking.bootstrap(p.Units, .5, 200, 1, 2)
		full := Bootstrap(want, p.Units, .5, 200, 1)
		got, whole := Interval95(b.AP, 100), Interval95(full.AP, 100)
		if math.Abs(got.Low-whole.Low) > .05 || math.Abs(got.High-whole.High) > .05 {
			t.Errorf("interval of AP %v, that of all pairs %v", got, whole)
		}
	}
}

// What keepers hold in the end is the top of all scores, however they share them.
func TestKeeperAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for round := range 30 {
		n, limit := rng.IntN(3000), 1+rng.IntN(200)
		scores := make([]float32, n)
		for i := range scores {
			switch round % 3 {
			case 0:
				scores[i] = rng.Float32()
			case 1:
				scores[i] = float32(rng.IntN(40)) / 39
			default:
				scores[i] = 1
			}
		}
		keepers := []*keeper{newKeeper(limit), newKeeper(limit), newKeeper(limit)}
		for i := 0; i < n; {
			j := min(n, i+rng.IntN(300))
			keepers[rng.IntN(3)].add(i, 0, scores[i:j])
			i = j
		}
		k := merge(keepers)
		var want []float32
		for _, s := range scores {
			if s >= k.floor {
				want = append(want, s)
			}
		}
		var got []float32
		for _, c := range k.held {
			got = append(got, c.score)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) || len(got) > limit {
			t.Fatalf("round %d: %d scores held from %v on, want %d and at most %d", round, len(got), k.floor, len(want), limit)
		}
		// The next bucket would not have fitted.
		if k.floor > bucketLow(1) {
			below := 0
			for _, s := range scores {
				if s >= bucketLow(bucket(k.floor)-1) {
					below++
				}
			}
			for b := bucket(k.floor) - 1; below <= limit && b > 1; b-- {
				t.Fatalf("round %d: floor %v, but %d scores of at most %d lie in the next bucket and above", round, k.floor, below, limit)
			}
		}
	}
}

// outside scores what no method may.
type outside struct{ words }

func (o *outside) Score(a, b []string) float64 { return 1.5 }

func TestScanRefusesScoresOutsideTheLaw(t *testing.T) {
	set, p, _ := clusterCase(t, 1, 20, words{})
	m := similarity.Hide(&outside{})
	c, err := sketch(context.Background(), set, p.Docs, []similarity.Method{m}, 1, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scanAll(context.Background(), c[0], p, .5, 1, quiet); err == nil {
		t.Error("a score of 1.5 is no error")
	}
}

func TestSplitClusters(t *testing.T) {
	set := cluttered(2, 400)
	for _, limit := range []int{1_000_000, 200, 50} {
		tune, rep, err := splitClusters(set, Config{MaxDocs: limit, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		side := map[int]string{}
		total := 0
		for _, p := range []*Part{tune, rep} {
			total += len(p.Docs)
			for i, d := range p.Docs {
				if s, ok := side[set.Clusters[d]]; ok && s != p.Name {
					t.Fatalf("cluster %d lies in both halves", set.Clusters[d])
				}
				side[set.Clusters[d]] = p.Name
				if p.clusters.cluster[i] != p.Unit[i] || i > 0 && p.Unit[i] < p.Unit[i-1] {
					t.Fatalf("documents do not stand by cluster: %v", p.Unit)
				}
			}
		}
		// Clusters are whole, or in neither.
		for d, c := range set.Clusters {
			if side[c] != "" && !slices.Contains(tune.Docs, d) && !slices.Contains(rep.Docs, d) {
				t.Fatalf("limit %d: document %d is missing from its cluster", limit, d)
			}
		}
		if total > limit || (total < len(set.Docs)) != (rep.clusters.from > 0) {
			t.Errorf("limit %d: %d of %d documents, sampled from %d", limit, total, len(set.Docs), rep.clusters.from)
		}
		a, b := float64(tune.clusters.positives()), float64(rep.clusters.positives())
		if a/b < .7 || a/b > 1.5 {
			t.Errorf("limit %d: %v and %v pairs to find, want about as many", limit, a, b)
		}
	}
}

// What runs once for each pair must not allocate.
func TestScanAndSweepDoNotAllocate(t *testing.T) {
	_, p, c := clusterCase(t, 4, 200, words{})
	p.clusters.keep = 50
	n := len(p.Docs)
	s := &scanner{c: c, t: p.clusters, positives: make([]float32, p.clusters.positives()), threshold: .5, keeper: newKeeper(50), forest: datasets.NewForest(n)}
	if got := testing.AllocsPerRun(5, func() { s.tile(0, n, 0, min(n, tileColumns)) }); got > 0 {
		t.Errorf("a tile allocates %v times", got)
	}
	scan, err := scanAll(context.Background(), c, p, .5, 1, quiet)
	if err != nil {
		t.Fatal(err)
	}
	drawn := make([]int32, p.Units)
	resample.Draw(drawn, 1, 1)
	if got := testing.AllocsPerRun(5, func() { scan.ranking.weighted(drawn, 3) }); got > 0 {
		t.Errorf("a sweep allocates %v times", got)
	}
}
