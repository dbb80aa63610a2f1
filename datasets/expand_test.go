package datasets_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"b.txt", "a.txt", "c[1].txt", "c1.txt"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ inputs, want string }{
		{"*.txt", "a.txt b.txt c1.txt c[1].txt"},
		{"jsonl:?.txt - b.txt", "jsonl:a.txt jsonl:b.txt - b.txt"},
		{"c[1].txt", "c[1].txt"}, // a file of that name, and no pattern
		{"nojson:a.txt absent", "nojson:a.txt absent"},
	} {
		got, err := datasets.Expand(strings.Fields(c.inputs))
		if err != nil || !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q, %v, want %s", c.inputs, got, err, c.want)
		}
	}
	for _, c := range []struct{ inputs, want string }{
		{"a.txt x*", `no file matches "x*"`},
		{"tsv:x[", `the pattern "x["`},
		{"- jsonl:-", "named twice"},
	} {
		if got, err := datasets.Expand(strings.Fields(c.inputs)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v, want an error with %s", c.inputs, got, err, c.want)
		}
	}
}

// What a pattern matches is a file, whatever its name begins with.
func TestExpandToFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("csv:a.txt", nil, 0o666); err != nil || runtime.GOOS == "windows" {
		t.Skipf("no colons in names: %v", err)
	}
	for in, format := range map[string]string{"c*.txt": "", "jsonl:c*.txt": "jsonl"} {
		got, err := datasets.Expand([]string{in})
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %q, %v, want one file", in, got, err)
		}
		s := datasets.Source{}.At(got[0])
		if _, err := os.Stat(s.Path); err != nil || s.Format != format {
			t.Errorf("%s: %q is read as %+v, %v, want the format %q", in, got, s, err, format)
		}
	}
}

func TestAt(t *testing.T) {
	s := datasets.Source{Format: "csv", ID: "key"}
	for _, c := range []struct{ input, format, path string }{
		{"x.gz", "csv", "x.gz"}, {"jsonl:x.gz", "jsonl", "x.gz"}, {"C:x", "csv", "C:x"}, {"gs://b/x", "csv", "gs://b/x"},
	} {
		if got := s.At(c.input); got.Format != c.format || got.Path != c.path || got.ID != "key" {
			t.Errorf("%s: %+v, want %s of %s", c.input, got, c.path, c.format)
		}
	}
}
