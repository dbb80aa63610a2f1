package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/similarity"
)

// planted writes a set of about n documents, some blank, and returns its folder
// and documents.
func planted(t *testing.T, n uint64) (dir string, docs []datasets.Doc) {
	t.Helper()
	maker, err := plant.NewMaker(plant.MakeOptions{Mean: 30, Words: 400})
	if err != nil {
		t.Fatal(err)
	}
	planter, err := plant.New(plant.Options{Share: .3})
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "set")
	stream := planter.Plant(maker.Docs(0, n))
	withBlanks := func(yield func(plant.Document, error) bool) {
		i := 0
		for d, err := range stream {
			if i++; i%17 == 0 && !yield(plant.Document{Doc: datasets.Doc{ID: fmt.Sprint("blank", i)}, Original: fmt.Sprint("blank", i)}, nil) {
				return
			}
			if !yield(d, err) {
				return
			}
		}
	}
	if _, err := plant.Write(dir, withBlanks, plant.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	set, err := datasets.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, set.Docs
}

func collectionOf(t *testing.T, spec string, docs []datasets.Doc) similarity.Collection {
	t.Helper()
	m, err := catalog.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	c := m.NewCollection()
	for _, d := range docs {
		c.Add(d.Text)
	}
	return c
}

// everyPair is what alike pairs prints where it finds all: every pair is scored.
func everyPair(c similarity.Collection, docs []datasets.Doc, threshold float64) []string {
	var out []string
	for i, a := range docs {
		for j := i + 1; j < len(docs); j++ {
			if s := c.Score(i, j); s >= threshold {
				out = append(out, fmt.Sprintf("%s\t%s\t%.6f", a.ID, docs[j].ID, s))
			}
		}
	}
	return out
}

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// Whatever the way a method joins, the pairs are those that scoring every pair
// gives, or some of them in their order, for any number of workers.
func TestPairsAgainstEveryPair(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 120
	}
	dir, docs := planted(t, n)
	for _, name := range catalog.Names() {
		t.Run(name, func(t *testing.T) {
			const threshold = .6
			want := everyPair(collectionOf(t, name, docs), docs, threshold)
			if len(want) < 10 {
				t.Fatalf("%d pairs are no test", len(want))
			}
			var first string
			for _, workers := range []string{"1", "2", "7"} {
				code, stdout, stderr := alike(t, "", "pairs", dir, "-m", name, "-t", fmt.Sprint(threshold), "--workers", workers)
				if code != 0 {
					t.Fatalf("exit code %d: %s", code, stderr)
				}
				if first == "" {
					first = stdout
				} else if stdout != first {
					t.Fatalf("output differs with %s workers", workers)
				}
				got := lines(stdout)
				if got[0] != "id1\tid2\tscore" {
					t.Fatalf("the header is %q", got[0])
				}
				got = got[1:]
				if strings.Contains(stderr, "recall 1 ") {
					if !slices.Equal(got, want) {
						t.Fatalf("%d pairs, want %d", len(got), len(want))
					}
					continue
				}
				at := 0
				for _, line := range got {
					for at < len(want) && want[at] != line {
						at++
					}
					if at == len(want) {
						t.Fatalf("the pair %q is none, or out of order", line)
					}
				}
				if len(got)*10 < len(want)*8 {
					t.Errorf("%d pairs of %d", len(got), len(want))
				}
			}
		})
	}
}

