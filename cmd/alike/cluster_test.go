package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/dedup/pairs"
)

// pairsFile writes pairs as an engine does.
func pairsFile(t *testing.T, p ...pairs.Pair) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pairs.parquet")
	if err := parquet.WriteFile(path, p); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDecideNumbers in package pairs tests the decisions.
func TestClusterOfNumbers(t *testing.T) {
	path := pairsFile(t, pairs.Pair{A: 0, B: 1, Score: .9}, pairs.Pair{A: 6, B: 7, Score: .5})
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{"--dry-run"}, {"-o", out}} {
		got := mustRun(t, append([]string{"cluster", path, "--documents", "9", "-t", "0.8"}, args...)...)
		for _, want := range []string{"documents   9\n", "pairs       2\n", "kept        8\n", "removed     1\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q does not say %q", got, want)
			}
		}
	}
	if b, err := os.ReadFile(filepath.Join(out, "removed.tsv")); err != nil || string(b) != "number\tkept\tscore\n1\t0\t0.9\n" {
		t.Errorf("removed.tsv is %q, %v", b, err)
	}
	if code, _, stderr := alike(t, "", "cluster", path, "--documents", "9", "-o", out); code != 2 || !strings.Contains(stderr, "exists already") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestSketchAndClusterRefuse(t *testing.T) {
	dir := t.TempDir()
	docs, out := filepath.Join(dir, "docs.jsonl"), filepath.Join(dir, "out")
	corpusOf(t, docs, 1, 50)
	path := pairsFile(t, pairs.Pair{A: 0, B: 1, Score: 1})
	sketches := filepath.Join(dir, "sketches")
	mustRun(t, "sketch", docs, "-o", sketches, "--buckets", "--shard", "0/2", "--method", "simhash")
	ofPairs := filepath.Join(dir, "pairs") // as sql/run.py begins its file
	if err := os.Mkdir(ofPairs, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(ofPairs, "_alike.json"), []byte(`{"version": 1, "engine": "spark", "settings": {}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"sketch " + docs + " -o " + out, "want --buckets"},
		{"sketch " + docs + " --buckets", "want -o"},
		{"sketch " + docs + " --buckets -o " + out + " --shard 2/2", "want I/N"},
		{"sketch " + docs + " --buckets -o " + out + " --method cosine", "have no columns"},
		{"sketch " + docs + " --buckets -o " + out + " --slices 3", "a power of two"},
		{"sketch - --buckets -o " + out, "standard input"},
		{"sketch " + docs + " --buckets -o " + out + " --documents 0", "a whole number from 1"},
		{"sketch " + docs + " -o " + sketches + " --buckets --shard 1/2 --method simhash --documents 8e9", "documents is absent there, and 8000000000 here"},
		{"sketch " + docs + " -o " + sketches + " --buckets --shard 1/2 --method simhash --threshold 0.7", "threshold is 0.8 there, and 0.7 here"},
		{"cluster " + path + " -o " + out, "want either --sketches or --documents"},
		{"cluster " + path + " --documents 1 -o " + out, "no such document"},
		{"cluster " + docs + " --documents 3 -o " + out, "docs.jsonl"},
		{"cluster " + path + " --sketches " + sketches + " -o " + out, "shard 1 of 2 is not complete"},
		{"cluster " + path + " --sketches " + ofPairs + " -o " + out, "not a folder of alike sketch"},
		{"sketch " + docs + " --buckets -o " + ofPairs, "not a folder of alike sketch"},
		{"cluster " + path + " --sketches " + dir + " -o " + out, "not a folder of alike sketch"},
	} {
		code, _, stderr := alike(t, "", strings.Fields(c.args)...)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("alike %s: exit code %d, %q, want 2 and %q", c.args, code, stderr, c.want)
		}
	}
	mustRun(t, "sketch", docs, "-o", sketches, "--buckets", "--shard", "1/2", "--method", "simhash")
	f, err := os.OpenFile(docs, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{\"text\":\"new\"}\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if code, _, stderr := alike(t, "", "cluster", path, "--sketches", sketches, "-o", out); code != 2 || !strings.Contains(stderr, "it has changed") {
		t.Errorf("of changed documents: exit code %d, %s", code, stderr)
	}
}
