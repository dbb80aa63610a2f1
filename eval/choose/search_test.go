package choose

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

func search(t *testing.T, set *datasets.Set, o Options) Result {
	t.Helper()
	o.NoSpeed, o.NoDeadline = true, true
	r, err := Search(context.Background(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// some are candidates of every method, good and bad.
var some = []string{
	"shingle", "shingle:width=3", "shingle:tokens=rune,width=4", "minhash:size=64", "minhash:size=256,bits=1", "minhash:size=8", "cosine", "cosine:scheme=tf,width=2",
	"bloom:bits=1024", "simhash", "simhash:bits=32", "manber:window=32,keep=4", "winnow:k=8,window=4", "winnow:k=30,window=30",
}

// The answer does not depend on the number of workers.
func TestSearchIsDeterministic(t *testing.T) {
	set := made(400, 1)
	var want []byte
	for _, workers := range []int{1, 2, 7} {
		r := search(t, set, Options{Workers: workers, Candidates: candidates(t, some...), Resamples: 50, Budget: time.Second})
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if string(got) != string(want) {
			t.Errorf("%d workers:\n%s\nwant\n%s", workers, got, want)
		}
	}
}

// What is chosen on dev is nearly the best there is on test, the front is one, and what is
// called cheaper is.
func TestSearchAgainstAll(t *testing.T) {
	set := made(600, 2)
	o := Options{Candidates: candidates(t, some...), Resamples: 100}
	task := newTask(t, set, o)
	all, err := evaluate(context.Background(), task, o)
	if err != nil {
		t.Fatal(err)
	}
	best := 0.0
	for i, x := range all {
		if x.Spec != o.Candidates[i].Spec || x.Share != 1 || x.Test == nil || math.IsInf(float64(x.Threshold), 0) {
			t.Errorf("trial %d is %+v", i, x)
		}
		best = max(best, float64(x.Test.F1))
	}
	r := search(t, set, o)
	if !r.Fit || float64(r.Best.Test.F1) < best-.02 {
		t.Errorf("fit %v (%v), F1 %.3f of %s, and %.3f can be had", r.Fit, r.Why, float64(r.Best.Test.F1), r.Best.Spec, best)
	}
	if q := r.Best.Test; !(q.Low <= q.Value && q.Value <= q.High && q.High-q.Low < .2) || q.Value != q.F1 {
		t.Errorf("F1 %v, value %v in %v to %v", q.F1, q.Value, q.Low, q.High)
	}
	for _, x := range r.Front {
		for _, y := range r.Trials {
			if y.Dev.Value > x.Dev.Value && y.BytesPerDoc < x.BytesPerDoc && y.Nominal < x.Nominal {
				t.Errorf("%s stands on the front, and %s beats it", x.Spec, y.Spec)
			}
		}
	}
	if !slices.ContainsFunc(r.Front, func(x Trial) bool { return x.Spec == r.Best.Spec }) {
		t.Error("the best is not on the front")
	}
	for _, x := range r.Cheaper {
		if x.BytesPerDoc > r.Best.BytesPerDoc || x.Nominal > r.Best.Nominal || x.State != eval.NotWorse && x.State != eval.Better {
			t.Errorf("%+v is called cheaper than %+v", x, r.Best)
		}
	}
	c := candidates(t, r.Best.Spec)[0]
	if q, err := judgeOne(context.Background(), task, c, float64(r.Best.Threshold), o); err != nil || q != *r.Best.Test {
		t.Errorf("judged again: %+v, %v, want %+v", q, err, *r.Best.Test)
	}
}

// A budget too small for all candidates on all documents is kept by halving, and what comes
// out is still nearly the best.
func TestHalving(t *testing.T) {
	task := newTask(t, made(1000, 3), Options{})
	space := Space(Text)[:76] // words alone
	whole, takes := plan(task.Dev, space, math.Inf(1))
	if len(whole) != 1 || whole[0] != (rung{len(space), 1}) {
		t.Errorf("without a bound the plan is %v", whole)
	}
	rungs, less := plan(task.Dev, space, takes/2)
	if len(rungs) < 2 || less > takes/2 {
		t.Fatalf("half of %.2f s is planned as %v, which takes %.2f", takes, rungs, less)
	}
	for i, r := range rungs {
		if last := i == len(rungs)-1; last != (r.share == 1) || i > 0 && (r.candidates >= rungs[i-1].candidates || r.share < rungs[i-1].share) {
			t.Errorf("rungs %v", rungs)
		}
	}
	if _, least := plan(task.Dev, space, 0); least <= 0 || least > less {
		t.Errorf("the cheapest plan takes %v s, and one takes %v", least, less)
	}
	if testing.Short() {
		return
	}
	o := Options{Budget: time.Second, Candidates: space, Resamples: 50, NoSpeed: true, NoDeadline: true}
	r, err := SearchTask(context.Background(), task, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rungs) < 2 || r.Rungs[0].Candidates != len(space) {
		t.Fatalf("rungs %+v", r.Rungs)
	}
	all, err := evaluate(context.Background(), task, o)
	if err != nil {
		t.Fatal(err)
	}
	best := slices.MaxFunc(all, func(x, y Trial) int { return int(math.Copysign(1, float64(x.Test.F1-y.Test.F1))) })
	if r.Best.Test.F1 < best.Test.F1-.02 || r.Best.Share != 1 {
		t.Errorf("F1 %.3f of %s, and %s has %.3f", float64(r.Best.Test.F1), r.Best.Spec, best.Spec, float64(best.Test.F1))
	}
}

func TestMaxBytesPerDoc(t *testing.T) {
	set := made(200, 4)
	o := Options{Candidates: candidates(t, some...), Resamples: 20, MaxBytesPerDoc: 32}
	r := search(t, set, o)
	for _, x := range append(r.Front, r.Best) {
		if x.BytesPerDoc > 32 {
			t.Errorf("%s takes %v bytes", x.Spec, x.BytesPerDoc)
		}
	}
	o.MaxBytesPerDoc = 1
	if _, err := Search(context.Background(), set, o); err == nil || !strings.Contains(err.Error(), "1 bytes") {
		t.Errorf("error %v", err)
	}
	o.Candidates = []Candidate{}
	if _, err := Search(context.Background(), set, o); err == nil {
		t.Error("no candidates, and no error")
	}
}

// A bounded goal is reached where the threshold is chosen.
func TestBoundedGoals(t *testing.T) {
	set := made(400, 5)
	for _, g := range []Goal{{"precision", .95}, {"recall", .95}} {
		r := search(t, set, Options{Goal: g, Candidates: candidates(t, some...), Resamples: 20})
		if !r.Best.Dev.Reached || r.Goal != g.String() {
			t.Errorf("%s: dev figures %+v", g, r.Best.Dev)
		}
		for _, x := range r.Trials {
			if x.Dev.Value > r.Best.Dev.Value {
				t.Errorf("%s: %s has %v on dev, the best %v", g, x.Spec, x.Dev.Value, r.Best.Dev.Value)
			}
		}
	}
}

// Where labels are thrown, or say what texts do not show, nothing is fit.
func TestNothingIsFit(t *testing.T) {
	set := made(300, 6)
	thrown := &datasets.Set{Name: "thrown", Docs: set.Docs}
	for i := range 150 {
		thrown.Pairs = append(thrown.Pairs, datasets.Pair{A: 2 * i, B: 2*i + 1, Label: float64(i / 2 % 2)})
	}
	apart := &datasets.Set{Name: "apart", Docs: set.Docs}
	for i := range set.Docs {
		apart.Clusters = append(apart.Clusters, i%100)
	}
	for _, s := range []*datasets.Set{thrown, apart} {
		r := search(t, s, Options{Candidates: candidates(t, some...), Resamples: 50})
		if r.Fit || len(r.Why) == 0 || r.Commands("x") != nil {
			t.Errorf("%s: fit %v, %v, F1 %v, all alike %v", s.Name, r.Fit, r.Why, r.Best.Test.F1, r.All)
		}
	}
}

// Short texts are no work for a fingerprint, and of texts shorter than a window nothing is left.
func TestWarnings(t *testing.T) {
	set := made(200, 7)
	for i := range set.Docs {
		set.Docs[i].Text = strings.Join(strings.Fields(set.Docs[i].Text)[:4], " ")
	}
	r := search(t, set, Options{Candidates: candidates(t, "shingle", "simhash", "manber:window=100"), Resamples: 20})
	for i, want := range []string{"", "4 features", "nothing to compare"} {
		if got := strings.Join(r.Trials[i].Warnings, "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: warnings %q, want %q", r.Trials[i].Spec, got, want)
		}
	}
	if len(r.Notes) != 2 {
		t.Errorf("notes %q", r.Notes)
	}
}

// A deadline that has passed ends the search, which says so and answers all the same.
func TestBrake(t *testing.T) {
	task := newTask(t, made(200, 8), Options{})
	o, err := Options{Resamples: 20, NoSpeed: true, Workers: 2}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	h := &halving{t: task, o: o, candidates: candidates(t, some...), trials: make([]Trial, len(some)), deadline: time.Now().Add(-time.Second)}
	var all []int
	for i := range some {
		all = append(all, i)
	}
	done, err := h.rung(context.Background(), all, rung{len(some), 1}, 0, 1)
	if err != nil || len(done) == 0 || len(done) == len(some) || !h.result.Braked {
		t.Fatalf("%d of %d candidates, braked %v, %v", len(done), len(some), h.result.Braked, err)
	}
	r, err := h.finish(context.Background(), done)
	if err != nil || !r.Braked || r.Best.Test == nil {
		t.Errorf("%+v, %v", r.Best, err)
	}
}

// Every command names a method that can be read, with the settings that were meant.
func TestCommands(t *testing.T) {
	for _, c := range Space(Text) {
		r := Result{Fit: true, Best: Trial{Spec: c.Spec, Threshold: .5}}
		commands := r.Commands("my docs.jsonl")
		last := strings.Fields(strings.Replace(commands[len(commands)-1], "'my docs.jsonl'", "docs", 1))
		at := slices.Index(last, "--method")
		features := ""
		if f := slices.Index(last, "--features"); f >= 0 {
			features = last[f+1]
		}
		m, err := catalog.ParseAll([]string{last[at+1]}, features)
		if err != nil || m[0].String() != c.Spec {
			t.Errorf("%s becomes %q, which is %v, %v", c.Spec, commands, m, err)
		}
		if needsFit := strings.Contains(c.Spec, "fit=none"); needsFit != (len(commands) == 2) {
			t.Errorf("%s becomes %q", c.Spec, commands)
		}
	}
	for s, want := range map[string]string{"a": "a", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a/b:c=1,2": "a/b:c=1,2", "x;rm": "'x;rm'"} {
		if got := Quote(s); got != want {
			t.Errorf("%q is quoted %s, want %s", s, got, want)
		}
	}
}

// One line a candidate and a baseline, which holds its role.
func TestWriteRecords(t *testing.T) {
	r := search(t, made(200, 9), Options{Candidates: candidates(t, some...), Resamples: 20})
	var out strings.Builder
	if err := r.WriteRecords(&out); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(out.String()))
	roles := map[string]int{}
	for i := 0; dec.More(); i++ {
		var rec Record
		if err := dec.Decode(&rec); err != nil {
			t.Fatal(err)
		}
		if i >= len(r.Trials) {
			roles[rec.Role]++
			continue
		}
		if rec.Spec != r.Trials[i].Spec || rec.Dataset != "made" || rec.Checksum != r.Checksum || !reflect.DeepEqual(fmt.Sprint(rec.Trial.Dev), fmt.Sprint(r.Trials[i].Dev)) {
			t.Errorf("record %d is %+v, want %+v", i, rec, r.Trials[i])
		}
		roles[rec.Role]++
	}
	if roles["best"] != 1 || roles["baseline"] != 4 {
		t.Errorf("roles %v", roles)
	}
}

// evaluate is the oracle of a search: it judges every candidate on all of dev, without
// halving, and on all of test at the threshold chosen there. Low and High are null.
func evaluate(ctx context.Context, t *Task, o Options) ([]Trial, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	candidates := o.Candidates
	if candidates == nil {
		candidates = Space(t.Profile)
	}
	shape := newShape(t)
	trials := make([]Trial, len(candidates))
	done := 0
	step := func() error {
		done++
		o.Progress(float64(done)/float64(2*len(candidates)), "candidates")
		return ctx.Err()
	}
	err = Rank(ctx, t.Dev, t.Dev, candidates, o.Workers, func(i int, x Ranked) error {
		trials[i] = newTrial(candidates[i], x, o.Goal, 1)
		trials[i].warn(candidates[i], shape)
		return step()
	})
	if err != nil || t.Test == nil {
		return trials, err
	}
	err = Rank(ctx, t.Test, t.Dev, candidates, o.Workers, func(i int, x Ranked) error {
		q := quality(o.Goal, x.At(float64(trials[i].Threshold)), x.AP())
		trials[i].Test = &q
		return step()
	})
	return trials, err
}

// judgeOne returns the figures on test of a candidate at a threshold, with
// their interval.
func judgeOne(ctx context.Context, t *Task, c Candidate, threshold float64, o Options) (Quality, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Quality{}, err
	}
	var q Quality
	err = Rank(ctx, t.Test, t.Dev, []Candidate{c}, o.Workers, func(_ int, x Ranked) error {
		q, _ = judge(x.ranking, threshold, o)
		return nil
	})
	return q, err
}