// JSON lines hold the same pairs with the whole score, and a file the same bytes as
// standard output.
func TestPairsFormats(t *testing.T) {
	dir, docs := planted(t, 60)
	args := []string{"pairs", dir, "-m", "shingle", "-t", "0.4"}
	table := lines(mustRun(t, args...))[1:]
	c := collectionOf(t, "shingle", docs)
	number := map[string]int{}
	for i, d := range docs {
		number[d.ID] = i
	}
	objects := mustRun(t, append(args, "--format", "jsonl")...)
	for i, line := range lines(objects) {
		var p struct {
			ID1, ID2 string
			Score    float64
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprintf("%s\t%s\t%.6f", p.ID1, p.ID2, p.Score); text != table[i] {
			t.Errorf("line %d is %s, want %s", i, text, table[i])
		}
		if want := c.Score(number[p.ID1], number[p.ID2]); p.Score != want {
			t.Errorf("%s: score %v, want %v", line, p.Score, want)
		}
	}
	file := filepath.Join(t.TempDir(), "pairs.jsonl")
	if out := mustRun(t, append(args, "-o", file)...); out != "" {
		t.Errorf("standard output beside a file: %q", out)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != objects {
		t.Errorf("the file differs from standard output: %v", err)
	}
}

// With --against every document of INPUT meets every one of OLD and none of its
// own; ids that are not stated are told apart by their file.
func TestPairsAgainst(t *testing.T) {
	dir, docs := planted(t, 120)
	half := len(docs) / 2
	old := filepath.Join(t.TempDir(), "old.jsonl")
	w, err := datasets.Create(old)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs[:half] {
		if err := w.Write([]datasets.Field{{Name: "text", Value: d.Text}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var stdin strings.Builder
	for _, d := range docs[half:] {
		line, err := json.Marshal(map[string]string{"text": d.Text})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&stdin, "%s\n", line)
	}
	c := collectionOf(t, "cosine", docs)
	var want []string
	for i := half; i < len(docs); i++ {
		for j := range half {
			if s := c.Score(i, j); s >= .7 {
				want = append(want, fmt.Sprintf("%d\t%d\t%.6f", i-half+1, j+1, s))
			}
		}
	}
	code, stdout, stderr := alike(t, stdin.String(), "pairs", "jsonl:-", "--against", old, "-m", "cosine", "-t", ".7")
	if got := lines(stdout)[1:]; code != 0 || !slices.Equal(got, want) || len(want) < 10 {
		t.Errorf("exit code %d, %d pairs, want %d: %s", code, len(got), len(want), stderr)
	}
	// Of several inputs the ids tell the file.
	_, stdout, _ = alike(t, "", "pairs", old, dir, "-m", "shingle", "-t", "1")
	if !strings.Contains(stdout, old+":1\td0\t1.000000\n") {
		t.Errorf("no pair of the first document with itself in\n%.300s", stdout)
	}
}

// With --top a pair stands where it is among the best of either document.
func TestPairsTop(t *testing.T) {
	dir, docs := planted(t, 150)
	c := collectionOf(t, "shingle", docs)
	const top, threshold = 2, .3
	best := map[[2]int]bool{}
	for i := range docs {
		var others []int
		for j := range docs {
			if i != j && c.Score(i, j) >= threshold {
				others = append(others, j)
			}
		}
		slices.SortStableFunc(others, func(x, y int) int {
			switch sx, sy := c.Score(i, x), c.Score(i, y); {
			case sx > sy:
				return -1
			case sx < sy:
				return 1
			}
			return x - y
		})
		for _, j := range others[:min(top, len(others))] {
			best[[2]int{min(i, j), max(i, j)}] = true
		}
	}
	var want []string
	for i := range docs {
		for j := i + 1; j < len(docs); j++ {
			if best[[2]int{i, j}] {
				want = append(want, fmt.Sprintf("%s\t%s\t%.6f", docs[i].ID, docs[j].ID, c.Score(i, j)))
			}
		}
	}
	got := lines(mustRun(t, "pairs", dir, "-m", "shingle", "-t", fmt.Sprint(threshold), "--top", fmt.Sprint(top)))[1:]
	if !slices.Equal(got, want) || len(want) == len(everyPair(c, docs, threshold)) {
		t.Errorf("%d pairs, want %d", len(got), len(want))
	}
}

// Documents of one sketch are stated with the first alone, and the clusters are those
// of all pairs.
func TestPairsGrouped(t *testing.T) {
	var input strings.Builder
	for i := range 30 {
		fmt.Fprintf(&input, "the cat sat on the mat %d\n", i%3)
	}
	args := []string{"pairs", "lines:-", "-m", "simhash", "-t", "0.2"}
	_, all, _ := alike(t, input.String(), args...)
	_, grouped, _ := alike(t, input.String(), append(args, "--grouped")...)
	components := func(out string) []int {
		f := datasets.NewForest(31)
		for _, line := range lines(out)[1:] {
			var a, b int
			var s float64
			if _, err := fmt.Sscanf(line, "%d\t%d\t%f", &a, &b, &s); err != nil {
				t.Fatal(err)
			}
			f.Join(a, b)
		}
		return f.Numbers()
	}
	if !slices.Equal(components(all), components(grouped)) {
		t.Error("grouped pairs have other clusters")
	}
	if a, g := len(lines(all)), len(lines(grouped)); a != 1+30*29/2 || g > 1+27+3 {
		t.Errorf("%d pairs and %d grouped", a-1, g-1)
	}
}

// A distance is the threshold that lets through what lies within it.
func TestPairsDistance(t *testing.T) {
	dir, docs := planted(t, 150)
	for _, spec := range []string{"simhash", "simhash:bits=32", "simhash:bits=128", "simhash:score=linear"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{0, 3, 9} {
			threshold, err := catalog.ScoreAt(m, k)
			if err != nil {
				t.Fatal(err)
			}
			want := len(everyPair(collectionOf(t, spec, docs), docs, threshold))
			if got := len(lines(mustRun(t, "pairs", dir, "-m", spec, "-k", fmt.Sprint(k)))) - 1; got != want {
				t.Errorf("%s within %d: %d pairs, want %d", spec, k, got, want)
			}
		}
	}
}

// The recall by kind is that of counting the labelled pairs one by one.
func TestPairsTruth(t *testing.T) {
	dir, docs := planted(t, 200)
	c := collectionOf(t, "shingle:width=2", docs)
	number := map[string]int{}
	for i, d := range docs {
		number[d.ID] = i
	}
	data, err := os.ReadFile(filepath.Join(dir, "pairs-planted.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ pairs, reach int }
	want := map[string]count{}
	for _, line := range lines(string(data))[1:] {
		f := strings.Split(line, "\t")
		k := want[f[3]]
		k.pairs++
		if c.Score(number[f[0]], number[f[1]]) >= .7 {
			k.reach++
		}
		want[f[3]] = k
	}
	code, stdout, stderr := alike(t, "", "pairs", dir, "-m", "shingle:width=2", "-t", ".7", "--truth", filepath.Join(dir, "pairs-planted.tsv"), "-f", "json")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, line := range lines(stdout) {
		var k score.Kind
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			t.Fatal(err)
		}
		if k.Kind == "all" {
			continue
		}
		w := want[k.Kind]
		if k.Pairs != int64(w.pairs) || k.Reach != int64(w.reach) || k.Found != k.Reach || k.Missed != 0 || k.Recall != float64(w.reach)/float64(w.pairs) {
			t.Errorf("%+v, want %+v", k, w)
		}
		delete(want, k.Kind)
	}
	if len(want) > 0 {
		t.Errorf("kinds without a row: %v", want)
	}
}

// In a join of two collections a labelled pair counts whichever document is new,
// and pairs of documents that are not there are reported.
func TestPairsTruthAgainst(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return p
	}
	fresh := write("new.tsv", "id\ttext\na\tone two three\nb\tfour five six\n")
	old := write("old.tsv", "id\ttext\nc\tone two three\nd\tfour five seven\n")
	truth := write("truth.tsv", "id1\tid2\tlabel\na\tc\t1\nd\tb\t1\na\tx\t1\na\td\t0\n")
	code, stdout, stderr := alike(t, "", "pairs", fresh, "--against", old, "-m", "shingle", "-t", "0.5", "--truth", truth, "-f", "csv")
	want := "kind,label,pairs,reach threshold,found,missed,recall\n,alike,2,2,2,0,1.0000\nall,alike,2,2,2,0,1.0000\n,not alike,1,0,0,0,0.0000\nall,not alike,1,0,0,0,0.0000\n"
	if code != 0 || stdout != want || !strings.Contains(stderr, "alike: 1 labelled pair with a document that was not read\n") {
		t.Errorf("exit code %d\n%s\nwant\n%s\n%s", code, stdout, want, stderr)
	}
}

// text is n bytes of lines, of which then is called after some.
type text struct {
	n, at int
	then  func()
}

func (x *text) Read(p []byte) (int, error) {
	if x.n <= 0 {
		return 0, io.EOF
	}
	if x.at -= len(p); x.at < 0 {
		x.then()
	}
	x.n -= len(p)
	for i := range p {
		p[i] = "the cat sat on the mat\n"[i%23]
	}
	return len(p), nil
}

// A run that fails or is cancelled leaves no file, and says so in its exit code.
func TestPairsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "pairs.tsv")
	input := `{"text":"a b c"}` + "\n" + `{"text":"a b c"}` + "\nbroken\n"
	code, _, stderr := alike(t, input, "pairs", "jsonl:-", "-m", "shingle", "-t", "1", "-o", out)
	if code != 2 || !strings.Contains(stderr, "-:3:") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	code, _, stderr = alike(t, input, "pairs", "jsonl:-", "-m", "shingle", "-t", "1", "-o", out, "--skip-bad", "1")
	if data, err := os.ReadFile(out); code != 0 || err != nil || string(data) != "id1\tid2\tscore\n1\t2\t1.000000\n" {
		t.Errorf("exit code %d, %q, %v: %s", code, data, err, stderr)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m, err := catalog.Parse("shingle")
	if err != nil {
		t.Fatal(err)
	}
	var quiet bytes.Buffer
	endless := source{cmd: &cobra.Command{}}
	in := endless.inputs([]string{"lines:-"}, &text{n: 1 << 40, at: 5 << 20, then: cancel}, 3, func(float64, string) {})
	if _, err := in.Collect(ctx, m, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling", err)
	}
	cmd := newPairs()
	cmd.SetArgs([]string{"en", "-m", "shingle", "-t", "1", "-o", filepath.Join(dir, "cancelled.tsv")})
	cmd.SetOut(&quiet)
	cmd.SetErr(&quiet)
	if err := cmd.ExecuteContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a cancelled run", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// A fit on the rows of a file is that of the documents, and changes what is found.
func TestPairsUnderAFit(t *testing.T) {
	dir, docs := planted(t, 80)
	fit := filepath.Join(t.TempDir(), "fit")
	docsFile := filepath.Join(dir, "docs.jsonl")
	if code, _, stderr := alike(t, "", "fit", "-m", "cosine", "-o", fit, docsFile); code != 0 {
		t.Fatal(stderr)
	}
	m, err := catalog.Parse("cosine")
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := m.Fit(func(yield func(string) bool) {
		for _, d := range docs {
			if !yield(d.Text) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	c := fitted.NewCollection()
	for _, d := range docs {
		c.Add(d.Text)
	}
	want := everyPair(c, docs, .5)
	code, stdout, stderr := alike(t, "", "pairs", dir, "-m", "cosine", "-t", ".5", "--fit", fit)
	if got := lines(stdout)[1:]; code != 0 || !slices.Equal(got, want) || strings.Contains(stderr, "learnt nothing") {
		t.Errorf("%d pairs, want %d: %s", len(got), len(want), stderr)
	}
	if unfitted := everyPair(collectionOf(t, "cosine", docs), docs, .5); len(unfitted) == len(want) {
		t.Error("a fit changes nothing")
	}
	for _, bad := range [][]string{{"-"}, {docsFile, filepath.Join(dir, "absent.jsonl")}, {"jsonl:" + filepath.Join(dir, "README.md")}} {
		if code, _, _ := alike(t, "", append([]string{"fit", "-m", "cosine", "-o", fit}, bad...)...); code != 2 {
			t.Errorf("fit %v: exit code %d", bad, code)
		}
	}
}

// The bad rows that are allowed are those of all inputs together.
func TestPairsSkipsBadRowsOfAllInputs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"1.jsonl", "2.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("broken\n"+`{"text":"a b"}`+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pattern := filepath.Join(dir, "?.jsonl")
	if code, _, stderr := alike(t, "", "pairs", pattern, "-m", "shingle", "-t", "1", "--skip-bad", "1"); code != 2 || !strings.Contains(stderr, "2.jsonl:1:") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	code, stdout, _ := alike(t, "", "pairs", pattern, "-m", "shingle", "-t", "1", "--skip-bad", "2")
	if want := fmt.Sprintf("id1\tid2\tscore\n%[1]s/1.jsonl:2\t%[1]s/2.jsonl:2\t1.000000\n", dir); code != 0 || stdout != want {
		t.Errorf("exit code %d, %q, want %q", code, stdout, want)
	}
}

// Of texts of 100 words, one has five others, far apart, and one has thirty more at its
// end: by --differ the second reaches the score and is left out, since its length alone
// says that 23 % differ.
func TestPairsDiffer(t *testing.T) {
	var words, edited []string
	for i := range 100 {
		words = append(words, fmt.Sprint("word", i))
		edited = append(edited, fmt.Sprint("word", i))
		if i%20 == 10 {
			edited[i] = fmt.Sprint("other", i)
		}
	}
	longer := slices.Clone(words)
	for i := range 30 {
		longer = append(longer, fmt.Sprint("more", i))
	}
	var rows strings.Builder
	for id, w := range map[string][]string{"a": words, "edited": edited, "longer": longer} {
		fmt.Fprintf(&rows, "{\"id\": %q, \"text\": %q}\n", id, strings.Join(w, " "))
	}
	found := func(args ...string) (pairs [][]string) {
		var stdout, stderr bytes.Buffer
		if code := run(append([]string{"pairs", "jsonl:-", "-m", "shingle"}, args...), strings.NewReader(rows.String()), &stdout, &stderr); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, stderr.String())
		}
		for _, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n")[1:] {
			f := strings.Split(line, "\t")
			slices.Sort(f[:2])
			pairs = append(pairs, f)
		}
		return pairs
	}
	byDiffer := found("--differ", "6%")
	if len(byDiffer) != 1 || byDiffer[0][0] != "a" || byDiffer[0][1] != "edited" || len(byDiffer[0]) != 5 {
		t.Fatalf("--differ 6%% finds %v, want a and edited, with two columns more", byDiffer)
	}
	share, err := strconv.ParseFloat(byDiffer[0][3], 64)
	if err != nil {
		t.Fatal(err)
	}
	if se, err := strconv.ParseFloat(byDiffer[0][4], 64); err != nil || share-1.96*se > .05 || share+1.96*se < .05 {
		t.Errorf("%v ± %v, %v: the interval has no 5 %%", share, se, err)
	}
	// Of 98 runs 15 are changed, and 30 of 128 are new: .73 and .77.
	if byScore := found("--features", "tokens=single,width=3", "-t", ".71"); len(byScore) != 2 {
		t.Errorf("-t .71 finds %v, want both", byScore)
	}
}
