package surrogate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLabelsAreKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.tsv")
	if got, err := ReadLabels(name); err != nil || got != nil {
		t.Fatalf("a file that is not there: %v, %v", got, err)
	}
	given := []Label{{"a", "b", true}, {"b", "c", false}, {"b", "a", false}}
	for _, l := range given {
		if err := AppendLabel(name, l); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadLabels(name)
	if err != nil {
		t.Fatal(err)
	}
	// The second answer about a and b stands in the place of the first.
	if want := []Label{{"b", "a", false}, {"b", "c", false}}; !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
}

func TestLabelsThatAreNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.tsv")
	if err := AppendLabel(name, Label{A: "a\tb", B: "c"}); err == nil {
		t.Error("an id with a tab was written")
	}
	if err := os.WriteFile(name, []byte("id1\tid2\tlabel\na\tb\tyes\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := ReadLabels(name)
	if err == nil || !strings.Contains(err.Error(), "labels.tsv:2") {
		t.Errorf("the label yes: error %v, want one that names file and line", err)
	}
}

// Whatever a file of labels holds is labels or an error that names the file.
func FuzzReadLabels(f *testing.F) {
	f.Add("id1\tid2\tlabel\nx\ty\t1\n")
	f.Add("id1\tid2\tlabel\tkind\nx\ty\t0\treview\ny\tx\t1\treview\n")
	f.Add("id1\tid2\n")
	f.Add("id1\tid2\tlabel\nx\ty\tNaN\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "labels.tsv")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		labels, err := ReadLabels(name)
		if err != nil && !strings.Contains(err.Error(), "labels.tsv") {
			t.Errorf("error %v names no file", err)
		}
		seen := map[[2]string]bool{}
		for _, l := range labels {
			key := [2]string{min(l.A, l.B), max(l.A, l.B)}
			if seen[key] {
				t.Errorf("%v stands twice", key)
			}
			seen[key] = true
		}
	})
}
