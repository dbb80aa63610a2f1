package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/stress"
)

func TestStressGoldens(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(datasets.EnvShared, dir) // the error lists what is there
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"stress-help", []string{"-h"}, 0},
		{"stress-bad-kind", []string{"--kinds", "mixt"}, 2},
		{"stress-bad-edit", []string{"--edit", "mixed"}, 2},
		{"stress-bad-share", []string{"--false-positives", "2"}, 2},
		{"stress-no-data", []string{filepath.Join(dir, "absent.jsonl")}, 2},
		{"stress-long", []string{"en", "-m", "shingle", "--lengths", "1000000"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, "", append([]string{"stress"}, c.args...)...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			golden(t, filepath.Join("testdata", c.name+".golden"), strings.ReplaceAll("stdout:\n"+stdout+"stderr:\n"+stderr, dir, "DIR"))
		})
	}
}

// All outputs of a run come from the same records.
func TestStressOutputs(t *testing.T) {
	dir := t.TempDir()
	file, pictures := filepath.Join(dir, "records.jsonl"), filepath.Join(dir, "pictures")
	run := func(args ...string) string {
		return mustRun(t, append([]string{"stress", "--method", "shingle", "--method", "simhash", "--lengths", "50,200", "--kinds", "mixed,move", "--rates", "0.1,0.3", "-n", "150"}, args...)...)
	}
	table := run("-o", file, "--plots", pictures)
	for _, want := range []string{"under mixed:0.1", "texts of 50 characters", "generated en", "generated zh", "simhash"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in the table:\n%s", want, table)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := run("-f", "json", "--workers", "1"); got != string(data) {
		t.Error("--format json and --out differ")
	}
	records, err := stress.ReadRecords(strings.NewReader(string(data)))
	if err != nil || len(records) != 2*2*2*4 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if got := run("-f", "csv"); strings.Count(got, "\n") != 1+len(records) {
		t.Errorf("%d lines of CSV for %d records", strings.Count(got, "\n"), len(records))
	}
	// A figure by length and one for each kind, of both collections, in two formats.
	if files, err := os.ReadDir(pictures); err != nil || len(files) != 2*3*2 {
		t.Errorf("%d pictures, %v", len(files), err)
	}
}

// Documents that a set calls alike do not count as unrelated.
func TestStressLeavesRelatedOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	mustRun(t, "datasets", "make", "-n", "200", "--share", "0.5", "--mix", "substitute:0.9", dir)
	_, _, stderr := alike(t, "", "stress", dir, "-m", "shingle", "--lengths", "100", "--kinds", "mixed", "--rates", "0.1")
	if !strings.Contains(stderr, "documents are left out as related") {
		t.Errorf("stderr %q", stderr)
	}
}
