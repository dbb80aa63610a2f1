package local

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/similarity"
)

// limited is a document with fields that limits go by.
type limited struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Source *string `json:"source,omitempty"`
	Lang   string  `json:"lang2"`
	Day    int     `json:"-"`
	Date   string  `json:"date"`
}

// counts is Limits.Counts written without any values between.
func (d *limited) counts(o *limited, l dedup.Limits) bool {
	if l.Across != "" && (d.Source == nil || o.Source == nil || *d.Source == *o.Source) {
		return false
	}
	if l.Within != "" && (d.Lang == "" || d.Lang != o.Lang) {
		return false
	}
	between := d.Day - o.Day
	return l.Window == "" || d.Day > 0 && o.Day > 0 && max(between, -between)*24 <= int(l.Span.Hours())
}

// Each document is decided on by comparing it with all documents kept before it,
// one by one; equal texts have no special place.
func TestLimitsEqualOracle(t *testing.T) {
	some := func(r *rand.Rand) *string {
		if r.IntN(12) == 0 {
			return nil
		}
		s := fmt.Sprint("agency ", r.IntN(4))
		return &s
	}
	limits := []dedup.Limits{
		{Across: "source"},
		{Within: "lang2"},
		{Window: "date", Span: 48 * time.Hour},
		{Across: "source", Within: "lang2", Window: "date", Span: 96 * time.Hour},
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 9))
		var docs []limited
		for i, text := range sample(seed, 150) {
			d := limited{ID: fmt.Sprint("d", i), Text: text, Source: some(r), Lang: []string{"en", "de", "en", ""}[r.IntN(4)], Day: r.IntN(12), Date: "yesterday"}
			if d.Day > 0 {
				d.Date = fmt.Sprintf("2024-03-%02dT08:00:00Z", d.Day)
			}
			docs = append(docs, d)
		}
		l := limits[seed%4]
		old := int(seed%2) * 40
		m := []similarity.Method{exact(t), vectors(t)}[seed/4%2]
		none := seed == 11
		longest := seed >= 6 && !none
		o := Options{Method: m, Verify: m, Threshold: .7, Limits: l, DryRun: true, Workers: 1 + int(seed%3)}
		if longest {
			o.Keep = mustPolicy(t, "longest")
		}
		if none {
			o.Keep = mustPolicy(t, "none")
		}
		dir := t.TempDir()
		write := func(name string, docs []limited) datasets.Source {
			f, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for _, d := range docs {
				if err := json.NewEncoder(f).Encode(d); err != nil {
					t.Fatal(err)
				}
			}
			return datasets.Source{Path: f.Name()}
		}
		if old > 0 {
			o.Against = append(o.Against, write("old.jsonl", docs[:old]))
		}
		o.Sources = append(o.Sources, write("new.jsonl", docs[old:]))
		got := map[string]string{}
		o.OnRemoved = func(w Removal) error {
			kept := ""
			if w.Kept != nil {
				kept = w.Kept.ID
			}
			got[w.ID] = kept
			return nil
		}
		rep, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}

		c := m.NewCollection()
		order := make([]int, len(docs))
		for i, d := range docs {
			c.Add(d.Text)
			order[i] = i
		}
		if longest {
			for i := old + 1; i < len(order); i++ { // by insertion, which is stable
				for j := i; j > old && len(docs[order[j]].Text) > len(docs[order[j-1]].Text); j-- {
					order[j], order[j-1] = order[j-1], order[j]
				}
			}
		}
		want, first := map[string]string{}, map[string]string{}
		gone := map[int]bool{}
		unlimited := 0
		for at, i := range order {
			if i < old {
				continue
			}
			// An old document of the same text and fields comes before all others.
			same := func(j int) bool {
				a, b := &docs[i], &docs[j]
				return j < old && a.Text == b.Text && a.counts(b, l) && (l.Window == "" || a.Day == b.Day) && l.Across == "" && !c.Empty(i)
			}
			before := slices.Clone(order[:at])
			slices.SortStableFunc(before, func(a, b int) int {
				switch {
				case same(a) && !same(b):
					return -1
				case same(b) && !same(a):
					return 1
				}
				return 0
			})
			for _, j := range before {
				alike := !c.Empty(i) && (docs[i].Text == docs[j].Text || c.Score(i, j) >= o.Threshold)
				if alike && !gone[j] && !docs[i].counts(&docs[j], l) {
					unlimited++
				}
				if alike && !gone[j] && docs[i].counts(&docs[j], l) {
					want[docs[i].ID], gone[i] = docs[j].ID, true
					if none && j >= old {
						first[docs[j].ID] = ""
					}
					break
				}
			}
		}
		maps.Copy(want, first)
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d, %v: removed %v\nwant %v", seed, l, got, want)
		}
		if len(want) < 4 || unlimited < 4 {
			t.Errorf("seed %d, %v: %d removed, %d pairs left out: the documents show nothing", seed, l, len(want), unlimited)
		}
		if rep.Removed() != len(want) || rep.First != len(first) || rep.Kept != len(docs)-old-len(want) || rep.Settings.Limits != l.String() {
			t.Errorf("seed %d: report %+v, want %d removed, %d of them first", seed, rep, len(want), len(first))
		}
		if old == 0 || seed/4%2 != 0 {
			continue
		}
		// An index of the old documents, which may name another of them.
		x, err := index.Create(t.Context(), memory.New(), m, index.Options{Threshold: o.Threshold, Fields: []string{"date", "lang2", "source"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs[:old] {
			fields := []string{d.Date, d.Lang, ""}
			if d.Source != nil {
				fields[2] = *d.Source
			}
			if _, err := x.Add(t.Context(), []index.Doc{{ID: d.ID, Text: d.Text, Fields: fields}}); err != nil {
				t.Fatal(err)
			}
		}
		clear(got)
		o.Against, o.Verify, o.Index, o.IndexName = nil, nil, x, "memory"
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		at := map[string]*limited{}
		for i := range docs {
			at[docs[i].ID] = &docs[i]
		}
		known := 0
		for id, kept := range got {
			if slices.ContainsFunc(docs[:old], func(d limited) bool { return d.ID == kept }) {
				known++
				if now := at[want[id]]; now == nil || !slices.ContainsFunc(docs[:old], func(d limited) bool { return d.ID == now.ID }) || !at[id].counts(at[kept], l) {
					t.Errorf("seed %d, %v: with an index %s is removed for %s, want for %s", seed, l, id, kept, want[id])
				}
			} else if kept != want[id] {
				t.Errorf("seed %d, %v: with an index %s is removed for %s, want for %s", seed, l, id, kept, want[id])
			}
		}
		if len(got) != len(want) || known == 0 {
			t.Errorf("seed %d, %v: %d removed with an index, want %d; %d for its documents", seed, l, len(got), len(want), known)
		}
	}
}

// A field that no document has is a slip of the pen.
func TestLimitsWantTheirFields(t *testing.T) {
	dir := t.TempDir()
	path := jsonl(t, dir, "a", []string{"one two three", "one two three"})
	for _, l := range []dedup.Limits{{Across: "sorce"}, {Within: "sorce"}, {Window: "tags", Span: time.Hour}} {
		_, err := Run(t.Context(), Options{Sources: []datasets.Source{{Path: path}}, Method: exact(t), Threshold: .7, Limits: l, DryRun: true})
		if field := l.Fields()[0]; err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the field %q", field)) {
			t.Errorf("%v: error %v, want one that names %s", l, err, field)
		}
	}
	for _, o := range []Options{
		{Limits: dedup.Limits{Across: "n"}, Sketches: true},
		{Limits: dedup.Limits{Across: "n", Within: "n"}},
		{Keep: mustPolicy(t, "none"), Warranty: &Warranty{AtMost: .1}},
	} {
		o.Sources, o.Method, o.Threshold, o.DryRun = []datasets.Source{{Path: path}}, exact(t), .7, true
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%v with sketches %v, warranty %v: no error", o.Limits, o.Sketches, o.Warranty)
		}
	}
}

