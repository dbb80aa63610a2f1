package local

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// What a lower minimum would remove besides, against a naive count over all pairs, in a
// run that writes, one that does not, and one that goes on.
func TestLower(t *testing.T) {
	dir := t.TempDir()
	docs := sample(7, 400)
	o := resumable(t, dir)
	o.Method, o.Verify, o.Threshold, o.Candidates, o.Lower = exact(t), exact(t), 0.8, 0.3, 0.5
	o.Sources, o.Keep = []datasets.Source{{Path: jsonl(t, dir, "l", docs)}}, mustPolicy(t, "first")

	sets := exact(t).NewCollection()
	for _, d := range docs {
		sets.Add(d)
	}
	gone, more := map[int]bool{}, map[int]bool{}
	for b := range docs {
		for a := range b {
			if !gone[a] && (sets.Score(a, b) >= o.Threshold || docs[a] == docs[b] && !sets.Empty(a)) {
				gone[b] = true
			}
		}
	}
	best := map[int]float64{}
	for b := range docs {
		with := -1
		for a := range b {
			if s := sets.Score(a, b); !gone[a] && !gone[b] && s >= o.Lower && s > best[b] {
				best[b], with = s, a
			}
		}
		more[b] = with >= 0 && !more[with]
	}
	want := 0
	for b := range docs {
		if more[b] {
			want++
		}
	}
	if want < 3 {
		t.Fatalf("%d documents lie between, too few for a test", want)
	}
	for _, dry := range []bool{false, true} {
		o.Out, o.DryRun = filepath.Join(dir, fmt.Sprint(dry)), dry
		rep, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		l := rep.Lower
		if l == nil || l.More != want || l.Score != o.Lower || len(l.Examples) != 3 {
			t.Fatalf("%+v, want %d more", l, want)
		}
		for _, e := range l.Examples {
			a, b := e.Kept.Row, e.rows[0]
			if sets.Score(a, b) != e.Score || e.ID != fmt.Sprintf("l-%d", b) || e.Kept.ID != fmt.Sprintf("l-%d", a) || e.At == "" || !more[b] || more[a] {
				t.Errorf("%+v, which scores %v", e, sets.Score(a, b))
			}
		}
		if !slices.IsSortedFunc(l.Examples, func(a, b Example) int { return cmp.Compare(a.Score, b.Score) }) {
			t.Errorf("examples are not sorted: %+v", l.Examples)
		}
	}
	o.Lower, o.Out = 0.8, filepath.Join(dir, "refused")
	refused(t, o, "the lower minimum is 0.8")
}
