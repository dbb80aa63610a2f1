package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

var seconds = regexp.MustCompile(`\b[0-9]+\.[0-9]+s\b`)

func TestGoldens(t *testing.T) {
	golden, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	words := strings.Repeat("one two three four five six seven eight nine ten ", 4)
	rows := fmt.Sprintf("{\"id\":\"a\",\"text\":%q}\n{\"id\":\"b\",\"text\":%q}\n{\"id\":\"c\",\"text\":\"something else\"}\n{\"id\":\"d\",\"text\":\"\"}\n", words, words)
	write("docs.jsonl", rows)
	write("bad.jsonl", rows+"no JSON\n")
	if err := os.Mkdir("there", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"help", []string{"-h"}, 0},
		{"no-input", []string{}, 2},
		{"no-out", []string{"docs.jsonl"}, 2},
		{"missing-input", []string{"nothing.jsonl", "-o", "out"}, 2},
		{"no-match", []string{"crawl-*.jsonl", "-o", "out"}, 2},
		{"out-is-there", []string{"docs.jsonl", "-o", "there"}, 2},
		{"bad-method", []string{"docs.jsonl", "-o", "out", "-m", "simhsh"}, 2},
		{"cosine", []string{"docs.jsonl", "-o", "out3", "-m", "cosine"}, 0},
		{"bad-threshold", []string{"docs.jsonl", "-o", "out", "-t", "1.5"}, 2},
		{"two-limits", []string{"docs.jsonl", "-o", "out", "-m", "simhash", "--candidates", ".9", "-k", "3"}, 2},
		{"no-distance", []string{"docs.jsonl", "-o", "out", "-m", "shingle", "-k", "3"}, 2},
		{"bad-keep", []string{"docs.jsonl", "-o", "out", "--keep", "best"}, 2},
		{"bad-max-drop", []string{"docs.jsonl", "-o", "out", "--max-drop", "150%"}, 2},
		{"bad-piece", []string{"docs.jsonl", "-o", "out", "--piece", "0"}, 2},
		{"bad-documents", []string{"docs.jsonl", "-o", "out", "--documents", "many"}, 2},
		{"encoding", []string{"docs.jsonl", "-o", "out", "--encoding", "GB18030"}, 2},
		{"bad-runner", []string{"docs.jsonl", "-o", "out", "--runner", "storm"}, 2},
		{"simhash", []string{"docs.jsonl", "-o", "out1", "-m", "simhash", "--verify", "sketch"}, 0},
		{"skip-bad", []string{"bad.jsonl", "-o", "out2", "--skip-bad", "1"}, 0},
		{"bad-row", []string{"bad.jsonl", "-o", "out"}, 2},
		{"drops-too-much", []string{"docs.jsonl", "-o", "out", "--max-drop", "10%"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(context.Background(), c.args, &out, &errs)
			if code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			got := seconds.ReplaceAll(fmt.Appendf(nil, "-- stdout\n%s-- stderr\n%s", &out, &errs), []byte("0.00s"))
			file := filepath.Join(golden, c.name+".golden")
			if *update {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if _, err := os.Stat("out"); c.code != 0 && err == nil {
				t.Error("there are outputs all the same")
			}
			if left, _ := filepath.Glob(".out*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
