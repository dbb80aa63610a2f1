package plant

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

func newPlanter(t testing.TB, o Options) *Planter {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func gather(t testing.TB, docs iter.Seq2[Document, error]) []Document {
	t.Helper()
	var out []Document
	for d, err := range docs {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// What the stream promises: all originals unchanged and in order, copies behind
// them by their numbers, records that are true, and the shares asked for.
func TestPlant(t *testing.T) {
	const n = 3000
	m := newMaker(t, MakeOptions{Mean: 60, Seed: 2})
	o := Options{Share: 0.3, Copies: []float64{3, 0, 1}, Seed: 4, Window: 500}
	docs := gather(t, newPlanter(t, o).Plant(m.Docs(0, n)))
	originals, clusters, three := 0, 0, 0
	seen := map[string]int{} // id to place
	byID := map[string]Document{}
	for at, d := range docs {
		if _, ok := seen[d.ID]; ok {
			t.Fatalf("%s comes twice", d.ID)
		}
		seen[d.ID] = at
		byID[d.ID] = d
		if d.Copy == 0 {
			if want := m.Doc(uint64(originals)); d.Doc != want || d.Original != d.ID || d.Edit != (Edit{}) {
				t.Fatalf("document %d is %+v, want %+v", at, d, want)
			}
			originals++
			if d.Copies > 0 {
				clusters++
			}
			if d.Copies == 3 {
				three++
			}
			continue
		}
		if want := fmt.Sprintf("%s~%d", d.Original, d.Copy); d.ID != want || d.Lang != "en" {
			t.Fatalf("the copy is %s in %q, want %s", d.ID, d.Lang, want)
		}
		before := d.Original
		if d.Copy > 1 {
			before = fmt.Sprintf("%s~%d", d.Original, d.Copy-1)
		}
		if _, ok := seen[before]; !ok {
			t.Fatalf("%s comes before %s", d.ID, before)
		}
		if d.Record.Touched == 0 || d.Text == byID[d.Original].Text {
			t.Errorf("%s is no other text: %v, %+v", d.ID, d.Edit, d.Record)
		}
	}
	if originals != n {
		t.Fatalf("%d originals, want %d", originals, n)
	}
	if got := float64(clusters) / n; math.Abs(got-0.3) > 5*math.Sqrt(0.3*0.7/n) {
		t.Errorf("the share %v has copies, want 0.3", got)
	}
	if got := float64(three) / float64(clusters); math.Abs(got-0.25) > 5*math.Sqrt(0.25*0.75/float64(clusters)) {
		t.Errorf("the share %v of the clusters has three copies, want a quarter", got)
	}
	far := 0
	for _, d := range docs {
		if distance := seen[d.ID] - seen[d.Original]; distance > o.Window/4 {
			far++
		}
	}
	if far == 0 {
		t.Errorf("no copy is far from its original")
	}
}

// In real text, too, the rates are those asked for, and only where the text is too
// short for them, or has nothing to edit, they are not.
func TestPlantIntoRealText(t *testing.T) {
	for _, name := range datasets.Inside() {
		set, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		copies := 0
		used := map[Edit]bool{}
		for _, d := range gather(t, newPlanter(t, Options{Share: 0.7}).Plant(Docs(set.Docs))) {
			if d.Copy == 0 {
				continue
			}
			copies++
			used[d.Edit] = true
			want := d.Edit.Rate * float64(d.Record.Units)
			if got := float64(d.Record.Touched); math.Abs(got-want) >= 1 && !(got == 1 && want < 1) {
				t.Errorf("%s: %s by %v: %+v", name, d.ID, d.Edit, d.Record)
			}
		}
		if copies < len(set.Docs) || len(used) < len(DefaultMix())-1 { // Chinese has no case
			t.Errorf("%s: %d copies of %d documents by %d edits", name, copies, len(set.Docs), len(used))
		}
	}
}

// The stream is a function of source, options and seed; what comes later has no
// influence on what was yielded, and a walk may end anywhere.
func TestPlantIsAFunction(t *testing.T) {
	m := newMaker(t, MakeOptions{Mean: 40, Lang: Chinese})
	p := newPlanter(t, Options{Seed: 1})
	all := gather(t, p.Plant(m.Docs(0, 400)))
	if again := gather(t, newPlanter(t, p.options).Plant(m.Docs(0, 400))); !reflect.DeepEqual(all, again) {
		t.Error("the second walk is another one")
	}
	var head []Document
	for d := range p.Plant(m.Docs(0, 1000)) {
		if len(head) == 300 {
			break
		}
		head = append(head, d)
	}
	for i := range head {
		if !reflect.DeepEqual(head[i], all[i]) {
			t.Fatalf("document %d depends on what comes later", i)
		}
	}
	// A beginning has its whole truth.
	if _, err := collect("head", func(yield func(Document, error) bool) {
		for _, d := range head {
			if !yield(d, nil) {
				return
			}
		}
	}); err != nil {
		t.Error(err)
	}
	o := p.options
	o.Seed++
	if other := gather(t, newPlanter(t, o).Plant(m.Docs(0, 400))); reflect.DeepEqual(all, other) {
		t.Error("another seed gives the same stream")
	}
}

// Memory is bounded: when a document comes, no more bytes than allowed of copies
// of those before it wait.
func TestCopiesWaitInBoundedMemory(t *testing.T) {
	const limit = 64 << 10
	text := strings.Repeat("many words ", limit/8/11)
	p := newPlanter(t, Options{Share: 1, Window: 1_000_000, Mix: []Choice{{Edit{Truncate, 1e-6}, 1}}})
	p.waiting = limit
	waiting, most := 0, 0
	for d, err := range p.Plant(func(yield func(datasets.Doc, error) bool) {
		for i := range 100 {
			if !yield(datasets.Doc{ID: fmt.Sprint(i), Text: text}, nil) {
				return
			}
		}
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Copy > 0 {
			waiting -= len(text)
			continue
		}
		if most = max(most, waiting); waiting > limit+limit/100 { // copies are a little shorter
			t.Fatalf("%d bytes wait when document %s comes", waiting, d.ID)
		}
		waiting += d.Copies * len(text)
	}
	if most < limit/2 {
		t.Errorf("at most %d bytes were waiting, which tests nothing", most)
	}
}

// Texts that no edit has an effect on are copied as they are, and said to be so.
func TestPlantOfTextsWithoutUnits(t *testing.T) {
	p := newPlanter(t, Options{Share: 1, Copies: []float64{1}})
	docs := gather(t, p.Plant(Docs([]datasets.Doc{{ID: "a", Text: "..."}, {ID: "b"}})))
	if len(docs) != 4 {
		t.Fatalf("%d documents, want 4", len(docs))
	}
	s, err := collect("none", yielded(docs))
	if err != nil {
		t.Fatal(err)
	}
	equal := 0
	for _, pair := range s.Pairs {
		if pair.Kind == kindEqual && pair.Alike() {
			equal++
		}
	}
	if equal != 2 {
		t.Errorf("%d pairs of equal texts, want 2", equal)
	}
}

// yielded yields documents that are in memory.
func yielded(docs []Document) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func TestPlantErrors(t *testing.T) {
	broken := errors.New("broken")
	p := newPlanter(t, Options{})
	n := 0
	for _, err := range p.Plant(func(yield func(datasets.Doc, error) bool) {
		_ = yield(datasets.Doc{ID: "a", Text: "one"}, nil) && yield(datasets.Doc{}, broken)
		t.Log("the source ends")
	}) {
		if n++; (err != nil) != (n == 2) || n == 2 && !errors.Is(err, broken) {
			t.Errorf("document %d: %v", n, err)
		}
	}
	if n != 2 {
		t.Errorf("%d documents and errors, want 2", n)
	}
	for id, want := range map[string]string{
		"":       `plant: the id "" is empty or holds a tab or a line break (document 1)`,
		"a\tb":   `plant: the id "a\tb" is empty or holds a tab or a line break (document 1)`,
		"a~17":   `plant: the id "a~17" is as that of a copy, want no number after a "~" at the end (document 1)`,
		"~":      "",
		"a~move": "",
		"a~1b":   "",
	} {
		got := ""
		for _, err := range p.Plant(Docs([]datasets.Doc{{ID: id, Text: "one"}})) {
			if err != nil {
				got = err.Error()
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
}
