package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that would remove more than half of the documents stops by default, and
// leaves nothing; half of them may go.
func TestDedupStopsAboveHalf(t *testing.T) {
	for same, want := range map[int]int{2: 0, 3: exitBad} { // of four documents, all but one of the same go
		dir := t.TempDir()
		var b strings.Builder
		for i := range 4 {
			text := "the cat sat on the mat and looked at the dog"
			if i >= same+1 {
				text = fmt.Sprintf("document %d is about something else altogether, and says so at some length", i)
			}
			fmt.Fprintf(&b, `{"id":"%d","text":%q}`+"\n", i, text)
		}
		in := filepath.Join(dir, "in.jsonl")
		if err := os.WriteFile(in, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := alike(t, "", "dedup", in, "-o", filepath.Join(dir, "out"))
		if code != want {
			t.Errorf("%d of 4 would go: exit code %d, want %d: %s", same, code, want, stderr)
		}
		left, err := filepath.Glob(filepath.Join(dir, "out*"))
		if err != nil || (len(left) > 0) != (want == 0) {
			t.Errorf("%d of 4 would go: %q is there, %v", same, left, err)
		}
	}
}

// Each removed document has a line in why.jsonl. The document named there is
// kept, and the two are alike by their words, counted naively here.
func TestDedupSaysWhyOfEach(t *testing.T) {
	trigrams := func(text string) map[string]bool {
		words, out := strings.Fields(text), map[string]bool{}
		for i := range len(words) - 2 {
			out[strings.Join(words[i:i+3], " ")] = true
		}
		return out
	}
	t.Run("words", func(t *testing.T) {
		saysWhyOfEach(t, 0.9, func(a, b string) float64 {
			x, y := strings.Fields(a), strings.Fields(b)
			return 1 - float64(naiveEdits(x, y))/float64(max(len(x), len(y)))
		})
	})
	t.Run("runs", func(t *testing.T) {
		saysWhyOfEach(t, 0.8, func(gone, stays string) float64 {
			a, b := trigrams(gone), trigrams(stays)
			both := 0
			for g := range a {
				if b[g] {
					both++
				}
			}
			return float64(both) / float64(len(a)+len(b)-both)
		}, "-t", "0.8")
	})
}

// naiveEdits returns the least number of words to insert, delete or replace.
func naiveEdits(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			kept := before
			if x != y {
				kept++
			}
			before = row[j+1]
			row[j+1] = min(kept, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// saysWhyOfEach counts the score of each removal again.
func saysWhyOfEach(t *testing.T, least float64, score func(gone, stays string) float64, flags ...string) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out")
	corpusOf(t, in, 9, 2000)
	must(t, append([]string{"dedup", in, "-o", out}, flags...)...)
	type doc struct{ ID, Text string }
	read := func(path string) map[string]string {
		t.Helper()
		texts := map[string]string{}
		for _, d := range linesOf[doc](t, path) {
			texts[d.ID] = d.Text
		}
		return texts
	}
	all, kept, removed := read(in), read(filepath.Join(out, "kept.jsonl")), read(filepath.Join(out, "removed.jsonl"))
	if len(removed) < 100 || len(kept)+len(removed) != len(all) {
		t.Fatalf("%d kept and %d removed of %d", len(kept), len(removed), len(all))
	}
	type reason struct {
		ID    string
		Kept  struct{ ID string }
		Score float64
	}
	reasons := linesOf[reason](t, filepath.Join(out, "why.jsonl"))
	if len(reasons) != len(removed) {
		t.Errorf("%d reasons for %d removed", len(reasons), len(removed))
	}
	for _, w := range reasons {
		gone, isGone := removed[w.ID]
		stays, isKept := kept[w.Kept.ID]
		if s := score(gone, stays); !isGone || !isKept || s < least || math.Abs(s-w.Score) > 1e-9 {
			t.Fatalf("%+v: removed %v, kept %v, counted %v", w, isGone, isKept, s)
		}
	}
}

// linesOf reads a file of JSON lines.
func linesOf[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
