package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alike-go/alike/dedup/local"
)

// Answers from a file show the bound or not. What is missing is listed, and the
// run goes on when it is there.
func TestDedupAtMostWrong(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs, labels, out := madeDocs(t), at("labels.tsv"), at("out")
	args := []string{"dedup", docs, "-o", out, "-t", "0.5", "--at-most-wrong", "20%", "--labels", labels}
	code, stdout, stderr := alike(t, "", args...)
	if code != 1 || stdout != "" || exists(out) || !strings.Contains(stderr, "--resume goes on") {
		t.Fatalf("exit code %d, output %v, %q, %q", code, exists(out), stdout, stderr)
	}
	content, err := os.ReadFile(labels + ".open.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers := "id1\tid2\tlabel\n"
	open := strings.Split(strings.TrimSpace(string(content)), "\n")
	if !strings.Contains(stderr, fmt.Sprintf("alike: %d answers are expected", len(open))) {
		t.Errorf("%d open pairs: %s", len(open), stderr)
	}
	wrong := 0
	for _, line := range open {
		var p openPair
		if err := json.Unmarshal([]byte(line), &p); err != nil || p.Text1 == p.Text2 || p.Score < 0.5 {
			t.Fatalf("%v: %s", err, line)
		}
		alike := 0
		if one, _, _ := strings.Cut(p.ID1, "~"); strings.HasPrefix(p.ID2+"~", one+"~") {
			alike = 1
		}
		wrong += 1 - alike
		answers += fmt.Sprintf("%s\t%s\t%d\n", p.ID2, p.ID1, alike) // the order of ids is free
	}
	if wrong > 0 {
		t.Fatalf("%d of %d planted copies are not alike", wrong, len(open))
	}
	if err := os.WriteFile(labels, []byte(answers), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr = alike(t, "", append(args, "--resume")...)
	if want := fmt.Sprintf("%d judged, 0 of them wrong", len(open)); code != 0 || !strings.Contains(stdout, want) {
		t.Fatalf("exit code %d, want %q\n%s%s", code, want, stdout, stderr)
	}
	content, err = os.ReadFile(filepath.Join(out, "report.json"))
	var report local.Report
	if err == nil {
		err = json.Unmarshal(content, &report)
	}
	if a := report.Warranty; err != nil || a == nil || a.Judged != len(open) || a.AtMost != 0.2 || a.Confidence != 0.95 || a.Bound > 0.2 {
		t.Errorf("%v, %+v", err, a)
	}
	// Wrong answers refuse the rule, and nothing is written.
	if err := os.WriteFile(labels, []byte(strings.ReplaceAll(answers, "\t1\n", "\t0\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	args[3] = at("refused")
	code, stdout, stderr = alike(t, "", args...)
	if code != 1 || stdout != "" || exists(at("refused")) || !strings.Contains(stderr, "more answers would not help") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

// What cannot work is refused before any work.
func TestDedupAtMostWrongRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs := madeDocs(t)
	if err := os.WriteFile(at("bad.tsv"), []byte("id1\tid2\tlabel\na\tb\tmaybe\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"asks at a terminal":  {"--at-most-wrong", "1%"},
		"--labels is of":      {"--labels", at("labels")},
		"--at-most-wrong: ":   {"--at-most-wrong", "some", "--labels", at("labels")},
		"--confidence: ":      {"--at-most-wrong", "1%", "--labels", at("labels"), "--confidence", "high"},
		"the confidence is 1": {"--at-most-wrong", "1%", "--labels", at("labels"), "--confidence", "100%"},
		"wrong removals is 0": {"--at-most-wrong", "0", "--labels", at("labels")},
		"maybe":               {"--at-most-wrong", "1%", "--labels", at("bad.tsv")},
	} {
		code, stdout, stderr := alike(t, "", append([]string{"dedup", docs, "-o", at("out")}, args...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) || exists(at("out")) || exists(at("out.partial")) {
			t.Errorf("%v: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

// An answer names two ids, and so must not stand for two removals.
func TestDedupAtMostWrongUniqueIDs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	content, err := os.ReadFile(madeDocs(t))
	if err != nil {
		t.Fatal(err)
	}
	same := regexp.MustCompile(`"id":"[^"]*"`).ReplaceAll(content, []byte(`"id":"same"`))
	for name, content := range map[string]string{"docs.jsonl": string(same), "labels.tsv": "id1\tid2\tlabel\nsame\tsame\t1\n"} {
		if err := os.WriteFile(at(name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, _, stderr := alike(t, "", "dedup", at("docs.jsonl"), "-o", at("out"), "-t", "0.5", "--at-most-wrong", "20%", "--labels", at("labels.tsv"))
	if code != 2 || !strings.Contains(stderr, "wants unique ids") || exists(at("out")) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
