package pairs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// 0 removes 1. 2 is alike to 1 alone, so 2 is kept. 5 is alike to 3 and 4, which are both
// kept, and is removed for 3, the smaller. The score of 6 and 7 is below the threshold.
func TestDecideNumbers(t *testing.T) {
	dir := t.TempDir()
	writePairs(t, dir, []Pair{{1, 2, .95}, {4, 5, 1}, {0, 1, .9}, {3, 5, .8125}, {6, 7, .5}}, 2)
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	n, err := DecideNumbers(t.Context(), s, 9, Options{Threshold: .8}, out)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(out, "removed.tsv"))
	if want := "number\tkept\tscore\n1\t0\t0.9\n5\t3\t0.8125\n"; err != nil || string(b) != want {
		t.Errorf("removed.tsv is %q, %v, want %q", b, err, want)
	}
	var rep Numbers
	if b, err = os.ReadFile(filepath.Join(out, "report.json")); err == nil {
		err = json.Unmarshal(b, &rep)
	}
	// Components 0 1 2 and 3 4 5: of the first 2 is apart, of the second 4.
	if c := rep.Chaining; err != nil || rep != *n || rep.Removed != 2 || rep.Active != 8 || c.Components != 2 || c.Documents != 6 || c.Apart != 2 || c.Largest != 3 {
		t.Errorf("report %+v, %v", rep, err)
	}
	if dry, err := DecideNumbers(t.Context(), s, 9, Options{Threshold: .8}, ""); err != nil || *dry != *n {
		t.Errorf("without a folder: %+v, %v, want %+v", dry, err, n)
	}
	if _, err := DecideNumbers(t.Context(), s, 7, Options{Threshold: .8}, ""); err == nil {
		t.Error("a pair of a document beyond the last was taken")
	}
}
