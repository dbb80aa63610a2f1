package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	code := m.Run()
	if flinkDir != "" {
		exec.Command("bash", "../../scripts/flink", "stop", flinkDir).Run()
		os.RemoveAll(flinkDir)
	}
	if alikeDir != "" {
		os.RemoveAll(alikeDir)
	}
	os.Exit(code)
}

var (
	flinkDir string
	alikeDir string
)

// alike builds the command that the pipeline is held to.
var alike = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "alike-*")
	if err != nil {
		return "", err
	}
	alikeDir = dir
	path := filepath.Join(dir, "alike")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/alike")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func command(t *testing.T, args ...string) {
	t.Helper()
	path, err := alike()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
		t.Fatalf("alike %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// flink starts Flink once for all tests.
var flink = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "flink-*")
	if err != nil {
		return "", err
	}
	flinkDir = dir
	cmd := exec.Command("bash", "../../scripts/flink", "start", dir)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, said.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
})

func onFlink(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("Flink takes its time")
	}
	endpoint, err := flink()
	if err != nil && os.Getenv("ALIKE_REQUIRE_SERVICES") != "1" {
		t.Skipf("no Flink: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	was, kind := *jobopts.Endpoint, *jobopts.EnvironmentType
	t.Cleanup(func() { *jobopts.Endpoint, *jobopts.EnvironmentType = was, kind }) // Prism would heed them too
	*jobopts.Endpoint, *jobopts.EnvironmentType = endpoint, "LOOPBACK"
}

// made returns the file of a corpus with near-duplicates planted.
func made(t *testing.T, docs int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	command(t, "datasets", "make", "-n", fmt.Sprint(docs), "--seed", "5", "--mean", "80", dir)
	return filepath.Join(dir, "docs.jsonl")
}

// options are those of alike dedup --verify sketch, or of its text verification.
func options(t *testing.T, file, method string, text bool) pipeline.Options {
	t.Helper()
	m, err := catalog.ParseAll([]string{method, "shingle"}, "width=3")
	if err != nil {
		t.Fatal(err)
	}
	o := pipeline.Options{
		Sources: []datasets.Source{{Path: file}}, Method: m[0], Candidates: .8, Threshold: .8, Recall: .95, MaxDrop: 1,
		Out: filepath.Join(t.TempDir(), "out"), PieceBytes: 100_000,
	}
	if s, err := catalog.ScoreAt(m[0], 3); err == nil {
		o.Candidates = s
		if !text {
			o.Threshold = s
		}
	}
	if text {
		o.Verify = m[1]
	}
	return o
}

// check runs both and holds one to the other.
func check(t *testing.T, o pipeline.Options, args ...string) *pipeline.Result {
	t.Helper()
	want := filepath.Join(t.TempDir(), "want")
	args = append([]string{"dedup", o.Sources[0].Path, "-o", want, "-m", o.Method.String(), "--max-drop", "100%"}, args...)
	if o.Verify == nil {
		args = append(args, "--verify", "sketch")
	}
	args = byThreshold(args)
	command(t, args...)
	r, err := pipeline.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"why.jsonl", "clusters.tsv"}
	if filepath.Ext(o.Sources[0].Path) != "" { // not of a folder of texts
		files = append(files, "kept.jsonl", "removed.jsonl")
	}
	for _, file := range files {
		name, _, _ := strings.Cut(file, ".")
		pieces, err := filepath.Glob(filepath.Join(o.Out, name+"-*"))
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(pieces)
		var got []byte
		for _, p := range pieces {
			got = append(got, read(t, p)...)
		}
		if all := read(t, filepath.Join(want, file)); !bytes.Equal(got, all) {
			t.Errorf("%s: %d bytes in %d pieces, want %d bytes", name, len(got), len(pieces), len(all))
		}
	}
	a, b := report(t, o.Out), report(t, want)
	if o.Verify != nil { // on one machine fewer pairs need to be scored
		delete(a, "scored")
		delete(b, "scored")
	}
	if o.Documents > 0 {
		delete(a, "design")
		delete(b, "design")
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("report %v, want %v", a, b)
	}
	if r.Report.Equal+r.Report.Alike == 0 {
		t.Error("nothing is removed")
	}
	return r
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// report is what a report says but for times, and the sums of the input's bytes in their order.
// byThreshold returns the flags of alike dedup with the default of alike-beam, which goes
// by a score. That of alike dedup goes by the words that differ.
func byThreshold(args []string) []string {
	for _, a := range args {
		flag, _, _ := strings.Cut(a, "=")
		if slices.Contains([]string{"-t", "--threshold", "--differ", "--verify", "--features", "--candidates", "--cohesion", "--want"}, flag) {
			return args
		}
	}
	return append(slices.Clip(args), "-t", ".8")
}

func report(t *testing.T, dir string) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(read(t, filepath.Join(dir, "report.json")), &r); err != nil {
		t.Fatal(err)
	}
	delete(r, "run")
	delete(r, "lower") // only alike dedup says what a lower minimum would remove
	for _, s := range r["sources"].([]any) {
		delete(s.(map[string]any), "xxh3")
	}
	return r
}

