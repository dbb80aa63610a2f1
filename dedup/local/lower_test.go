package local

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// What a lower minimum would remove besides, against the naive rule on all pairs of kept
// documents, in a run that writes, one that does not, and one that goes on.
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
	for b := range docs { // the rule again, on what is kept
		for a := range b {
			more[b] = more[b] || !gone[a] && !gone[b] && !more[a] && sets.Score(a, b) >= o.Lower
		}
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

// Texts of one template, of which each differs from each in 12 of 100 words: whether they
// are compared or searched for, the report says the same.
func TestLowerInCrowds(t *testing.T) {
	const n = 400
	docs := make([]string, n)
	for i := range docs {
		words := make([]string, 100)
		for w := range words {
			words[w] = fmt.Sprintf("template%d", w)
			if w >= 88 {
				words[w] = fmt.Sprintf("own%d-%d", i, w)
			}
		}
		docs[i] = strings.Join(words, " ")
	}
	m, err := align.NewWords(align.WordsOptions{Most: 0.15})
	if err != nil {
		t.Fatal(err)
	}
	minhash, _ := byDefault(t)
	for _, way := range []way{goThrough, bySearch} {
		o := Options{Method: minhash, Verify: similarity.Hide(m), Threshold: 0.9, Candidates: 0.3, Lower: 0.85}
		o.Sources = []datasets.Source{{Path: jsonl(t, t.TempDir(), "l", docs)}}
		if _, rep := runWay(t, o, way, 0); rep.Lower == nil || rep.Lower.More != n-1 {
			t.Errorf("way %v: %+v, want %d more", way, rep.Lower, n-1)
		}
	}
}
