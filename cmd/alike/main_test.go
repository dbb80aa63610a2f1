package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// Speeds and times differ from run to run; goldens hold the rest.
var timings = regexp.MustCompile(`\b\d+(\.\d+)?(ns|µs|ms|s|[kM]? MB/s)\b`)

// How a method joins is for its own tests to say.
var joins = regexp.MustCompile(`join by .*`)

// alike runs the command and returns its exit code and both streams.
func alike(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestGoldens(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return p
	}
	var words []string
	for i := range 60 {
		words = append(words, fmt.Sprint("w", i+1))
	}
	sixty := strings.Join(words, " ")
	mat := write("mat.txt", "the cat sat on the mat")
	blank := write("blank.txt", " \n")
	truth := write("truth.tsv", "id1\tid2\tlabel\tkind\na\tb\t1\tmixed:0.1\na\td\t1\tmixed:0.05\nb\te\t0\trandom\na\tz\t0\trandom\n")
	rows := `{"id":"a","text":"the cat sat on the mat"}
{"id":"b","text":"the cat sat on a mat"}
{"id":"c","text":""}
{"id":"d","text":"we all scream for ice cream"}
{"id":"e","text":"a cat sat on a mat"}
`
	cases := []struct {
		name, stdin string
		args        []string
		code        int
	}{
		{"help", "", []string{"-h"}, 0},
		{"no-command", "", nil, 0},
		{"eval-help", "", []string{"eval", "-h"}, 0},
		{"compare-help", "", []string{"compare", "--help"}, 0},
		{"datasets-make-help", "", []string{"datasets", "make", "-h"}, 0},
		{"plan-help", "", []string{"plan", "-h"}, 0},
		{"plan", "", []string{"plan", "--docs", "17179869184", "--costs", "default"}, 0},
		{"plan-memory", "", []string{"plan", "--docs", "50000000", "--memory", "1GiB", "--costs", "default"}, 0},
		{"plan-csv", "", []string{"plan", "--docs", "1000000", "--bits", "128", "-k", "6", "--costs", "default", "-f", "csv"}, 0},
		{"plan-no-docs", "", []string{"plan"}, 2},
		{"plan-bad-bits", "", []string{"plan", "--docs", "1", "--bits", "48"}, 2},
		{"plan-bad-memory", "", []string{"plan", "--docs", "1", "--memory", "much"}, 2},
		{"mistyped-command", "", []string{"comapre", "a", "b"}, 2},
		{"unknown-flag", "", []string{"eval", "--dta", "x"}, 2},
		{"bad-format", "", []string{"eval", "--format", "xml"}, 2},
		{"bad-method", "", []string{"compare", "--text", "a", "b", "-m", "simhsh"}, 2},
		{"bad-key", "", []string{"compare", "--text", "a", "b", "-m", "simhash:bit=64"}, 2},
		{"bad-value", "", []string{"compare", "--text", "a", "b", "-m", "simhash:bits=65"}, 2},
		{"bad-features", "", []string{"eval", "--features", "width=0"}, 2},
		{"no-file", "", []string{"compare", filepath.Join(dir, "absent"), mat}, 2},
		{"one-text", "", []string{"compare", mat}, 2},
		{"two-stdins", "x", []string{"compare", "-", "-"}, 2},
		{"compare-text", "", []string{"compare", "--text", "the cat sat on the mat", "the cat sat on a mat"}, 0},
		{"compare-stdin", "the cat sat on a mat", []string{"compare", mat, "-", "-m", "shingle:width=2"}, 0},
		{"compare-empty", "", []string{"compare", mat, blank, "-m", "shingle", "-m", "simhash"}, 0},
		{"compare-explain", "", []string{"compare", "--text", "the cat sat on the mat", "a cat sat on the mat", "-m", "shingle:width=3", "-m", "winnow:k=5,window=4", "--explain"}, 0},
		{"compare-csv", "", []string{"compare", "--text", "a b", "b c", "-m", "shingle", "-f", "csv"}, 0},
		{"compare-differ", "", []string{"compare", "--text", sixty, strings.Replace(sixty, "w30", "other", 1), "--differ", "5%"}, 0},
		{"compare-versions", "", []string{"compare", "--text", sixty, strings.Replace(sixty, "w3", "other", 9), "--want", "versions", "-m", "shingle:width=3"}, 0},
		{"compare-excerpts", "", []string{"compare", "--text", sixty, strings.Join(words[:30], " "), "--want", "excerpts", "-m", "shingle:width=3"}, 0},
		{"compare-want", "", []string{"compare", "--text", "a", "b", "--want", "beauty"}, 2},
		{"compare-md", "", []string{"compare", "--text", "a b", "b c", "-m", "shingle", "-f", "md"}, 0},
		{"methods-simhash", "", []string{"methods", "simhash"}, 0},
		{"methods-unknown", "", []string{"methods", "hash"}, 2},
		{"eval-inside", "", []string{"eval", "--data", "en", "-m", "shingle", "-m", "simhash", "--repeat", "-1"}, 0},
		{"fit-useless", "", []string{"fit", "-m", "shingle", "-o", filepath.Join(dir, "x"), mat}, 2},
		{"pairs-help", "", []string{"pairs", "-h"}, 0},
		{"passages-help", "", []string{"passages", "-h"}, 0},
		{"gather-help", "", []string{"gather", "-h"}, 0},
		{"pairs", rows, []string{"pairs", "jsonl:-", "-m", "shingle", "-t", "0.5"}, 0},
		{"pairs-jsonl", rows, []string{"pairs", "jsonl:-", "-m", "simhash", "-k", "12", "-f", "jsonl"}, 0},
		{"pairs-against", rows, []string{"pairs", mat, "--against", "jsonl:-", "-m", "cosine", "-t", "0.5"}, 0},
		{"pairs-truth", rows, []string{"pairs", "jsonl:-", "-m", "shingle", "-t", "0.5", "--truth", truth}, 0},
		{"pairs-none", rows, []string{"pairs", "jsonl:-", "-m", "shingle", "-t", "1"}, 0},
		{"pairs-two-thresholds", "", []string{"pairs", mat, "-m", "simhash", "-t", "1", "-k", "3"}, 2},
		{"pairs-differ", rows, []string{"pairs", "jsonl:-", "-m", "words", "--differ", "30%"}, 0},
		{"pairs-differ-refused", "", []string{"pairs", mat, "-m", "cosine", "--differ", "5%"}, 2},
		{"pairs-differ-width", "", []string{"pairs", mat, "-m", "minhash:width=1", "--differ", ".05"}, 2},
		{"pairs-no-distance", "", []string{"pairs", mat, "-m", "shingle", "-k", "3"}, 2},
		{"pairs-far", "", []string{"pairs", mat, "-m", "simhash", "-k", "40"}, 2},
		{"pairs-bad-threshold", "", []string{"pairs", mat, "-m", "shingle", "-t", "1.5"}, 2},
		{"pairs-no-method", "", []string{"pairs", mat, "-t", "1"}, 2},
		{"pairs-no-file", "", []string{"pairs", filepath.Join(dir, "absent.jsonl"), "-m", "shingle", "-t", "1"}, 2},
		{"pairs-no-match", "", []string{"pairs", filepath.Join(dir, "*.jsonl"), "-m", "shingle", "-t", "1"}, 2},
		{"pairs-bad-format", "", []string{"pairs", mat, "-m", "shingle", "-t", "1", "-f", "xml"}, 2},
		{"pairs-bad-out", "", []string{"pairs", mat, "-m", "shingle", "-t", "1", "-o", filepath.Join(dir, "pairs.docx")}, 2},
		{"pairs-grouped-top", "", []string{"pairs", mat, "-m", "shingle", "-t", "1", "--grouped", "--top", "2"}, 2},
		{"complete-method", "", []string{"__complete", "compare", "--method", "simhash:b"}, 0},
		{"complete-pairs", "", []string{"__complete", "pairs", "--method", "minhash:s"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, c.stdin, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			mask := func(s string) string {
				return joins.ReplaceAllString(timings.ReplaceAllString(strings.ReplaceAll(s, dir, "DIR"), "TIME"), "join by DESIGN")
			}
			got := "stdout:\n" + mask(stdout) + "stderr:\n" + mask(stderr)
			golden(t, filepath.Join("testdata", c.name+".golden"), got)
		})
	}
}

