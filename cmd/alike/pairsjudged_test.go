package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Judged pairs are written or left out, by a naive rule on the scores of all pairs.
func TestPairsJudged(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 5))
	file := func(name string, lines ...string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The word "all" gives every pair a score.
	const n = 40
	lines := []string{"id\tagency\ttext"}
	agency := map[string]int{}
	var ids []string
	for i := range n {
		words := []string{"all"}
		for range 6 {
			words = append(words, fmt.Sprint("w", r.IntN(12)))
		}
		id := fmt.Sprintf("d%02d", i)
		ids, agency[id] = append(ids, id), r.IntN(3)
		lines = append(lines, fmt.Sprintf("%s\ta%d\t%s", id, agency[id], strings.Join(words, " ")))
	}
	docs := file("docs.tsv", lines...)
	// Groups by number; marks within a group and between groups, so none contradicts.
	group := map[string]int{}
	marks := []string{"id1\tid2\tlabel"}
	apart := map[[2]int]bool{}
	for g := range 5 {
		members := ids[g*3 : g*3+1+g%3]
		for i, id := range members {
			if group[id] = g; i > 0 {
				marks = append(marks, fmt.Sprintf("%s\t%s\t1", id, members[i-1])) // a chain
			}
		}
	}
	for _, p := range [][2]int{{0, 1}, {2, 4}, {3, 1}} {
		apart[p], apart[[2]int{p[1], p[0]}] = true, true
		marks = append(marks, fmt.Sprintf("%s\t%s\t0", ids[p[0]*3], ids[p[1]*3+p[1]%3]))
	}
	labels := file("labels.tsv", marks...)

	pairs := func(args ...string) (rows []string) {
		t.Helper()
		code, stdout, stderr := alike(t, "", append([]string{"pairs", docs, "-m", "shingle"}, args...)...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		return strings.Split(strings.TrimSpace(stdout), "\n")[1:]
	}
	for _, c := range []struct {
		args    []string
		against bool
		limited bool
	}{
		{nil, false, false},
		{[]string{"--across", "agency"}, false, true},
		{[]string{"--against", docs}, true, false},
		{[]string{"--workers", "2"}, false, false},
	} {
		all := []string{"-t", "0.001"}
		if c.against {
			all = append(all, c.args...)
		}
		var want []string
		added, left := 0, 0
		for _, row := range pairs(all...) {
			f := strings.Split(row, "\t")
			a, okA := group[f[0]]
			b, okB := group[f[1]]
			found := f[2] >= "0.500000" && !(c.limited && agency[f[0]] == agency[f[1]])
			switch {
			case okA && okB && a == b && f[0] != f[1]:
				if want = append(want, row); !found {
					added++
				}
			case okA && okB && apart[[2]int{a, b}]:
				if found {
					left++
				}
			case found:
				want = append(want, row)
			}
		}
		got := pairs(append([]string{"-t", "0.5", "--judged", labels}, c.args...)...)
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q\nwant %q", c.args, got, want)
		}
		if added < 2 || left < 1 {
			t.Errorf("%v: %d added, %d left out test nothing", c.args, added, left)
		}
	}
}