// With the policy none, restore gives the input back, and each removal has its texts.
func TestKeepNone(t *testing.T) {
	dir := t.TempDir()
	docs := []string{"one two three four", "alone in the world", "one two three four", "one two three four five", "something else again", "else again something"}
	path := jsonl(t, dir, "a", docs)
	out := filepath.Join(dir, "out")
	rep, err := Run(t.Context(), Options{
		Sources: []datasets.Source{{Path: path}}, Method: exact(t), Verify: exact(t), Threshold: .7, Keep: mustPolicy(t, "none"), Out: out,
	})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Kept != 1 || rep.First != 2 || rep.Equal != 1 || rep.Alike != 2 || rep.Clusters != 2 || rep.Removed() != 5 {
		t.Errorf("report %+v", rep)
	}
	if kept := lines(t, filepath.Join(out, "kept.jsonl")); len(kept) != 1 || !strings.Contains(kept[0], "alone") {
		t.Errorf("kept %q", kept)
	}
	made, err := OpenMade(out)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := made.Texts(datasets.Source{}, 100, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var places []TextPlace
	var why []Removal
	if err := texts.Removals(func(_, _ int, w *Removal, p TextPlace) error {
		places, why = append(places, p), append(why, *w)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i, p := range places {
		gone, ok := texts.RemovedAt(p)
		if !ok || gone.ID != why[i].ID {
			t.Errorf("removal of %s has the text of %s", why[i].ID, gone.ID)
		}
		kept, ok := texts.KeptAt(p)
		if first := why[i].Reason == reasonFirst; first != (why[i].Kept == nil) || ok == first || ok && kept.ID != why[i].Kept.ID {
			t.Errorf("removal of %s, %s: the other text is of %q, want %+v", why[i].ID, why[i].Reason, kept.ID, why[i].Kept)
		}
	}
	back := filepath.Join(dir, "back.jsonl")
	if _, err := Restore(t.Context(), out, back); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(path)
	b, err := os.ReadFile(back)
	if err != nil || string(a) != string(b) {
		t.Errorf("restored %q, %v", b, err)
	}
}

// Judgements hold for documents of equal texts too, and beside old documents.
func TestJudged(t *testing.T) {
	dir := t.TempDir()
	old := jsonl(t, dir, "o", []string{"one two three four five"})
	path := jsonl(t, dir, "a", []string{
		"one two three four five",     // a-0: equal to o-0
		"one two three four five",     // a-1: equal too, but marked as different from o-0
		"six seven eight nine",        // a-2
		"nothing like the others",     // a-3: marked as the same as a-2
		"six seven eight nine ten",    // a-4: alike to a-2, marked as different from a-3
		"six seven eight nine eleven", // a-5: alike to a-2
	})
	judged := func(all ...dedup.Judgement) *dedup.Judged {
		j, err := dedup.NewJudged(all)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	o := Options{
		Against: []datasets.Source{{Path: old}}, Sources: []datasets.Source{{Path: path}}, Method: exact(t), Verify: exact(t), Threshold: .5, DryRun: true,
		Judged: judged(dedup.Judgement{A: "a-1", B: "o-0"}, dedup.Judgement{A: "a-3", B: "a-2", Same: true}, dedup.Judgement{A: "a-3", B: "a-4"}),
	}
	got := map[string]string{}
	o.OnRemoved = func(w Removal) error {
		got[w.ID] = w.Reason + " " + w.Kept.ID
		return nil
	}
	rep, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	// a-1 is kept and removes nothing; a-4 may not go for a-2, whose group has a-3.
	// o-0 was judged, so equal texts meet it by their score.
	want := map[string]string{"a-0": "alike o-0", "a-3": "judged a-2", "a-5": "alike a-2"}
	if !maps.Equal(got, want) {
		t.Errorf("removed %v, want %v", got, want)
	}
	if rep.Judged != 1 || rep.Alike != 2 || rep.Kept != 3 || rep.Settings.Judged == "" {
		t.Errorf("report %+v", rep)
	}
	o.Judged = judged(dedup.Judgement{A: "b-1", B: "b-2"})
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no document has an id of those judged") {
		t.Errorf("error %v, want that no document was judged", err)
	}
}
