package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportGoldens(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"report-help", []string{"report", "-h"}, 0},
		{"report-no-input", []string{"report"}, 2},
		{"report-no-out", []string{"report", "x.jsonl"}, 2},
		{"report-no-file", []string{"report", filepath.Join(dir, "absent.jsonl"), "-o", "-"}, 2},
		{"report-no-records", []string{"report", empty, "-o", "-"}, 2},
		{"report-no-folder", []string{"report", dir, "-o", "-"}, 2},
		{"report-language", []string{"eval", "--data", "en", "-m", "shingle", "--limit", "50", "--repeat", "-1", "--format", "html", "--lang", "fr"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, "", c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			golden(t, filepath.Join("testdata", c.name+".golden"), strings.ReplaceAll("stdout:\n"+stdout+"stderr:\n"+stderr, dir, "DIR"))
		})
	}
}

// A run, its records and the page of either: the same figures.
func TestReportOfRun(t *testing.T) {
	dir := t.TempDir()
	records, page := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "page.html")
	args := []string{"eval", "--data", "en", "-m", "shingle", "-m", "minhash", "-m", "simhash", "--limit", "800", "--repeat", "-1", "--resamples", "50"}
	if code, _, stderr := alike(t, "", append(args, "--details", "--out", records)...); code != 0 {
		t.Fatal(stderr)
	}
	if code, stdout, stderr := alike(t, "", "report", records, "-o", page, "--title", "A title", "--plots", filepath.Join(dir, "plots")); code != 0 || stdout != "" {
		t.Fatal(stdout, stderr)
	}
	made, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>A title</title>", `id="set1-curves"`, `id="set1-scores"`, "bands of", "What methods disagree on"} {
		if !strings.Contains(string(made), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if pictures, _ := filepath.Glob(filepath.Join(dir, "plots", "*.svg")); len(pictures) < 3 {
		t.Errorf("%d pictures", len(pictures))
	}
	code, direct, stderr := alike(t, "", append(args, "--format", "html")...)
	if code != 0 {
		t.Fatal(stderr)
	}
	if code, again, stderr := alike(t, "", "report", records, "-o", "-"); code != 0 || again != direct {
		t.Errorf("the page of the run is not that of its records: %s", stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestReportOfDedup(t *testing.T) {
	dir := t.TempDir()
	corpus := filepath.Join(dir, "corpus.csv")
	rows := "key,body\n"
	for _, text := range []string{"the cat sat on the mat and ate its food", "the cat sat on the mat and ate our food", "quite another text about something else", "the cat sat on the mat and ate its food"} {
		rows += "k" + text[4:7] + "," + text + "\n"
	}
	if err := os.WriteFile(corpus, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if code, _, stderr := alike(t, "", "dedup", corpus, "-o", out, "--text-field", "body", "--threshold", "0.5"); code != 0 {
		t.Fatal(stderr)
	}
	code, page, stderr := alike(t, "", "report", out, "-o", "-", "--text-field", "body", "--lang", "zh")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{`<html lang="zh">`, "去重移除了什么", "<mark>our</mark>", "<mark>its</mark>", `id="outcome-chart"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if code, _, stderr := alike(t, "", "report", out, "-o", "-", "--text-field", "none"); code != 2 || !strings.Contains(stderr, `no column "none"`) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestReportOfStress(t *testing.T) {
	records := filepath.Join(t.TempDir(), "stress.jsonl")
	if code, _, stderr := alike(t, "", "stress", "-m", "shingle", "-m", "simhash", "--docs", "40", "--lengths", "100,200", "--kinds", "mixed,ocr", "--rates", "0.05,0.2", "--out", records); code != 0 {
		t.Fatal(stderr)
	}
	code, page, stderr := alike(t, "", "report", records, "-o", "-")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{`id="stress1-length"`, `id="stress1-mixed"`, `id="stress1-ocr"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

func TestReportOfChoice(t *testing.T) {
	dir := t.TempDir()
	records := filepath.Join(dir, "choice.jsonl")
	if code, _, stderr := alike(t, "", "choose", "en", "-m", "shingle", "-m", "simhash", "-m", "minhash:size=64", "--no-speed", "--records", records); code != 0 {
		t.Fatal(stderr)
	}
	code, page, stderr := alike(t, "", "report", records, "-o", "-")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{`id="choice1-bytes"`, "Of 3 candidates take ", "The choice for en"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if code, _, stderr := alike(t, "", "report", records, "-o", "-", "--plots", dir); code != 2 || !strings.Contains(stderr, "--plots") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