// Of all ways in which texts meet: buckets with the sketch in them and without, and joins of groups.
var methods = []string{
	"simhash", "simhash:bits=128", "minhash:bits=8", "minhash:scheme=icws", "minhash:scheme=bottom", "shingle", "manber", "winnow",
}

func TestPrismEqualsLocal(t *testing.T) {
	docs := 600
	if os.Getenv("ALIKE_LONG") == "1" {
		docs = 20_000
	}
	file := made(t, docs)
	for _, m := range methods {
		t.Run(m, func(t *testing.T) {
			o := options(t, file, m, false)
			o.Runner = "prism"
			r := check(t, o)
			if m == "simhash" {
				if perDoc := float64(r.ShuffleBytes()) / float64(r.Report.Documents); perDoc > 160 || perDoc == 0 {
					t.Errorf("%.1f bytes a document are sent, want at most 160 in all", perDoc)
				}
			}
		})
	}
	t.Run("groups", func(t *testing.T) {
		o := options(t, file, "shingle", false)
		o.Runner, o.Groups = "prism", 3
		check(t, o)
	})
	t.Run("text", func(t *testing.T) {
		o := options(t, file, "minhash:bits=8", true)
		o.Runner = "prism"
		check(t, o)
	})
	t.Run("longest", func(t *testing.T) {
		o := options(t, file, "simhash", false)
		var err error
		if o.Keep, err = dedup.ParsePolicy("longest"); err != nil {
			t.Fatal(err)
		}
		o.Runner = "prism"
		check(t, o, "--keep", "longest")
	})
}

// What is cut before it is sent gives the same, too: here every bucket that has a text in the sample.
func TestCrowdedBuckets(t *testing.T) {
	file := made(t, 600)
	for _, m := range []string{"simhash", "minhash:bits=8"} {
		t.Run(m, func(t *testing.T) {
			o := options(t, file, m, false)
			o.Runner, o.Crowded = "prism", 1
			r := check(t, o)
			if !slices.ContainsFunc(r.Shuffles, func(s pipeline.Shuffle) bool { return s.Name == "crowded" && s.Elements > 0 }) {
				t.Errorf("no bucket was cut: %v", r.Shuffles)
			}
		})
	}
}

func TestCrowdedBucketsOnFlink(t *testing.T) {
	if os.Getenv("ALIKE_LONG") != "1" {
		t.Skip("two jobs more take their time: want ALIKE_LONG=1")
	}
	onFlink(t)
	file := made(t, 600)
	for _, m := range []string{"simhash", "minhash:bits=8"} {
		t.Run(m, func(t *testing.T) {
			o := options(t, file, m, false)
			o.Runner, o.Crowded = "universal", 1
			check(t, o)
		})
	}
}

// A form that all have filled in, each with some words of his own, makes buckets that a large part of all documents are
// in, without being alike to each other.
func TestForm(t *testing.T) {
	n, crowded := 3000, 200
	if os.Getenv("ALIKE_LONG") == "1" {
		n, crowded = 30_000, 0
	}
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"d%d","text":"`, i)
		for j := range 60 {
			if r.IntN(25) == 0 {
				fmt.Fprintf(&b, "own%d ", r.IntN(5000))
			} else {
				fmt.Fprintf(&b, "form%d ", j)
			}
		}
		b.WriteString("\"}\n")
	}
	file := filepath.Join(t.TempDir(), "form.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, file, "simhash", false)
	o.Runner, o.Crowded, o.PieceBytes = "prism", crowded, 1<<20
	got := check(t, o)
	cut := func(s pipeline.Shuffle) bool { return s.Name == "crowded" && s.Bytes > int64(n) }
	if !slices.ContainsFunc(got.Shuffles, cut) {
		t.Errorf("no bucket was cut: %v", got.Shuffles)
	}
}

// With more and longer keys the same is found.
func TestLayoutForMany(t *testing.T) {
	o := options(t, made(t, 600), "simhash", false)
	o.Runner, o.Documents = "prism", 8e9
	if r := check(t, o); !strings.HasPrefix(r.Report.Design, "20 tables") {
		t.Errorf("design %q, want one of twenty tables", r.Report.Design)
	}
}

