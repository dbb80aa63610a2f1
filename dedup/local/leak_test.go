package local

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/feature"
)

func extractor(t testing.TB, width int) *feature.Extractor {
	t.Helper()
	x, err := feature.New(feature.Options{MinWidth: width})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func findLeaks(t testing.TB, o LeakOptions) (out []Leak, rep *LeakReport) {
	t.Helper()
	rep, err := FindLeaks(context.Background(), o, func(l Leak) error { out = append(out, l); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if rep.Leaks != len(out) {
		t.Errorf("%d leaks, %d reported", len(out), rep.Leaks)
	}
	return out, rep
}

// Whatever the workers, the leaks are those that comparing all with all finds.
func TestLeaksEqualOracle(t *testing.T) {
	dir := t.TempDir()
	train, test := sample(21, 400), sample(21, 460)[380:]
	x := extractor(t, 2)
	o := LeakOptions{
		Train: []datasets.Source{{Path: jsonl(t, dir, "train", train)}}, Tests: []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", test)}}}},
		Features: x, Threshold: .5, Least: 4,
	}
	var want []string
	for i, d := range test {
		a := map[uint64]bool{}
		for _, h := range x.AppendHashes(nil, d) {
			a[h] = true
		}
		var best string
		var most, mostAlike float64
		for j, e := range train {
			b := map[uint64]bool{}
			for _, h := range x.AppendHashes(nil, e) {
				b[h] = true
			}
			both := 0
			for h := range a {
				if b[h] {
					both++
				}
			}
			if both == 0 {
				continue
			}
			in, alike := float64(both)/float64(len(a)), float64(both)/float64(len(a)+len(b)-both)
			if in < .5 || len(a) < 4 && alike < .5 {
				continue
			}
			if in > most || in == most && alike > mostAlike {
				most, mostAlike, best = in, alike, fmt.Sprintf("test-%d train-%d %v %v", i, j, in, alike)
			}
		}
		if best != "" {
			want = append(want, best)
		}
	}
	if len(want) < 20 || len(want) == len(test) {
		t.Fatalf("%d leaks of %d", len(want), len(test))
	}
	for workers := range 3 {
		o.Workers = workers + 1
		leaks, _ := findLeaks(t, o)
		var got []string
		for _, l := range leaks {
			if l.Train.ID != fmt.Sprint("train-", l.Train.Row) || l.ID != fmt.Sprint("test-", l.Row) || len(l.Shared) == 0 {
				t.Fatalf("%+v", l)
			}
			got = append(got, fmt.Sprintf("%s %s %v %v", l.ID, l.Train.ID, l.Contained, l.Resemblance))
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("leaks\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A question within a long page has leaked, one of two words has not, and the
// evidence is the passage.
func TestLeakWithinALongerText(t *testing.T) {
	dir := t.TempDir()
	page := strings.Repeat("Many words that are of no interest here. ", 50) +
		"Which planet of the solar system, on 3 May 1999, had the most moons? " + strings.Repeat("More of them. ", 20) + "问：红楼梦的作者是谁？答曹雪芹。"
	o := LeakOptions{
		Train: []datasets.Source{{Path: jsonl(t, dir, "train", []string{"nothing", page})}},
		Tests: []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", []string{
			"which planet of the solar system, on 4 June 2001, had the most moons", "more of", "红楼梦的作者是谁", "what has not been written about yet at all", "...",
		})}}}},
		Features: extractor(t, 3), Threshold: .8, Least: 5, Mask: clean.Time,
	}
	leaks, rep := findLeaks(t, o)
	set := SetReport{Test: 5, WithoutFeatures: 1, Short: 1, Leaks: 2}
	want := &LeakReport{SetReport: set, Sets: []SetReport{set}, Train: 2, Leaking: 1, Bytes: int64(len(page) + len("nothing"))}
	if !reflect.DeepEqual(rep, want) {
		t.Errorf("%+v, want %+v", rep, want)
	}
	if len(leaks) != 2 || leaks[0].Row != 0 || leaks[1].Row != 2 || leaks[0].Contained != 1 || leaks[0].Train.At != filepath.Join(dir, "train.jsonl:2") {
		t.Fatalf("%+v", leaks)
	}
	if !reflect.DeepEqual(leaks[1].Shared, []string{"红楼梦的作者是谁"}) {
		t.Errorf("evidence %q", leaks[1].Shared)
	}
}

// Where a side has nothing to compare there is an error, and each side may have its
// own malformed rows.
func TestLeakOfNothing(t *testing.T) {
	dir := t.TempDir()
	some, silent, none := jsonl(t, dir, "some", []string{"a b c d", "e f g h"}), jsonl(t, dir, "silent", []string{"...", ""}), write(t, filepath.Join(dir, "none.jsonl"), nil)
	bad := write(t, filepath.Join(dir, "bad.jsonl"), []byte("{\"text\":\"x y z\"}\nno\n"))
	for _, c := range []struct {
		train, test string
		skip        int
		want        string
	}{
		{some, none, 0, "there are no test documents"}, {none, some, 0, "there are no training documents"},
		{some, silent, 0, "none of the 2 test documents has words"}, {silent, some, 0, "none of the 2 training documents has words"},
		{bad, bad, 1, ""}, {bad, bad, 0, "bad.jsonl:2: no JSON object"},
	} {
		o := LeakOptions{Train: []datasets.Source{{Path: c.train}}, Tests: []TestSet{{Sources: []datasets.Source{{Path: c.test}}}}, Features: extractor(t, 3), Threshold: .8, SkipBad: c.skip}
		rep, err := FindLeaks(t.Context(), o, func(Leak) error { return nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: error %v, want %q", c.test, c.train, err, c.want)
		}
		if err == nil && rep.Unreadable != 2 {
			t.Errorf("%d malformed rows, want 2", rep.Unreadable)
		}
	}
}
