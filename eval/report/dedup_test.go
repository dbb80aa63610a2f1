package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

const footer = "All rights reserved, and nothing of this may be copied by anyone."

// corpus returns texts of which some are copies, equal or with words changed. All have the
// same last line.
func corpus(n int) []string {
	rng := rand.New(rand.NewPCG(3, 4))
	var texts []string
	for len(texts) < n {
		words := make([]string, 40)
		for i := range words {
			words[i] = fmt.Sprintf("w%d", rng.IntN(5000))
		}
		texts = append(texts, strings.Join(words, " "))
		for range rng.IntN(3) {
			copied := append([]string{}, words...)
			for range rng.IntN(5) {
				copied[rng.IntN(len(copied))] = fmt.Sprintf("new%d", rng.IntN(100))
			}
			texts = append(texts, strings.Join(copied, " "))
		}
	}
	texts = texts[:n]
	rng.Shuffle(n, func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	for i := range texts {
		texts[i] += "\n" + footer
	}
	return texts
}

// bad is a text that jsonl writes as a row that is no document.
const bad = "\x00"

// jsonl writes texts to a file.
func jsonl(t *testing.T, name string, texts []string) string {
	t.Helper()
	var b strings.Builder
	for _, text := range texts {
		line, err := json.Marshal(map[string]string{"body": text})
		if err != nil {
			t.Fatal(err)
		}
		if text == bad {
			line = []byte("{")
		}
		b.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func deduplicate(t *testing.T, change func(*local.Options), files ...string) string {
	t.Helper()
	m, err := shingle.New(shingle.Options{Features: feature.Options{MinWidth: 2}})
	if err != nil {
		t.Fatal(err)
	}
	o := local.Options{Method: similarity.Hide(m), Threshold: 0.5, Candidates: 0.5, Out: filepath.Join(t.TempDir(), "out")}
	for _, f := range files {
		o.Sources = append(o.Sources, datasets.Source{Path: f, Text: []string{"body"}, PathIDs: true})
	}
	if change != nil {
		change(&o)
	}
	if _, err := local.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	return o.Out
}

var body = datasets.Source{Text: []string{"body"}}

// What is said of a removed document is what stands in the files that were read.
func TestReadDedup(t *testing.T) {
	texts := corpus(400)
	texts[20], texts[21] = bad, bad
	files := []string{jsonl(t, "a.jsonl", texts[:150]), jsonl(t, "b.jsonl", texts[150:])}
	d, err := report.ReadDedup(deduplicate(t, func(o *local.Options) { o.SkipBad = 2 }, files...), body)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Removed) != 12 {
		t.Fatalf("%d documents shown", len(d.Removed))
	}
	at := func(source, row int) string { return texts[150*source+row] }
	least := 1.0
	for i, r := range d.Removed {
		if want := at(r.Source, r.Row); r.Text != want {
			t.Errorf("removed %v is %q, want %q", r.Ref, r.Text, want)
		}
		if want := at(r.Kept.Source, r.Kept.Row); r.KeptText != want {
			t.Errorf("kept %v is %q, want %q", r.Kept.Ref, r.KeptText, want)
		}
		least = min(least, r.Score)
		if i > 0 && r.Score < d.Removed[i-1].Score {
			t.Errorf("score %v behind %v", r.Score, d.Removed[i-1].Score)
		}
	}
	sum, documents := int64(0), 0
	for i, n := range d.Scores {
		if n > 0 && float64(i+1)/50 < least {
			t.Errorf("%d documents score less than %v, which is said to be the least", n, least)
		}
		sum += n
	}
	for _, n := range d.Sizes {
		documents += n
	}
	if int(sum) != d.Report.Alike || len(d.Sizes) != d.Report.Clusters || documents != d.Report.Clusters+d.Report.Equal+d.Report.Alike {
		t.Errorf("%d scores, %d clusters of %d documents do not add up to %+v", sum, len(d.Sizes), documents, d.Report)
	}
	if len(d.Lines) != 1 || d.Lines[0] != (report.Line{Text: footer, Documents: 398}) || d.Read != 398 {
		t.Errorf("lines %+v of %d documents", d.Lines, d.Read)
	}
	page := write(t, report.Input{Dedup: d}, report.Options{})
	charts := chartsOf(t, page)
	for i, want := range []int{d.Report.Kept, d.Report.Equal, d.Report.Alike} {
		if got := charts["outcome-chart"].Bars[i].Value; got != float64(want) {
			t.Errorf("bar %d is %v, want %d", i, got, want)
		}
	}
	bars := 0.0
	for _, b := range charts["sizes-chart"].Bars {
		bars += b.Value
	}
	if int(bars) != d.Report.Clusters {
		t.Errorf("bars of %v clusters, want %d", bars, d.Report.Clusters)
	}
	if n := len(elements(t, page)["article"]); n != 12 {
		t.Errorf("%d pairs side by side", n)
	}
}

// A page states the bound of a run with a warranty, and no other page does.
func TestDedupWarranty(t *testing.T) {
	docs := jsonl(t, "a.jsonl", corpus(400))
	for _, asked := range []bool{true, false} {
		d, err := report.ReadDedup(deduplicate(t, func(o *local.Options) {
			if asked {
				o.Warranty = &local.Warranty{AtMost: 0.1, Confidence: 0.9, Judge: func(context.Context, local.Judged) (bool, error) { return true, nil }}
			}
		}, docs), body)
		if err != nil || (d.Report.Warranty != nil) != asked {
			t.Fatalf("%v, %+v", err, d.Report.Warranty)
		}
		page := write(t, report.Input{Dedup: d}, report.Options{})
		want := "of the removals are wrong, with a confidence of 90 %"
		if asked {
			want = fmt.Sprintf("At most %.4g %% %s", 100*d.Report.Warranty.Bound, want)
		}
		if strings.Contains(page, want) != asked {
			t.Errorf("asked %v: the page has %q: %v", asked, want, !asked)
		}
	}
}

// The documents that a chain has lost are counted, also in a folder of a
// version whose report did not count them.
func TestReadDedupLost(t *testing.T) {
	// Each text has eight pairs of words. Neighbours share six of ten, 0.6, and
	// the ends four of twelve, 0.33.
	texts := []string{"a b c d e f g h i", "c d e f g h i j k", "e f g h i j k l m"}
	out := deduplicate(t, func(o *local.Options) { o.Cohesion = -1 }, jsonl(t, "chain.jsonl", texts))
	for _, earlier := range []bool{false, true} {
		if earlier {
			path := filepath.Join(out, "report.json")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(strings.Replace(string(b), `"lost": 1,`, "", 1)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		d, err := report.ReadDedup(out, body)
		if err != nil || d.Report.Lost != 1 || d.Report.Chaining.Apart != 1 {
			t.Errorf("earlier %t: %+v, %v, want that one is lost", earlier, d.Report, err)
		}
	}
}

// A document that stays in another corpus cannot be shown, and one that was dropped neither.
func TestReadDedupWithoutTexts(t *testing.T) {
	texts := corpus(100)
	old, new := jsonl(t, "old.jsonl", texts[:60]), jsonl(t, "new.jsonl", append(texts[60:], "", texts[0]))
	for name, change := range map[string]func(*local.Options){
		"against": func(o *local.Options) {
			o.Against = []datasets.Source{{Path: old, Text: []string{"body"}, PathIDs: true}}
		},
		"dropped":   func(o *local.Options) { o.DropText = true },
		"annotated": func(o *local.Options) { o.Annotate = true },
	} {
		t.Run(name, func(t *testing.T) {
			d, err := report.ReadDedup(deduplicate(t, change, new), body)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range d.Removed {
				if r.Kept.Against || name != "against" {
					t.Errorf("shows %v, of which a text is not there", r.Ref)
				}
			}
			write(t, report.Input{Dedup: d}, report.Options{Language: "zh"})
		})
	}
}

// Documents are shown too where each is a file of its own, and beside the
// sketches of those that are kept.
func TestReadDedupFiles(t *testing.T) {
	texts := t.TempDir()
	for i, text := range corpus(60) {
		if err := os.WriteFile(filepath.Join(texts, fmt.Sprintf("%02d.txt", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, out := range map[string]string{
		"texts":    deduplicate(t, func(o *local.Options) { o.Sources[0].Text = nil }, texts),
		"sketches": deduplicate(t, func(o *local.Options) { o.Sketches = true }, jsonl(t, "a.jsonl", corpus(60))),
	} {
		src := body
		if name == "texts" {
			src.Text = nil
		}
		d, err := report.ReadDedup(out, src)
		if err != nil {
			t.Fatal(err)
		}
		if d.Read != 60 || len(d.Removed) == 0 {
			t.Errorf("%s: %d documents read, %d removed ones shown, want all 60 and some", name, d.Read, len(d.Removed))
		}
	}
}

// The folders kept and removed list texts in another order than the sources. A
// folder may also have a name that looks like a pattern.
func TestReadDedupFolders(t *testing.T) {
	dir := t.TempDir()
	var sources []string
	for _, name := range []string{"z", "a", "m"} { // a has copies of z, m of neither
		source := filepath.Join(dir, name)
		if err := os.Mkdir(source, 0o777); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source)
		for i := range 6 {
			text := strings.Repeat(fmt.Sprintf("%c%d ", name[0], i), 3)
			if name != "m" {
				text = fmt.Sprintf("one%d two%d three%d four%d five%d six%d seven%d", i, i, i, i, i, i, i)
			}
			if name == "a" {
				text += " more"
			}
			if err := os.WriteFile(filepath.Join(source, fmt.Sprintf("%d.txt", i)), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := deduplicate(t, func(o *local.Options) {
		o.Out = filepath.Join(dir, "out[1]")
		for i := range o.Sources {
			o.Sources[i].Text = nil
		}
	}, sources...)
	d, err := report.ReadDedup(out, datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Removed) != 6 {
		t.Errorf("%d removed texts shown, want all 6", len(d.Removed))
	}
	for _, r := range d.Removed {
		removed, err := os.ReadFile(strings.TrimSuffix(r.At, ":1"))
		if err != nil {
			t.Fatal(err)
		}
		if r.Text != string(removed) || r.Text != r.KeptText+" more" {
			t.Errorf("%s is shown as %q and kept as %q", r.At, r.Text, r.KeptText)
		}
	}
}

func TestReadDedupRefuses(t *testing.T) {
	good := deduplicate(t, nil, jsonl(t, "a.jsonl", corpus(60)))
	for name, content := range map[string]string{
		"report.json":  "{",
		"why.jsonl":    `{"source":7,"row":1,"reason":"alike"}` + "\n",
		"clusters.tsv": "id\tcluster\nno cluster\n",
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := report.ReadDedup(dir, body); err == nil || !strings.HasPrefix(err.Error(), "report: ") || strings.Count(err.Error(), filepath.Join(dir, name)) != 1 || strings.Count(err.Error(), dir) != 1 {
			t.Errorf("a bad %s: %v, want an error that names it once", name, err)
		}
	}
	dir := t.TempDir()
	want := "report: " + dir + " is not what a deduplication has made: it has no report.json"
	if _, err := report.ReadDedup(dir, body); err == nil || err.Error() != want {
		t.Errorf("an empty folder: %v, want %s", err, want)
	}
}

// Whatever stands in the files, reading them ends in a page or an error.
func FuzzReadDedup(f *testing.F) {
	f.Add(`{"documents":2,"kept":1,"alike":1,"clusters":1,"sources":[{"path":"a","rows":2}],"settings":{"threshold":0.5}}`,
		`{"id":"b","source":0,"row":1,"at":"a:2","reason":"alike","score":0.7,"cluster":1,"kept":{"id":"a","source":0,"row":0,"at":"a:1"}}`+"\n",
		"id\tcluster\na\t1\nb\t1\n", `{"body":"one two"}`+"\n")
	f.Add(`{"sources":[{"rows":1}]}`, `{"reason":"alike","kept":{"row":-1}}`, "\n\t0", "{")
	f.Fuzz(func(t *testing.T, reported, why, clusters, texts string) {
		dir := t.TempDir()
		for name, content := range map[string]string{"report.json": reported, "why.jsonl": why, "clusters.tsv": clusters, "kept.jsonl": texts, "removed.jsonl": texts} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		d, err := report.ReadDedup(dir, body)
		if err != nil {
			return
		}
		if err := report.Write(io.Discard, report.Input{Dedup: d}, report.Options{}); err != nil {
			t.Errorf("no page of what was read: %v", err)
		}
	})
}
