package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoad(t *testing.T) {
	root := t.TempDir()
	write := func(folder string, dir fstest.MapFS) {
		t.Helper()
		for name, f := range dir {
			path := filepath.Join(root, folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	set := files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\t1\na\tc\t0\n", "pairs-part.tsv", pairsHead+"a\tb\t1\n")
	write("shared/data/one", set)
	write("shared/data/no-set", files("README.md", "# nothing"))
	write("work/two", set)
	t.Setenv(EnvShared, "")
	t.Chdir(filepath.Join(root, "work"))

	dir, ok := SharedDir()
	if want := filepath.Join(root, "shared", "data"); !ok || !sameFile(t, dir, want) {
		t.Errorf("the shared directory is %q, %t, want %q", dir, ok, want)
	}
	if got := Shared(); !slices.Equal(got, []string{"one"}) {
		t.Errorf("shared sets %q", got)
	}
	tests := []struct {
		load, name string
		pairs      int
	}{
		{"one", "one", 2},
		{"one/part", "one/part", 1},
		{"two", "two", 2},
		{"./two", "two", 2},
		{"two/part", "two/part", 1},
		{filepath.Join(root, "work", "two"), "two", 2},
		{filepath.Join(root, "work", "two", "part"), "two/part", 1},
	}
	for _, test := range tests {
		s, err := Load(test.load)
		if err != nil {
			t.Errorf("Load(%q): %v", test.load, err)
		} else if s.Name != test.name || len(s.Pairs) != test.pairs {
			t.Errorf("Load(%q) is %q with %d pairs, want %q with %d", test.load, s.Name, len(s.Pairs), test.name, test.pairs)
		}
	}
	for _, name := range []string{"", "three", "./one", "one/other", "../shared/data/no-set", "no-set", "en/dev"} {
		if s, err := Load(name); err == nil {
			t.Errorf("Load(%q) is %q, want an error", name, s.Name)
		}
	}
	if _, err := Load("three"); !strings.Contains(err.Error(), "en, zh, one") {
		t.Errorf("the error does not list what there is: %v", err)
	}

	t.Setenv(EnvShared, filepath.Join(root, "work"))
	if s, err := Load("two"); err != nil || len(Shared()) != 1 {
		t.Errorf("Load under %s: %v, %v", EnvShared, s, err)
	}
	t.Setenv(EnvShared, filepath.Join(root, "missing"))
	if dir, ok := SharedDir(); ok || Shared() != nil {
		t.Errorf("the shared directory %q is missing, but ok", dir)
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}
