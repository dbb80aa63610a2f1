//go:build unix

package external

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/similarity"
)

// A run of eval gives the same quality by whoever scores the words, for any number of workers,
// over labelled pairs and over clusters.
func TestEvalOfExternalMethods(t *testing.T) {
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	var want []float64
	for _, mode := range []string{"set", "packed", "score"} {
		for _, workers := range []int{1, 4} {
			m := open(t, mode, 0)
			records, err := eval.Run(context.Background(), set, []similarity.Method{m}, eval.Config{Workers: workers, Repeat: -1, Resamples: 20})
			if err != nil {
				t.Fatal(err)
			}
			r := records[0]
			got := []float64{float64(r.Threshold), float64(r.F1), float64(r.AP), float64(r.F1Low), float64(r.BytesPerDoc)}
			if want == nil {
				want = got
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s, %d workers: %v, want %v", mode, workers, got, want)
					break
				}
			}
			if kept := math.IsNaN(float64(r.SavedBytesPerDoc)); kept != (mode == "score") {
				t.Errorf("%s: %v bytes saved", mode, r.SavedBytesPerDoc)
			}
		}
	}
}

func TestEvalOfAFailure(t *testing.T) {
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"crash", "score-few"} {
		m := open(t, mode, 0)
		_, err := eval.Run(context.Background(), set, []similarity.Method{m}, eval.Config{Repeat: -1})
		if err == nil || !strings.Contains(err.Error(), mode) {
			t.Errorf("%s: error %v, want the failure", mode, err)
		}
	}
}

// Cancelling a run ends a process that would have hung for an hour.
func TestEvalIsCancelled(t *testing.T) {
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, "hang", time.Hour)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if _, err := eval.Run(ctx, set, []similarity.Method{m}, eval.Config{Repeat: -1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the end of the context", err)
	}
	m.Close()
	<-m.p.exited
}
