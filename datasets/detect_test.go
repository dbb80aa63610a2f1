package datasets

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// The content decides about a file whose name does not tell its format.
func TestContentFormat(t *testing.T) {
	const prose = "The cat sat on the mat, and the dog looked on.\nThe dog sat down, and the cat left.\n"
	for _, c := range []struct {
		what, content, want string
		src                 Source
	}{
		{"header with the text", "id,text\n1,one\n", "csv", Source{}},
		{"header alone", "text,id", "csv", Source{}},
		{"header with another text", "id,body\n1,one\n", "csv", Source{Text: []string{"body"}}},
		{"names", "id,title\n1,one\n2,two\n", "csv", Source{}},
		{"Chinese names", "编号,正文\n1,一\n", "csv", Source{}},
		{"quotes", "\"id\",\"text\"\n1,\"a, b\nc\"\n", "csv", Source{}},
		{"no header", "1,one\n2,two\n", "csv", Source{Columns: []string{"id", "text"}}},
		{"other delimiter", "id;text\n1;one\n", "csv", Source{Delimiter: ";"}},
		{"tabs", "id\ttext\n1\ta, b\n", "tsv", Source{}},
		{"tabs without names", "1\ta b\n2\tc d\n", "tsv", Source{}},
		{"braces", "{\"text\": \"a,b\"}\n", "jsonl", Source{}},
		{"array", "[{\"text\":\"a\"}]", "jsonl", Source{}},
		{"pretty array", "[\n  {\n    \"text\": \"a\"\n  }\n]\n", "jsonl", Source{}},
		{"parquet", "PAR1", "parquet", Source{}},
		{"prose", prose, "lines", Source{}},
		{"one line", "a,b\n", "lines", Source{}},
		{"numbers", "1,2\n3,4\n", "lines", Source{}},
		{"different fields", "a,b\nc\nd,e\n", "lines", Source{}},
		{"the word", "text\nof, all\n", "lines", Source{}},
		{"nothing", "", "lines", Source{}},
	} {
		if got, told := c.src.docFormat("-", []byte(c.content), true); got != c.want || told && c.src.Delimiter == "" {
			t.Errorf("%s: %s, %v, want %s", c.what, got, told, c.want)
		}
	}
	long := "id,text\n" + strings.Repeat("1,\"a, b\"\n", 1000)
	if got, _ := (&Source{}).docFormat("-", []byte(long[:len(long)-5]), false); got != "csv" {
		t.Errorf("the beginning of a long file is %s", got)
	}
	for path, want := range map[string]string{"a": "csv", "a.gz": "csv", "a.tsv": "tsv", "a.JSONL.zst": "jsonl", "a.md": "text", "a.txt": "text"} {
		if got, told := (&Source{}).docFormat(path, []byte("id,text\n1,a\n"), true); got != want || told != (path != "a" && path != "a.gz" && path != "a.txt") {
			t.Errorf("%s: %s, %v, want %s", path, got, told, want)
		}
	}
	if _, told := (&Source{}).docFormat("a.txt", []byte("one line\n"), true); !told {
		t.Error("a .txt of a line can be read in one way only")
	}
}

// OnFormat is called for files whose names leave the format open, but not within a
// folder.
func TestOnFormat(t *testing.T) {
	dir := write(t, "a.txt", "one\ntwo\n", "b.txt", "three\nfour\n")
	for _, c := range []struct{ path, want string }{
		{"-", "- is csv"}, {filepath.Join(dir, "a.txt"), "a.txt is text"}, {dir, ""},
	} {
		got := ""
		src := Source{Path: c.path, Input: strings.NewReader("id,text\n1,a\n"), OnFormat: func(file, format string) { got += filepath.Base(file) + " is " + format }}
		if _, err := readAll(src); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.path, got, err, c.want)
		}
	}
}

