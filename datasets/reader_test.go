package datasets

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// write makes files of name, content, name, content, ... and returns their folder.
func write(t testing.TB, nameContent ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(nameContent); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(nameContent[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(nameContent[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readAll returns all documents of a source.
func readAll(src Source) ([]Row, error) {
	r, err := Open(src)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var rows []Row
	for row, err := range r.Rows() {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func docsOf(rows []Row) []Doc {
	var docs []Doc
	for _, r := range rows {
		docs = append(docs, r.Doc)
	}
	return docs
}

func TestOpen(t *testing.T) {
	const table = "id,title,text\r\n7,\"a \"\"b\"\"\",\"two\r\nlines\"\r\n\r\n8,c,d\r\n"
	tests := []struct {
		name, file, content string
		src                 Source
		want                []Doc
		lines               []int
	}{
		{"jsonl", "a.jsonl", `{"id":"x","text":"a\u00e9\n","lang":"en"}` + "\n\n" + ` { "text" : "b" , "id" : 12 }` + "\r\n", Source{},
			[]Doc{{"x", "aé\n", "en"}, {"12", "b", ""}}, []int{1, 3}},
		{"jsonl of several columns", "a.ndjson", `{"t":"a","b":"b","k":"1"}` + "\n" + `{"b":null,"t":4,"k":"2"}`, Source{ID: "k", Text: []string{"t", "b"}},
			[]Doc{{"1", "a\nb", ""}, {"2", "4", ""}}, []int{1, 2}},
		{"jsonl without ids", "plain", "\ufeff" + `{"text":"a"}` + "\n" + `{"text":"b"}` + "\n", Source{}, []Doc{{"1", "a", ""}, {"2", "b", ""}}, []int{1, 2}},
		{"the last of two fields", "a.jsonl", `{"text":"a","text":"b","o":{"text":"c"}}`, Source{}, []Doc{{"1", "b", ""}}, []int{1}},
		{"csv", "a.csv", table, Source{}, []Doc{{"7", "two\nlines", ""}, {"8", "d", ""}}, []int{2, 5}},
		{"csv of named columns", "a.dat", table, Source{Format: "csv", ID: "title", Text: []string{"text", "id"}},
			[]Doc{{`a "b"`, "two\nlines\n7", ""}, {"c", "d\n8", ""}}, []int{2, 5}},
		{"csv without a header", "a.csv", "1,a\n2,b\n", Source{Columns: []string{"n", "text"}, ID: "n"}, []Doc{{"1", "a", ""}, {"2", "b", ""}}, []int{1, 2}},
		{"tsv", "a.tsv", "id\ttext\tlang\n1\t\"a\" b\ten\n2\t\"c\tzh\n", Source{}, []Doc{{"1", `"a" b`, "en"}, {"2", `"c`, "zh"}}, []int{2, 3}},
		{"tsv in quotes", "a.tsv", "id\ttext\n1\t\"a \"\"b\"\"\"\n2\t\"c\nd\"\n3\te\n", Source{}, []Doc{{"1", `a "b"`, ""}, {"2", "c\nd", ""}, {"3", "e", ""}}, []int{2, 3, 5}},
		{"tsv whose quotes are text", "a.tsv", "id\ttext\n1\t\"a \"\"b\"\"\"\n", Source{Quotes: "none"}, []Doc{{"1", `"a ""b"""`, ""}}, []int{2}},
		{"lines", "a.log", "a\n\nb\u2028c\n", Source{Format: "lines"}, []Doc{{"1", "a", ""}, {"3", "b\u2028c", ""}}, []int{1, 3}},
		{"text", "a.txt", "a\nb\n", Source{}, []Doc{{"a.txt", "a\nb\n", ""}}, []int{1}},
		{"text with tabs and braces", "a.txt", "{\"a\tb\n", Source{}, []Doc{{"a.txt", "{\"a\tb\n", ""}}, []int{1}},
		{"empty text", "a.txt", "", Source{}, []Doc{{"a.txt", "", ""}}, []int{1}},
		{"a public set as documents", "a.txt", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t3\t4\t\"a\tb\"\n", Source{Format: "mrpc", ID: "#2 ID", Text: []string{"#2 String"}},
			[]Doc{{"4", `b"`, ""}}, []int{2}},
		{"lossy", "a.txt", "a\xffb\xe4\xb8", Source{Lossy: true}, []Doc{{"a.txt", "a\ufffdb\ufffd", ""}}, []int{1}},
	}
	for _, test := range tests {
		for _, pack := range []string{"plain", "gzip", "zstd", "stdin"} {
			t.Run(test.name+"/"+pack, func(t *testing.T) {
				content := test.content
				switch pack {
				case "gzip":
					content = string(gz(t, content))
				case "zstd":
					content = string(zst(t, content))
				}
				src := test.src
				src.Path = filepath.Join(write(t, test.file, content), test.file)
				file := src.Path
				if pack == "stdin" {
					if src.Format = test.src.Format; src.Format == "" {
						src.Format, _ = (&src).docFormat(test.file, []byte(strings.TrimPrefix(content, "\ufeff")), true)
					}
					src.Path, src.Input, file = "-", strings.NewReader(content), "-"
				}
				rows, err := readAll(src)
				if err != nil {
					t.Fatal(err)
				}
				want := slices.Clone(test.want)
				if pack == "stdin" && want[0].ID == "a.txt" {
					want[0].ID = "-"
				}
				if got := docsOf(rows); !slices.Equal(got, want) {
					t.Fatalf("documents %q, want %q", got, want)
				}
				for i, r := range rows {
					if r.Line != test.lines[i] || r.File != file {
						t.Errorf("row %d is at %s:%d, want line %d", i, r.File, r.Line, test.lines[i])
					}
				}
			})
		}
	}
}

// TestFields wants every field in its order, as it is written.
func TestFields(t *testing.T) {
	rows, err := readAll(Source{Path: "-", Input: strings.NewReader(`{"n":1.50,"text":"\u00e9\"","a":[1, {"b":"]"}],"z":null,"t":true,"o":{},"\u0061":"x"}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := []Field{
		{"n", "1.50", "1.50"}, {"text", `é"`, `"\u00e9\""`}, {"a", `[1, {"b":"]"}]`, `[1, {"b":"]"}]`}, {"z", "", "null"},
		{"t", "true", "true"}, {"o", "{}", "{}"}, {"a", "x", `"x"`},
	}
	if !reflect.DeepEqual(rows[0].Fields, want) {
		t.Errorf("fields %q, want %q", rows[0].Fields, want)
	}
	if v, ok := rows[0].Get("a"); v != "x" || !ok {
		t.Errorf("the field a is %q, want the last one of the name", v)
	}
}

func TestFolders(t *testing.T) {
	texts := write(t, "b.txt", "B", "a/c.md", "C", "a.txt", "A", ".hidden", "H", ".git/x", "X", "d.gz", string(gz(t, "D")))
	rows, err := readAll(Source{Path: texts})
	want := []Doc{{"a.txt", "A", ""}, {"a/c.md", "C", ""}, {"b.txt", "B", ""}, {"d.gz", "D", ""}}
	if got := docsOf(rows); err != nil || !slices.Equal(got, want) {
		t.Errorf("texts %q, %v, want %q", got, err, want)
	}
	parts := write(t, "2.jsonl", `{"text":"b"}`, "1.jsonl.gz", string(gz(t, `{"text":"a","id":"x"}`)))
	rows, err = readAll(Source{Path: parts})
	want = []Doc{{"x", "a", ""}, {"2.jsonl:1", "b", ""}}
	if got := docsOf(rows); err != nil || !slices.Equal(got, want) {
		t.Errorf("parts %q, %v, want %q", got, err, want)
	}
	set := write(t, "docs.jsonl", threeDocs, "pairs.tsv", pairsHead, "README.md", "x")
	rows, err = readAll(Source{Path: set})
	if got := docsOf(rows); err != nil || len(got) != 3 || got[1] != (Doc{"b", "two", "en"}) {
		t.Errorf("a set: %q, %v", got, err)
	}
	if rows[1].File != filepath.ToSlash(set)+"/docs.jsonl" || rows[1].Line != 2 {
		t.Errorf("the second row is at %s:%d", rows[1].File, rows[1].Line)
	}
	if _, err := readAll(Source{Path: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "holds no file") {
		t.Errorf("an empty folder: %v", err)
	}
}

// Names need not be UTF-8, and links lead to files, also from outside and of the
// folder itself.
func TestFolderNames(t *testing.T) {
	outside := write(t, "text", "L")
	dir := write(t, "a.txt", "A")
	if err := os.Mkdir(filepath.Join(dir, "sub\xff"), 0o777); err != nil {
		t.Skipf("the system wants UTF-8: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub\xff", "b\xfe.txt"), []byte("B"), 0o666); err != nil {
		t.Fatal(err)
	}
	link := func(to, from string) {
		if err := os.Symlink(to, from); err != nil {
			t.Skipf("no links: %v", err)
		}
	}
	link(filepath.Join(outside, "text"), filepath.Join(dir, "link\xff.txt"))
	link(outside, filepath.Join(dir, "folder.txt"))
	link("nowhere", filepath.Join(dir, "nowhere.txt"))
	whole := filepath.Join(t.TempDir(), "whole")
	link(dir, whole)
	want := []string{"A", "L", "B"}
	for _, path := range []string{dir, whole} {
		rows, err := readAll(Source{Path: path})
		var got []string
		for _, r := range rows {
			got = append(got, r.Doc.Text)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: texts %q, %v, want %q", path, got, err, want)
		}
	}
	link("loop.txt", filepath.Join(dir, "loop.txt"))
	if _, err := readAll(Source{Path: dir}); err == nil || !strings.Contains(err.Error(), "loop.txt") {
		t.Errorf("a link to itself: %v, want an error that names it", err)
	}
}

func TestSkipBad(t *testing.T) {
	const content = `{"text":"a"}` + "\nx\n" + `{"text":"b"}` + "\n" + `{"txet":"c"}` + "\n" + `{"text":"d"}` + "\n"
	var bad []string
	src := Source{Path: "-", Format: "jsonl", Input: strings.NewReader(content), SkipBad: 2, OnBad: func(err error) { bad = append(bad, err.Error()) }}
	r, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 3 || r.Skipped() != 2 {
		t.Errorf("%d rows, %d passed over", n, r.Skipped())
	}
	want := []string{"datasets: -:2: no JSON object: byte 1: invalid character 'x' looking for beginning of value", `datasets: -:4: no field "text", want a string; the fields are "txet"`}
	if !slices.Equal(bad, want) {
		t.Errorf("bad rows %q, want %q", bad, want)
	}
	src.Input, src.SkipBad = strings.NewReader(content), 1
	rows, err := readAll(src)
	if len(rows) != 2 || err == nil || err.Error() != want[1] {
		t.Errorf("with one bad row allowed: %d rows, %v", len(rows), err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestSkipBadOfSets passes over bad rows of a folder and of pairs.
func TestSkipBadOfSets(t *testing.T) {
	dir := write(t, "docs.jsonl", threeDocs+"broken\n", "pairs.tsv", pairsHead+"a\tb\t1\na\tnobody\t0\nb\tc\t0\n")
	src := Source{Path: dir, SkipBad: 2}
	s, err := ReadSet(src)
	if err != nil || len(s.Docs) != 3 || len(s.Pairs) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	src.SkipBad = 1
	if _, err := ReadSet(src); err == nil || !strings.HasSuffix(err.Error(), `pairs.tsv:3: no document has the id "nobody"`) {
		t.Errorf("one bad row too many: %v", err)
	}
	pairs := filepath.Join(write(t, "p.tsv", "id1\tid2\ttext1\ttext2\tlabel\n1\t2\ta\tb\t1\n1\t3\tA\tc\t1\n1\t3\ta\tc\tmaybe\n1\t4\ta\td\t0\n"), "p.tsv")
	s, err = ReadSet(Source{Path: pairs, SkipBad: 2})
	if err != nil || len(s.Pairs) != 2 || len(s.Docs) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	_, err = ReadSet(Source{Path: pairs})
	if want := `p.tsv:3: the id "1" has another text at ` + pairs + `:2`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestPathIDs wants ids of the path where a document states none.
func TestPathIDs(t *testing.T) {
	dir := write(t, "a.jsonl", `{"text":"a"}`+"\n"+`{"text":"b","id":"x"}`, "b.txt", "B", "c/d.txt", "D")
	for _, test := range []struct {
		path string
		want []string
	}{
		{dir + "/a.jsonl", []string{dir + "/a.jsonl:1", "x"}},
		{dir + "/b.txt", []string{dir + "/b.txt"}},
		{dir + "/c", []string{dir + "/c/d.txt"}},
	} {
		rows, err := readAll(Source{Path: test.path, PathIDs: true})
		var got []string
		for _, r := range rows {
			got = append(got, r.Doc.ID)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("ids %q, %v, want %q", got, err, test.want)
		}
	}
}

// TestDone wants shares that grow to 1, whatever the compression, and none of a
// source of unknown size.
func TestDone(t *testing.T) {
	var lines strings.Builder
	for range 1 << 16 {
		lines.WriteString(`{"text":"` + strings.Repeat("a", 100) + `"}` + "\n")
	}
	dir := write(t, "1.jsonl", lines.String(), "2.jsonl", string(gz(t, lines.String())), "3.jsonl", string(zst(t, lines.String())))
	r, err := Open(Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last, distinct := 0.0, 0
	for _, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		d := r.Done()
		if d < last || d > 1 {
			t.Fatalf("a share of %v after %v", d, last)
		}
		if d > last {
			distinct++
		}
		last = d
	}
	if last < .99 || distinct < 10 {
		t.Errorf("the last share is %v, of %d distinct ones", last, distinct)
	}
	unknown, err := Open(Source{Path: "-", Format: "lines", Input: strings.NewReader("a\nb")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unknown.Next(); err != nil || unknown.Done() != 0 {
		t.Errorf("a share of %v of what nobody knows the size of, %v", unknown.Done(), err)
	}
}
