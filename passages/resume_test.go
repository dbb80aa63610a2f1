package passages_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/passages"
)

// A finder that is killed at any moment, and the next ones too, come to what one finder
// finds. A copy of the folder is what a killed process leaves.
func TestResume(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, seed))
	texts := many(60)
	texts[7] += strings.Repeat("-", 900) + texts[8]
	texts[9] = texts[8] + strings.Repeat("-", 700) + texts[7]
	const old = 31
	all := func(f *passages.Finder) (all []passages.Passage, st passages.Stats) {
		st, err := f.Each(t.Context(), func(p passages.Passage) error { all = append(all, p); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return all, st
	}
	want, wantStats := all(added(t, passages.Options{MinLength: 40}, old, texts...))
	if len(want) == 0 || wantStats.Runs == 0 {
		t.Fatalf("%d passages, %d runs", len(want), wantStats.Runs)
	}
	for range 20 {
		dir := filepath.Join(t.TempDir(), "work")
		o := passages.Options{MinLength: 40, Inputs: "texts"}
		for kills := 0; ; kills++ {
			o.Work, o.Dir = dir, t.TempDir()
			f, err := passages.New(o)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			n := 0
			if notes := f.Saved(); len(notes) > 0 {
				fmt.Sscan(string(notes[len(notes)-1]), &n)
			}
			end := n + 1 + rng.IntN(len(texts))
			for ; n < min(end, len(texts)); n++ {
				if n == old {
					f.BeginOld()
				}
				p, err := f.Prepare(texts[n])
				if err == nil {
					err = f.Add(p)
				}
				if err == nil && rng.IntN(5) == 0 && n != old-1 {
					err = f.Save(fmt.Append(nil, n+1))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if n < len(texts) || kills == 0 {
				next := filepath.Join(t.TempDir(), "work")
				if err := os.CopyFS(next, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"original", "folded", "run-0"} { // what was written after the last Save
					b, _ := os.ReadFile(filepath.Join(next, name))
					if err := os.WriteFile(filepath.Join(next, name), append(b, "0123456789abcdef"...), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				dir = next
				continue
			}
			got, st := all(f)
			if !reflect.DeepEqual(got, want) || st != wantStats {
				t.Fatalf("seed %d, after %d kills: %d passages, %+v, want %d, %+v", seed, kills, len(got), st, len(want), wantStats)
			}
			f.Forget()
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Fatalf("%s is left, error %v", dir, err)
			}
			break
		}
	}
}

// Work of another run is refused, and so is a folder that holds something else.
func TestResumeRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	begun := passages.Options{MinLength: 40, Inputs: "these", Work: dir, Dir: t.TempDir()}
	f, err := passages.New(begun)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := passages.New(begun); err == nil || !strings.Contains(err.Error(), "another run is making it") {
		t.Errorf("two at once: error %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*passages.Options){
		"has other settings (min-length=40 ": func(o *passages.Options) { o.MinLength = 41 },
		"has other inputs":                   func(o *passages.Options) { o.Inputs = "those" },
		"holds something else":               func(o *passages.Options) { o.Work = other },
	} {
		o := begun
		change(&o)
		if _, err := passages.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if names, _ := os.ReadDir(other); len(names) != 1 {
		t.Errorf("the other folder now has %v", names)
	}
}

// A folder stays as it is unless its identity is of a run, whatever the names in it.
func TestResumeLeavesOthers(t *testing.T) {
	o := passages.Options{MinLength: 40, Inputs: "these", Dir: t.TempDir()}
	for _, names := range []string{"part-00000.parquet lock", "part-00000.parquet .lock", "run-1 lock", "original", "lock", "identity lock", ".identity.new"} {
		o.Work = t.TempDir()
		for _, name := range strings.Fields(names) {
			if err := os.WriteFile(filepath.Join(o.Work, name), []byte("data that is longer than a checksum"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if f, err := passages.New(o); err == nil {
			f.Close()
			t.Errorf("%s: taken for a run", names)
		}
		for _, name := range strings.Fields(names) {
			if b, _ := os.ReadFile(filepath.Join(o.Work, name)); len(b) == 0 {
				t.Errorf("%s: %s is gone", names, name)
			}
		}
	}
	for _, names := range []string{"", "lock", "lock .identity.new"} { // a kill before the identity is written
		o.Work = t.TempDir()
		for _, name := range strings.Fields(names) {
			if err := os.WriteFile(filepath.Join(o.Work, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		f, err := passages.New(o)
		if err != nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		f.Forget()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
