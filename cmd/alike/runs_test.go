package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := alike(t, "", args...)
	if code != 0 {
		t.Fatalf("alike %v: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// A run that was cut short goes on where it stopped: what stood in the file stays
// as it is, and the rest equals a run in one go.
func TestEvalResumes(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "cut.jsonl")
	args := []string{"eval", "--data", "en", "-m", "shingle", "-m", "cosine", "-m", "simhash", "--repeat", "-1", "--resamples", "50"}
	mustRun(t, append(args, "--out", whole)...)
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(string(data), "\n") + 1
	if err := os.WriteFile(cut, data[:first+100], 0o666); err != nil { // a line and a piece of the next
		t.Fatal(err)
	}
	if code, _, stderr := alike(t, "", append(args, "--out", cut)...); code != 2 || !strings.Contains(stderr, "--resume") {
		t.Errorf("without --resume: exit code %d, %q", code, stderr)
	}
	table := mustRun(t, append(args, "--out", cut, "--resume")...)
	if again := mustRun(t, append(args, "--out", cut, "--resume")...); again != table {
		t.Errorf("a finished run resumed prints\n%s\nwant\n%s", again, table)
	}
	resumed, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if string(resumed) != string(data) {
		t.Errorf("resumed run differs from the one in one go")
	}
}

// A YAML file says what flags say, flags win, and a wrong key is refused.
func TestEvalConfig(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.yaml")
	text := "data: [en]\nmethods: [minhash]\nsweep: [\"size=16,32\"]\nrepeat: -1\nresamples: 20\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, "eval", "--config", file)
	if !strings.Contains(out, "minhash:size=16") || !strings.Contains(out, "minhash:size=32") || strings.Contains(out, "simhash") {
		t.Errorf("run of the file prints\n%s", out)
	}
	if out = mustRun(t, "eval", "--config", file, "--sweep", "size=8"); !strings.Contains(out, "minhash:size=8") || strings.Contains(out, "size=16") {
		t.Errorf("a flag beside the file gives\n%s", out)
	}
	if err := os.WriteFile(file, []byte("dta: [en]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := alike(t, "", "eval", "--config", file); code != 2 || !strings.Contains(stderr, "dta") {
		t.Errorf("a wrong key: exit code %d, %q", code, stderr)
	}
}

// Large sets are joined, or sampled where that is asked for, and the table says what
// the joins did.
func TestEvalJoins(t *testing.T) {
	dir, docs := planted(t, 200)
	args := []string{"--data", dir, "-m", "shingle", "-m", "simhash", "--resamples", "20"}
	for _, r := range evalJSON(t, append(args, "--max-docs", "100", "--exact")...) {
		j := r.Join
		if r.Truth != "joined" || j == nil || r.SampledFrom != 0 || j.Exact == nil || *j.Exact != j.Found || j.Missed != 0 || j.Reach == 0 || j.Recall != 1 {
			t.Errorf("%s: %s pairs of %d documents, %+v", r.Method, r.Truth, r.Docs, j)
		}
	}
	for _, r := range evalJSON(t, append(args, "--max-docs", "100", "--floor", "0.75")...) {
		if r.Floor != .75 || r.Threshold < .75 || r.Join.Exact != nil {
			t.Errorf("%s: floor %v, threshold %v, %+v", r.Method, r.Floor, r.Threshold, r.Join)
		}
	}
	for _, more := range [][]string{{"--limit", "100"}, {"--max-docs", "100", "--join", "never"}} {
		for _, r := range evalJSON(t, append(args, more...)...) {
			if r.Truth != "all" || r.SampledFrom != len(docs) || r.Docs > 100 || r.Join != nil {
				t.Errorf("%v: %s pairs of %d documents of %d", more, r.Truth, r.Docs, r.SampledFrom)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "run.yaml")
	if err := os.WriteFile(file, []byte("join: always\nexact: true\nrepeat: -1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table := mustRun(t, append([]string{"eval", "--config", file, "--wide"}, args...)...)
	for _, head := range []string{"floor", "candidates", "verified", "found", "missed", "missed of all", " 0 of "} {
		if !strings.Contains(table, head) {
			t.Errorf("no %q in\n%s", head, table)
		}
	}
	if strings.Contains(table, "AUC") {
		t.Errorf("an area under a curve that is not known:\n%s", table)
	}
}

// A run is not different from itself, and two methods far apart are.
func TestDiff(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a.jsonl")
	mustRun(t, "eval", "--data", "en", "-m", "shingle", "-m", "simhash", "--repeat", "-1", "--details", "--out", a)
	for line := range strings.Lines(mustRun(t, "diff", a, a, "--figure", "all", "--wide")) {
		if !strings.HasPrefix(line, "data") && !strings.Contains(line, " ≈ not worse ") {
			t.Errorf("a run differs from itself: %s", line)
		}
	}
	if code, stdout, _ := alike(t, "", "diff", a, "--fail"); code != 1 || !strings.Contains(stdout, "-0.") {
		t.Errorf("diff --fail: exit code %d\n%s", code, stdout)
	}
	b := filepath.Join(dir, "b.jsonl")
	mustRun(t, "eval", "--data", "zh", "-m", "shingle", "--repeat", "-1", "--resamples", "20", "--out", b)
	if code, _, stderr := alike(t, "", "diff", a, b); code != 2 || !strings.Contains(stderr, "no data set in common") {
		t.Errorf("diff of other data: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := alike(t, "", "diff", a, "--margin", "1"); code != 2 || !strings.Contains(stderr, "--margin") {
		t.Errorf("diff at a margin of 1: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := alike(t, "", "diff", filepath.Join(dir, "absent")); code != 2 || stderr == "" {
		t.Errorf("diff of no file: exit code %d, %q", code, stderr)
	}
}

// A planted set knows its truth, and survives every conversion.
func TestDatasetsMakeAndConvert(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made")
	mustRun(t, "datasets", "make", "-n", "300", "--mean", "60", "--seed", "5", made)
	if code, _, stderr := alike(t, "", "datasets", "make", "-n", "3", made); code != 2 || stderr == "" {
		t.Errorf("make into a folder that is full: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := alike(t, "", "datasets", "make", "-n", "3", "--threads", "--mix", "move:0.1", made+"-threads"); code != 2 || !strings.Contains(stderr, "--mix") {
		t.Errorf("threads of edits: exit code %d, %q", code, stderr)
	}
	mustRun(t, "datasets", "make", "-n", "30", "--threads", "--share", "0", made+"-threads")
	if out := mustRun(t, "datasets", "show", made+"-threads"); !strings.Contains(out, "Messages of threads") {
		t.Errorf("threads are shown as\n%s", out)
	}
	if out := mustRun(t, "datasets", "show", made); !strings.Contains(out, "clusters") {
		t.Errorf("show prints\n%s", out)
	}
	r := evalJSON(t, "--data", made, "-m", "shingle")[0]
	if r.Truth != "all" || r.F1 < .9 {
		t.Errorf("F1 %v of exact resemblance on planted copies (%s pairs), want .9 or more", r.F1, r.Truth)
	}
	copied := filepath.Join(dir, "copied")
	mustRun(t, "datasets", "convert", made, "-o", copied)
	again := evalJSON(t, "--data", copied, "-m", "shingle")[0]
	if again.Checksum != r.Checksum || again.F1 != r.F1 {
		t.Errorf("converted set has checksum %s and F1 %v, want %s and %v", again.Checksum, again.F1, r.Checksum, r.F1)
	}
	last := filepath.Join(made, "docs.jsonl")
	for _, name := range []string{"a.parquet", "b.csv.gz", "c.jsonl.zst"} {
		next := filepath.Join(dir, name)
		mustRun(t, "datasets", "convert", last, "-o", next)
		last = next
	}
	mustRun(t, "datasets", "convert", last, "-o", filepath.Join(dir, "d.jsonl"))
	want, err := os.ReadFile(filepath.Join(made, "docs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "d.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("documents changed on their way through Parquet, CSV and JSONL")
	}
}

// A malformed row is named with its place, and passed over if asked.
func TestSkipBad(t *testing.T) {
	dir := t.TempDir()
	bad, out := filepath.Join(dir, "bad.jsonl"), filepath.Join(dir, "out.csv")
	if err := os.WriteFile(bad, []byte("{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":2\n{\"id\":\"3\",\"text\":\"c\"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := alike(t, "", "datasets", "convert", bad, "-o", out); code != 2 || !strings.Contains(stderr, "bad.jsonl:2:") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was left after the error")
	}
	code, _, stderr := alike(t, "", "datasets", "convert", bad, "--skip-bad", "1", "-o", out)
	if code != 0 || !strings.Contains(stderr, "passed over") || !strings.Contains(stderr, "bad.jsonl:2:") {
		t.Errorf("with --skip-bad: exit code %d, %q", code, stderr)
	}
}

// The public formats, as their publishers ship them, give the same figures as the
// sets made from them.
func TestOriginalFormats(t *testing.T) {
	requireData(t)
	shared := os.Getenv("ALIKE_DATA")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared", "data")
	}
	for _, name := range []string{"mrpc", "lcqmc"} {
		args := []string{"-m", "shingle", "--resamples", "-1"}
		plain := evalJSON(t, append(args, "--data", name)...)[0]
		original := evalJSON(t, append(args, "--data", name+":"+filepath.Join(shared, name, "original"))...)[0]
		if original.Pairs != plain.Pairs || original.AUC != plain.AUC || original.F1 != plain.F1 {
			t.Errorf("%s: %d pairs, AUC %v, F1 %v from the original, want %d, %v, %v",
				name, original.Pairs, original.AUC, original.F1, plain.Pairs, plain.AUC, plain.F1)
		}
	}
}

func TestPlots(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plots")
	mustRun(t, "eval", "--data", "zh", "-m", "shingle", "-m", "simhash", "--repeat", "-1", "--resamples", "20", "--plots", dir)
	for _, name := range []string{"zh-precision-recall", "zh-scores", "zh-quality-bytes"} {
		for _, ext := range []string{".png", ".svg"} {
			if info, err := os.Stat(filepath.Join(dir, name+ext)); err != nil || info.Size() < 1000 {
				t.Errorf("%s%s: %v", name, ext, err)
			}
		}
	}
}
