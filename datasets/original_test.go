package datasets

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// originals are the public data sets of the shared directory in their published
// form.
var originals = []struct{ folder, format string }{
	{"mrpc", "mrpc"}, {"qqp", "qqp"}, {"stsb-en", "stsb"}, {"stsb-zh", "stsb"}, {"lcqmc", "lcqmc"}, {"pawsx-zh", "paws"},
}

// sharedFolder returns a folder of the shared directory.
func sharedFolder(t testing.TB, name string) string {
	t.Helper()
	dir, ok := SharedDir()
	if !ok {
		if os.Getenv("ALIKE_REQUIRE_DATA") == "1" {
			t.Fatal("no shared data directory, and ALIKE_REQUIRE_DATA is 1")
		}
		t.Skip("no shared data directory: set ALIKE_DATA to run this test")
	}
	return filepath.Join(dir, name)
}

// TestOriginals reads the published files and wants what the folder beside them
// holds, which was made by another program: the same texts and labels in the same
// order, in all splits; and the counts of the README.
func TestOriginals(t *testing.T) {
	for _, o := range originals {
		t.Run(o.folder, func(t *testing.T) {
			dir := sharedFolder(t, o.folder)
			readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := Load(o.folder)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Load(o.format + ":" + filepath.Join(dir, "original"))
			if err != nil {
				t.Fatal(err)
			}
			if got.Name != o.format+":original" || got.Graded != want.Graded || got.AlikeFrom != want.AlikeFrom {
				t.Errorf("the set %q, graded %t from %v", got.Name, got.Graded, got.AlikeFrom)
			}
			if n, ok := stated(t, string(readme), `- documents: (\d+)`); !ok || len(got.Docs) != n {
				t.Errorf("%d documents, the README states %d", len(got.Docs), n)
			}
			for _, split := range []Split{Train, Dev, Test} {
				g, w := got.Select(split), want.Select(split)
				n, ok := stated(t, string(readme), "`pairs-"+split.String()+"\\.tsv\\.gz`: (\\d+) pairs")
				if len(g) != n || len(g) != len(w) || ok != (n > 0) {
					t.Errorf("%v: %d pairs, want %d, the README states %d", split, len(g), len(w), n)
					continue
				}
				for i := range g {
					same := got.Docs[g[i].A].Text == unquoted(want.Docs[w[i].A].Text, o.format) &&
						got.Docs[g[i].B].Text == unquoted(want.Docs[w[i].B].Text, o.format)
					// The grades of the folder have five decimals.
					if !same || math.Abs(g[i].Grade-w[i].Grade) > 1e-5 || g[i].Label != w[i].Label {
						t.Fatalf("%v: pair %d is %+v of %q and %q, want %+v of %q and %q", split, i+1, g[i],
							got.Docs[g[i].A].Text, got.Docs[g[i].B].Text, w[i], want.Docs[w[i].A].Text, want.Docs[w[i].B].Text)
					}
				}
			}
			if o.folder == "mrpc" && got.Docs[0].ID != "702876" && got.Docs[0].ID != "1089874" {
				t.Errorf("the first document is %q, want an id of the corpus", got.Docs[0].ID)
			}
			detected(t, filepath.Join(dir, "original"), o.format, got)
		})
	}
}

// unquoted takes the quotes of CSV off a text of Quora Question Pairs, which the
// folder keeps.
func unquoted(text, format string) string {
	if format == "qqp" && len(text) > 1 && text[0] == '"' && strings.HasSuffix(text, `"`) {
		return strings.ReplaceAll(text[1:len(text)-1], `""`, `"`)
	}
	return text
}

// detected reads the folder without a stated format and wants the same set.
func detected(t *testing.T, dir, format string, want *Set) {
	t.Helper()
	got, err := ReadSet(Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Pairs, want.Pairs) || !slices.Equal(got.Docs, want.Docs) {
		t.Errorf("the files are not taken for %s", format)
	}
}