func TestDelimiter(t *testing.T) {
	rows, err := readAll(Source{Path: "-", Delimiter: ";", Input: strings.NewReader("id;text\n1;\"a; b\"\n2;c,d\n")})
	if err != nil || len(rows) != 2 || rows[0].Doc.Text != "a; b" || rows[1].Doc.Text != "c,d" {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, d := range []string{";;", "\"", "\n", "；"} {
		if _, err := readAll(Source{Path: "-", Delimiter: d, Input: strings.NewReader("")}); err == nil || !strings.Contains(err.Error(), "want one ASCII character") {
			t.Errorf("%q: %v", d, err)
		}
	}
	_, err = readAll(Source{Path: "-", Format: "csv", Input: strings.NewReader("id;text\n1;a\n")})
	if e, ok := errors.AsType[*ColumnError](err); !ok || len(e.Have) != 1 || e.Have[0] != "id;text" {
		t.Errorf("error %v, want the columns", err)
	}
}

// A path leads to members of members and elements of arrays, and a name that has the
// characters of a path goes first.
func TestPaths(t *testing.T) {
	const row = `{"id":7,"doc":{"body":{"text":"a \u00e9"},"n":1.50,"none":null},"pages":[{"text":"one"},{"no":1},{"text":"two"},{"text":null}],` +
		`"tags":["x","y"],"deep":[[{"t":"1"}],[{"t":"2"}]],"a.b":"flat","a":{"b":"nested","c.d":{"e":"dots"}},"empty":[],"text":"t"}`
	for path, want := range map[string]string{
		"doc.body.text": "a é", "doc.n": "1.50", "pages[].text": "one\ntwo", "tags[]": "x\ny", "deep[][].t": "1\n2",
		"a.b": "flat", "a.c.d.e": "dots", "text": "t",
		"doc.none": "?", "doc.body.texts": "?", "doc.": "?", "text.x": "?", "empty[]": "?", "tags": "!", "doc.body": "!", "pages[]": "!", "tags[].x": "?", ".": "?", "[]": "?", "doc[]": "?",
	} {
		rows, err := readAll(Source{Path: "-", Input: strings.NewReader(row), Text: []string{path}})
		switch _, missing := errors.AsType[*ColumnError](err); {
		case want == "?" && !missing, want == "!" && (err == nil || !strings.Contains(err.Error(), "object or an array")):
			t.Errorf("%s: %v, %v", path, rows, err)
		case len(want) > 1 && (err != nil || rows[0].Doc.Text != want):
			t.Errorf("%s: %v, %v, want %q", path, rows, err, want)
		}
	}
	rows, err := readAll(Source{Path: "-", Input: strings.NewReader(row), ID: "doc.n", Text: []string{"doc.body.text", "tags[]"}})
	if err != nil || rows[0].Doc.ID != "1.50" || rows[0].Doc.Text != "a é\nx\ny" {
		t.Errorf("%v, %v", rows, err)
	}
}

// Labels may be words, or the one word that means alike.
func TestLabelWords(t *testing.T) {
	for _, c := range []struct {
		labels string
		src    Source
		want   string
	}{
		{"yes no Yes NO y n", Source{}, "101010"},
		{"true False 1 0", Source{}, "1010"},
		{"是 否", Source{}, "10"},
		{"dup other dup Dup", Source{Positive: "dup"}, "1010"},
	} {
		var table strings.Builder
		table.WriteString("text1,text2,label\n")
		for label := range strings.FieldsSeq(c.labels) {
			table.WriteString("a,b," + label + "\n")
		}
		src := c.src
		src.Path, src.Format, src.Input = "-", "csv", strings.NewReader(table.String())
		s, err := ReadSet(src)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range s.Pairs {
			got += map[bool]string{true: "1", false: "0"}[p.Alike()]
		}
		if got != c.want || s.Graded {
			t.Errorf("%s: %s, graded %v, want %s", c.labels, got, s.Graded, c.want)
		}
	}
	if _, err := ReadSet(Source{Path: "-", Format: "csv", Positive: "copy", Input: strings.NewReader("text1,text2,label\na,b,copied\n")}); err == nil || !strings.Contains(err.Error(), `no pair has the label "copy"`) {
		t.Errorf("a label of no pair: %v", err)
	}
	s, err := ReadSet(Source{Path: "-", Format: "jsonl", Text1: "a.t", Text2: "b[]", Input: strings.NewReader(`{"a":{"t":"x"},"b":["y","z"],"label":"no"}`)})
	if err != nil || s.Docs[0].Text != "x" || s.Docs[1].Text != "y\nz" {
		t.Errorf("paths: %+v, %v", s, err)
	}
}
