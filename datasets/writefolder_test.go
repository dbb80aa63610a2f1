package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteFolder writes the sets inside, a graded one, clusters and kinds, and
// wants the same sets back.
func TestWriteFolder(t *testing.T) {
	docs, clusters := clustered(30, 3, func(c, m int) string { return string(rune('a'+c)) + strings.Repeat("x", m) })
	folders := map[string]string{
		"clusters": write(t, "docs.jsonl", docs, "clusters.tsv", clusters, "pairs-ignore.tsv", pairsHead+"a\tb\t0.5\n"),
		"graded":   write(t, "docs.jsonl", threeDocs, "pairs-dev.tsv", pairsHead+"a\tb\t4.25\n", "pairs-test.tsv", pairsHead+"a\tc\t1.3\n"),
		"kinds":    write(t, "docs.jsonl", threeDocs, "pairs.tsv", "id1\tid2\tlabel\tkind\na\tb\t1\tk\na\tc\t0\tl\n"),
		"level":    write(t, "docs.jsonl", threeDocs, "pairs-level.tsv", pairsHead+"a\tb\t3\na\tc\t0\n"),
		"en":       "en",
		"zh":       "zh",
	}
	for name, from := range folders {
		want, err := Load(from)
		if err != nil {
			t.Fatal(err)
		}
		parent := t.TempDir()
		dir := filepath.Join(parent, "set")
		if err := WriteFolder(dir, want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := Load(dir)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, split := range []Split{None, Train, Dev, Test} { // splits are read in the order of their names
			g, w := *got, *want
			g.Pairs, w.Pairs = got.Select(split), want.Select(split)
			if g.Checksum() != w.Checksum() {
				t.Errorf("%s: the pairs of %v are not those that were written", name, split)
			}
		}
		if got.AlikeFrom != want.AlikeFrom || got.Description != want.Description || got.Licence != want.Licence {
			t.Errorf("%s: %q, %q, %v", name, got.Description, got.Licence, got.AlikeFrom)
		}
		if entries, _ := os.ReadDir(parent); len(entries) != 1 {
			t.Errorf("%s: beside the folder lies %v", name, entries)
		}
		if err := WriteFolder(dir, want); err == nil {
			t.Errorf("%s: written over a folder", name)
		}
	}
	bad := &Set{Docs: []Doc{{ID: "a"}, {ID: "b"}}, Pairs: []Pair{{A: 0, B: 1}, {A: 1, B: 0, Split: Dev}}}
	if err := WriteFolder(filepath.Join(t.TempDir(), "x"), bad); err == nil || !strings.Contains(err.Error(), "1 of 2 pairs have no split") {
		t.Errorf("pairs with and without splits: %v", err)
	}
}