// One text is all over the input, another has none and is as common, and the best of the first is neither the first nor
// better than one that is alike to it.
func TestCommonTexts(t *testing.T) {
	var b strings.Builder
	words := strings.Repeat("this form has been filled in by so many that the same is found again and again ", 3)
	for i := range 900 {
		text := fmt.Sprintf("%d is a text of its own, %d", i, i*i)
		switch {
		case i%3 == 0:
			text = words
		case i%7 == 0:
			text = ""
		case i == 500:
			text = words + "once"
		}
		fmt.Fprintf(&b, `{"id":"d%d","n":%d,"text":%q}`+"\n", i, i*7%901, text)
	}
	file := filepath.Join(t.TempDir(), "common.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []string{"first", "highest:n", "longest"} {
		t.Run(keep, func(t *testing.T) {
			o := options(t, file, "minhash:bits=8", true)
			var err error
			if o.Keep, err = dedup.ParsePolicy(keep); err != nil {
				t.Fatal(err)
			}
			o.Runner, o.PieceBytes = "prism", 10_000
			r := check(t, o, "--keep", keep)
			if r.Report.Equal+r.Report.Alike < 299 || r.Report.Alike == 0 {
				t.Errorf("%d equal, %d alike", r.Report.Equal, r.Report.Alike)
			}
			for _, s := range r.Shuffles { // a common text is one element of each piece and not of each document
				if s.Name == "equals" && s.Elements > 40 {
					t.Errorf("%d elements of equal texts", s.Elements)
				}
			}
		})
	}
}

// Texts with copies that are compared with others, of which none is alike to them.
func TestCopiesOfCandidates(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `{"text":"`)
		for j := range 30 {
			if j == 10 || j == 20 {
				fmt.Fprintf(&b, "own%d ", i/2)
			} else {
				fmt.Fprintf(&b, "form%dof%d ", j, i/6)
			}
		}
		b.WriteString("\"}\n")
	}
	file := filepath.Join(t.TempDir(), "copies.jsonl")
	put(t, file, []byte(b.String()))
	o := options(t, file, "minhash:bits=8", true)
	o.Runner, o.Candidates = "prism", .5
	r := check(t, o, "--candidates", ".5")
	if c := r.Report.Chaining; c.Components == 0 || r.Report.Alike > 0 {
		t.Errorf("chaining %+v, %d are alike", c, r.Report.Alike)
	}
}

func TestFlinkEqualsLocal(t *testing.T) {
	onFlink(t)
	equalsLocal(t)
}

// equalsLocal holds the server that is set to alike dedup.
func equalsLocal(t *testing.T) {
	file := made(t, 600)
	some := []string{"simhash"}
	if os.Getenv("ALIKE_LONG") == "1" {
		file, some = made(t, 200_000), []string{"simhash", "minhash:bits=8"}
	}
	for _, m := range some {
		t.Run(m, func(t *testing.T) {
			o := options(t, file, m, false)
			o.Runner = "universal"
			if os.Getenv("ALIKE_LONG") == "1" {
				o.PieceBytes = 16 << 20
			}
			check(t, o)
		})
	}
	t.Run("text", func(t *testing.T) {
		o := options(t, made(t, 600), "minhash:bits=8", true)
		o.Runner = "universal"
		check(t, o)
	})
}

// A chain of documents, each alike to the next ones, is more than waves can decide.
func TestChain(t *testing.T) {
	n := 200
	if os.Getenv("ALIKE_LONG") == "1" {
		n = 50_000
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"d%d","text":"`, i)
		for j := range 40 {
			fmt.Fprintf(&b, "w%d ", i+j)
		}
		b.WriteString("\"}\n")
	}
	file := filepath.Join(t.TempDir(), "chain.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, file, "shingle:width=1", false)
	o.Runner = "prism"
	check(t, o, "-m", "shingle:width=1") // the spec alone says one word, which the command's default does not
}

// What is said of a text that is a file of its own names that file, in a piece of many.
func TestFolderOfTexts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "texts")
	if err := os.MkdirAll(filepath.Join(dir, "more\xff"), 0o777); err != nil {
		t.Skipf("the system wants names in UTF-8: %v", err)
	}
	for i := range 60 {
		text := fmt.Sprintf("the text of number %d and none of the others, but for this one and its double", i/2)
		if err := os.WriteFile(filepath.Join(dir, []string{"", "more\xff"}[i%2], fmt.Sprintf("%d.txt", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, dir, "simhash", false)
	o.Runner = "prism"
	check(t, o)
}

// Bad rows are removed up to the number allowed, and beyond it an error names file and line.
func TestBadRows(t *testing.T) {
	o := badRows(t)
	o.Runner, o.SkipBad = "prism", 2
	check(t, o, "--skip-bad", "2")
	refuses(t, o, 0, 61)
	refuses(t, o, 1, 92)
}

func TestBadRowsOnFlink(t *testing.T) {
	onFlink(t)
	o := badRows(t)
	o.Runner = "universal"
	refuses(t, o, 0, 61)
}

// badRows returns the options for a file of two bad rows, in pieces of their own.
func badRows(t *testing.T) pipeline.Options {
	t.Helper()
	var b strings.Builder
	for i := range 100 {
		switch i {
		case 60, 90:
			fmt.Fprintf(&b, "no JSON %d\n\n", i)
		default:
			fmt.Fprintf(&b, `{"text":"one two three four five six %d"}`+"\n", i/2)
		}
	}
	file := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, file, "simhash", false)
	o.PieceBytes = 1000
	return o
}

// What is read holds no outputs of its own.
func TestOutInInput(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a text"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, dir, "simhash", false)
	o.Runner, o.Out = "prism", filepath.Join(dir, "out")
	if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "would be made in "+dir) {
		t.Errorf("error %v, want one that says where it would be made", err)
	}
}

