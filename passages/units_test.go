package passages_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// places returns what EachPlace reports, by the text of the places.
func places(t *testing.T, o passages.Options, texts ...string) map[string][]string {
	t.Helper()
	f := added(t, o, len(texts), texts...)
	out := map[string][]string{}
	last := passages.Place{Doc: -1}
	number := map[int]string{}
	_, err := f.EachPlace(t.Context(), func(p passages.Place) error {
		if p.Doc < last.Doc || p.Doc == last.Doc && (p.Start < last.Start || p.Start == last.Start && p.End > last.End) {
			t.Errorf("%+v comes after %+v", p, last)
		}
		last = p
		text, err := f.Text(p.Doc)
		if err != nil {
			return err
		}
		whole, spans, err := f.Original(p.Doc, []feature.Span{{Start: p.Start, End: p.End}})
		if err != nil {
			return err
		}
		if whole != texts[p.Doc] {
			t.Errorf("the text of document %d is %q, want %q", p.Doc, whole, texts[p.Doc])
		}
		key := string(text[p.Start:p.End])
		if o.Unit != passages.Any {
			key = strings.TrimPrefix(string(o.Fold.Normalize(nil, strings.TrimLeft(key, " \t\n"))), " ")
		}
		if k, ok := number[p.Passage]; ok && k != key || p.Passage >= f.Passages() {
			t.Errorf("passage %d is %q and %q", p.Passage, k, key)
		}
		number[p.Passage] = key
		out[key] = append(out[key], fmt.Sprintf("%d[%d:%d]", p.Doc, spans[0].Start, spans[0].End))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// naiveUnits finds repeated units by their text.
func naiveUnits(o passages.Options, texts ...string) map[string][]string {
	all, docs := map[string][]string{}, map[string]map[int]bool{}
	for doc, text := range texts {
		at, from := 0, -1
		emit := func(end int) {
			if from >= 0 {
				unit := strings.TrimRight(text[from:end], " \t\r\n")
				key := string(o.Fold.Normalize(nil, strings.TrimLeft(unit, " \t\r\n")))
				if utf8.RuneCountInString(key) >= o.MinLength {
					all[key] = append(all[key], fmt.Sprintf("%d[%d:%d]", doc, from, from+len(unit)))
					if docs[key] == nil {
						docs[key] = map[int]bool{}
					}
					docs[key][doc] = true
				}
			}
			from = -1
		}
		for _, line := range strings.SplitAfter(text, "\n") {
			blank := strings.TrimSpace(line) == ""
			if blank || o.Unit == passages.Lines {
				emit(at)
			}
			if !blank && from < 0 {
				from = at
			}
			at += len(line)
		}
		emit(len(text))
	}
	for key := range all {
		if len(docs[key]) < o.Docs || len(all[key]) < 2 {
			delete(all, key)
		}
	}
	return all
}

func TestUnitsAsNaive(t *testing.T) {
	lines := []string{"A line", "a  LINE", "an\tother line", "  a line", "", " \t", "行は短い", "ｆull", "full", "x"}
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 4))
		var texts []string
		for range 1 + r.IntN(5) {
			var b strings.Builder
			for range r.IntN(8) {
				b.WriteString(lines[r.IntN(len(lines))] + []string{"\n", "\n", "\r\n", " \n", "\n\n"}[r.IntN(5)])
			}
			texts = append(texts, strings.TrimSuffix(b.String(), []string{"", "\n"}[r.IntN(2)]))
		}
		o := passages.Options{Unit: passages.Lines, MinLength: 1 + r.IntN(4), Docs: 1 + r.IntN(3), Memory: least}
		if r.IntN(2) == 0 {
			o.Unit = passages.Paragraphs
		}
		got, want := places(t, o, texts...), naiveUnits(o, texts...)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d, %+v, texts %q:\n%v, want\n%v", seed, o, texts, got, want)
		}
	}
}

// EachPlace has the occurrences of Each.
func TestPlacesAsOccurrences(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		var texts []string
		for range 2 + r.IntN(4) {
			var b strings.Builder
			for range r.IntN(30) {
				b.WriteString([]string{"one ", "two\n", "TWO ", "ﬁve ", "é", "字", "-------------------------", "  "}[r.IntN(8)])
			}
			texts = append(texts, b.String())
		}
		o := passages.Options{MinLength: 8, Docs: 1 + r.IntN(2)}
		all, _ := find(t, o, texts...)
		var want, got []string
		for _, p := range all {
			for _, o := range p.Occurrences {
				want = append(want, fmt.Sprintf("%d[%d:%d]", o.Doc, o.Bytes.Start, o.Bytes.End))
			}
		}
		for _, at := range places(t, o, texts...) {
			got = append(got, at...)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, texts %q: %v, want %v", seed, texts, got, want)
		}
	}
}

// Places are found by search among the cuts of runs, which ascend.
func TestUncut(t *testing.T) {
	f := added(t, passages.Options{MinLength: 20}, 0)
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(strings.Repeat([]string{"-", "ab", "one line\n", "字", "a much longer line than is looked for\n"}[r.IntN(5)], r.IntN(60)))
			b.WriteString([]string{"", "x", "between"}[r.IntN(3)])
		}
		p, err := f.Prepare(b.String())
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.Folded())
		for range 50 {
			start := r.IntN(n + 1)
			end := start + r.IntN(n-start+1)
			s, e := p.Uncut(start, end)
			if ws, we := p.UncutSlowly(start, end); s != ws || e != we {
				t.Fatalf("seed %d: span %d to %d stood at %d to %d, want %d to %d", seed, start, end, s, e, ws, we)
			}
		}
	}
}

func TestWithin(t *testing.T) {
	const text = "ab é e\u0301 他说 1字x"
	var at []string
	for i := range len(text) + 1 {
		if !passages.Within(text, i) {
			at = append(at, text[:i])
		}
	}
	want := []string{"", "ab", "ab ", "ab é", "ab é ", "ab é e\u0301", "ab é e\u0301 ", "ab é e\u0301 他", "ab é e\u0301 他说", "ab é e\u0301 他说 ", "ab é e\u0301 他说 1", "ab é e\u0301 他说 1字", text}
	if !slices.Equal(at, want) {
		t.Errorf("no word or character is divided behind %q, want %q", at, want)
	}
}