// golden compares with a file. Times have other lengths on each run, so runs of
// spaces, and of the dashes that draw tables, count as one. A file that differs in
// nothing else is not rewritten.
func golden(t *testing.T, name, got string) {
	t.Helper()
	want, err := os.ReadFile(name)
	if err == nil && squeeze(got) == squeeze(string(want)) {
		return
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
}

// A single dash is a minus sign, or stands for no figure.
var runs = regexp.MustCompile(`[ ─]+|--+`)

func squeeze(s string) string {
	return runs.ReplaceAllStringFunc(s, func(run string) string {
		if run[0] == '-' {
			return "--"
		}
		return " "
	})
}

func TestSqueeze(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a   1.0", "a 1.0", true},
		{"|:----|---:|", "|:--|-----:|", true},
		{"alike --text", "alike  --text", true},
		{"a  -1.0", "a   1.0", false},
		{"a  -", "a", false},
		{"0.1-0.2", "0.1 0.2", false},
	} {
		if (squeeze(c.a) == squeeze(c.b)) != c.same {
			t.Errorf("%q and %q: the same is %t, want %t", c.a, c.b, !c.same, c.same)
		}
	}
}

// The package's comment lists every command with what its help says it does.
func TestDocListsAllCommands(t *testing.T) {
	src, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, c := range newRoot().Commands() {
		fmt.Fprintf(&want, "//	alike %-9s %s\n", c.Name(), c.Short)
	}
	if !strings.Contains(string(src), "//\n"+want.String()+"//\n") {
		t.Errorf("main.go does not list\n%s", &want)
	}
}