// refuses checks that a run which allows some bad rows names the line of the first beyond them.
func refuses(t *testing.T, o pipeline.Options, allowed, line int) {
	t.Helper()
	o.SkipBad, o.Out = allowed, filepath.Join(t.TempDir(), "out")
	_, err := pipeline.Run(context.Background(), o)
	if want := fmt.Sprintf("datasets: %s:%d: ", o.Sources[0].Path, line); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("with %d allowed: error %v, want one at %s", allowed, err, want)
	}
	if _, err := os.Stat(o.Out); err == nil {
		t.Error("there are outputs all the same")
	}
}

// What makes no sense, or other outputs than one machine's, is refused before anything is read.
func TestRefusedOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "few.jsonl")
	if err := os.WriteFile(file, []byte("{\"text\":\"one two three\"}\nno JSON\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tables := t.TempDir()
	put(t, filepath.Join(tables, "a.csv"), []byte("id,text\n1,a b\n"))
	put(t, filepath.Join(tables, "b.csv"), []byte("text,id\na b,1\n"))
	for want, change := range map[string]func(*pipeline.Options){
		"SkipBad":   func(o *pipeline.Options) { o.SkipBad = -1 },
		"Groups -2": func(o *pipeline.Options) { o.Groups = -2 },
		`b.csv is csv with the columns "text", "id"`: func(o *pipeline.Options) { o.Sources[0].Path = tables },

		"want no Groups": func(o *pipeline.Options) { o.Groups = 2 },
	} {
		o := options(t, file, "minhash:bits=8", false)
		o.Runner = "prism"
		change(&o)
		if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Errorf("%s: there are outputs all the same", want)
		}
	}
}

// Ids that repeat are counted as one machine counts them, stated ones and those by line,
// within a piece and across pieces.
func TestRepeatedIDs(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		switch {
		case i%7 == 0:
			fmt.Fprintf(&b, `{"text":"a document without an id, number %d of them all"}`+"\n", i/14)
		case i%5 == 0:
			fmt.Fprintf(&b, `{"id":"%d","text":"the line %d has the id of a line"}`+"\n", i-100, i)
		default:
			fmt.Fprintf(&b, `{"id":"x%d","text":"some words about %d and about nothing else"}`+"\n", i%250, i)
		}
	}
	file := filepath.Join(t.TempDir(), "ids.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, file, "minhash:bits=8", false)
	o.PieceBytes = 3000
	if r := check(t, o); r.Report.Repeated == 0 || r.Report.RepeatedID == "" {
		t.Errorf("%d ids repeat, the first is %q", r.Report.Repeated, r.Report.RepeatedID)
	}
}

// A field of the policy that no document has is refused as on one machine, and nothing is
// written.
func TestKeepLacksField(t *testing.T) {
	file := made(t, 50)
	for _, keep := range []string{"newest:date", "longest,highest:stars"} {
		o := options(t, file, "simhash", false)
		var err error
		if o.Keep, err = dedup.ParsePolicy(keep); err != nil {
			t.Fatal(err)
		}
		path, err := alike()
		if err != nil {
			t.Fatal(err)
		}
		said, failed := exec.Command(path, "dedup", file, "--keep", keep, "-o", o.Out+"1").CombinedOutput()
		_, err = pipeline.Run(context.Background(), o)
		if failed == nil || err == nil || !strings.HasSuffix(strings.TrimSpace(string(said)), err.Error()) {
			t.Errorf("%s: one machine says %q, the pipeline %v", keep, said, err)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Errorf("%s: something is written", keep)
		}
	}
}
