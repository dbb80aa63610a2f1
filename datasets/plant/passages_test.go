package plant

import (
	"fmt"
	"hash/maphash"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
)

func newPassages(t *testing.T, o MakeOptions, share float64, mix string) *Passages {
	t.Helper()
	var choices []Choice
	if mix != "" {
		var err error
		if choices, err = ParseMix(mix); err != nil {
			t.Fatal(err)
		}
	}
	p, err := NewPassages(o, share, choices)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sentencesOf returns the sentences of a text in the order of their letters.
func sentencesOf(text string) []string {
	all := strings.FieldsFunc(text, func(c rune) bool { return c == '.' || c == '。' })
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	slices.Sort(all)
	return all
}

// The spans say where a passage stands in either document, and what was done to it.
func TestPassages(t *testing.T) {
	for _, lang := range []Lang{English, Chinese} {
		t.Run(string(lang), func(t *testing.T) {
			const n = 600
			maker := newPassages(t, MakeOptions{Lang: lang, Mean: 150, Seed: 1}, 0.5, "")
			docs := gather(t, maker.Docs(n))
			byID := map[string]Document{}
			takers, sources := 0, 0
			kinds := map[Kind]int{}
			records := map[Edit]Record{}
			bySource := map[string][][2]int{}
			for _, d := range docs {
				if _, ok := byID[d.ID]; ok || !utf8.ValidString(d.Text) {
					t.Fatalf("%s repeats or is no UTF-8", d.ID)
				}
				byID[d.ID] = d
				if strings.Contains(d.ID, ".") {
					sources++
				}
				if len(d.Passages) > 0 {
					takers++
				}
				last := 0
				of := map[string]bool{}
				for _, p := range d.Passages {
					source, ok := byID[p.Source]
					if !ok || len(source.Passages) > 0 || !strings.HasPrefix(p.Source, d.ID+".") {
						t.Fatalf("%s has a passage of %s", d.ID, p.Source)
					}
					if p.Start < last || p.End <= p.Start || p.End > len(d.Text) || p.SourceEnd <= p.SourceStart || p.SourceEnd > len(source.Text) {
						t.Fatalf("%s: %+v", d.ID, p)
					}
					last = p.End
					of[p.Source] = true
					bySource[p.Source] = append(bySource[p.Source], [2]int{p.SourceStart, p.SourceEnd})
					text, original := d.Text[p.Start:p.End], source.Text[p.SourceStart:p.SourceEnd]
					if !utf8.ValidString(text) || !utf8.ValidString(original) || strings.TrimSpace(text) != text || strings.TrimSpace(original) != original {
						t.Fatalf("%s: %q of %q", d.ID, text, original)
					}
					same := slices.Equal(sentencesOf(text), sentencesOf(original))
					switch p.Edit.Kind {
					case kindCopy:
						kinds[kindCopy]++
						if text != original {
							t.Errorf("%s: %q is no copy of %q", d.ID, text, original)
						}
					case kindReorder:
						kinds[kindReorder]++
						if text == original || !same {
							t.Errorf("%s: %q does not have the sentences of %q in another order", d.ID, text, original)
						}
					default:
						kinds["edit"]++
						r := records[p.Edit]
						records[p.Edit] = Record{r.Units + p.Record.Units, r.Touched + p.Record.Touched}
						if text == original || p.Record.Touched == 0 {
							t.Errorf("%s: %q is not edited: %+v", d.ID, text, p)
						}
					}
				}
				for i := range len(of) {
					if !of[fmt.Sprintf("%s.%d", d.ID, i+1)] {
						t.Errorf("%s takes nothing of its source %d", d.ID, i+1)
					}
				}
			}
			for id, spans := range bySource {
				slices.SortFunc(spans, func(x, y [2]int) int { return x[0] - y[0] })
				for i := range spans {
					if i > 0 && spans[i][0] <= spans[i-1][1] {
						t.Errorf("%s: the passages %v meet", id, spans)
					}
				}
			}
			// Binomial: 300 takers with a standard deviation of 12, twice as many
			// sources, and of 900 passages a third of each sort, with one of 14.
			passages := kinds[kindCopy] + kinds[kindReorder] + kinds["edit"]
			if len(docs) != n+sources || takers < 240 || takers > 360 || sources < takers*9/5 || sources > takers*11/5 {
				t.Errorf("%d documents, %d sources, %d takers", len(docs), sources, takers)
			}
			for kind, got := range kinds {
				if got < passages/3-70 || got > passages/3+70 {
					t.Errorf("%d of %d passages are of the kind %s", got, passages, kind)
				}
			}
			for edit, r := range records {
				if rate := r.Rate(); rate < 0.8*edit.Rate || rate > 1.2*edit.Rate {
					t.Errorf("%v touched %v of the units", edit, rate)
				}
			}
			onlyPassages(t, docs)
			if fewer := gather(t, maker.Docs(50)); !reflect.DeepEqual(fewer, docs[:len(fewer)]) {
				t.Error("fewer documents are others")
			}
		})
	}
}

// onlyPassages checks that what is long and stands in two documents is part of a
// passage of one that the other took.
func onlyPassages(t *testing.T, docs []Document) {
	t.Helper()
	const long = 60 // bytes
	type place struct{ doc, at int }
	first := map[uint64]place{}
	seed := maphash.MakeSeed()
	shared := 0
	for i, d := range docs {
		for at := range len(d.Text) - long {
			window := d.Text[at : at+long]
			hash := maphash.String(seed, window)
			f, ok := first[hash]
			if !ok {
				first[hash] = place{i, at}
				continue
			}
			if f.doc == i || docs[f.doc].Text[f.at:f.at+long] != window {
				continue
			}
			shared++
			if !slices.ContainsFunc(d.Passages, func(p Passage) bool {
				return p.Source == docs[f.doc].ID && p.Start < at+long && at < p.End && p.SourceStart < f.at+long && f.at < p.SourceEnd
			}) {
				t.Errorf("%q stands in %s and in %s", window, docs[f.doc].ID, d.ID)
			}
		}
	}
	if shared < 1000 {
		t.Errorf("%d places are shared", shared)
	}
}

// spans.tsv has a row for each passage, and names documents of docs.jsonl.
func TestWritePassages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	maker := newPassages(t, MakeOptions{Mean: 30, Words: 500}, 0.3, "delete:0.5")
	stats, err := Write(dir, maker.Docs(100), WriteOptions{Passages: true})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := datasets.ReadDocs(datasets.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	takers := 0
	for i, d := range gather(t, maker.Docs(100)) {
		if docs[i].ID != d.ID || docs[i].Text != d.Text {
			t.Fatalf("document %d is %+v, want %+v", i, docs[i], d)
		}
		for _, p := range d.Passages {
			want = append(want, fmt.Sprintln(d.ID, p.Start, p.End, p.Source, p.SourceStart, p.SourceEnd, p.Edit.Kind, p.Edit.Rate))
		}
		if len(d.Passages) > 0 {
			takers++
		}
	}
	r, err := datasets.Open(datasets.Source{Path: filepath.Join(dir, "spans.tsv"), ID: "id1", Text: []string{"id2"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for row, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		var fields []any
		for i, name := range []string{"id1", "start1", "end1", "id2", "start2", "end2", "kind", "rate"} {
			if row.Fields[i].Name != name {
				t.Fatalf("column %d is %q, want %q", i, row.Fields[i].Name, name)
			}
			fields = append(fields, row.Fields[i].Value)
		}
		got = append(got, fmt.Sprintln(fields...))
	}
	if !slices.Equal(got, want) {
		t.Errorf("spans.tsv holds\n%s\nwant\n%s", got, want)
	}
	if stats.Passages != len(want) || stats.Takers != takers || stats.Documents != len(docs) {
		t.Errorf("%d rows, want %d: %+v", len(got), len(want), stats)
	}
}

func TestNewPassagesRefuses(t *testing.T) {
	for _, share := range []float64{-0.1, 1.1} {
		if _, err := NewPassages(MakeOptions{}, share, nil); err == nil {
			t.Errorf("a share of %v is accepted", share)
		}
	}
	for _, edit := range []Edit{{Truncate, .5}, {Boilerplate, .5}, {Quote, .5}, {kindCopy, 0}, {Mixed, 2}} {
		if _, err := NewPassages(MakeOptions{}, 0, []Choice{{edit, 1}}); err == nil {
			t.Errorf("%v is accepted", edit)
		}
	}
}
