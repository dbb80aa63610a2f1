package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func mustPolicy(t testing.TB, s string) dedup.Policy {
	t.Helper()
	p, err := dedup.ParsePolicy(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// hidden makes a method of options.
func hidden[O, S any, M similarity.Sketcher[S]](t testing.TB, make func(O) (M, error), o O) similarity.Method {
	t.Helper()
	m, err := make(o)
	if err != nil {
		t.Fatal(err)
	}
	return similarity.Hide(m)
}

func exact(t testing.TB) similarity.Method { return hidden(t, shingle.New, shingle.Options{}) }

func fingerprints(t testing.TB) similarity.Method {
	return hidden(t, simhash.New, simhash.Options{Features: feature.Options{MinWidth: 2}})
}

func vectors(t testing.TB) similarity.Method { return hidden(t, cosine.New, cosine.Options{}) }

// estimates is a method whose buckets are not exact.
func estimates(t testing.TB) similarity.Method {
	return hidden(t, shingle.NewMinHash, shingle.MinHashOptions{})
}

// sample returns documents of which many are equal or alike, and some have no
// features.
func sample(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, 60)
	for i := range words {
		words[i] = fmt.Sprintf("w%d", r.IntN(400))
	}
	var docs []string
	for len(docs) < n {
		switch k := r.IntN(10); {
		case k == 0:
			docs = append(docs, strings.Repeat(".", r.IntN(3)))
		case k < 6 && len(docs) > 0:
			doc := strings.Fields(docs[r.IntN(len(docs))])
			for range r.IntN(3) {
				if len(doc) > 0 {
					doc[r.IntN(len(doc))] = words[r.IntN(len(words))]
				}
			}
			docs = append(docs, strings.Join(doc, " "))
		default:
			var doc []string
			for range 3 + r.IntN(15) {
				doc = append(doc, words[r.IntN(len(words))])
			}
			docs = append(docs, strings.Join(doc, " "))
		}
	}
	return docs
}

// jsonl writes documents as rows with some more fields, and returns the path.
func jsonl(t testing.TB, dir, name string, docs []string) string {
	t.Helper()
	var b bytes.Buffer
	for i, d := range docs {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, `{"n":%d,"id":"%s-%d","text":%s,"tags":["x", 1.50]}`+"\n", i*7%10, name, i, text)
	}
	path := filepath.Join(dir, name+".jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// wanted is what a run should find, by comparing all with all.
func wanted(docs []string, m similarity.Method, threshold float64, less func(a, b int) int) (kept []int) {
	c := m.NewCollection()
	for _, d := range docs {
		c.Add(d)
	}
	kept = make([]int, len(docs))
	order := make([]int, len(docs))
	for i := range docs {
		kept[i], order[i] = i, i
	}
	slices.SortStableFunc(order, less)
	for at, i := range order {
		for _, j := range order[:at] {
			if kept[j] == j && !c.Empty(i) && (docs[i] == docs[j] || c.Score(i, j) >= threshold) {
				kept[i] = j
				break
			}
		}
	}
	return kept
}

func lines(t testing.TB, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(b), "\n")+"\n", "\n")[:bytes.Count(b, []byte("\n"))]
}

