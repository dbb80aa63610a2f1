package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/feature"
)

func TestClaimsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range groups() {
		for _, c := range g.claims {
			if seen[c.id] || c.id == "" || c.id != anchor(c.id) {
				t.Errorf("id %q is empty, stands twice or is no anchor", c.id)
			}
			seen[c.id] = true
			if c.text == "" || c.source == "" || c.rule == "" || c.measure == nil {
				t.Errorf("%s lacks something", c.id)
			}
		}
	}
	if _, err := measure(t.TempDir()+"/records", "absent"); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("error %v of an unknown id", err)
	}
}

// What needs no data is measured, kept, read again and printed.
func TestMeasureAndWrite(t *testing.T) {
	name := t.TempDir() + "/records"
	if _, err := measure(name, "five-sums,two-of-six"); err != nil {
		t.Fatal(err)
	}
	records, err := measure(name, "one-bucket")
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	var b strings.Builder
	write(kit.NewPage(&b), records)
	for _, want := range []string{"### five-sums", "### two-of-six", "### one-bucket", "*does not hold* 3", "65536"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q on the page", want)
		}
	}
	if strings.Contains(b.String(), "%!") || strings.Contains(b.String(), "### probes") {
		t.Error("the page has a bad verb or a claim without a record")
	}
}

func TestFewerKeepsClustersWhole(t *testing.T) {
	s := &datasets.Set{Name: "x"}
	for i := range 100 {
		s.Docs = append(s.Docs, datasets.Doc{ID: string(rune('a' + i))})
		s.Clusters = append(s.Clusters, i/4)
		if i > 0 {
			s.Pairs = append(s.Pairs, datasets.Pair{A: i - 1, B: i, Label: 1})
			s.Ignore = append(s.Ignore, datasets.Pair{A: i, B: 0})
		}
	}
	got := fewer(s, 30)
	if len(got.Docs) != 28 {
		t.Fatalf("%d documents, want seven clusters of 4", len(got.Docs))
	}
	for i, c := range got.Clusters {
		if c != i/4 {
			t.Fatalf("document %d is in cluster %d, want whole clusters numbered in order", i, c)
		}
	}
	for _, p := range got.Pairs {
		if p.B != p.A+1 {
			t.Errorf("pair %+v is of other documents than before", p)
		}
	}
}

// By hand: of three pairs with scores .1, .5 and .5 one is at most the first, all at most the others.
func TestRanks(t *testing.T) {
	got := ranks([]eval.Scored{{Score: .5}, {Score: .1}, {Score: .5}})
	if !slices.Equal(got, []float64{1, 1.0 / 3, 1}) {
		t.Errorf("ranks %v", got)
	}
}

func TestMerged(t *testing.T) {
	got := merged([]feature.Feature{{Hash: 9, Weight: 1}, {Hash: 2, Weight: 3}, {Hash: 9, Weight: 2}})
	if !slices.Equal(got, []feature.Feature{{Hash: 2, Weight: 3}, {Hash: 9, Weight: 3}}) {
		t.Errorf("merged %v", got)
	}
}

func TestVerdicts(t *testing.T) {
	for want, got := range map[string]string{
		"holds":               where([]string{"a", "b"}, 2),
		"does not hold":       where(nil, 2),
		"holds in part: on a": where([]string{"a"}, 2),
		"pays":                worth([]string{"a", "b"}, 2),
		"does not pay":        worth(nil, 2),
		"pays in part: on a":  worth([]string{"a"}, 2),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !math.IsNaN(ratio(1, 0)) || figure(ratio(1, 0)) != "–" {
		t.Error("a share of nothing is a number")
	}
}
