package choose

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/alike-go/alike/datasets"
)

func requireData(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("minutes of work")
	}
	if _, ok := datasets.SharedDir(); ok {
		return
	}
	if os.Getenv("ALIKE_REQUIRE_DATA") == "1" {
		t.Fatal("no data sets in ../shared/data or ALIKE_DATA, and ALIKE_REQUIRE_DATA=1")
	}
	t.Skip("no data sets in ../shared/data or ALIKE_DATA")
}

// Sentences that say the same in other words, and programs that do the same in other
// statements, are no work for methods that compare words and characters. Sets of texts that
// were copied are.
func TestPublicSetsAreJudged(t *testing.T) {
	requireData(t)
	for name, fit := range map[string]bool{
		"afqmc": false, "pawsx-zh": false, "lcqmc": false, "mrpc": false, "bigclonebench-sample": false, "ir-plag": false,
		"en": true, "zh": true, "quotes-en": true, "pan-paraphrase": true,
	} {
		t.Run(name, func(t *testing.T) {
			set, err := datasets.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Search(context.Background(), set, Options{Budget: 4 * time.Second, Resamples: 200, Seed: 1, NoSpeed: true, NoDeadline: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: F1 %.3f, %.3f to %.3f, all alike %.3f: %v", r.Best.Spec, float64(r.Best.Test.F1), float64(r.Best.Test.Low), float64(r.Best.Test.High), float64(r.All), r.Why)
			if r.Fit != fit {
				t.Errorf("fit is %v, want %v", r.Fit, fit)
			}
		})
	}
}