// What is kept and removed, and in whose favour, is what an all-pairs comparison
// in the order of the policy finds, by every kind of method.
func TestRunEqualsOracle(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 200
	}
	docs := sample(1, n)
	longest := func(a, b int) int {
		if d := len(docs[b]) - len(docs[a]); d != 0 {
			return d
		}
		return a - b
	}
	highest := func(a, b int) int {
		if d := b*7%10 - a*7%10; d != 0 {
			return d
		}
		return a - b
	}
	first := func(a, b int) int { return a - b }
	for _, c := range []struct {
		name   string
		o      Options
		oracle similarity.Method
		less   func(a, b int) int
		keep   string
	}{
		{"buckets", Options{Method: exact(t), Verify: exact(t), Threshold: .6}, exact(t), first, "first"},
		{"longest", Options{Method: exact(t), Verify: exact(t), Threshold: .6}, exact(t), longest, "longest"},
		{"highest", Options{Method: exact(t), Verify: exact(t), Threshold: .6}, exact(t), highest, "highest:n"},
		{"sketch", Options{Method: exact(t), Threshold: .7}, exact(t), first, "first"},
		{"join", Options{Method: vectors(t), Threshold: .8}, vectors(t), first, "first"},
		{"join verified by the same", Options{Method: vectors(t), Verify: vectors(t), Threshold: .8}, vectors(t), longest, "longest"},
		{"simhash", Options{Method: fingerprints(t), Threshold: .9}, fingerprints(t), first, "first"},
		{"low floor", Options{Method: exact(t), Candidates: .2, Verify: vectors(t), Threshold: .95}, vectors(t), first, "first"},
	} {
		for _, spill := range []bool{false, true} {
			if spill && strings.HasPrefix(c.name, "join") {
				continue // refused
			}
			t.Run(fmt.Sprintf("%s/spill=%t", c.name, spill), func(t *testing.T) {
				dir := t.TempDir()
				path := jsonl(t, dir, "a", docs)
				o := c.o
				o.Sources, o.Out = []datasets.Source{{Path: path}}, filepath.Join(dir, "out")
				var err error
				if o.Keep, err = dedup.ParsePolicy(c.keep); err != nil {
					t.Fatal(err)
				}
				r, err := newRun(o)
				if err != nil {
					t.Fatal(err)
				}
				if spill {
					r.o.Memory = 8000
				}
				spilled := 0
				r.o.Progress = func(stage string, _ float64) {
					if stage == "candidates" {
						files, _ := filepath.Glob(filepath.Join(r.scratch, "sketches-*"))
						spilled = len(files)
					}
				}
				rep, err := r.run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if spill && c.name != "simhash" && spilled == 0 {
					t.Error("the sketches are in memory")
				}
				want := wanted(docs, c.oracle, o.Threshold, c.less)
				rows := lines(t, path)
				var kept, removed []string
				var got []int
				for i, k := range want {
					if k == i {
						kept = append(kept, rows[i])
					} else {
						removed = append(removed, rows[i])
						got = append(got, k)
					}
				}
				if len(removed) < n/12 {
					t.Fatalf("only %d documents to be removed", len(removed))
				}
				if g := lines(t, filepath.Join(o.Out, "kept.jsonl")); !slices.Equal(g, kept) {
					t.Errorf("%d rows kept are not the %d wanted", len(g), len(kept))
				}
				if g := lines(t, filepath.Join(o.Out, "removed.jsonl")); !slices.Equal(g, removed) {
					t.Errorf("%d rows removed are not the %d wanted", len(g), len(removed))
				}
				var why []int
				for _, line := range lines(t, filepath.Join(o.Out, "why.jsonl")) {
					var w struct {
						Row  int
						Kept struct{ Row int }
					}
					if err := json.Unmarshal([]byte(line), &w); err != nil {
						t.Fatal(err)
					}
					if want[w.Row] != w.Kept.Row {
						t.Errorf("row %d is removed in favour of %d, want %d", w.Row, w.Kept.Row, want[w.Row])
					}
					why = append(why, w.Kept.Row)
				}
				if len(why) != len(got) || rep.Kept != len(kept) || rep.Equal+rep.Alike != len(removed) {
					t.Errorf("%d lines of reasons, report %+v", len(why), rep)
				}
			})
		}
	}
}

