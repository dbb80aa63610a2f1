package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// byDefault returns the methods that the command finds candidates with and
// decides by.
func byDefault(t testing.TB) (candidates, verify similarity.Method) {
	t.Helper()
	f := feature.Options{MinWidth: 3}
	m, err := shingle.NewMinHash(shingle.MinHashOptions{Bits: 8, Features: f})
	if err != nil {
		t.Fatal(err)
	}
	s, err := shingle.New(shingle.Options{Features: f})
	if err != nil {
		t.Fatal(err)
	}
	return similarity.Hide(m), similarity.Hide(s)
}

// templated returns texts of forty common words and eight random ones, which
// share 38 of 54 runs of three words, or .704, and so meet as candidates at .8
// without being alike. One of copies is followed by that many texts that have
// one word less each.
func templated(seed uint64, n, copies int) []string {
	r := rand.New(rand.NewPCG(seed, 50))
	var docs []string
	for len(docs) < n {
		var words []string
		for i := range 40 {
			words = append(words, fmt.Sprintf("common%d", i))
		}
		for range 8 {
			words = append(words, fmt.Sprintf("w%x", r.Uint32()))
		}
		docs = append(docs, strings.Join(words, " "))
		if copies > 0 && r.IntN(copies) == 0 {
			for k := range min(copies, n-len(docs)) {
				docs = append(docs, strings.Join(words[k%3:47-k%2], " "))
			}
		}
	}
	r.Shuffle(n, func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	return docs
}

// runWay runs a deduplication by a way of comparing crowds and returns what it
// has written, without the timing and the number of pairs verified, which
// depend on the way.
func runWay(t *testing.T, o Options, w way, memory int64) (map[string]string, *Report) {
	t.Helper()
	o.Out = filepath.Join(t.TempDir(), "out")
	r, err := newRun(o)
	if err != nil {
		t.Fatal(err)
	}
	r.way = w
	if memory > 0 {
		r.o.Memory = memory
	}
	rep, err := r.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	tree := readTree(t, o.Out)
	var report map[string]any
	if err := json.Unmarshal([]byte(tree["report.json"]), &report); err != nil {
		t.Fatal(err)
	}
	delete(report, "run")
	delete(report, "scored")
	b, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	tree["report.json"] = string(b)
	return tree, rep
}

// All ways of comparing crowds write the same bytes.
func TestWaysAgree(t *testing.T) {
	minhash, text := byDefault(t)
	mixed := slices.Concat(templated(3, 1600, 9), sample(4, 300))
	for _, c := range []struct {
		name   string
		docs   []string
		old    int // of them
		o      Options
		keep   string
		memory int64
		search bool // compares fewer texts than going through
	}{
		{name: "templates", docs: templated(1, 1600, 0), o: Options{Method: minhash, Verify: text, Threshold: .8}, search: true},
		{name: "copies", docs: templated(2, 1600, 5), o: Options{Method: minhash, Verify: text, Threshold: .8}, search: true},
		{name: "longest", docs: mixed, o: Options{Method: minhash, Verify: text, Threshold: .8}, keep: "longest", search: true},
		{name: "pairs of the template too", docs: templated(5, 1300, 20), o: Options{Method: minhash, Verify: text, Threshold: .69}, search: true},
		{name: "higher than candidates", docs: mixed, o: Options{Method: minhash, Verify: text, Threshold: .95, Candidates: .8}, search: true},
		{name: "chains", docs: mixed, o: Options{Method: minhash, Verify: text, Threshold: .9, Candidates: .8, Cohesion: .75}, search: true},
		{name: "closure", docs: mixed, o: Options{Method: minhash, Verify: text, Threshold: .9, Candidates: .8, Cohesion: -1}, search: true},
		{name: "old", docs: mixed, old: 200, o: Options{Method: minhash, Verify: text, Threshold: .8}, search: true},
		{name: "mostly old", docs: mixed, old: 1550, o: Options{Method: minhash, Verify: text, Threshold: .8}},
		{name: "fingerprints", docs: mixed, o: Options{Method: fingerprints(t), Verify: text, Threshold: .8, Candidates: .9}, search: true},
		{name: "other texts", docs: mixed, o: Options{Method: minhash, Verify: exact(t), Threshold: .9, Candidates: .8}, search: true},
		{name: "vectors", docs: templated(6, 1300, 5), o: Options{Method: minhash, Verify: vectors(t), Threshold: .95, Candidates: .8}},
		{name: "sketches", docs: templated(7, 1300, 5), o: Options{Method: minhash, Threshold: .8}},
		{name: "unverified", docs: templated(8, 1300, 5), o: Options{Method: minhash, Unverified: true, Threshold: .8}},
		{name: "no memory", docs: templated(5, 1300, 20), o: Options{Method: minhash, Verify: text, Threshold: .69}, memory: 600_000},
		{name: "memory for crowds", docs: slices.Concat(templated(9, 1600, 9), sample(10, 3000)), o: Options{Method: minhash, Verify: text, Threshold: .8}, memory: 3_000_000, search: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			o := c.o
			o.Sources = []datasets.Source{{Path: jsonl(t, dir, "new", c.docs[c.old:])}}
			if c.old > 0 {
				o.Against = []datasets.Source{{Path: jsonl(t, dir, "old", c.docs[:c.old])}}
			}
			if c.keep != "" {
				o.Keep = mustPolicy(t, c.keep)
			}
			o.Workers = 1
			want, through := runWay(t, o, goThrough, 0)
			for workers := 1; workers <= 3; workers += 2 {
				if testing.Short() && workers == 1 {
					continue
				}
				for _, w := range []way{goThrough, bySearch, byEstimate} {
					o.Workers = workers
					got, rep := runWay(t, o, w, c.memory)
					for name, b := range want {
						if got[name] != b {
							t.Errorf("way %d, %d workers: %s differs", w, workers, name)
						}
					}
					if w == goThrough && rep.Scored != through.Scored {
						t.Errorf("%d pairs verified by %d workers, %d by one", rep.Scored, workers, through.Scored)
					}
					if less := rep.Scored < through.Scored; w == bySearch && less != c.search {
						t.Errorf("%d pairs verified after a search, %d without", rep.Scored, through.Scored)
					}
				}
			}
		})
	}
}

