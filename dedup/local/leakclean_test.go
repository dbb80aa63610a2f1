package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// Of every kind of file the training data comes back byte for byte, a removed
// document can be kept again, and what is kept has no leak.
func TestLeakCleanGivesTheBytesBack(t *testing.T) {
	for name, content := range odd {
		if len(content) < 8 || name == "header.csv" {
			continue // no documents, so nothing is compared
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			src := oddSource(t, dir, name)
			out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back")
			o := LeakOptions{
				Train:    []datasets.Source{src},
				Tests:    []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", []string{"a b c", "a b", "x", "a"})}}}},
				Features: extractor(t, 1), Threshold: 1, SkipBad: 9, Clean: out,
			}
			_, rep := findLeaks(t, o)
			if rep.Leaking == 0 && name != "bad.csv" {
				t.Fatalf("nothing has leaked: %+v", rep)
			}
			if _, err := Restore(t.Context(), out, back); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(back)
			if name == "text.gz" {
				got = unpack(t, got)
			}
			if err != nil || string(got) != content {
				t.Errorf("restored %q, %v, want %q", got, err, content)
			}
			made, err := OpenMade(out)
			if err != nil {
				t.Fatal(err)
			}
			at, n := "", 0
			if err := made.Removals(func(_, _ int, w *Removal) error {
				if w.Reason == reasonLeaked {
					n++
					at = w.At
				}
				return nil
			}); err != nil || n != rep.Leaking || made.Report.Removed() != n || made.Report.Kept+n != rep.Train {
				t.Errorf("%d removals, %v; %+v, %+v", n, err, rep, made.Report)
			}
			if n > 0 {
				again := filepath.Join(dir, "again")
				if _, err := Undo(t.Context(), out, at, again); err != nil {
					t.Fatal(err)
				}
				if m, err := OpenMade(again); err != nil || m.Report.Kept != made.Report.Kept+1 || m.Report.Leaked != n-1 {
					t.Errorf("undone %+v, %v", m, err)
				}
			}
			kept, err := filepath.Glob(filepath.Join(out, "kept*"))
			if err != nil || len(kept) != 1 {
				t.Fatal(kept, err)
			}
			o.Train[0].Path, o.Clean = kept[0], ""
			if rep.Train > rep.Leaking {
				if leaks, _ := findLeaks(t, o); len(leaks) > 0 {
					t.Errorf("what is kept has leaks: %+v", leaks)
				}
			}
		})
	}
}

// The folder is the same for every number of workers, each removal names the test
// document that the training document has most of, and a folder of texts is divided
// into two.
func TestLeakCleanOfTexts(t *testing.T) {
	dir := t.TempDir()
	train, test := sample(5, 300), sample(5, 340)[280:]
	for i, text := range train {
		write(t, filepath.Join(dir, "train", string(rune('a'+i%26)), "t"+strings.Repeat("x", i/26)+".txt"), []byte(text))
	}
	o := LeakOptions{
		Train:    []datasets.Source{{Path: filepath.Join(dir, "train")}},
		Tests:    []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", test)}}}},
		Features: extractor(t, 2), Threshold: .6, Least: 4,
	}
	_, plain := findLeaks(t, o)
	var first map[string]string
	for workers := 1; workers < 4; workers++ {
		out := filepath.Join(dir, "out")
		o.Clean, o.Workers = out, workers
		_, rep := findLeaks(t, o)
		if !reflect.DeepEqual(rep, plain) || rep.Leaking < 20 || rep.Leaking == rep.Train {
			t.Fatalf("%+v, want %+v", rep, plain)
		}
		files := map[string]string{}
		if err := fs.WalkDir(os.DirFS(out), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(filepath.Join(out, path))
			files[path] = string(b)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = files
		}
		if !reflect.DeepEqual(files, first) {
			t.Errorf("%d workers make another folder", workers)
		}
		if _, err := Restore(t.Context(), out, filepath.Join(dir, "back")); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.RemoveAll(out), os.RemoveAll(filepath.Join(dir, "back"))); err != nil {
			t.Fatal(err)
		}
	}
	for line := range bytes.Lines([]byte(first[whyFile])) {
		var w Removal
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(w.At[:strings.LastIndexByte(w.At, ':')])
		if err != nil {
			t.Fatal(err)
		}
		set := map[uint64]bool{}
		for _, h := range o.Features.AppendHashes(nil, string(text)) {
			set[h] = true
		}
		most := 0.0
		for _, item := range test {
			hashes := distinct(o.Features.AppendHashes(nil, item))
			n := 0
			for _, h := range hashes {
				if set[h] {
					n++
				}
			}
			alike := float64(n) / float64(len(set)+len(hashes)-n)
			if in := float64(n) / float64(len(hashes)); in >= .6 && (len(hashes) >= 4 || alike >= .6) {
				most = max(most, in)
			}
		}
		if w.Score != most || len(w.Shared) == 0 || w.Kept == nil || !w.Kept.Against {
			t.Errorf("%+v, want the score %v", w, most)
		}
	}
}

// Nothing is left behind where the run fails or is cancelled, and what is there is not
// overwritten.
func TestLeakCleanRefusals(t *testing.T) {
	dir := t.TempDir()
	train, test := jsonl(t, dir, "train", []string{"a b c d", "e f g h"}), jsonl(t, dir, "test", []string{"a b c d"})
	bad := write(t, filepath.Join(dir, "bad.jsonl"), []byte("{\"text\":\"x y z\"}\nno\n"))
	table := write(t, filepath.Join(dir, "t.csv"), []byte("id,text\n1,a b c d\n"))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx   context.Context
		train []string
		out   string
		want  string
	}{
		{t.Context(), []string{train}, test, "exists already"},
		{t.Context(), []string{bad}, filepath.Join(dir, "out"), "bad.jsonl:2"},
		{t.Context(), []string{train, table}, filepath.Join(dir, "out"), "t.csv"},
		{cancelled, []string{train}, filepath.Join(dir, "out"), "cancel"},
	} {
		o := LeakOptions{Tests: []TestSet{{Sources: []datasets.Source{{Path: test}}}}, Features: extractor(t, 2), Threshold: 1, Clean: c.out}
		for _, path := range c.train {
			o.Train = append(o.Train, datasets.Source{Path: path})
		}
		_, err := FindLeaks(c.ctx, o, func(Leak) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v to %s: error %v, want %q", c.train, c.out, err, c.want)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
			t.Errorf("%v: left behind: %v", c.train, left)
		}
	}
}