// tree reads a folder: paths and contents.
func readTree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		if rel == "report.json" {
			var m map[string]any
			if err := json.Unmarshal(b, &m); err != nil {
				return err
			}
			delete(m, "run")
			b, _ = json.Marshal(m)
		}
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The outputs are the same bytes whatever the workers and the memory.
func TestRunIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	a, b := jsonl(t, dir, "a", sample(2, 1500)), jsonl(t, dir, "b", sample(3, 500))
	var first map[string]string
	for i, o := range []Options{{Workers: 1}, {Workers: 2}, {Workers: 7, Memory: leastMemory}, {Workers: 3, Memory: 1}} {
		o.Sources = []datasets.Source{{Path: a, PathIDs: true}, {Path: b, PathIDs: true}}
		o.Out = filepath.Join(dir, fmt.Sprint("out", i))
		o.Method, o.Verify, o.Threshold = fingerprints(t), exact(t), .6
		o.Candidates = .8
		if _, err := Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		got := readTree(t, o.Out)
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(got, first) {
			for name := range first {
				if got[name] != first[name] {
					t.Errorf("run %d: %s differs", i, name)
				}
			}
		}
	}
}

// How the input is cut in files changes nothing but what names them.
func TestFilesDoNotMatter(t *testing.T) {
	dir := t.TempDir()
	rows := lines(t, jsonl(t, dir, "all", sample(8, 700)))
	var want map[string]string
	for i, cuts := range [][]int{{}, {100}, {1, 2, 350, 350, 699}} {
		var sources []datasets.Source
		from := 0
		for n, to := range append(cuts, len(rows)) {
			path := write(t, filepath.Join(dir, fmt.Sprint(i), fmt.Sprint(n, ".jsonl")), []byte(strings.Join(rows[from:to], "")))
			sources = append(sources, datasets.Source{Path: path})
			from = to
		}
		out := filepath.Join(dir, fmt.Sprint("out", i))
		dedupOf(t, Options{Out: out, Keep: mustPolicy(t, "longest")}, sources...)
		got := readTree(t, out)
		for _, name := range []string{whyFile, LayoutFile, reportFile} {
			delete(got, name)
		}
		if want == nil {
			want = got
		}
		if len(got) != 3 || !reflect.DeepEqual(got, want) {
			t.Errorf("cut at %v the outputs differ", cuts)
		}
	}
}

// Each of these documents is alike to the next one, and only to that: they lie on a
// chain, under a notice that all have in common. Closure makes one document of them all;
// Cluster loses none that is not alike to a kept one.
func TestChainedDocumentsDoNotCollapse(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 2000
	}
	dir := t.TempDir()
	notice := strings.Repeat("this notice stands on every page of the site and says nothing ", 3)
	docs := make([]string, n)
	for i := range docs {
		var b strings.Builder
		b.WriteString(notice)
		for w := range 60 {
			fmt.Fprintf(&b, "w%d ", i*8+w)
		}
		docs[i] = b.String()
	}
	o := Options{Method: exact(t), Verify: exact(t), Threshold: .75, Sources: []datasets.Source{{Path: jsonl(t, dir, "a", docs)}}}
	o.Out = filepath.Join(dir, "ours")
	rep, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	// Of 60 words two neighbours share 52, and those after them 44; the notice has 12 more: 64/80
	// and 56/88.
	if rep.Kept != n/2 || rep.Largest != 2 || rep.Chaining.Largest != n || rep.Chaining.Apart != n-2 || rep.Chaining.Partial {
		t.Errorf("%d kept, the largest cluster of %d, chaining %+v; want %d, 2, and a chain of all", rep.Kept, rep.Largest, rep.Chaining, n/2)
	}
	o.Out, o.Cohesion = filepath.Join(dir, "closure"), -1
	if rep, err = Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if rep.Kept != 1 {
		t.Errorf("closure keeps %d, want that it collapses", rep.Kept)
	}
}