func compareJSON(t *testing.T, a, b string, specs ...string) []comparison {
	t.Helper()
	args := []string{"compare", "--text", "--format", "json"}
	for _, s := range specs {
		args = append(args, "--method", s)
	}
	code, stdout, stderr := alike(t, "", append(args, "--", a, b)...)
	if code != 0 {
		t.Fatalf("compare: exit code %d: %s", code, stderr)
	}
	var rows []comparison
	dec := json.NewDecoder(strings.NewReader(stdout))
	for dec.More() {
		var r comparison
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if len(rows) != len(specs) {
		t.Fatalf("%d lines for %d methods", len(rows), len(specs))
	}
	return rows
}

// The fractions can be counted by hand: distinct shared n-grams over distinct
// n-grams of either sentence.
func TestCompareGivesTheReferenceScores(t *testing.T) {
	const (
		mat    = "the cat sat on the mat"
		amat   = "the cat sat on a mat"
		scream = "we all scream for ice cream"
		call   = "你妈妈喊你回家吃饭哦,回家罗回家罗"
		shout  = "你妈妈叫你回家吃饭啦,回家罗回家罗"
	)
	for _, c := range []struct {
		a, b, spec string
		want       float64
	}{
		{mat, amat, "shingle:tokens=rune,width=2", 14. / 17},
		{mat, amat, "shingle:tokens=rune,width=3", 14. / 20},
		{mat, amat, "shingle:tokens=rune,width=4", 13. / 22},
		{mat, scream, "shingle:tokens=rune,width=2", 3. / 33},
		{mat, scream, "shingle:tokens=rune,width=3", 1. / 38},
		{mat, scream, "shingle:tokens=rune,width=4", 0},
		{mat, amat, "shingle", 5. / 6},
		{mat, amat, "shingle:width=2", 3. / 7},
		{mat, amat, "shingle:width=3", 2. / 6},
		{call, shout, "shingle:tokens=rune,width=1", 8. / 12},
		{call, shout, "shingle:tokens=rune,width=2", 9. / 17},
		{call, shout, "shingle:tokens=rune,width=3", 8. / 20},
	} {
		if got := compareJSON(t, c.a, c.b, c.spec)[0].Score; got != c.want {
			t.Errorf("%s of %q and %q: %v, want %v", c.spec, c.a, c.b, got, c.want)
		}
	}
}

// Which sets there are depends on the machine, so this is no golden.
func TestNoSuchData(t *testing.T) {
	code, stdout, stderr := alike(t, "", "eval", "--data", "absent")
	if code != 2 || stdout != "" || !strings.HasPrefix(stderr, "alike: datasets: ") || !strings.Contains(stderr, "en, zh") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// A fit goes through its file, and another method's fit is refused.
func TestFitAndCompare(t *testing.T) {
	dir := t.TempDir()
	var corpus []string
	for i, text := range []string{"the cat sat", "the dog ran", "the mat lay"} {
		p := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		corpus = append(corpus, p)
	}
	fit := filepath.Join(dir, "fit")
	if code, _, stderr := alike(t, "", append([]string{"fit", "-m", "cosine", "-o", fit, "--"}, corpus...)...); code != 0 {
		t.Fatalf("fit: exit code %d: %s", code, stderr)
	}
	plain := compareJSON(t, "the cat", "the dog", "cosine")[0]
	code, stdout, stderr := alike(t, "", "compare", "--text", "--format", "json", "-m", "cosine", "--fit", fit, "the cat", "the dog")
	if code != 0 {
		t.Fatalf("compare --fit: exit code %d: %s", code, stderr)
	}
	var fitted comparison
	if err := json.Unmarshal([]byte(stdout), &fitted); err != nil {
		t.Fatal(err)
	}
	if fitted.Score >= plain.Score {
		t.Errorf("score %v under a fit in which only the shared word is common, want less than %v without", fitted.Score, plain.Score)
	}
	if strings.Contains(fitted.Method, "fit=none") || !strings.Contains(fitted.Method, "fit=") {
		t.Errorf("method %q does not say that it is fitted", fitted.Method)
	}
	if code, _, stderr := alike(t, "", "compare", "--text", "-m", "cosine:width=2", "--fit", fit, "a", "b"); code != 2 || !strings.Contains(stderr, "other settings") {
		t.Errorf("fit of other features: exit code %d, %q", code, stderr)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".alike-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// Inputs of every kind go through every method without a panic, and no text
// without features scores above 0.
func TestCompareOddInputs(t *testing.T) {
	for _, text := range []string{"", "a", "\xff\xfe", "\x00\x00\x00", strings.Repeat("a", 1<<16), strings.Repeat("\x00", 1<<16)} {
		code, _, stderr := alike(t, "", "compare", "--text", "--", text, "the cat")
		if code != 0 {
			t.Errorf("%.10q: exit code %d: %s", text, code, stderr)
		}
	}
}

// Ctrl-C ends work that would take long at once.
func TestUntilIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	block := make(chan struct{})
	defer close(block)
	_, err := until(ctx, func() (int, error) { <-block; return 0, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
}
