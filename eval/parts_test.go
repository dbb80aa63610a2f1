package eval

import (
	"fmt"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// No cluster and no document is in both parts, and what the set ignores is skipped.
func TestDivide(t *testing.T) {
	set := &datasets.Set{Name: "divided"}
	for i := range 90 {
		set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint(i), Text: fmt.Sprint("text ", i%88)})
		set.Clusters = append(set.Clusters, i/3)
	}
	for i := range 89 {
		set.Ignore = append(set.Ignore, datasets.Pair{A: i + 1, B: i})
	}
	tune, report, err := Divide(set, Config{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	side := map[int]string{} // of a cluster
	docs := 0
	for _, p := range []*Part{tune, report} {
		if p.Pairs != nil || p.Units < 10 || len(p.Unit) != len(p.Docs) {
			t.Errorf("%s: %d pairs, %d units of %d documents", p.Name, len(p.Pairs), p.Units, len(p.Docs))
		}
		for i, d := range p.Docs {
			docs++
			if s := side[set.Clusters[d]]; s != "" && s != p.Name {
				t.Errorf("cluster %d is in %s and %s", set.Clusters[d], s, p.Name)
			}
			side[set.Clusters[d]] = p.Name
			for j := i + 1; j < len(p.Docs); j++ {
				e := p.Docs[j]
				same := set.Clusters[d] == set.Clusters[e]
				if (p.Unit[i] == p.Unit[j]) != same {
					t.Errorf("documents %d and %d: units %d and %d", d, e, p.Unit[i], p.Unit[j])
				}
				want := max(d, e)-min(d, e) == 1 || set.Docs[d].Text == set.Docs[e].Text && !same
				if p.Skips(i, j) != want {
					t.Errorf("documents %d and %d: skipped is %v", d, e, !want)
				}
			}
		}
	}
	if docs != 90 || tune.Name != "dev" || report.Name != "test" {
		t.Errorf("%d documents in %s and %s", docs, tune.Name, report.Name)
	}

	pairs := &datasets.Set{Name: "pairs", Docs: set.Docs}
	for i := range 30 {
		pairs.Pairs = append(pairs.Pairs, datasets.Pair{A: 3 * i, B: 3*i + 1, Label: float64(i % 2)})
	}
	tune, report, err = Divide(pairs, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tune.Pairs) + len(report.Pairs); n != 30 || tune.Skips(0, 1) {
		t.Errorf("%d pairs in both parts, skipped is %v", n, tune.Skips(0, 1))
	}
	if _, _, err := Divide(pairs, Config{Join: "perhaps"}); err == nil {
		t.Error("no error for a bad configuration")
	}
}