// A run that would drop too much, and one whose input is bad, leave nothing behind.
func TestRunStops(t *testing.T) {
	dir := t.TempDir()
	path := jsonl(t, dir, "a", sample(4, 300))
	o := Options{Sources: []datasets.Source{{Path: path}}, Out: filepath.Join(dir, "out"), Method: exact(t), Verify: exact(t), Threshold: .5, MaxDrop: .1}
	_, err := Run(context.Background(), o)
	drop, ok := errors.AsType[*DropError](err)
	if !ok || drop.Report.DropShare() <= .1 {
		t.Fatalf("error %v, want that too much is removed", err)
	}
	bad := filepath.Join(dir, "bad.jsonl")
	if err := os.WriteFile(bad, []byte("{\"text\":\"a\"}\nno\n{\"text\":\"b\"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o.Sources, o.MaxDrop = []datasets.Source{{Path: bad}}, 0
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "bad.jsonl:2: ") {
		t.Errorf("error %v, want one that names the row", err)
	}
	o.Sources[0].Path = filepath.Join(dir, "none")
	if _, err := Run(context.Background(), o); err == nil {
		t.Error("no error where there is no file")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	o.Sources[0].Path, o.SkipBad = bad, 1
	rep, err := Run(context.Background(), o)
	if err != nil || rep.Unreadable != 1 || rep.Kept != 2 {
		t.Fatalf("%+v, %v, want one row that is no document", rep, err)
	}
	if got := lines(t, filepath.Join(o.Out, "why.jsonl")); len(got) != 1 || !strings.Contains(got[0], `"at":"`+bad+`:2"`) || !strings.Contains(got[0], `"raw":"bm8K"`) {
		t.Errorf("reasons %q, want one with the row in base64", got)
	}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v, want that the folder exists", err)
	}
}

// Ids that repeat among new documents are counted, also by a run that goes on.
func TestRepeatedIDs(t *testing.T) {
	dir := t.TempDir()
	var rows, old strings.Builder
	for i := range 600 {
		fmt.Fprintf(&rows, "{\"id\":\"%d\",\"text\":\"text number %d of this test\"}\n", i%590, i)
		fmt.Fprintf(&old, "{\"id\":\"%d\",\"text\":\"an old one, number %d\"}\n", i, i)
	}
	o := Options{
		Sources: []datasets.Source{{Path: write(t, filepath.Join(dir, "a.jsonl"), []byte(rows.String()))}},
		Against: []datasets.Source{{Path: write(t, filepath.Join(dir, "old.jsonl"), []byte(old.String()))}},
		Method:  exact(t), Verify: exact(t), Threshold: .9, Out: filepath.Join(dir, "out"), Resume: true,
	}
	interrupt(t, o)
	for range 2 {
		r, err := Run(context.Background(), o)
		if err != nil || r.Repeated != 10 || r.RepeatedID != "0" {
			t.Errorf("%d repeated ids, the first %q, %v, want 10 and 0", r.Repeated, r.RepeatedID, err)
		}
		o.Out, o.Resume = filepath.Join(dir, "whole"), false
	}
	o.Out, o.UniqueIDs = filepath.Join(dir, "none"), true
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), `two documents have the id "0"`) {
		t.Errorf("error %v, want one that names the id", err)
	}
}

// A policy that goes by a field of no document is an error; by one of some it is not.
func TestKeepByNoField(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.jsonl"), []byte("{\"text\":\"a b c\"}\n{\"text\":\"a b c\",\"n\":{\"at\":\"2020\"},\"bad\":\"3/4/21\"}\n"))
	for keep, want := range map[string]string{
		"newest:n.at": "", "newest:at": `no document has a time in a field "at"; the fields are text`,
		"longest,highest:bad": `no document has a number in a field "bad"`, "newest:n.at,newest:x": `a field "x"`,
	} {
		o := Options{Sources: []datasets.Source{{Path: path}}, Method: exact(t), Verify: exact(t), Threshold: .9, DryRun: true, Keep: mustPolicy(t, keep)}
		if _, err := Run(context.Background(), o); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", keep, err, want)
		}
	}
	o := Options{Sources: []datasets.Source{{Path: write(t, filepath.Join(dir, "b.jsonl"), nil)}}, Method: exact(t), Verify: exact(t), Threshold: .9, DryRun: true, Keep: mustPolicy(t, "newest:x")}
	if _, err := Run(context.Background(), o); err != nil {
		t.Errorf("no documents: %v", err)
	}
}
