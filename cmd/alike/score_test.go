package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/eval/score"
)

// scoreFiles writes a set of five documents in the clusters {a, b, c} and {d, e}, and what
// tools have found in it.
func scoreFiles(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"set/docs.jsonl":   `{"id":"a","text":"one"}` + "\n" + `{"id":"b","text":"two"}` + "\n" + `{"id":"c","text":"three"}` + "\n" + `{"id":"d","text":"four"}` + "\n" + `{"id":"e","text":"five"}` + "\n",
		"set/clusters.tsv": "id\tcluster\na\t1\nb\t1\nc\t1\nd\t2\ne\t2\n",
		"pairs.tsv":        "id1\tid2\tscore\na\tb\t0.9\nd\tc\t0.8\na\tc\t0.7\nc\ta\t0.6\n",
		"pairs.csv":        "left,right,bits\n0,1,1\n3,2,2\n0,2,3\n0,4,9\n",
		"pairs.jsonl":      `{"id1":"a","id2":"b"}` + "\n" + `{"id2":"c","id1":"d"}` + "\n" + `{"id1":"a","id2":"c"}` + "\n",
		"bare.txt":         "1\t2\n4\t3\n1\t3\n",
		"clusters.csv":     "id,cluster\na,x\nb,x\nc,x\nd,x\n",
		"rows.jsonl":       `{"__INDEX__":0,"__CLUSTER__":0}` + "\n" + `{"__INDEX__":1,"__CLUSTER__":0}` + "\n" + `{"__INDEX__":2,"__CLUSTER__":0}` + "\n" + `{"__INDEX__":3,"__CLUSTER__":0}` + "\n",
		"removed.tsv":      "id\nb\nc\nd\n",
		"kept.tsv":         "id\na\ne\n",
		"kept-none.tsv":    "id\n",
		"unknown.tsv":      "id1\tid2\na\tb\na\tz\n",
		"number.tsv":       "id1\tid2\n0\t1\n",
		"twice.tsv":        "id\tcluster\na\t1\nb\t1\na\t2\n",
		"nan.tsv":          "id1\tid2\tscore\na\tb\tNaN\n",
		"some.jsonl":       `{"id1":"a","id2":"b","score":1}` + "\n" + `{"id1":"a","id2":"c"}` + "\n",
		"empty.tsv":        "id1\tid2\tscore\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestScoreGoldens(t *testing.T) {
	dir := scoreFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	score := func(args ...string) []string {
		return append([]string{"score", "--wide", "--truth", in("set")}, args...)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"score-help", []string{"score", "-h"}, 0},
		{"score", score("--pairs", in("pairs.tsv"), "--clusters", in("clusters.csv"), "--removed", in("removed.tsv"), "--kept", in("kept.tsv")), 0},
		{"score-csv", score("--pairs", in("pairs.tsv"), "-f", "csv"), 0},
		{"score-none", score("--pairs", in("empty.tsv")), 0},
		{"score-no-output", score(), 2},
		{"score-no-truth", []string{"score", "--pairs", in("pairs.tsv")}, 2},
		{"score-bad-split", score("--pairs", in("pairs.tsv"), "--split", "half"), 2},
		{"score-bad-rows", score("--pairs", in("pairs.tsv"), "--rows", "2"), 2},
		{"score-unknown", score("--pairs", in("unknown.tsv")), 2},
		{"score-number", score("--pairs", in("number.tsv")), 2},
		{"score-no-number", score("--pairs", in("pairs.tsv"), "--rows", "1"), 2},
		{"score-row-beyond", score("--clusters", in("rows.jsonl"), "--rows", "1", "--id", "__INDEX__", "--cluster", "__CLUSTER__"), 2},
		{"score-twice", score("--clusters", in("twice.tsv")), 2},
		{"score-nan", score("--pairs", in("nan.tsv")), 2},
		{"score-some", score("--pairs", in("some.jsonl")), 2},
		{"score-no-column", score("--pairs", in("clusters.csv")), 2},
		{"score-no-score", score("--pairs", in("pairs.jsonl"), "--threshold", "0.5"), 2},
		{"score-no-file", score("--pairs", in("absent.tsv")), 2},
		{"score-pairs-truth", []string{"score", "--truth", "en", "--removed", in("kept-none.tsv")}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, "", c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			mask := func(s string) string { return strings.ReplaceAll(s, dir, "DIR") }
			golden(t, filepath.Join("testdata", c.name+".golden"), "stdout:\n"+mask(stdout)+"stderr:\n"+mask(stderr))
		})
	}
}