// The estimate is right for the crowds that it samples, and does not depend on
// the workers.
func TestEstimate(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 1500
	}
	minhash, text := byDefault(t)
	r := rand.New(rand.NewPCG(1, 51))
	var several []string // templates
	for k := range 8 {
		for _, d := range templated(uint64(20+k), n/8, 0) {
			several = append(several, strings.ReplaceAll(d, "common", fmt.Sprintf("of%dx", k)))
		}
	}
	r.Shuffle(len(several), func(i, j int) { several[i], several[j] = several[j], several[i] })
	for _, c := range []struct {
		name      string
		docs      []string
		o         Options
		way       way
		low, high float64 // bounds of estimated to compared pairs
	}{
		// The standard deviation of a uniform number is .58 times its mean. The
		// bounds are four standard deviations of the mean of 256 such numbers.
		{"template", templated(1, n, 0), Options{Verify: text}, goThrough, .85, 1.15},
		{"several templates", several, Options{Verify: text}, goThrough, .8, 1.2},
		// Nodes that are gone already are not subtracted from what is compared
		// with others.
		{"template by sketches", templated(2, n, 0), Options{}, goThrough, .85, 2},
		{"copies", templated(3, n, 10), Options{Verify: text}, goThrough, .8, 3},
		{"search", templated(4, n, 10), Options{Verify: text}, bySearch, .5, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := c.o
			o.Method, o.Threshold = minhash, .8
			o.Sources = []datasets.Source{{Path: jsonl(t, t.TempDir(), "a", c.docs)}}
			var shown int64
			o.OnPairs = func(n int64) { shown = n }
			o.Workers = 1
			_, one := runWay(t, o, c.way, 0)
			o.Workers = 3
			_, rep := runWay(t, o, c.way, 0)
			if est := rep.Run.Estimated; est != shown || est != one.Run.Estimated {
				t.Errorf("estimates %d, %d shown, %d of one worker", est, shown, one.Run.Estimated)
			}
			if rep.Run.Compared != one.Run.Compared || rep.Run.Compared == 0 {
				t.Errorf("%d pairs compared by three workers, %d by one", rep.Run.Compared, one.Run.Compared)
			}
			if ratio := float64(rep.Run.Estimated) / float64(rep.Run.Compared); ratio < c.low || ratio > c.high {
				t.Errorf("%d pairs estimated, %d compared", rep.Run.Estimated, rep.Run.Compared)
			}
		})
	}
}

