package score_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/eval/spans"
)

// The texts are of 10 characters and 16 bytes, and of 6 and 18.
var texts = &datasets.Set{Name: "texts", Docs: []datasets.Doc{{ID: "susp/a.txt", Text: "abc复制de粘f."}, {ID: "src/b.txt", Text: "复制粘贴文本"}}}

func newTexts(t *testing.T, set *datasets.Set) *score.Texts {
	t.Helper()
	texts, err := score.NewTexts(set)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

const (
	table = "id1\tstart1\tend1\tid2\tstart2\tend2\tkind\trate\nsusp/a.txt\t3\t9\tsrc/b.txt\t0\t6\tcopy\t0\n" +
		"src/b.txt\t6\t12\tsusp/a.txt\t11\t16\tmixed\t0.1\n" + "src/b.txt\t0\t6\tsusp/a.txt\t3\t9\tcopy\t0\n"
	feature = `<feature name="artificial-plagiarism" this_offset="3" this_length="2" obfuscation="none" source_reference="b.txt" source_offset="0" source_length="2" />`
	pan     = `<?xml version="1.0" encoding="UTF-8"?>
<document xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" reference="a.txt">
<feature name="about" title="Nothing"><feature name="plagiarism"/></feature>
` + feature + `
<feature name="plagiarism" this_offset="7" this_length="3" source_reference="b.txt" source_offset="2" source_length="2"></feature>
</document>
`
)

func passageOf(doc1, start1, end1, doc2, start2, end2 int) spans.Passage {
	return spans.Passage{A: spans.Span{Doc: doc1, Start: start1, End: end1}, B: spans.Span{Doc: doc2, Start: start2, End: end2}}
}

// A table in bytes and the XML of PAN in characters say the same.
func TestReadPassages(t *testing.T) {
	want := []spans.Passage{passageOf(0, 3, 5, 1, 0, 2), passageOf(0, 7, 10, 1, 2, 4)}
	dir := t.TempDir()
	for name, text := range map[string]string{"some/a-b.xml": pan, "some/more/empty.xml": `<document reference="a.txt"></document>`, "some/a.txt": "abc"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	jsonl := `{"id1":"susp/a.txt","start1":3,"end1":9,"id2":"src/b.txt","start2":0,"end2":6}` + "\n" +
		`{"id1":"susp/a.txt","start1":11,"end1":16,"id2":"src/b.txt","start2":6,"end2":12}` + "\n"
	for _, c := range []struct {
		src   datasets.Source
		kinds []string
	}{
		{file(t, "x.tsv", table), []string{"copy", "mixed:0.1"}},
		{file(t, "x.csv", strings.ReplaceAll(table, "\t", ",")), []string{"copy", "mixed:0.1"}},
		{file(t, "x.jsonl", jsonl), nil},
		{file(t, "x.xml", pan), []string{"none"}},
		{datasets.Source{Path: filepath.Join(dir, "some")}, []string{"none"}},
	} {
		o := usual()
		got, err := o.ReadPassages(t.Context(), newTexts(t, texts), c.src)
		if err != nil || !reflect.DeepEqual(got.List, want) {
			t.Errorf("%s: %v, %v, want %v", c.src.Path, got.List, err, want)
			continue
		}
		var kinds []string
		for _, p := range got.ByKind(make([]spans.Case, len(want))) {
			kinds = append(kinds, p.Kind)
		}
		if !reflect.DeepEqual(kinds, c.kinds) {
			t.Errorf("%s: kinds %v, want %v", c.src.Path, kinds, c.kinds)
		}
	}
}

// Every place in a long text is the character that counting from the start says.
func TestReadPassagesCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var text strings.Builder
		var starts []int
		for range 1 + r.IntN(3000) {
			starts = append(starts, text.Len())
			text.WriteString([]string{"a", "é", "复", "😀"}[r.IntN(4)])
		}
		ends := append(starts[1:len(starts):len(starts)], text.Len())
		set := &datasets.Set{Docs: []datasets.Doc{{ID: "a", Text: text.String()}, {ID: "b", Text: "x"}}}
		rows, want := "id1,start1,end1,id2,start2,end2\n", []spans.Passage{}
		for i, start := range starts {
			rows += fmt.Sprintf("a,%d,%d,b,0,1\n", start, ends[i])
			want = append(want, passageOf(0, i, i+1, 1, 0, 1))
		}
		o := usual()
		got, err := o.ReadPassages(t.Context(), newTexts(t, set), file(t, "x.csv", rows))
		if err != nil || !reflect.DeepEqual(got.List, want) {
			t.Fatalf("%d passages of %q, %v", len(got.List), text.String(), err)
		}
	}
}

