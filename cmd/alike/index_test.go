package main

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
)

// An index from its creation to its copy, each command beside what it printed.
func TestIndexGoldens(t *testing.T) {
	dir := t.TempDir()
	at, other := "disk:"+filepath.Join(dir, "seen"), "disk:"+filepath.Join(dir, "copy")
	rows := `{"id":"a","text":"the cat sat on the mat and looked at the dog that lay in the sun before the old house"}
{"id":"b","text":"the cat sat on the mat and looked at the dog that lay in the sun before the old barn"}
{"id":"c","text":""}
{"id":"d","text":"we all scream for ice cream when the summer is hot and the shops by the sea are open"}
`
	more := `{"id":"e","text":"we all scream for ice cream when the summer is hot and the shops by the sea are closed"}
{"id":"f","text":"nothing of this kind has been said in any of the other lines that stand in this file"}
{"id":"g","text":"nothing of this kind has been said in any of the other lines which stand in this file"}
{"id":"a","text":"the cat sat on the mat and looked at the dog that lay in the sun before the old house"}
`
	file := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return p
	}
	old, next := file("old.jsonl", rows), file("new.jsonl", more)
	query := strings.SplitN(rows, `"text":"`, 3)[1]
	query = query[:strings.IndexByte(query, '"')]
	exported := ""
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
	}{
		{"index-help", "", []string{"index", "-h"}, 0},
		{"index-mistyped", "", []string{"index", "ad", at}, 2},
		{"index-no-scheme", "", []string{"index", "stats", "dsk:seen"}, 2},
		{"index-none", "", []string{"index", "add", at, old}, 2},
		{"index-no-buckets", "", []string{"index", "create", at, "-m", "cosine", "-t", "0.8"}, 2},
		{"index-no-threshold", "", []string{"index", "create", at, "-m", "simhash"}, 2},
		{"index-create", "", []string{"index", "create", at, "-m", "shingle:width=2", "-t", "0.7"}, 0},
		{"index-create-other", "", []string{"index", "create", at, "-m", "shingle:width=2", "-t", "0.8"}, 2},
		{"index-add", "", []string{"index", "add", at, old, "--time", "100"}, 0},
		{"index-add-again", "", []string{"index", "add", at, old, "--time", "200"}, 0},
		{"index-load-full", "", []string{"index", "add", at, old, "--load"}, 2},
		{"index-query", "", []string{"index", "query", at, next}, 0},
		{"index-query-text", "", []string{"index", "query", at, "--text", query, "--limit", "1", "-f", "jsonl"}, 0},
		{"index-if-new", "", []string{"index", "add", at, next, "--if-new", "--time", "300"}, 0},
		{"index-verify", "", []string{"index", "verify", at}, 0},
		{"index-delete", "b\nabsent\n", []string{"index", "delete", at, "--ids", "-", "--before", "50"}, 0},
		{"index-delete-before-0", "", []string{"index", "delete", at, "--before=0"}, 0},
		{"index-merge", "", []string{"index", "merge", at}, 0},
		{"index-stats", "", []string{"index", "stats", at, "-f", "csv"}, 0},
		{"index-export", "", []string{"index", "export", at}, 0},
		{"index-create-copy", "", []string{"index", "create", other, "-m", "shingle:width=2", "-t", "0.5"}, 0},
		{"index-import", "EXPORTED", []string{"index", "import", other, "-"}, 0},
		{"index-query-copy", "", []string{"index", "query", other, old}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, strings.Replace(c.stdin, "EXPORTED", exported, 1), c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if c.name == "index-export" {
				exported = stdout
			}
			golden(t, filepath.Join("testdata", c.name+".golden"), strings.ReplaceAll("stdout:\n"+stdout+"stderr:\n"+stderr, dir, "DIR"))
		})
	}
}