// A run that would compare too many pairs ends before it does, and writes
// nothing.
func TestMaxPairs(t *testing.T) {
	minhash, text := byDefault(t)
	docs := templated(1, 1600, 0)
	path := jsonl(t, t.TempDir(), "a", docs)
	o := Options{Sources: []datasets.Source{{Path: path}}, Method: minhash, Threshold: .8, MaxPairs: 100_000}
	o.Out = filepath.Join(t.TempDir(), "out")
	_, err := Run(context.Background(), o)
	much, ok := errors.AsType[*PairsError](err)
	if !ok || much.Max != 100_000 || much.Estimate < 100_000 || much.Estimate > 1600*1599/2 || much.Memory {
		t.Fatalf("error %v, want that of a few hundred thousand pairs", err)
	}
	if left, _ := filepath.Glob(o.Out + "*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	o.Verify = text
	if _, err := Run(context.Background(), o); err != nil {
		t.Errorf("with a search: %v", err)
	}
	o.Out += "2"
	r, err := newRun(o)
	if err != nil {
		t.Fatal(err)
	}
	r.o.Memory = 1_200_000
	if _, err = r.run(context.Background()); err != nil {
		if much, ok := errors.AsType[*PairsError](err); !ok || !much.Memory {
			t.Errorf("error %v, want one that wants memory", err)
		}
	} else {
		t.Error("no error where the memory holds no search")
	}
	// All texts of a template are pairs of the join at .7.
	o.Method, o.Threshold, o.MaxPairs = text, .7, 1000
	if _, err := Run(context.Background(), o); !errors.As(err, &much) || much.Estimate != 1600*1599/2 {
		t.Errorf("error %v, want that of all pairs", err)
	}
	o.MaxPairs = -1
	if _, err := Run(context.Background(), o); err == nil {
		t.Error("no error for a negative limit")
	}
}

// The stage shows how far it is, and ends where it is cancelled.
func TestClusterProgress(t *testing.T) {
	minhash, text := byDefault(t)
	o := Options{
		Sources: []datasets.Source{{Path: jsonl(t, t.TempDir(), "a", templated(1, 4000, 0))}},
		Method:  minhash, Verify: text, Threshold: .8, DryRun: true,
	}
	shares := map[string][]float64{}
	o.Progress = func(stage string, share float64) { shares[stage] = append(shares[stage], share) }
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"cluster", "chaining"} {
		if s := shares[stage]; len(s) < 2 || !slices.IsSorted(s) || s[0] < 0 || s[len(s)-1] > 1 {
			t.Errorf("%s: shares %v", stage, s)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	after := 0
	o.Progress = func(stage string, share float64) {
		if ctx.Err() != nil {
			after++
		}
		if stage == "cluster" && share > 0 {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) || after > 0 {
		t.Errorf("error %v, and the progress was shown %d times after it", err, after)
	}
}

// A bucket is a crowd if it has more than 128 pairs per text on average. Pairs
// of two old texts do not count. A part of a bucket that is not a crowd is not
// a crowd.
func TestCrowded(t *testing.T) {
	bucket := func(old, added int) []uint32 {
		b := make([]uint32, old+added)
		for i := range b {
			b[i] = uint32(i)
		}
		return b
	}
	for _, c := range []struct {
		old, added int
		want       bool
	}{
		{0, 0, false}, {0, 257, false}, {0, 258, true}, // 257·256/2 = 128·257
		{1000, 0, false}, {100_000, 128, false}, {100_000, 129, true},
	} {
		if got := crowded(bucket(c.old, c.added), c.old, crowdPairs); got != c.want {
			t.Errorf("%d old, %d new texts: %t", c.old, c.added, got)
		}
	}
	r := rand.New(rand.NewPCG(1, 52))
	for range 1000 {
		old, added := r.IntN(1000), r.IntN(300)
		if !crowded(bucket(old, added), old, crowdPairs) {
			o, a := r.IntN(old+1), r.IntN(added+1)
			if crowded(bucket(o, a), o, crowdPairs) {
				t.Errorf("%d of %d old and %d of %d new texts are a crowd", o, old, a, added)
			}
		}
	}
}
