package eval

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// textsOf returns the set of texts of numbered documents.
func textsOf(set *datasets.Set, docs []int) map[string]bool {
	out := map[string]bool{}
	for _, d := range docs {
		out[set.Docs[d].Text] = true
	}
	return out
}

// checkStrict divides a set with and without strict splits and holds the result
// against plain sets of texts. It returns how many texts both splits share.
func checkStrict(t *testing.T, set *datasets.Set, cfg Config) int {
	t.Helper()
	cfg.StrictSplits = false
	tune, report, err := Divide(set, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.StrictSplits = true
	strict, same, err := Divide(set, cfg)
	if err != nil {
		t.Fatal(err)
	}
	in, shared := textsOf(set, report.Docs), 0
	for text := range textsOf(set, tune.Docs) {
		if in[text] {
			shared++
		}
	}
	if tune.Shared != shared || report.Shared != shared || strict.Shared != shared || same.Shared != shared {
		t.Errorf("%d, %d, %d, %d texts are said to be shared, want %d", tune.Shared, report.Shared, strict.Shared, same.Shared, shared)
	}
	if !slices.Equal(same.Docs, report.Docs) || !slices.Equal(same.Pairs, report.Pairs) || !slices.Equal(same.Unit, report.Unit) {
		t.Error("the split reported on has changed")
	}
	var docs []int // of the split tuned on, without those whose text is reported on
	pairs := map[datasets.Pair]int{}
	for _, p := range tune.Pairs {
		p.A, p.B = tune.Docs[p.A], tune.Docs[p.B]
		if !in[set.Docs[p.A].Text] && !in[set.Docs[p.B].Text] {
			pairs[p]++
			docs = append(docs, p.A, p.B)
		}
	}
	if tune.Pairs == nil {
		for _, d := range tune.Docs {
			if !in[set.Docs[d].Text] {
				docs = append(docs, d)
			}
		}
		for i, d := range strict.Docs {
			for j, e := range strict.Docs {
				if same := set.Clusters[d] == set.Clusters[e]; (strict.Unit[i] == strict.Unit[j]) != same {
					t.Fatalf("documents %d and %d are in units %d and %d", d, e, strict.Unit[i], strict.Unit[j])
				}
			}
		}
	}
	slices.Sort(docs)
	if !slices.Equal(slices.Compact(docs), slices.Sorted(slices.Values(strict.Docs))) {
		t.Errorf("%d documents are left of %d, want %d", len(strict.Docs), len(tune.Docs), len(docs))
	}
	for _, p := range strict.Pairs {
		p.A, p.B = strict.Docs[p.A], strict.Docs[p.B]
		if pairs[p]--; pairs[p] < 0 {
			t.Errorf("pair %v is left too often", p)
		}
	}
	for p, n := range pairs {
		if n > 0 {
			t.Errorf("pair %v is missing", p)
		}
	}
	return shared
}

func TestStrictSplits(t *testing.T) {
	for seed := range uint64(5) {
		if checkStrict(t, cluttered(seed, 60), Config{Seed: seed})+checkStrict(t, labelled(seed, 40), Config{}) == 0 {
			t.Errorf("seed %d: no text is shared, so nothing is tested", seed)
		}
	}
}

// A run says what its splits share, and a strict one is a run of its own.
func TestRunCountsSharedTexts(t *testing.T) {
	set, methods := labelled(1, 40), []similarity.Method{hidden(words{min: 1})}
	cfg := Config{Repeat: -1, Resamples: 20}
	plain, err := Run(context.Background(), set, methods, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.StrictSplits = true
	strict, err := Run(context.Background(), set, methods, cfg)
	if err != nil {
		t.Fatal(err)
	}
	a, b := plain[0], strict[0]
	if a.Shared == 0 || a.Shared != b.Shared || a.StrictSplits || !b.StrictSplits {
		t.Errorf("%d and %d texts shared, strict %v and %v", a.Shared, b.Shared, a.StrictSplits, b.StrictSplits)
	}
	if a.Pairs != b.Pairs || a.AP != b.AP {
		t.Errorf("%d and %d pairs are reported, average precision %v and %v", a.Pairs, b.Pairs, a.AP, b.AP)
	}
	if todo, _, err := pending(set, methods, cfg, plain); err != nil || len(todo) != 1 {
		t.Errorf("a run without strict splits stands for one with: %v, %v", todo, err)
	}
}

func TestNothingLeftOfTheSplit(t *testing.T) {
	set := &datasets.Set{Name: "twins", Docs: []datasets.Doc{{ID: "a", Text: "x"}, {ID: "b", Text: "y"}, {ID: "c", Text: "x"}, {ID: "d", Text: "z"}}}
	set.Pairs = []datasets.Pair{{A: 0, B: 1, Label: 1, Split: datasets.Dev}, {A: 2, B: 3, Label: 1, Split: datasets.Test}}
	if _, _, err := Divide(set, Config{StrictSplits: true}); err == nil || !strings.Contains(err.Error(), "nothing is left of dev of twins without the 1 texts that test has too") {
		t.Errorf("error %v, want that dev is empty", err)
	}
}
