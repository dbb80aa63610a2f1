package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What OLD may not be is said before anything is made.
func TestAgainstRefuses(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte(`{"text":"one two three"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for old, want := range map[string]string{
		"disk:seen":                  "--against is an index, of the scheme disk: want files of documents",
		"redis://:secret@host/1":     "--against is an index, of the scheme redis: want files of documents",
		filepath.Join(dir, "*.none"): "--against: no file matches",
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{in, "-o", out, "--against", old}, &stdout, &stderr)
		if code != 2 || !strings.Contains(stderr.String(), want) || strings.Contains(stderr.String(), "secret") {
			t.Errorf("--against %s: exit %d, %q, want 2 and %q", old, code, stderr.String(), want)
		}
		if _, err := os.Lstat(out); err == nil {
			t.Errorf("--against %s: there are outputs", old)
		}
	}
}
