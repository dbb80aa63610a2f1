package plant

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/alike-go/alike/datasets"
)

// What is written is read back by the package that defines the layout, and is
// what collect keeps in memory.
func TestWriteIsReadBack(t *testing.T) {
	m := newMaker(t, MakeOptions{Mean: 20, Words: 500})
	p := newPlanter(t, Options{Share: 0.4, Copies: []float64{1, 1, 1}})
	want, err := collect("set", p.Plant(m.Docs(0, 150)))
	if err != nil {
		t.Fatal(err)
	}
	for _, compress := range []string{"", "gz", "zst"} {
		t.Run("compress="+compress, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "set")
			stats, err := Write(dir, p.Plant(m.Docs(0, 150)), WriteOptions{Compress: compress, Description: "Made\nhere."})
			if err != nil {
				t.Fatal(err)
			}
			planted, err := datasets.Load(dir + "/planted")
			if err != nil {
				t.Fatal(err)
			}
			clustered, err := datasets.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []*datasets.Set{planted, clustered} {
				if !slices.Equal(got.Docs, want.Docs) || got.Description != "Made here." {
					t.Errorf("%s: the documents are others, or %q", got.Name, got.Description)
				}
			}
			if !slices.Equal(planted.Pairs, want.Pairs) {
				t.Error("the pairs are others")
			}
			if !slices.Equal(clustered.Clusters, want.Clusters) {
				t.Error("the clusters are others")
			}
			for _, pair := range want.Pairs {
				if same := want.Clusters[pair.A] == want.Clusters[pair.B]; same != pair.Alike() || same == (pair.Kind == kindRandom) || pair.A == pair.B {
					t.Errorf("%+v, same cluster: %v", pair, same)
				}
			}
			check(t, want, stats)
		})
	}
}

// check compares the counts with a count.
func check(t *testing.T, s *datasets.Set, got Stats) {
	t.Helper()
	var want Stats
	sizes := map[int]int{}
	for i, d := range s.Docs {
		want.Documents++
		want.Bytes += int64(len(d.Text))
		sizes[s.Clusters[i]]++
		if strings.Contains(d.ID, "~") {
			want.Copies++
		}
	}
	for _, n := range sizes {
		if n > 1 {
			want.Clusters++
		}
	}
	for _, p := range s.Pairs {
		if p.Alike() {
			want.Alike++
		} else {
			want.Different++
		}
	}
	copies := 0
	for _, e := range got.edits {
		copies += e.copies
	}
	if copies != want.Copies {
		t.Errorf("the edits made %d copies, want %d", copies, want.Copies)
	}
	if !slices.IsSortedFunc(got.edits, func(a, b editStats) int {
		return slices.Index(Kinds(), a.edit.Kind) - slices.Index(Kinds(), b.edit.Kind)
	}) {
		t.Error("the edits are not in order")
	}
	if got.edits = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// edits.tsv says of every copy what its texts show.
func TestEditsFile(t *testing.T) {
	m := newMaker(t, MakeOptions{Mean: 50})
	dir := t.TempDir()
	p := newPlanter(t, Options{Share: 0.5, Mix: []Choice{{Edit{Delete, 0.25}, 1}}})
	stats, err := Write(dir, p.Plant(m.Docs(0, 100)), WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := datasets.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]int{}
	for _, d := range s.Docs {
		words[d.ID] = len(strings.FieldsFunc(d.Text, func(c rune) bool { return !unicode.IsLetter(c) }))
	}
	f, err := os.Open(filepath.Join(dir, "edits.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := -1
	for ; lines.Scan(); n++ {
		if n < 0 {
			if lines.Text() != "id\toriginal\tkind\trate\tunits\ttouched" {
				t.Fatalf("the header is %q", lines.Text())
			}
			continue
		}
		f := strings.Split(lines.Text(), "\t")
		units, _ := strconv.Atoi(f[4])
		touched, _ := strconv.Atoi(f[5])
		if f[2] != "delete" || f[3] != "0.25" || units != words[f[1]] || units-touched != words[f[0]] {
			t.Errorf("%q, but there are %d and %d words", f, words[f[1]], words[f[0]])
		}
	}
	if n != stats.Copies || n == 0 {
		t.Errorf("%d lines, want %d", n, stats.Copies)
	}
}

func TestWriteRefuses(t *testing.T) {
	m := newMaker(t, MakeOptions{Mean: 5})
	p := newPlanter(t, Options{})
	docs := p.Plant(m.Docs(0, 10))
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(full, docs, WriteOptions{}); err == nil || !strings.HasSuffix(err.Error(), "the folder is not empty") {
		t.Errorf("a folder with a file: %v", err)
	}
	if _, err := Write(filepath.Join(full, "mine"), docs, WriteOptions{}); err == nil {
		t.Error("a file: no error")
	}
	if _, err := Write(t.TempDir(), docs, WriteOptions{Compress: "rar"}); err == nil || err.Error() != `plant: Compress is "rar", want gz, zst or nothing` {
		t.Errorf("rar: %v", err)
	}
}

// After an error there is neither the folder nor a part of it, and a folder that
// was there is still there.
func TestWriteLeavesNothingBehind(t *testing.T) {
	m := newMaker(t, MakeOptions{Mean: 100})
	p := newPlanter(t, Options{})
	broken := errors.New("broken")
	top := t.TempDir()
	empty := filepath.Join(top, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, compress := range []string{"", "gz", "zst"} {
		for _, dir := range []string{empty, filepath.Join(top, "new")} {
			_, err := Write(dir, func(yield func(Document, error) bool) {
				for d, err := range p.Plant(m.Docs(0, 300)) {
					if !yield(d, err) {
						return
					}
				}
				yield(Document{}, broken)
			}, WriteOptions{Compress: compress})
			if !errors.Is(err, broken) {
				t.Errorf("%v, want %v", err, broken)
			}
		}
		if _, err := Write(filepath.Join(top, "none"), yielded(nil), WriteOptions{Compress: compress}); err == nil || !strings.HasSuffix(err.Error(), "there are no documents") {
			t.Errorf("no documents: %v", err)
		}
	}
	entries, err := os.ReadDir(top)
	if err != nil || len(entries) != 1 || entries[0].Name() != "empty" {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// The compressed bytes are the same in every run.
func TestWriteIsAFunction(t *testing.T) {
	m := newMaker(t, MakeOptions{Mean: 100})
	p := newPlanter(t, Options{})
	var first [2]string
	for run := range first {
		dir := t.TempDir()
		if _, err := Write(dir, p.Plant(m.Docs(0, 1000)), WriteOptions{Compress: "zst", Description: "d"}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"docs.jsonl.zst", "clusters.tsv.zst", "pairs-planted.tsv.zst", "edits.tsv.zst"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			first[run] += fmt.Sprintf("%x", b)
		}
	}
	if first[0] != first[1] {
		t.Error("two runs wrote other bytes")
	}
}
