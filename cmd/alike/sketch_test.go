package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sqlPython returns a python that has DuckDB and Spark, or skips the test.
func sqlPython(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the engines take most of a minute")
	}
	if p := os.Getenv("ALIKE_SQL_PYTHON"); p != "" {
		return p
	}
	if os.Getenv("ALIKE_REQUIRE_SERVICES") != "1" {
		t.Skip("needs DuckDB and Spark: set ALIKE_SQL_PYTHON=$(bash scripts/sql), or ALIKE_REQUIRE_SERVICES=1")
	}
	out, err := exec.Command("bash", filepath.Join("..", "..", "scripts", "sql")).Output()
	if err != nil {
		t.Fatalf("scripts/sql: %v: %s", err, stderrOf(err))
	}
	return strings.TrimSpace(string(out))
}

func stderrOf(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}

// sqlCase is a way to say what duplicates are, which SQL and alike dedup must take for the same.
type sqlCase struct {
	flags string
	ours  string // flags of alike sketch alone, which change nothing that comes out
	spark bool   // in the quick test too: it takes seconds to plan a query, and these take each of its queries
}

var sqlCases = []sqlCase{
	{"--method simhash --verify sketch", "", true},
	{"--method simhash --verify sketch --keep longest", "--slices 4", false},
	{"--method simhash --verify sketch --keep source,longest", "--documents 8e9", false},
	{"--method simhash:bits=128 --verify sketch --distance 8", "", false},
	{"--method simhash --verify none --distance 6", "", false},
	{"--method simhash --verify text --distance 6", "", false},
	{"--method minhash:bits=8 --verify sketch", "", false},
	{"--method minhash:bits=8 --verify text --keep highest:n,longest", "", true},
	{"--method minhash:size=100 --verify sketch --threshold 0.7", "", false},
	{"--method minhash:size=512,bits=1 --verify sketch", "", false},
	{"--method minhash:scheme=icws,size=64,bits=16 --verify sketch", "", false},
	{"--method minhash:scheme=bottom --verify sketch", "", true},
	{"--method shingle --verify sketch", "", false},
	{"--method shingle:bag=true --verify sketch --threshold 0.7", "", true},
	{"--method shingle:measure=overlap --verify sketch --threshold 0.9", "", false},
	{"--method manber --verify sketch --threshold 0.6", "", false},
	{"--method manber:measure=overlap --verify sketch", "", false},
	{"--method winnow --verify sketch --threshold 0.6", "", true},
	{"--method simhash --verify manber --distance 10 --threshold 0.5 --mask number", "", false},
}

