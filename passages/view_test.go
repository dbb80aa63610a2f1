package passages_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/alike-go/alike/passages"
)

// viewed returns 40 long texts, which share paragraphs, of several scripts.
func viewed() (texts []string) {
	paragraphs := make([]string, 30)
	for i := range paragraphs {
		for j := range 12 {
			paragraphs[i] += fmt.Sprintf("Paragraph %d says %d: 第%d段 😀 \n", i, 1000*i+j, i)
		}
	}
	for i := range 40 {
		text := ""
		for j, p := range paragraphs {
			if (i*j)%(j+2) < 2 {
				text += p
			}
			for k := range 60 {
				text += fmt.Sprintf("own %d %d %d é𝒳 ", i, j, k)
			}
		}
		texts = append(texts, text)
	}
	return append(texts, "short")
}

// A view has the most repeated passages. Where a text has parts, they are those
// of the document, and all its places are there.
func TestView(t *testing.T) {
	for _, memory := range []int64{0, least} {
		testView(t, passages.Options{MinLength: 60, Memory: memory})
	}
}

func testView(t *testing.T, o passages.Options) {
	texts := viewed()
	f := added(t, o, 20, texts...)
	if _, err := f.View(t.Context(), passages.PageView); err == nil {
		t.Error("a view before Each")
	}
	var all []passages.Passage
	st, err := f.Each(t.Context(), func(p passages.Passage) error { all = append(all, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all, func(a, b passages.Passage) int {
		return cmp.Or(cmp.Compare(b.Docs, a.Docs), cmp.Compare(len(b.Occurrences), len(a.Occurrences)), cmp.Compare(b.Length, a.Length))
	})
	units := make([][]uint16, len(texts))
	for i, text := range texts {
		units[i] = utf16.Encode([]rune(text))
	}
	for _, o := range []passages.ViewOptions{passages.PageView, {Passages: 7, Places: 3, Text: 40_000}, {Passages: 7, Places: 3}, {Passages: 1000, Places: 1000}, {}} {
		o.ID = func(doc int) string { return fmt.Sprint("id", doc) }
		v, err := f.View(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if v.Docs != len(texts) || v.Passages != st.Passages || v.Occurrences != st.Occurrences || v.MinLength != 60 || v.Words {
			t.Errorf("%+v: the view is of %d documents, %d passages, %d occurrences of %d", o, v.Docs, v.Passages, v.Occurrences, v.MinLength)
		}
		if len(v.List) != min(o.Passages, len(all)) {
			t.Fatalf("%+v: %d passages, want %d of %d", o, len(v.List), o.Passages, len(all))
		}
		size, parts := 0, 0
		for i, d := range v.Documents {
			if (i < v.Texts) != (len(d.Parts) > 0) || d.ID != fmt.Sprint("id", d.Number) || d.Old != (d.Number >= 20) {
				t.Errorf("%+v: document %d is %s, number %d, old %v, with %d parts", o, i, d.ID, d.Number, d.Old, len(d.Parts))
			}
			if len(d.Parts) > 0 && d.UTF16 != len(units[d.Number]) {
				t.Errorf("a text of %d units, want %d", d.UTF16, len(units[d.Number]))
			}
			parts += len(d.Parts)
			for _, p := range d.Parts {
				size += len(p.Text)
				part := utf16.Encode([]rune(p.Text))
				if p.Start+len(part) > len(units[d.Number]) || !slices.Equal(part, units[d.Number][p.Start:p.Start+len(part)]) {
					t.Errorf("document %d: a part at %d is not of the text", d.Number, p.Start)
				}
				if line := 1 + strings.Count(string(utf16.Decode(units[d.Number][:p.Start])), "\n"); p.Line != line {
					t.Errorf("document %d: a part in line %d, want %d", d.Number, p.Line, line)
				}
			}
		}
		if v.Unmarked || v.Texts > 0 && parts == v.Texts {
			t.Errorf("%+v: unmarked %v, %d parts of %d texts", o, v.Unmarked, parts, v.Texts)
		}
		if size > o.Text {
			t.Errorf("%+v: %d bytes of text", o, size)
		}
		for i, p := range v.List {
			want := all[i]
			if p.ID != want.ID || p.Length != want.Length || p.Docs != want.Docs || p.Occurrences != len(want.Occurrences) || !strings.HasPrefix(want.Text, p.Text) || p.Text == "" {
				t.Fatalf("%+v: passage %d is %+v, want %+v", o, i, p, want)
			}
			at := map[string]bool{}
			for _, q := range p.Places {
				d := v.Documents[q.Document]
				at[fmt.Sprint(d.Number, q.Start, q.End)] = true
				if got := string(utf16.Decode(units[d.Number][q.StartUTF16:q.EndUTF16])); got != texts[d.Number][q.Start:q.End] {
					t.Errorf("the units of a place are %q", got)
				}
				// Its ends are in some part.
				for _, end := range []int{q.StartUTF16, q.EndUTF16} {
					if len(d.Parts) > 0 && !slices.ContainsFunc(d.Parts, func(p passages.ViewPart) bool {
						return p.Start <= end && end <= p.Start+len(utf16.Encode([]rune(p.Text)))
					}) {
						t.Errorf("the end at %d of a place in document %d has no text", end, d.Number)
					}
				}
			}
			if len(at) != len(p.Places) {
				t.Errorf("passage %d has a place twice", i)
			}
			texts := map[int]bool{}
			for _, d := range v.Documents[:v.Texts] {
				texts[d.Number] = true
			}
			expected := 0
			for n, q := range want.Occurrences {
				if n < o.Places || texts[q.Doc] {
					expected++
					if !at[fmt.Sprint(q.Doc, q.Bytes.Start, q.Bytes.End)] {
						t.Errorf("%+v: passage %d lacks the place %+v", o, i, q)
					}
				}
			}
			if expected != len(at) {
				t.Errorf("%+v: passage %d has %d places, want %d", o, i, len(at), expected)
			}
		}
		t.Logf("%d passages, %d texts of %d documents, %d bytes", len(v.List), v.Texts, len(v.Documents), size)
	}
}

// A view has at most so many places, and says that there are more.
func TestViewLeavesPlacesOut(t *testing.T) {
	const docs, repeats = 260, 400
	texts := make([]string, docs)
	for i := range texts {
		var b strings.Builder
		b.WriteString("Each document begins like this, once. ")
		for k := range repeats {
			fmt.Fprintf(&b, "the same words, over and over %d ", i*repeats+k)
		}
		texts[i] = b.String()
	}
	f := added(t, passages.Options{MinLength: 25}, docs, texts...)
	if _, err := f.Each(t.Context(), func(passages.Passage) error { return nil }); err != nil {
		t.Fatal(err)
	}
	v, err := f.View(t.Context(), passages.ViewOptions{Passages: 3, Places: docs, Text: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	places, all := 0, 0
	for _, p := range v.List {
		places, all = places+len(p.Places), all+p.Occurrences
	}
	if !v.Unmarked || all < docs*repeats || places < 100_000 || places > 100_000+len(v.List)*docs || v.Texts < 200 {
		t.Errorf("unmarked %v, %d of %d places, in %d texts", v.Unmarked, places, all, v.Texts)
	}
}

func TestViewIsCancelled(t *testing.T) {
	line := strings.Repeat("x y z ", 30) + "\n"
	texts := make([]string, 1<<16+1)
	for i := range texts {
		texts[i] = line
	}
	f := added(t, passages.Options{}, len(texts), texts...)
	if _, err := f.Each(t.Context(), func(passages.Passage) error { return nil }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.View(ctx, passages.PageView); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
