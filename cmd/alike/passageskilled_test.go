package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Runs that are killed as each file of theirs appears, and go on, leave what a
// run leaves that was not killed.
func TestPassagesKilled(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	must(t, "datasets", "make", made, "-n", "300", "--passages")
	for _, args := range []string{
		"passages docs.jsonl -o out.tsv --occurrences places.csv",
		"passages docs.jsonl --against old.jsonl -o out.parquet",
		"gather docs.jsonl --against old.jsonl -o out.tsv --uncovered rest.tsv",
	} {
		t.Run(args, func(t *testing.T) {
			dirs := map[string]string{}
			for _, name := range []string{"whole", "killed"} {
				dirs[name] = t.TempDir()
				for _, file := range []string{"docs.jsonl", "old.jsonl"} {
					if err := os.Link(filepath.Join(made, "docs.jsonl"), filepath.Join(dirs[name], file)); err != nil {
						t.Fatal(err)
					}
				}
			}
			runKilled(t, dirs["whole"], "", "", strings.Fields(args)...)
			resume := append(strings.Fields(args), "--resume", "work")
			n := 0
			for _, stage := range []string{"work/lock", "work/identity", "work/folded", "work/part-000000", "work/part-000001", "out.*", ""} {
				if runKilled(t, dirs["killed"], "", stage, resume...) {
					n++
				}
			}
			if n < 4 {
				t.Errorf("killed %d times, want 4 or more", n)
			}
			sameFiles(t, dirs["killed"], dirs["whole"], "")
		})
	}
}
