package main

import (
	"encoding/json"
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

// 1 goes for 0, and so does not take 2 along, which is alike to it alone; 5 goes for 3, the first that is
// kept of those that it is alike to; 6 and 7 are less alike than is asked.
func TestClusterOfNumbers(t *testing.T) {
	path := pairsFile(t, pairs.Pair{A: 1, B: 2, Score: .95}, pairs.Pair{A: 4, B: 5, Score: 1}, pairs.Pair{A: 0, B: 1, Score: .9},
		pairs.Pair{A: 3, B: 5, Score: .8125}, pairs.Pair{A: 6, B: 7, Score: .5})
	out := filepath.Join(t.TempDir(), "out")
	got := mustRun(t, "cluster", path, "--documents", "9", "-t", "0.8", "-o", out)
	for _, want := range []string{"documents   9\n", "pairs       5\n", "kept        7\n", "removed     2\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	b, err := os.ReadFile(filepath.Join(out, "removed.tsv"))
	if want := "number\tkept\tscore\n1\t0\t0.9\n5\t3\t0.8125\n"; err != nil || string(b) != want {
		t.Errorf("removed.tsv is %q, %v, want %q", b, err, want)
	}
	var rep numbersReport
	b, err = os.ReadFile(filepath.Join(out, "report.json"))
	if err == nil {
		err = json.Unmarshal(b, &rep)
	}
	// Components 0 1 2 and 3 4 5: of the first 2 is apart, of the second 4.
	if err != nil || rep.Active != 8 || rep.Chaining.Components != 2 || rep.Chaining.Documents != 6 || rep.Chaining.Apart != 2 || rep.Chaining.Largest != 3 {
		t.Errorf("report %+v, %v", rep, err)
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
