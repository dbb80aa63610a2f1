package eval

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// lossy is words with a join of its own, which loses pairs whose documents' numbers
// have a sum that mod divides, and adds to every score.
type lossy struct {
	words
	mod int
	add float64
}

var _ similarity.Joiner[[]string] = (*lossy)(nil)

func (l *lossy) Join(ctx context.Context, a, b [][]string, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	st := similarity.JoinStats{Recall: 1 - 1/float64(l.mod), Design: "every pair but some"}
	for i := range a {
		for j := i + 1; j < len(a); j++ {
			st.Candidates += 2
			st.Verified++
			if s := l.Score(a[i], a[j]); s >= o.Threshold && !l.loses(i, j) {
				st.Pairs++
				if err := emit(similarity.Pair{A: i, B: j, Score: s + l.add}); err != nil {
					return st, err
				}
			}
		}
	}
	return st, ctx.Err()
}

func (l *lossy) loses(i, j int) bool { return (i+j)%l.mod == 0 }

func lossyCase(t *testing.T, seed uint64, l *lossy) (*datasets.Set, *Part, similarity.Collection) {
	t.Helper()
	set, p, _ := clusterCase(t, seed, 120, l.words)
	c, err := sketch(context.Background(), set, p.Docs, []similarity.Method{similarity.Hide(l)}, 2, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return set, p, c[0]
}

// found is naive without what a join does not find: such pairs score 0.
func found(set *datasets.Set, c similarity.Collection, p *Part, floor float64, loses func(i, j int) bool) (out []Scored) {
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
				continue
			}
			s := c.Score(i, j)
			if s < floor || loses(i, j) {
				s = 0
			}
			out = append(out, Scored{Score: s, Alike: alike, Unit: [2]int{p.Unit[i], p.Unit[j]}})
		}
	}
	return out
}