// sqlCorpus writes two sources: documents with near-duplicates planted, of all kinds of edits, and others of which
// many are equal, some have no words, and one row is no document. Among them is a form that many have filled in, whose
// words few others have but all of these, and short texts that differ in case alone, of which manber takes no sample.
func sqlCorpus(t *testing.T, dir string, docs, words int) []string {
	t.Helper()
	set := filepath.Join(dir, "planted")
	mustRun(t, "datasets", "make", "-n", fmt.Sprint(docs), "--mean", "60", "--words", fmt.Sprint(words), "--seed", "5", set)
	other := filepath.Join(dir, "other.jsonl")
	corpusOf(t, other, 9, docs/3)
	b, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	odd := [][]byte{[]byte("{\"id\":\"none\",\"text\":\"\"}\n"), []byte("no document\n"), []byte("{\"id\":\"marks\",\"text\":\"...\"}\n"), []byte("{\"id\":\"none too\",\"text\":\"\"}\n")}
	form := strings.Repeat("the undersigned asks for leave ", 2)
	for i := range 40 {
		form += fmt.Sprintf("item%d ", i)
	}
	for i := range 150 {
		odd = append(odd, fmt.Appendf(nil, "{\"id\":\"form %d\",\"text\":\"%s%d\"}\n", i, form, i))
	}
	for i := range 40 {
		odd = append(odd, fmt.Appendf(nil, "{\"id\":\"short %d\",\"text\":\"memo %d\"}\n{\"id\":\"loud %d\",\"text\":\"MEMO %d\"}\n", i, i, i, i))
	}
	lines = slices.Insert(lines, len(lines)/2, odd...)
	if err := os.WriteFile(other, bytes.Join(lines, nil), 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{filepath.Join(set, "docs.jsonl"), other}
}

// The result of SQL is that of alike dedup, byte for byte, on either engine.
func TestSQLFindsWhatDedupDoes(t *testing.T) {
	python := sqlPython(t)
	if os.Getenv("ALIKE_LONG") == "" {
		dir := t.TempDir()
		sameBySQL(t, python, dir, sqlCorpus(t, dir, 1200, 3000), sqlCases)
		return
	}
	large := sqlCorpus(t, t.TempDir(), 125_000, 50_000) // with copies and the other source two hundred thousand
	for _, c := range sqlCases {
		c.spark = true
		t.Run(c.flags+" "+c.ours, func(t *testing.T) { sameBySQL(t, python, t.TempDir(), large, []sqlCase{c}) })
	}
}

// sameBySQL goes the way by SQL and that of alike dedup, for all cases in one process of each engine.
func sameBySQL(t *testing.T, python, dir string, inputs []string, cases []sqlCase) {
	at := func(what string, i int) string { return filepath.Join(dir, fmt.Sprintf("%s-%d", what, i)) }
	var jobs, sparkJobs []string
	for i, c := range cases {
		sketch := append([]string{"sketch", "-o", at("sketches", i), "--buckets", "--skip-bad", "1"}, strings.Fields(c.flags+" "+c.ours)...)
		sketch = append(sketch, inputs...)
		for shard := range 3 {
			mustRun(t, append(sketch, "--shard", fmt.Sprintf("%d/3", shard))...)
		}
		jobs = append(jobs, at("sketches", i), at("duckdb", i))
		if c.spark {
			sparkJobs = append(sparkJobs, at("sketches", i), at("spark", i))
		}
	}
	runSQL(t, python, "duckdb", jobs)
	runSQL(t, python, "spark", sparkJobs)
	for i, c := range cases {
		dedup := append([]string{"dedup", "-o", at("want", i), "--max-drop", "100%", "--skip-bad", "1"}, strings.Fields(c.flags)...)
		mustRun(t, append(dedup, inputs...)...)
		engines := []string{"duckdb"}
		if c.spark {
			engines = append(engines, "spark")
		}
		for _, engine := range engines {
			t.Run(strings.TrimSpace(fmt.Sprintf("%s/%s %s", engine, c.flags, c.ours)), func(t *testing.T) {
				out := at("got-"+engine, i)
				mustRun(t, "cluster", at(engine, i), "--sketches", at("sketches", i), "-o", out, "--max-drop", "100%")
				sameDedup(t, at("want", i), out)
			})
		}
	}
}

// runSQL finds pairs with all cases in one process, since Spark takes seconds to begin.
func runSQL(t *testing.T, python, engine string, jobs []string) {
	t.Helper()
	args := []string{filepath.Join("..", "..", "sql", "run.py"), "--engine", engine, "--block", "64"}
	if engine == "spark" {
		// So little is soonest done as it stands, on few partitions, instead of being compiled.
		args = append(args, "--master", "local[2]", "--partitions", "2", "--memory", "1g",
			"--conf", "spark.sql.codegen.wholeStage=false", "--conf", "spark.sql.codegen.factoryMode=NO_CODEGEN", "--conf", "spark.ui.showConsoleProgress=false",
			"--conf", "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
	}
	if os.Getenv("ALIKE_LONG") != "" {
		args = []string{args[0], "--engine", engine}
		if engine == "spark" {
			args = append(args, "--master", "local[2]", "--partitions", "16", "--memory", "4g")
		}
	}
	out, err := exec.CommandContext(t.Context(), python, append(args, jobs...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("sql/run.py --engine %s: %v\n%s", engine, err, out)
	}
	t.Logf("%s", out)
}

// sameDedup fails unless two folders hold the same result, but for how it was found.
func sameDedup(t *testing.T, want, got string) {
	t.Helper()
	for _, name := range []string{"kept.jsonl", "removed.jsonl", "why.jsonl", "clusters.tsv", "layout.json"} {
		a, err := os.ReadFile(filepath.Join(want, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(got, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s is not that of alike dedup", name)
		}
	}
	reports := [2]map[string]any{}
	for i, dir := range []string{want, got} {
		b, err := os.ReadFile(filepath.Join(dir, "report.json"))
		if err == nil {
			err = json.Unmarshal(b, &reports[i])
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"run", "design", "scored", "lower", "repeated_ids", "repeated_id"} {
			delete(reports[i], key)
		}
	}
	if c := reports[0]["chaining"].(map[string]any); c["partial"] == true { // alike cluster sees all pairs
		delete(reports[0], "chaining")
		delete(reports[1], "chaining")
	}
	a, _ := json.Marshal(reports[0])
	b, _ := json.Marshal(reports[1])
	if !bytes.Equal(a, b) {
		t.Errorf("the report is\n%s\nthat of alike dedup\n%s", b, a)
	}
	if n := reports[0]["alike"].(float64); n < 20 {
		t.Errorf("only %v documents are alike to others: too few to tell", n)
	}
}

// A folder of which files have been lost would give fewer pairs: it is refused, and no pairs are left behind.
func TestSQLRefusesWhatIsNotWhole(t *testing.T) {
	python := sqlPython(t)
	dir := t.TempDir()
	docs, folder, out := filepath.Join(dir, "docs.jsonl"), filepath.Join(dir, "sketches"), filepath.Join(dir, "pairs")
	corpusOf(t, docs, 1, 50)
	sketch := []string{"sketch", docs, "-o", folder, "--buckets", "--method", "simhash"}
	mustRun(t, append(sketch, "--shard", "0/2")...)
	refused := func(want string) {
		t.Helper()
		b, err := exec.CommandContext(t.Context(), python, filepath.Join("..", "..", "sql", "run.py"), "--engine", "duckdb", folder, out).CombinedOutput()
		if err == nil || !strings.Contains(string(b), want) || strings.Contains(string(b), "Traceback") {
			t.Errorf("error %v, %s; want one that says %q", err, b, want)
		}
		if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
			t.Errorf("left %s behind", left)
		}
	}
	refused("shard 1 of 2 is not complete")
	mustRun(t, append(sketch, "--shard", "1/2")...)
	if err := os.RemoveAll(filepath.Join(folder, "buckets", "bucket_table=2")); err != nil {
		t.Fatal(err)
	}
	refused("run alike sketch again")
	for shard := range 2 {
		mustRun(t, append(sketch, "--shard", fmt.Sprintf("%d/2", shard))...)
	}
	parts, err := filepath.Glob(filepath.Join(folder, "documents", "*.parquet"))
	if err != nil || len(parts) != 1 { // so few documents are all of one shard
		t.Fatalf("%s, %v", parts, err)
	}
	if err := os.Truncate(parts[0], 300); err != nil {
		t.Fatal(err)
	}
	refused("makes it again")
}

// A field of --keep that no document has is refused before anything is sketched, as in
// dedup. Of several shards one may lack it, and it may stand in the last document alone.
func TestSketchRefusesUnknownField(t *testing.T) {
	t.Chdir(t.TempDir())
	var rows strings.Builder
	for i := range 20 {
		fmt.Fprintf(&rows, `{"id":"%d","text":"some words of the document %d"}`+"\n", i, i)
	}
	for name, last := range map[string]string{"none.jsonl": "", "last.jsonl": `{"id":"x","text":"the last of all","date":"2024-01-02"}` + "\n", "bad.jsonl": "no document\n"} {
		if err := os.WriteFile(name, []byte(rows.String()+last), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const lacks = `dedup: keep policy newest:date: no document has a time in a field "date"; the fields are id, text`
	for args, want := range map[string]string{
		"none.jsonl":                     lacks,
		"bad.jsonl --skip-bad 1":         lacks,
		"last.jsonl":                     "",
		"none.jsonl last.jsonl":          "",
		"none.jsonl --shard 0/2":         "",
		"none.jsonl --keep highest:text": `no document has a number in a field "text"`,
	} {
		code, _, stderr := alike(t, "", append([]string{"sketch", "-o", "out", "--buckets", "--keep", "newest:date"}, strings.Fields(args)...)...)
		parts, err := filepath.Glob("out/documents/*")
		if wrong := code != exitFail || !strings.Contains(stderr, want) || len(parts) > 0; err != nil || want != "" && wrong {
			t.Errorf("%s: exit code %d, %q, %d parts, want the error %q", args, code, stderr, len(parts), want)
		} else if want == "" && code != exitDone {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
		if err := os.RemoveAll("out"); err != nil {
			t.Fatal(err)
		}
	}
}
