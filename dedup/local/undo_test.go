package local

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// madeRemovals returns what why.jsonl holds.
func madeRemovals(t *testing.T, dir string) (out []Removal) {
	t.Helper()
	m, err := OpenMade(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Removals(func(_, _ int, w *Removal) error { out = append(out, *w); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// Of every kind of file, every removal is undone: the document is kept, all others stay
// where they are, and the whole input can still be restored.
func TestUndoOneByOne(t *testing.T) {
	undone := 0
	for name, content := range odd {
		for _, format := range []string{"", "parquet"} {
			if format != "" && !strings.HasSuffix(name, ".tsv") && name != "crlf.csv" {
				continue
			}
			dir := t.TempDir()
			src := oddSource(t, dir, name)
			out := filepath.Join(dir, "out")
			rep := dedupOf(t, Options{Out: out, SkipBad: 9, Format: format}, src)
			before := readTree(t, out)
			all := madeRemovals(t, out)
			for i, w := range all {
				to := filepath.Join(dir, fmt.Sprint("undone", i))
				u, err := Undo(t.Context(), out, w.At, to)
				if w.Reason == reasonBad {
					if err == nil || !strings.Contains(err.Error(), "no document that could be kept") {
						t.Errorf("%s: %s is undone: %v", name, w.At, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s, %s: %v", name, w.At, err)
				}
				undone++
				left := madeRemovals(t, to)
				if want := append(all[:i:i], all[i+1:]...); len(left) != len(want) || len(want) > 0 && !reflect.DeepEqual(left, want) {
					t.Errorf("%s, %s: %d removals are left, want the other %d", name, w.At, len(left), len(want))
				}
				m, err := OpenMade(to)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				if err := m.eachDocument("kept", src, func(int, *datasets.Doc) bool { n++; return true }); err != nil {
					t.Fatal(err)
				}
				if r := m.Report; n != rep.Kept+1 || r.Kept != n || r.Removed() != rep.Removed()-1 || len(r.Undone) != 1 || r.Undone[0].At != w.At {
					t.Errorf("%s, %s: %d documents are kept, the report says %d and %d removed; there were %d and %d", name, w.At, n, r.Kept, r.Removed(), rep.Kept, rep.Removed())
				}
				if u.Others != rep.Largest-2 && len(odd[name]) < 60 || m.Report.Clusters != rep.Clusters-1 && u.Others == 0 {
					t.Errorf("%s, %s: %+v, and %d clusters of %d", name, w.At, u, m.Report.Clusters, rep.Clusters)
				}
				a, b := filepath.Join(dir, fmt.Sprint("a", i)), filepath.Join(dir, fmt.Sprint("b", i))
				if _, err := Restore(t.Context(), to, b); err != nil {
					t.Fatalf("%s, %s: %v", name, w.At, err)
				}
				got, _ := os.ReadFile(b)
				if format != "" {
					if _, err := Restore(t.Context(), out, a); err != nil {
						t.Fatal(err)
					}
					want, _ := os.ReadFile(a)
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s, %s: restored other values", name, w.At)
					}
				} else if name == "text.gz" {
					if string(unpack(t, got)) != content {
						t.Errorf("%s: restored %q", name, unpack(t, got))
					}
				} else if string(got) != content {
					t.Errorf("%s, %s: restored %q, want %q", name, w.At, got, content)
				}
			}
			if !reflect.DeepEqual(readTree(t, out), before) {
				t.Errorf("%s: the folder itself has changed", name)
			}
		}
	}
	if undone < 15 {
		t.Errorf("%d removals undone: these show nothing", undone)
	}
}

// In a folder of texts a file moves. With the policy none, the first document of a
// cluster comes back once it is alone.
func TestUndoText(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"a.txt": "one two three four", "b/c.txt": "one two three four", "d.txt": "alone"}
	for name, content := range want {
		write(t, filepath.Join(dir, "in", name), []byte(content))
	}
	for _, keep := range []string{"first", "none"} {
		out, to := filepath.Join(dir, keep), filepath.Join(dir, keep+"-undone")
		dedupOf(t, Options{Out: out, Keep: mustPolicy(t, keep)}, datasets.Source{Path: filepath.Join(dir, "in")})
		u, err := Undo(t.Context(), out, "b/c.txt", to)
		if err != nil {
			t.Fatal(err)
		}
		if got := readTree(t, filepath.Join(to, "kept")); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: kept %q, want all", keep, got)
		}
		if left := madeRemovals(t, to); len(left) > 0 || (u.First != nil) != (keep == "none") {
			t.Errorf("%s: %d removals are left, %+v", keep, len(left), u)
		}
		back := filepath.Join(dir, keep+"-back")
		if _, err := Restore(t.Context(), to, back); err != nil {
			t.Fatal(err)
		}
		if got := readTree(t, back); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: restored %q", keep, got)
		}
	}
}

func TestUndoRefuses(t *testing.T) {
	dir := t.TempDir()
	src := datasets.Source{Path: write(t, filepath.Join(dir, "a.jsonl"), []byte(
		`{"id":"x","text":"a b c"}`+"\n"+`{"id":"y","text":"a b c"}`+"\n"+`{"id":"y","text":"a b c"}`+"\n"))}
	out := filepath.Join(dir, "out")
	dedupOf(t, Options{Out: out}, src)
	to := filepath.Join(dir, "to")
	fails := func(id, dest, want string) {
		t.Helper()
		if _, err := Undo(t.Context(), out, id, dest); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", id, err, want)
		}
		if _, err := os.Lstat(to); err == nil {
			t.Errorf("%s: there is a folder", id)
		}
	}
	fails("x", to, `no removed document "x"`)
	fails("y", to, "2 removed documents have the id")
	fails(src.Path+":2", out, "exists already")
	write(t, filepath.Join(out, "kept.jsonl"), []byte(`{"id":"x","text":"a b d"}`+"\n"))
	fails(src.Path+":2", to, "have been changed")
	write(t, filepath.Join(out, "kept.jsonl"), nil)
	fails(src.Path+":2", to, "fewer rows than were written")
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}