// A join gives the figures of scoring every pair where those that it does not find
// score 0, and counts what it misses.
func TestScanJoinedAgainstPairByPair(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(4) {
		l := &lossy{words: words{steps: float64(seed % 2 * 9)}, mod: 7}
		set, p, c := lossyCase(t, seed, l)
		for _, floor := range []float64{1. / 1024, .25, .5} {
			want := found(set, c, p, floor, l.loses)
			threshold, _ := BestF1(want)
			threshold = max(threshold, floor)
			all, skipped := naive(set, c, p)
			var reach, missed, reachT, missedT, exact int64
			for k, s := range all {
				if s.Score < floor {
					continue
				}
				if exact++; !s.Alike {
					continue
				}
				reach++
				if want[k].Score == 0 {
					missed++
				}
				if float64(float32(s.Score)) >= threshold {
					reachT++
					if want[k].Score == 0 {
						missedT++
					}
				}
			}
			s, j, err := scanJoined(ctx, c, p, floor, threshold, Config{Workers: 3, Exact: true}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			r := s.ranking
			if s.floor != floor || s.skipped != skipped || int(r.alike+r.other) != len(want) {
				t.Fatalf("seed %d: %d pairs, %d skipped, floor %v; want %d, %d, %v", seed, r.alike+r.other, s.skipped, s.floor, len(want), skipped, floor)
			}
			if at := Count(want, threshold); s.at != at || r.count(threshold) != at {
				t.Errorf("seed %d: confusion %+v and %+v, want %+v", seed, s.at, r.count(threshold), at)
			}
			if got, want := r.averagePrecision(), AveragePrecision(want); got != want {
				t.Errorf("seed %d: AP %v, want %v", seed, got, want)
			}
			if got, _ := r.bestF1(); max(got, floor) != threshold {
				t.Errorf("seed %d: threshold %v, want %v", seed, got, threshold)
			}
			if j.Reach != reach || j.Missed != missed || j.ReachThreshold != reachT || j.MissedThreshold != missedT || missed == 0 && reach > 40 {
				t.Errorf("seed %d: %+v, want %d positive pairs from the floor on, %d missed, and %d, %d from the threshold on", seed, j, reach, missed, reachT, missedT)
			}
			// Pairs to be skipped are found too.
			if j.Exact == nil || *j.Exact < exact || *j.Exact > exact+skipped || j.Found >= *j.Exact {
				t.Errorf("seed %d: %+v, want from %d to %d exact ones", seed, j, exact, exact+skipped)
			}
		}
	}
}

// With an exact join and a floor below all scores nothing but the ROC curve is lost.
func TestScanJoinedEqualsScanAll(t *testing.T) {
	ctx := context.Background()
	set, p, c := clusterCase(t, 6, 150, words{})
	all, err := scanAll(ctx, c, p, .4, 2, quiet)
	if err != nil {
		t.Fatal(err)
	}
	s, j, err := scanJoined(ctx, c, p, 1./1024, .4, Config{Workers: 2, Exact: true}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if j.Missed != 0 || j.Reach == 0 || *j.Exact != j.Found || j.Recall != 1 {
		t.Errorf("an exact join misses: %+v", j)
	}
	if s.at != all.at || s.ranking.averagePrecision() != all.ranking.averagePrecision() || s.ranking.recallAt(.95) != all.ranking.recallAt(.95) {
		t.Errorf("figures differ: %+v and %+v", s.at, all.at)
	}
	closureAgainstPairByPair(t, set, p, c, s, .4)
}

// Below the floor lies one positive pair in a thousand, or more other pairs than are
// held.
func TestChooseFloor(t *testing.T) {
	ctx := context.Background()
	set, p, c := clusterCase(t, 4, 400, words{})
	all, _ := naive(set, c, p)
	for _, keep := range []int{keepLeast, 2000, 100, 0} {
		p.clusters.keep = keep
		floor, err := chooseFloor(ctx, c, p, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		if floor <= 0 || floor > 1 || floor*1024 != math.Floor(floor*1024) {
			t.Errorf("the floor %v", floor)
		}
		var below, positive, above int
		for _, s := range all {
			switch {
			case s.Alike && s.Score > 0:
				if positive++; s.Score < floor {
					below++
				}
			case !s.Alike && s.Score >= floor:
				above++
			}
		}
		if keep == keepLeast && (below*1000 > positive || floor == 1./1024) {
			t.Errorf("%d of %d positive pairs below the floor %v", below, positive, floor)
		}
		// The floor is rounded down by less than 1/1024, which lets ties in.
		if keep < keepLeast && (below*1000 <= positive || above > 3*keep+50) {
			t.Errorf("%d other pairs above the floor %v, want about %d; %d of %d positive below", above, floor, keep, below, positive)
		}
	}
	for i := range p.clusters.at { // a part without pairs
		p.clusters.at[i] = 0
	}
	for i := range p.clusters.end {
		p.clusters.end[i] = int32(i + 1)
	}
	if floor, err := chooseFloor(ctx, c, p, 1, 3); err != nil || floor != 1 {
		t.Errorf("floor %v, %v of a part without positive pairs, want 1", floor, err)
	}
}

// A run by joins gives the same bytes for any number of workers, says that it was
// one, and is not taken for one that scored every pair.
func TestRunByJoins(t *testing.T) {
	set := cluttered(7, 120)
	methods := []similarity.Method{hidden(words{min: 3}), similarity.Hide(&lossy{words: words{steps: 8}, mod: 5}), hidden(words{learn: true})}
	cfg := Config{Seed: 3, Details: true, Resamples: 50, Repeat: -1, Join: "always", Exact: true}
	var first []byte
	for _, workers := range []int{1, 2, 7} {
		cfg.Workers = workers
		records := run(t, set, cfg, methods...)
		var out bytes.Buffer
		if err := WriteRecords(&out, records...); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Bytes()
		} else if !bytes.Equal(first, out.Bytes()) {
			t.Fatalf("records of %d workers differ", workers)
		}
		back, _, err := ReadRecords(&out, "records")
		if err != nil || len(back) != 3 || back[1].Join == nil || back[1].Join.Design != "every pair but some" {
			t.Fatalf("records read back: %v", err)
		}
	}
	records := run(t, set, cfg, methods...)
	for i, r := range records {
		if r.Truth != "joined" || r.Join == nil || !math.IsNaN(float64(r.AUC)) || math.IsNaN(float64(r.AP)) || r.Threshold < r.Floor || r.Floor <= 0 {
			t.Errorf("record %+v", r)
		}
		if missed := r.Join.Missed; (missed > 0) != (i == 1) {
			t.Errorf("%s misses %d of %d pairs", r.Method, missed, r.Join.Reach)
		}
	}
	// What is missed is a miss: the best F1 falls by it.
	whole := run(t, set, Config{Seed: 3, Resamples: -1, Join: "never"}, hidden(words{steps: 8}))[0]
	if whole.Join != nil || whole.Truth != "all" || records[1].TunedF1 >= whole.TunedF1 {
		t.Errorf("F1 %v of a join that loses pairs, %v of all", records[1].TunedF1, whole.TunedF1)
	}
	todo, done, err := pending(set, methods, cfg, records)
	if err != nil || len(todo) != 0 || len(done) != 3 {
		t.Errorf("%d to do, %d done, %v", len(todo), len(done), err)
	}
	cfg.Join = "never"
	if todo, _, _ := pending(set, methods, cfg, records); len(todo) != 3 {
		t.Errorf("%d to do without joins, want all", len(todo))
	}
	if _, err := Compare(records[0], whole, DefaultMargin); err == nil {
		t.Error("joined and scored records compare")
	}
}

// By default sets beyond the limit are joined whole.
func TestJoinIsAutomatic(t *testing.T) {
	set := cluttered(8, 100)
	m := hidden(words{})
	few := len(set.Docs) / 2
	for _, c := range []struct {
		cfg     Config
		truth   string
		sampled bool
	}{
		{Config{}, "all", false},
		{Config{MaxDocs: few}, "joined", false},
		{Config{MaxDocs: few, Join: "never"}, "all", true},
		{Config{MaxDocs: few, Join: "always"}, "joined", true},
		{Config{MaxDocs: 2 * len(set.Docs), Join: "always", Floor: .5}, "joined", false},
	} {
		r := run(t, set, c.cfg, m)[0]
		if r.Truth != c.truth || (r.SampledFrom > 0) != c.sampled {
			t.Errorf("%+v: truth %s, sampled from %d", c.cfg, r.Truth, r.SampledFrom)
		}
		if c.cfg.Floor > 0 && float64(r.Floor) != c.cfg.Floor {
			t.Errorf("floor %v, want %v", r.Floor, c.cfg.Floor)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	set := cluttered(1, 50)
	for _, c := range []struct {
		cfg  Config
		m    similarity.Method
		want string
	}{
		{Config{Join: "some"}, hidden(words{}), `eval: Join is "some", want auto, always or never`},
		{Config{Floor: 1.5}, hidden(words{}), "eval: Floor is 1.5, want 0 to 1"},
		{Config{Recall: 1}, hidden(words{}), "eval: Recall is 1, want 0 or more and less than 1"},
		{Config{Join: "always"}, similarity.Hide(&lossy{mod: 9, add: 1}), "in a join from"},
	} {
		if _, err := Run(context.Background(), set, []similarity.Method{c.m}, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
