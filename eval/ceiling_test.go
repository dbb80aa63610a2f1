package eval

import (
	"context"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// A ceiling has the figures of its method, fitted as that is, and takes no part in
// comparisons. The file of records knows it again.
func TestCeiling(t *testing.T) {
	set, err := datasets.Load("zh")
	if err != nil {
		t.Fatal(err)
	}
	var methods []similarity.Method
	for _, spec := range []string{"shingle", "cosine"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		methods = append(methods, m)
	}
	methods = append(methods, Ceiling(methods[1]))
	name := t.TempDir() + "/r.jsonl"
	file, err := OpenRecords(name, false)
	if err != nil {
		t.Fatal(err)
	}
	records, err := file.Run(context.Background(), set, methods, Config{Seed: 1, Resamples: 50, Repeat: -1})
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	file.Close()
	plain, ceiling := records[1], records[2]
	if plain.F1 != ceiling.F1 || plain.Threshold != ceiling.Threshold || plain.FittedOn != ceiling.FittedOn {
		t.Errorf("%+v is not as %+v", ceiling, plain)
	}
	if spec, ok := ceiling.CeilingSpec(); !ok || spec != plain.Method || plain.Baseline || !ceiling.Baseline {
		t.Errorf("ceiling %q, %v, baseline %v", spec, ok, ceiling.Baseline)
	}
	if best, states := Standings(records, DefaultMargin); best == 2 || states[2] != "" {
		t.Errorf("best is %d, states %q", best, states)
	}
	if file, err = OpenRecords(name, true); err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if spec, ok := file.Ceiling(set); !ok || spec != plain.Method {
		t.Errorf("the file has the ceiling %q, %v", spec, ok)
	}
	set.Docs[0].Text += " " + strings.Repeat("x", 9)
	if spec, ok := file.Ceiling(set); ok {
		t.Errorf("another set has the ceiling %q", spec)
	}
}