func TestReadPassagesRefuses(t *testing.T) {
	const head = "id1,start1,end1,id2,start2,end2\n"
	other := func(old, new string) string { return strings.ReplaceAll(pan, old, new) }
	for _, c := range []struct{ name, text, want string }{
		{"x.csv", head + "susp/a.txt,3,9,c,0,6\n", `x.csv:2: texts has no document "c"`},
		{"x.csv", head + "susp/a.txt,3,9,src/b.txt,0,19\n", `x.csv:2: end2 is "19", want a number of bytes from 0 to 18`},
		{"x.csv", head + "susp/a.txt,-1,9,src/b.txt,0,6\n", `start1 is "-1", want a number of bytes from 0 to 16`},
		{"x.csv", head + "susp/a.txt,3.0,9,src/b.txt,0,6\n", `start1 is "3.0", want a number`},
		{"x.csv", head + "susp/a.txt,9,9,src/b.txt,0,6\n", "end1 is not behind start1"},
		{"x.csv", head + "susp/a.txt,4,9,src/b.txt,0,6\n", `start1 is 4, which is within a character of "susp/a.txt"`},
		{"x.csv", head + "susp/a.txt,0,1,susp/a.txt,1,2\n", `both spans are of "susp/a.txt", want two documents`},
		{"x.csv", "id1,start1,id2,start2,end2\nsusp/a.txt,3,src/b.txt,0,6\n", `no field "end1", want id1, start1, end1, id2, start2 and end2`},
		{"x.xml", "", "x.xml:1: no element, want <document reference=...>"},
		{"x.xml", "<documents/>", "x.xml:1: <documents>, want <document reference=...>"},
		{"x.xml", strings.TrimSuffix(pan, "</document>\n"), "unexpected EOF"},
		{"x.xml", other(`"b.txt"`, `"c.txt"`), `x.xml:4: texts has no document "c.txt"`},
		{"x.xml", other(`this_length="3"`, `this_length="4"`), `x.xml:5: this_length is "4", want 1 to 3, as "susp/a.txt" has 10 characters`},
		{"x.xml", other(`this_offset="7" `, ``), `x.xml:5: this_offset is "", want 0 to 9`},
		{"x.xml", other(`source_length="2"`, `source_length="0"`), `x.xml:4: source_length is "0", want 1 to 6`},
		{"x.xml", other(`source_reference="b.txt"`, ""), "x.xml:4: no source_reference, want a passage with its source"},
		{"x.xml", other("UTF-8", "latin1"), "latin1"},
	} {
		o := usual()
		if _, err := o.ReadPassages(t.Context(), newTexts(t, texts), file(t, c.name, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
	o := usual()
	if _, err := o.ReadPassages(t.Context(), newTexts(t, texts), datasets.Source{Path: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "holds no .xml file") {
		t.Errorf("error %v of an empty folder", err)
	}
	if _, err := score.NewTexts(&datasets.Set{Docs: []datasets.Doc{{ID: "a"}, {ID: "a"}}}); err == nil {
		t.Error("ids repeat, and there is no error")
	}
	twice := newTexts(t, &datasets.Set{Name: "texts", Docs: []datasets.Doc{{ID: "x/a.txt", Text: "abc"}, {ID: "y/a.txt", Text: "abc"}, {ID: "b.txt", Text: "b"}}})
	if _, err := o.ReadPassages(t.Context(), twice, file(t, "x.xml", pan)); err == nil || !strings.Contains(err.Error(), `texts has several documents called "a.txt"`) {
		t.Errorf("error %v of a reference to two documents", err)
	}
}

// Whatever a file holds, the passages that are read lie in the texts.
func FuzzReadPAN(f *testing.F) {
	f.Add([]byte(pan))
	f.Add([]byte(`<document reference="a"><feature name="plagiarism" this_offset="9223372036854775807" this_length="9223372036854775807" source_reference="b"/></document>`))
	f.Add([]byte("<!DOCTYPE d [<!ENTITY x 'y'>]><document reference='&x;'>"))
	path := filepath.Join(f.TempDir(), "x.xml")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		o := usual()
		got, err := o.ReadPassages(t.Context(), newTexts(t, texts), datasets.Source{Path: path})
		if err != nil && !strings.HasPrefix(err.Error(), "score: "+filepath.ToSlash(path)+":") {
			t.Errorf("error %v, want one that names the file and the line", err)
		}
		for _, p := range got.List {
			for _, s := range []spans.Span{p.A, p.B} {
				if s.Start < 0 || s.Start >= s.End || s.End > []int{10, 6}[s.Doc] {
					t.Errorf("passage %+v", p)
				}
			}
		}
	})
}
