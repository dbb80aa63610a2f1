package local

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// inputRow is a row of an input as its file says it.
type inputRow struct {
	Place
	ID, Text string
	N        *float64 // the field of the policy
	Bad      bool     // the row is no document
}

// readInputs reads JSONL files as the rows of old and new sources.
func readInputs(t *testing.T, o *Options) (rows []inputRow) {
	t.Helper()
	for old, sources := range map[bool][]datasets.Source{true: o.Against, false: o.Sources} {
		for i, s := range sources {
			for row, line := range lines(t, s.Path) {
				r := inputRow{Place: Place{Ref: dedup.Ref{Source: i, Row: row}, Against: old}}
				r.Bad = json.Unmarshal([]byte(line), &r) != nil
				rows = append(rows, r)
			}
		}
	}
	slices.SortFunc(rows, func(a, b inputRow) int { return comparePlaces(a.Place, b.Place) })
	return rows
}

// comparePlaces puts old documents before new ones.
func comparePlaces(a, b Place) int {
	if a.Against != b.Against {
		if a.Against {
			return -1
		}
		return 1
	}
	return a.Ref.Compare(b.Ref)
}

// deriveCounts computes the counts of a report from the inputs and the other
// outputs. The outputs do not say which texts were candidates, so it compares
// all pairs of texts.
func deriveCounts(t *testing.T, o *Options) *Report {
	t.Helper()
	rows := readInputs(t, o)
	out := &Report{Kept: len(lines(t, filepath.Join(o.Out, "kept.jsonl")))}
	places := map[string]Place{} // of the documents by id
	for i := range rows {
		r := &rows[i]
		if !r.Against {
			out.Rows++
		}
		if r.Bad {
			continue
		}
		places[r.ID] = r.Place
		if o.Keep.Fields() > 0 && r.N == nil {
			out.Missing++
		}
		if !r.Against {
			out.Documents++
			out.Bytes += int64(len(r.Text))
		}
	}

	// What why.jsonl says of the removed rows.
	least := o.Threshold
	if o.Unverified {
		least = o.Candidates
	}
	gone := map[Place]Removal{}
	for _, line := range lines(t, filepath.Join(o.Out, whyFile)) {
		var w Removal
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		gone[Place{Ref: w.Ref}] = w
		switch {
		case w.Reason == "unreadable":
			out.Unreadable++
		case w.Reason == "equal":
			out.Equal++
		case w.Reason == "alike":
			out.Alike++
			if w.Score < least {
				out.Lost++
			}
		default:
			t.Errorf("%s: reason %q", w.ID, w.Reason)
		}
	}

	// The texts. Those without features, which are without words, are all
	// different.
	m, v := o.Method.NewCollection(), cmp.Or(o.Verify, o.Method).NewCollection()
	texts := map[string]int{}
	var weight []int       // by text, the rows that have it
	var old []bool         // by text
	var wanted []*inputRow // by text, the row that is kept of it
	for i := range rows {
		r := &rows[i]
		if r.Bad {
			continue
		}
		empty := !strings.Contains(r.Text, "w") // each word of sample has one
		if _, removed := gone[r.Place]; empty && !removed && !r.Against {
			out.WithoutFeatures++
		}
		text, ok := texts[r.Text]
		if !ok || empty {
			text = m.Len()
			m.Add(r.Text)
			v.Add(r.Text)
			texts[r.Text] = text
			weight, old, wanted = append(weight, 0), append(old, r.Against), append(wanted, r)
		}
		weight[text]++
		if !old[text] && o.Keep.Compare(asDoc(r), asDoc(wanted[text])) < 0 {
			wanted[text] = r
		}
	}
	out.Texts = m.Len()

	// What clusters.tsv says of the clusters.
	sizes, first := map[string]int{}, map[string]Place{}
	for _, line := range lines(t, filepath.Join(o.Out, "clusters.tsv"))[1:] {
		id, cluster, _ := strings.Cut(line, "\t")
		sizes[cluster]++
		if _, removed := gone[places[id]]; !removed {
			if _, ok := first[cluster]; ok && !places[id].Against {
				t.Errorf("cluster %s keeps two documents, the second is %s", cluster, id)
			}
			first[cluster] = places[id]
		}
	}
	out.Clusters = len(sizes)
	for _, c := range slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return comparePlaces(first[a], first[b]) }) {
		if sizes[c] > out.Largest {
			out.Largest, out.LargestAt = sizes[c], first[c]
		}
	}

	// Components of alike texts that were candidates.
	preferred := make([]int, m.Len()) // the texts in the order of keeping
	for i := range preferred {
		preferred[i] = i
	}
	slices.SortFunc(preferred, func(a, b int) int {
		if old[a] || old[b] {
			return comparePlaces(wanted[a].Place, wanted[b].Place)
		}
		return o.Keep.Compare(asDoc(wanted[a]), asDoc(wanted[b]))
	})
	root := make([]int, m.Len())
	for i, text := range preferred {
		root[text] = i // the place of the first text of its component
	}
	active := make([]bool, m.Len())
	for changed := true; changed; {
		changed = false
		for a := range m.Len() {
			for b := range a {
				if old[a] && old[b] || m.Empty(a) || m.Empty(b) || m.Score(a, b) < o.Candidates {
					continue
				}
				active[a], active[b] = true, true
				if least := min(root[a], root[b]); v.Score(a, b) >= o.Threshold && root[a] != root[b] {
					root[a], root[b], changed = least, least, true
				}
			}
		}
	}
	size := map[int]int{}
	for text, is := range active {
		if is {
			out.Active++
			size[root[text]] += weight[text]
		}
	}
	for _, n := range size {
		if n > 1 {
			out.Chaining.Components++
			out.Chaining.Documents += n
			out.Chaining.Largest = max(out.Chaining.Largest, n)
		}
	}
	for text, is := range active {
		if !is || size[root[text]] < 2 {
			continue
		}
		kept, score := wanted[text].Place, 1.0
		if w, ok := gone[kept]; ok {
			kept, score = Place{Ref: w.Kept.Ref, Against: w.Kept.Against}, w.Score
		}
		if kept != wanted[preferred[root[text]]].Place || score < least {
			out.Chaining.Apart += weight[text]
		}
	}
	return out
}

