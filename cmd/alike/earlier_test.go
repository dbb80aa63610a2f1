package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/alike-go/alike/eval"
)

// Whatever the command has written in an earlier format still opens and means
// the same. testdata/earlier/make wrote the files of each folder with the
// command of its time.
func TestEarlierFiles(t *testing.T) {
	folders, err := filepath.Glob("testdata/earlier/v*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no folders of earlier files: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			// Opening an index locks it, and adding changes it.
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Dir(folder))); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			earlierFiles(t, filepath.Base(folder))
			earlierRecords(t, filepath.Base(folder))
		})
	}
}

// earlierFiles runs commands over what lies in dir, and compares what they
// print and write with what the command of that time printed and wrote.
func earlierFiles(t *testing.T, dir string) {
	tests := []struct {
		want string // a file of dir, or the input
		got  string // a file that the command writes, or standard output
		args []string
	}{
		{"docs.jsonl", "rebuilt.jsonl", []string{"restore", dir + "/dedup", "-o", "rebuilt.jsonl"}},
		{dir + "/dedup/why.jsonl", "out/why.jsonl", []string{"dedup", "docs.jsonl", "-o", "out", "--threshold", ".7", "--verify", "sketch", "--sketches"}},
		{dir + "/dedup/kept.sketches", "out/kept.sketches", nil},
		{dir + "/dedup/kept.jsonl", "out/kept.jsonl", nil},
		{dir + "/dedup/removed.jsonl", "out/removed.jsonl", nil},
		{dir + "/dedup/clusters.tsv", "out/clusters.tsv", nil},
		{dir + "/cosine.fit", "cosine.fit", []string{"fit", "-o", "cosine.fit", "-m", "cosine", "--", "docs.jsonl"}},
		{dir + "/query-simhash.tsv", "", []string{"index", "query", "disk:" + dir + "/index-simhash", "docs.jsonl"}},
		{dir + "/query-minhash.tsv", "", []string{"index", "query", "disk:" + dir + "/index-minhash", "docs.jsonl"}},
		{dir + "/export-simhash.jsonl", "", []string{"index", "export", "disk:" + dir + "/index-simhash"}},
		{dir + "/export-minhash.jsonl", "", []string{"index", "export", "disk:" + dir + "/index-minhash"}},
		{dir + "/sketch/_alike.json", dir + "/sketch/_alike.json", []string{"sketch", "docs.jsonl", "-m", "shingle", "--threshold", ".7", "--buckets", "-o", dir + "/sketch"}},
		{dir + "/pairs-simhash.tsv", "", []string{"pairs", "docs.jsonl", "-m", "simhash", "--threshold", ".2"}},
		{dir + "/pairs-minhash.tsv", "", []string{"pairs", "docs.jsonl", "-m", "minhash:bits=8", "--threshold", ".2"}},
		{dir + "/pairs-shingle.tsv", "", []string{"pairs", "docs.jsonl", "-m", "shingle", "--threshold", ".2"}},
		{dir + "/pairs-cosine.tsv", "", []string{"pairs", "docs.jsonl", "-m", "cosine", "--threshold", ".2"}},
		{dir + "/pairs-bloom.tsv", "", []string{"pairs", "docs.jsonl", "-m", "bloom", "--threshold", ".2"}},
		{dir + "/pairs-manber.tsv", "", []string{"pairs", "docs.jsonl", "-m", "manber", "--threshold", ".2"}},
		{dir + "/pairs-winnow.tsv", "", []string{"pairs", "docs.jsonl", "-m", "winnow", "--threshold", ".2"}},
		// What the old files say of the same documents: all of them are known.
		{"", "", []string{"dedup", "docs.jsonl", "-o", "none", "--threshold", ".7", "--verify", "sketch", "--against", dir + "/dedup/kept.sketches"}},
		{"", "", []string{"compare", "--text", "the cat sat on the mat", "a ship on the sea", "--fit", dir + "/cosine.fit", "-m", "cosine"}},
		{"", "", []string{"diff", dir + "/eval.jsonl"}},
		{"", "", []string{"index", "verify", "disk:" + dir + "/index-simhash"}},
		{"", "", []string{"index", "verify", "disk:" + dir + "/index-minhash"}},
		{"", "", []string{"index", "add", "disk:" + dir + "/index-simhash", "docs.jsonl"}},
		{"", "", []string{"index", "verify", "disk:" + dir + "/index-simhash"}},
	}
	var stdout string
	for _, tt := range tests {
		if tt.args != nil {
			code, out, errs := alike(t, "", tt.args...)
			if code != 0 {
				t.Errorf("alike %q: exit code %d: %s", tt.args, code, errs)
				continue
			}
			stdout = out
		}
		if tt.want == "" {
			continue
		}
		want, err := os.ReadFile(tt.want)
		if err != nil {
			t.Fatal(err)
		}
		got := []byte(stdout)
		if tt.got != "" {
			if got, err = os.ReadFile(tt.got); err != nil {
				t.Error(err)
				continue
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("alike %q: %s differs:\n%s\nwant\n%s", tt.args, tt.want, got, want)
		}
	}
}

// earlierRecords holds the figures of records of that time against a run of today.
// Intervals are left out: how they are made has changed.
func earlierRecords(t *testing.T, dir string) {
	mustRun(t, "eval", "--data", "zh", "--limit", "400", "--repeat", "-1", "--resamples", "50", "-m", "simhash", "-m", "shingle", "--no-baselines", "--out", "now.jsonl")
	read := func(name string) (out [][]eval.Figure) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		records, _, err := eval.ReadRecords(f, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			out = append(out, []eval.Figure{r.Threshold, r.Precision, r.Recall, r.F1, r.AP, r.AUC, r.ClosureF1, r.BytesPerDoc})
		}
		return out
	}
	if was, now := read(dir+"/eval.jsonl"), read("now.jsonl"); !reflect.DeepEqual(was, now) {
		t.Errorf("records of %s say %v, a run of today %v", dir, was, now)
	}
}