// The same pairs come to the same in every format, with ids and row numbers; found are
// a-b, c-d and a-c, of which the second is wrong: precision 2/3, recall 2/4. Clusters put a, b, c and d
// together: 3/6 and 3/4.
func TestScoreReadsEveryFormat(t *testing.T) {
	dir := scoreFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	parquet := in("pairs.parquet")
	mustRun(t, "datasets", "convert", in("pairs.csv"), "-o", parquet, "--text-field", "left")
	for _, c := range []struct {
		args              []string
		precision, recall float64
	}{
		{[]string{"--pairs", in("pairs.tsv")}, 2. / 3, 2. / 4},
		{[]string{"--pairs", in("pairs.tsv"), "-t", "0.75"}, 1. / 2, 1. / 4},
		{[]string{"--pairs", in("pairs.jsonl")}, 2. / 3, 2. / 4},
		{[]string{"--pairs", in("pairs.csv"), "--id1", "left", "--id2", "right", "--score", "bits", "--rows", "0", "--distance", "-t", "3"}, 2. / 3, 2. / 4},
		{[]string{"--pairs", "csv:" + in("pairs.csv"), "--id1", "left", "--id2", "right", "--rows", "0"}, 2. / 4, 2. / 4},
		{[]string{"--pairs", "tsv:" + in("bare.txt"), "--columns", "id1,id2", "--rows", "1"}, 2. / 3, 2. / 4},
		{[]string{"--pairs", parquet, "--id1", "left", "--id2", "right", "--score", "bits", "--rows", "0", "--distance", "-t", "3"}, 2. / 3, 2. / 4},
		{[]string{"--clusters", in("clusters.csv")}, 3. / 6, 3. / 4},
		{[]string{"--clusters", in("rows.jsonl"), "--id", "__INDEX__", "--cluster", "__CLUSTER__", "--rows", "0"}, 3. / 6, 3. / 4},
	} {
		out := mustRun(t, append([]string{"score", "--truth", in("set"), "-f", "json"}, c.args...)...)
		var got scored
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if float64(got.Precision) != c.precision || float64(got.Recall) != c.recall {
			t.Errorf("%v: precision %v and recall %v, want %v and %v", c.args, got.Precision, got.Recall, c.precision, c.recall)
		}
	}
}

// What pairs finds and score judges is what eval reports on the same split.
func TestScoreAgreesWithEval(t *testing.T) {
	dir := t.TempDir()
	var r struct{ Threshold, Precision, Recall, F1Low float64 }
	out := mustRun(t, "eval", "--data", "zh", "-m", "shingle", "-f", "json", "--repeat", "-1", "--no-baselines")
	var record map[string]any
	if err := json.Unmarshal([]byte(out), &record); err != nil {
		t.Fatal(err)
	}
	r.Threshold, r.Precision, r.Recall, r.F1Low = record["threshold"].(float64), record["precision"].(float64), record["recall"].(float64), record["f1_low"].(float64)
	pairs := filepath.Join(dir, "pairs.tsv")
	threshold, err := json.Marshal(r.Threshold)
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, "pairs", "zh", "-m", "shingle", "-t", string(threshold), "-o", pairs)
	var got scored
	if err := json.Unmarshal([]byte(mustRun(t, "score", "--truth", "zh", "--pairs", pairs, "--split", "test", "-f", "json")), &got); err != nil {
		t.Fatal(err)
	}
	if float64(got.Precision) != r.Precision || float64(got.Recall) != r.Recall || float64(got.F1Low) != r.F1Low {
		t.Errorf("precision %v, recall %v, F1 from %v; eval says %+v", got.Precision, got.Recall, got.F1Low, r)
	}
}

// A cancelled run does not wait for a judgement.
func TestScoreIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	run := scoreRun{truth: filepath.Join(scoreFiles(t), "set"), split: "all", how: score.Output{ID1: "id1", ID2: "id2", FirstRow: -1}}
	run.outputs = []output{{"pairs", filepath.Join(filepath.Dir(run.truth), "empty.tsv")}}
	run.source.cmd = &cobra.Command{}
	if _, err := run.do(ctx, strings.NewReader(""), new(strings.Builder)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
}