// asDoc returns what a policy compares.
func asDoc(r *inputRow) *dedup.Doc {
	d := dedup.Doc{Ref: r.Ref, Length: len(r.Text), Values: []float64{math.Inf(-1)}}
	if r.N != nil {
		d.Values[0] = *r.N
	}
	return &d
}

// Every count of a report follows from the inputs and the other outputs.
// Scored, Design and Recall describe the work; they follow from nothing else.
func TestReportIsDerivable(t *testing.T) {
	dir := t.TempDir()
	rows := func(name string, seed uint64, n int) datasets.Source {
		var b strings.Builder
		for i, text := range sample(seed, n) {
			switch {
			case i%37 == 5:
				b.WriteString("no row\n")
			case i%11 == 3:
				fmt.Fprintf(&b, "{\"id\":%q,\"text\":%q}\n", fmt.Sprint(name, i), text)
			default:
				fmt.Fprintf(&b, "{\"id\":%q,\"n\":%d,\"text\":%q}\n", fmt.Sprint(name, i), i*7%10, text)
			}
		}
		return datasets.Source{Path: write(t, filepath.Join(dir, name+".jsonl"), []byte(b.String()))}
	}
	a, b, old := rows("a", 31, 150), rows("b", 32, 60), rows("o", 31, 90) // a begins with the texts of old
	lost := 0
	for _, c := range []struct {
		name string
		o    Options
		said float64 // the cohesion that the report tells
	}{
		{"default", Options{}, .5},
		{"cohesion at the threshold", Options{Cohesion: .5}, .5},
		{"some cohesion", Options{Cohesion: .3}, .3},
		{"no cohesion", Options{Cohesion: -1}, 0},
		{"keep longest", Options{Keep: mustPolicy(t, "longest")}, .5},
		{"keep highest", Options{Keep: mustPolicy(t, "highest:n"), Cohesion: -1}, 0},
		{"wide candidates", Options{Candidates: .3, Cohesion: -1}, 0},
		{"sketches decide", Options{Verify: nil, Cohesion: .2}, .2},
		{"all candidates", Options{Unverified: true, Candidates: .6}, .6},
		{"all candidates in chains", Options{Unverified: true, Candidates: .6, Cohesion: -1}, 0},
		{"against", Options{Against: []datasets.Source{old}}, .5},
		{"against, no cohesion", Options{Against: []datasets.Source{old}, Cohesion: -1, Keep: mustPolicy(t, "longest")}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := c.o
			o.Sources, o.Method, o.Threshold, o.SkipBad, o.Out = []datasets.Source{a, b}, exact(t), .5, 100, filepath.Join(dir, c.name)
			if c.name != "sketches decide" && !o.Unverified {
				o.Verify = exact(t)
			}
			o.Candidates = cmp.Or(o.Candidates, o.Threshold)
			got, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if o.Unverified {
				o.Threshold = o.Candidates
			}
			want := deriveCounts(t, &o)
			if want.Unreadable == 0 || want.Equal == 0 || want.Alike == 0 || want.WithoutFeatures == 0 || want.Chaining.Apart == 0 {
				t.Fatalf("a case that shows little: %+v", want)
			}
			lost += want.Lost
			if got.Settings.Cohesion != c.said {
				t.Errorf("the report tells the cohesion %v, want %v", got.Settings.Cohesion, c.said)
			}
			want.Scored, want.Design, want.Recall = got.Scored, got.Design, got.Recall
			want.Settings, want.Against, want.Sources, want.Run = got.Settings, got.Against, got.Sources, got.Run
			if g, w := asJSON(t, got), asJSON(t, want); g != w {
				t.Errorf("the report says\n%s\nwant\n%s", g, w)
			}
			for i, s := range got.Sources {
				if n := len(lines(t, s.Path)); s.Rows != n {
					t.Errorf("source %d has %d rows, want %d", i, s.Rows, n)
				}
			}
		})
	}
	if lost == 0 {
		t.Error("no run has lost a document, want that some do")
	}
}

func asJSON(t *testing.T, r *Report) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"settings", "against", "sources", "run"} {
		delete(m, name)
	}
	if b, err = json.MarshalIndent(m, "", " "); err != nil {
		t.Fatal(err)
	}
	return string(b)
}
