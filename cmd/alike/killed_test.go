package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/dedup/pairs"
)

// The command that a test starts kills itself when a file of the pattern in
// killAtFile is there. It watches from within: a parent would see a short stage
// too late.
const killAtFile = "ALIKE_TEST_KILL"

func killYourself(pattern string) {
	for {
		if there, _ := filepath.Glob(pattern); len(there) > 0 {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err != nil {
				panic(err)
			}
		}
		time.Sleep(20 * time.Microsecond)
	}
}

// runKilled runs a command in a folder until it ends or a file of the pattern
// is there.
func runKilled(t *testing.T, dir, stdin, pattern string, args ...string) (killed bool) {
	t.Helper()
	cmd := command(args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	if pattern != "" {
		cmd.Env = append(cmd.Env, killAtFile+"="+pattern)
	}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("%v: exit code %d: %s", args, cmd.ProcessState.ExitCode(), out)
	}
	return err != nil
}

// sameFiles reports the files of two folders that differ or are in one of them
// only, except for files with a prefix.
func sameFiles(t *testing.T, gotDir, wantDir, but string) {
	t.Helper()
	read := func(dir string) map[string]string {
		out := files(t, dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries { // also folders without files
			if e.IsDir() {
				out[e.Name()] = "a folder"
			}
		}
		maps.DeleteFunc(out, func(name, _ string) bool { return but != "" && strings.HasPrefix(name, but) })
		return out
	}
	got, want := read(gotDir), read(wantDir)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if g, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if g != want[name] {
			t.Errorf("%s has other bytes", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left behind", name)
		}
	}
}

// dedupStages returns the files that a run with the flags makes, in order. A
// run that is killed as each of them appears is killed in every stage.
func dedupStages(flags string) []string {
	var out []string
	for _, s := range []struct{ file, flag string }{
		{"identity", ""}, {"known-rows", "disk:"}, {"part-000000", ""}, {"seen", ""}, {"decision", ""}, {"adding", "disk:"},
		{"out/*", ""}, {"out/why.jsonl", ""}, {"out/kept.sketches", "--sketches"}, {"commit", ""},
	} {
		read := s.file == "part-000000" || s.file == "seen" // no checkpoints below the document
		if strings.Contains(flags, s.flag) && !(read && strings.Contains(flags, "--level")) {
			out = append(out, "out.partial/"+s.file)
		}
	}
	return append(out, "out")
}

// A run writes the same bytes after a kill in every stage, each time resumed by
// another process.
func TestDedupWritesTheSameBytesWhenKilled(t *testing.T) {
	inputs := t.TempDir()
	at := func(name string) string { return filepath.Join(inputs, name) }
	docs := 2000
	if testing.Short() {
		docs = 600
	}
	corpusOf(t, at("in.jsonl"), 21, docs)
	corpusOf(t, at("old.jsonl"), 21, docs/4) // the first of them
	for _, name := range []string{"in.csv", "in.tsv", "in.parquet", "in.jsonl.gz", "in.jsonl.zst"} {
		must(t, "datasets", "convert", at("in.jsonl"), "-o", at(name))
	}
	rows, err := os.ReadFile(at("in.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("bad.jsonl"), append([]byte("no row\n"), rows...), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("texts"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, row := range bytes.Split(rows, []byte("\n"))[:docs/10] {
		if err := os.WriteFile(at(fmt.Sprintf("texts/%d.txt", i)), row[bytes.Index(row, []byte(`"text"`)):], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const sketch = " -m simhash -k 6 --verify sketch"
	must(t, "dedup", at("old.jsonl"), "-o", at("sketched"), "--sketches", "-m", "simhash", "-k", "6", "--verify", "sketch")
	if err := os.Rename(at("sketched/kept.sketches"), at("old.sketches")); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(at("sketched"))
	must(t, "index", "create", "disk:"+at("seen"), "-m", "simhash", "-k", "6")
	must(t, "index", "add", "disk:"+at("seen"), at("old.jsonl"))

	killed := map[string]int{}
	for _, c := range []struct{ name, args string }{
		{"keep first", "in.jsonl"},
		{"keep longest", "in.jsonl --keep highest:n,longest"},
		{"keep source", "in.jsonl old.jsonl --keep source,newest:n"},
		{"sketches", "in.jsonl --sketches" + sketch},
		{"annotate", "in.jsonl --annotate"},
		{"explain", "in.jsonl --explain"},
		{"drop text", "in.jsonl --drop-text"},
		{"jsonl", "in.csv --format jsonl"},
		{"csv", "in.jsonl --format csv"},
		{"tsv", "in.jsonl --format tsv"},
		{"parquet", "in.jsonl --format parquet"},
		{"from csv", "in.csv"},
		{"from tsv", "in.tsv"},
		{"from parquet", "in.parquet"},
		{"from gzip", "in.jsonl.gz"},
		{"from zstd", "in.jsonl.zst --sketches" + sketch},
		{"from texts", "texts"},
		{"skip bad", "bad.jsonl --skip-bad 1"},
		{"mask", "in.jsonl --mask url"},
		{"strip boilerplate", "in.jsonl --strip-boilerplate 3 --max-drop 100%"},
		{"cohesion", "in.jsonl --threshold 0.7 --cohesion 0.4"},
		{"closure", "in.jsonl --threshold 0.7 --cohesion 0"},
		{"passages", "in.jsonl --level passage --keep highest:n,longest --max-drop 100%"},
		{"lines", "in.csv --level line --keep none --max-drop 100%"},
		{"paragraphs", "texts --level paragraph --max-drop 100%"},
		{"standard input", "- --spool spooled"},
		{"against documents", "in.jsonl --against old.jsonl"},
		{"update documents", "in.jsonl --against old.jsonl --update"},
		{"update sketches", "in.jsonl --against old.sketches --update --sketches" + sketch},
		{"update index", "in.jsonl --against disk:seen --update --sketches --verify sketch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dirs := map[string]string{"whole": filepath.Join(t.TempDir(), "in"), "killed": filepath.Join(t.TempDir(), "in")}
			for _, dir := range dirs {
				if err := os.CopyFS(dir, os.DirFS(inputs)); err != nil {
					t.Fatal(err)
				}
			}
			stdin := ""
			if strings.HasPrefix(c.args, "- ") {
				stdin = string(rows)
			}
			args := append(strings.Fields("dedup -o out --resume --workers 2"), strings.Fields(c.args)...)
			runKilled(t, dirs["whole"], stdin, "", args...)
			out := filepath.Join(dirs["killed"], "out")
			for _, stage := range append(dedupStages(c.args), "") {
				if runKilled(t, dirs["killed"], stdin, stage, args...) {
					killed[stage]++
				}
				if _, err := os.Stat(out); err == nil {
					os.RemoveAll(out + ".partial") // of a run that was killed while it cleaned up
					break
				}
			}
			if n := len(files(t, filepath.Join(dirs["whole"], "out"))); n < 4 {
				t.Errorf("the run wrote %d files, want annotated or kept rows, why, clusters, and a report", n)
			}
			sameFiles(t, dirs["killed"], dirs["whole"], "seen") // whose files say when they were written
			if strings.Contains(c.args, "disk:seen") && !maps.Equal(indexed(t, "disk:"+filepath.Join(dirs["killed"], "seen")), indexed(t, "disk:"+filepath.Join(dirs["whole"], "seen"))) {
				t.Error("the index has other documents")
			}
		})
	}
	t.Logf("killed at %v", killed)
	for _, stage := range []string{"out.partial/identity", "out.partial/decision", "out.partial/out/why.jsonl", "out.partial/out/kept.sketches"} {
		if killed[stage] == 0 {
			t.Errorf("no run was killed at %s", stage)
		}
	}
}

// A command that is killed while it writes a file or a folder does not give it
// its name. The next run takes over what is left, and writes the same bytes as
// a run that was not killed.
func TestCommandsWriteTheSameBytesWhenKilled(t *testing.T) {
	inputs := t.TempDir()
	at := func(name string) string { return filepath.Join(inputs, name) }
	corpusOf(t, at("in.jsonl"), 22, 1500)
	corpusOf(t, at("more.jsonl"), 23, 500)
	must(t, "dedup", at("in.jsonl"), "-o", at("one"), "--max-drop", "100%")
	must(t, "dedup", at("in.jsonl"), at("more.jsonl"), "-o", at("several"), "--max-drop", "100%")
	must(t, "sketch", at("in.jsonl"), "-o", at("sketches"), "--buckets", "-m", "simhash", "-k", "6")
	must(t, "datasets", "make", "-n", "300", at("set"))
	must(t, "eval", "--data", "en", "-m", "shingle", "--repeat", "-1", "--resamples", "20", "--out", at("records.jsonl"))
	if err := os.Rename(pairsFile(t, pairs.Pair{A: 0, B: 1, Score: .9}), at("pairs.parquet")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		out  string // what the command makes
		at   string // of what is there first while it is being made
	}{
		{"restore one -o back.jsonl", "back.jsonl", ".*"},
		{"restore one -o back.jsonl", "back.jsonl", ".*/out/*"},
		{"restore several -o back", "back", ".*/out/more.jsonl"},
		{"datasets convert in.jsonl -o made.csv.gz", "made.csv.gz", ".*"},
		{"datasets convert in.jsonl -o made.parquet", "made.parquet", ".*"},
		{"datasets convert set -o made", "made", ".*/out/*"},
		{"datasets make -n 1000 made", "made", ".*/out/*"},
		{"fit in.jsonl -o made.fit", "made.fit", ".*"},
		{"pairs in.jsonl -m simhash -k 3 -o pairs.tsv", "pairs.tsv", ".*"},
		{"pairs in.jsonl -m simhash -k 3 -o pairs.jsonl.zst", "pairs.jsonl.zst", ".*"},
		{"sketch in.jsonl -o made --buckets -m simhash -k 6", "", "made/*/.part*"},
		{"sketch in.jsonl -o made --buckets --slices 4", "", "made/buckets/*/*/part*"},
		{"cluster pairs.parquet --documents 9 -o made", "made", ".*/out/*"},
		{"cluster pairs.parquet --sketches sketches -o made", "made", "made.partial/out/*"},
		{"report records.jsonl -o page.html", "page.html", ".*"},
		{"report records.jsonl -o page.html --plots plots", "", "plots/*"},
		{"eval --data en -m shingle -m simhash --repeat -1 --resamples 20 --plots plots", "", "plots/*"},
		{"stress -m shingle --docs 40 --lengths 100 --kinds mixed --rates 0.1 --out made.jsonl", "made.jsonl", ".*"},
		{"choose en -m shingle --resamples 20 --no-speed --records made.jsonl", "made.jsonl", ".*"},
		{"eval --data en -m shingle -m simhash -m cosine --repeat -1 --resamples 20 --out made.jsonl --resume", "", "made.jsonl"},
	} {
		t.Run(c.args, func(t *testing.T) {
			whole, dir, args := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "in"), strings.Fields(c.args)
			fresh := func(dir string) {
				if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(inputs))); err != nil {
					t.Fatal(err)
				}
			}
			fresh(whole)
			runKilled(t, whole, "", "", args...)
			fresh(dir)
			for kills, tries := 0, 0; kills < 2; tries++ {
				killed := runKilled(t, dir, "", c.at, args...)
				if killed && c.out != "" {
					if _, err := os.Stat(filepath.Join(dir, c.out)); err == nil {
						killed = false // too late: all was there
						sameOutput(t, dir, whole, c.out)
					}
				}
				if killed {
					kills++
					continue
				}
				if tries == 20 {
					t.Fatalf("%d times it ended before it was killed at %s", tries, c.at)
				}
				fresh(dir)
			}
			runKilled(t, dir, "", "", args...)
			sameFiles(t, dir, whole, "")
		})
	}
}

// sameOutput compares a file or a folder of two folders.
func sameOutput(t *testing.T, got, want, name string) {
	t.Helper()
	var one [2]string // folders with nothing else
	for i, dir := range []string{got, want} {
		one[i] = t.TempDir()
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(one[i], name)); err != nil {
			t.Fatal(err)
		}
	}
	sameFiles(t, one[0], one[1], "")
	if err := os.Rename(filepath.Join(one[1], name), filepath.Join(want, name)); err != nil {
		t.Fatal(err)
	}
}