// The number of documents, written either way, gives the layout and stays.
func TestIndexForDocuments(t *testing.T) {
	at := "disk:" + filepath.Join(t.TempDir(), "web")
	create := func(documents string) (int, string, string) {
		return alike(t, "", "index", "create", at, "-m", "simhash", "-k", "3", "--documents", documents)
	}
	for _, documents := range []string{"8e9", "8000000000"} {
		if code, stdout, stderr := create(documents); code != 0 || !strings.Contains(stdout, "buckets: 20 tables of 31 to 33 bits\ntables: 20\n") {
			t.Errorf("create for %s: exit code %d, %s%s", documents, code, stdout, stderr)
		}
	}
	for documents, want := range map[string]string{
		"1e9": "made with documents 8000000000, want 1000000000", "0": "whole number", "1.5": "whole number", "many": "whole number", "NaN": "whole number", "-3": "whole number",
	} {
		if code, _, stderr := create(documents); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("create for %s: exit code %d, %s, want %q", documents, code, stderr, want)
		}
	}
}

// The commands that write say once that the server loses documents, and verify
// counts what it has lost.
func TestIndexOnForgetfulServer(t *testing.T) {
	at := dedupRedis(t) // it saves nothing
	const warning = "neither appendonly nor save is on"
	in := "{\"id\":\"a\",\"text\":\"one two three four\"}\n{\"id\":\"b\",\"text\":\"five six seven eight\"}\n"
	for _, args := range [][]string{
		{"index", "create", at, "-m", "simhash", "-k", "3"},
		{"index", "add", at, "-"},
		{"index", "verify", at},
	} {
		want := 1
		if args[1] == "verify" {
			want = 0
		}
		code, _, stderr := alike(t, in, args...)
		if n := strings.Count(stderr, warning); code != 0 || n != want {
			t.Errorf("%s: exit code %d, the warning %d times, want %d: %s", args[1], code, n, want, stderr)
		}
	}
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// The script removes all hashes of documents.
	fmt.Fprint(c, "EVAL \"for _, k in ipairs(redis.call('KEYS', '*}d')) do redis.call('DEL', k) end\" 0\r\n")
	if _, err := c.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := alike(t, "", "index", "verify", at); code != 1 || strings.Count(stdout, " is lost: ") < 2 {
		t.Errorf("verify: exit code %d, want 1 and two documents that are lost: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := alike(t, in, "index", "query", at, "-"); code != 2 || !strings.Contains(stderr, index.ErrLost.Error()) {
		t.Errorf("query: exit code %d, want 2: %s", code, stderr)
	}
}

// An index of SimHash names distances, loads, is verified, and says so when it is damaged.
func TestIndexOfSimhash(t *testing.T) {
	dir := t.TempDir()
	at := "disk:" + filepath.Join(dir, "seen")
	run := func(code int, stdin string, args ...string) (stdout, stderr string) {
		t.Helper()
		got, stdout, stderr := alike(t, stdin, append([]string{"index"}, args...)...)
		if got != code {
			t.Fatalf("index %v: exit code %d, want %d: %s%s", args, got, code, stdout, stderr)
		}
		return stdout, stderr
	}
	run(0, "", "create", at, "-m", "simhash", "-k", "3")
	_, stderr := run(0, "", "add", at, "en", "--load")
	if !strings.Contains(stderr, "documents added") {
		t.Errorf("add: %s", stderr)
	}
	out, _ := run(0, "", "query", at, "en")
	if !strings.HasPrefix(out, "id\tmatch\tscore\tdistance\n") || !strings.Contains(out, "\t1.000000\t0\n") {
		t.Errorf("the set does not find itself: %.200s", out)
	}
	run(0, "", "verify", at)

	// The lock of a writer is said to be one; a reader comes in beside it.
	s, err := disk.Open(t.Context(), filepath.Join(dir, "seen"), disk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, stderr := run(2, "", "merge", at); !strings.Contains(stderr, index.ErrLocked.Error()) {
		t.Errorf("beside a writer: %s", stderr)
	}
	run(0, "", "stats", at)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	segments, err := filepath.Glob(filepath.Join(dir, "seen", "*.segment"))
	if err != nil || len(segments) != 1 {
		t.Fatal(segments, err)
	}
	b, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	b[100] ^= 1
	if err := os.WriteFile(segments[0], b, 0o666); err != nil {
		t.Fatal(err)
	}
	if alikeCode, stdout, _ := alike(t, "", "index", "verify", at); alikeCode == 0 || alikeCode == 1 && !strings.Contains(stdout, "document block 0") {
		t.Errorf("verify of a damaged index: exit code %d, %s", alikeCode, stdout)
	}
}
