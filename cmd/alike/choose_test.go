package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/eval/choose"
)

// some are specs to choose from, so that a test is quick.
var some = []string{"-m", "shingle", "-m", "cosine", "-m", "simhash", "-m", "minhash:size=32,bits=8", "-m", "winnow:k=8,window=4"}

func TestChooseGoldens(t *testing.T) {
	quick := append([]string{"--resamples", "50", "--no-speed"}, some...)
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"choose-help", []string{"-h"}, 0},
		{"choose-labels", append([]string{"en"}, quick...), 0},
		{"choose-precision", append([]string{"zh", "--goal", "precision>=.99", "--format", "csv"}, quick...), 0},
		{"choose-bad-goal", []string{"en", "--goal", "beauty"}, 2},
		{"choose-bad-method", []string{"en", "-m", "simhsh"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, "", append([]string{"choose"}, c.args...)...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			golden(t, filepath.Join("testdata", c.name+".golden"), "stdout:\n"+stdout+"stderr:\n"+stderr)
		})
	}
}

// The commands that choose prints run as they are, and find what was planted.
func TestChooseCommandsRun(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made")
	mustRun(t, "datasets", "make", "-n", "400", "--mean", "60", "--seed", "5", made)
	for _, method := range [][]string{some, {"-m", "cosine"}, {"-m", "simhash:bits=128"}} {
		stdout := mustRun(t, append([]string{"choose", made, "--resamples", "50", "--no-speed"}, method...)...)
		if !strings.HasPrefix(stdout, "take ") || !strings.Contains(stdout, "best") {
			t.Errorf("choose prints\n%s", stdout)
		}
		out := filepath.Join(t.TempDir(), "out")
		ran := 0
		for line := range strings.Lines(stdout) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] != "alike" {
				continue
			}
			for i, w := range words {
				switch w {
				case "OUT":
					words[i] = out
				case "FIT":
					words[i] = filepath.Join(dir, "fit")
				}
			}
			mustRun(t, words[1:]...)
			ran++
		}
		removed, err := os.ReadFile(filepath.Join(out, "why.jsonl"))
		if err != nil || strings.Count(string(removed), "\n") < 20 {
			t.Errorf("%v: %d commands remove %d documents: %v\n%s", method, ran, strings.Count(string(removed), "\n"), err, stdout)
		}
	}
}

func TestChooseFormats(t *testing.T) {
	records := filepath.Join(t.TempDir(), "trials.jsonl")
	args := append([]string{"choose", "en", "--resamples", "20", "--no-speed", "--records", records}, some...)
	var r choose.Result
	if err := json.Unmarshal([]byte(mustRun(t, append(args, "--format", "json")...)), &r); err != nil || !r.Fit || r.Best.Test == nil {
		t.Errorf("json: %+v, %v", r, err)
	}
	lines, err := os.ReadFile(records)
	if err != nil || strings.Count(string(lines), "\n") != len(some)/2+len(r.Baselines) {
		t.Errorf("%d records, %v", strings.Count(string(lines), "\n"), err)
	}
	if csv := mustRun(t, append(args, "--format", "csv")...); !strings.HasPrefix(csv, "role,method,threshold,") || !strings.Contains(csv, "best,"+r.Best.Spec) {
		t.Errorf("csv:\n%s", csv)
	}
	if md := mustRun(t, append(args, "--format", "md", "--goal", "precision>=.9")...); !strings.Contains(md, "| role") || !strings.Contains(md, "recall 95%") {
		t.Errorf("md:\n%s", md)
	}
}

func TestChooseRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"choose", "en", "--format", "xml"}, "xml"},
		{[]string{"choose", "en", "--budget", "1ms"}, "Budget"},
		{[]string{"choose", "en", "--max-bytes-per-doc", "1", "-m", "simhash"}, "1 bytes"},
		{[]string{"choose", "absent"}, "absent"},
		{[]string{"choose"}, "arg"},
	} {
		if code, stdout, stderr := alike(t, "", c.args...); code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
}
