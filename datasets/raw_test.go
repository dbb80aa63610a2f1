package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// rawCases are files and what they are read as.
var rawCases = []struct{ name, file, content string }{
	{"jsonl", "a.jsonl", "{\"id\":\"a\",\"text\":\"x\",\"n\":1.50}\n\n \t\n{\"text\":\"y\",\"id\":\"b\"}\r\n{\"id\":\"c\",\"text\":\"z\"}"},
	{"jsonl with a mark and empty lines", "a.jsonl", "\xef\xbb\xbf\n{\"id\":\"a\",\"text\":\"x\"}\n\n\n"},
	{"jsonl with bad rows", "a.jsonl", "{\"id\":\"a\",\"text\":\"x\"}\nno JSON\n{\"id\":\"b\"}\n{\"id\":\"c\",\"text\":\"\xff\"}\n{\"id\":\"d\",\"text\":\"z\"}\n"},
	{"empty jsonl", "a.jsonl", ""},
	{"csv", "a.csv", "id,text,note\r\na,\"x\r\ny\",1\r\n\r\nb,\"a \"\"quote\"\"\",2\r\nc,z,3"},
	{"csv with bad rows", "a.csv", "id,text\na,x\nb\nc,\"x\"y\nd,z\n\n"},
	{"tsv", "a.tsv", "\nid\ttext\na\tx\n\nb\ty \"z\"\n"},
	{"tsv with bad rows", "a.tsv", "id\ttext\na\tx\ty\nb\nc\tz\nd\t\xff\n"},
	{"quoted tsv", "a.tsv", "id\t\"text\"\na\t\"x\ty\"\nb\tz\n"},
	{"lines", "a.lines", "one\n\ntwo\r\nthree"},
	{"text", "a.txt", "one\ntwo\n\n"},
	{"long lines", "a.lines", strings.Repeat("a", 3<<20) + "\n\n" + strings.Repeat("b", 2<<20) + "\n"},
}

// The rows of a raw reader are those of a Reader, and their bytes are the file.
func TestRawRowsAreTheFile(t *testing.T) {
	for _, c := range rawCases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
				t.Fatal(err)
			}
			var wantBad, gotBad []string
			src := Source{Path: path, SkipBad: 10, OnBad: func(err error) { wantBad = append(wantBad, err.Error()) }}
			if strings.HasSuffix(path, ".lines") {
				src.Format = "lines"
			}
			want, err := readRows(src)
			if err != nil {
				t.Fatal(err)
			}
			r, err := OpenRaw(src)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var got []Row
			var whole, kept []byte
			var held []RawRow
			var p Parser
			for {
				row, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				whole = append(whole, row.Bytes...)
				row, kept = row.Keep(kept)
				held = append(held, row)
			}
			for _, row := range held {
				parsed, err := p.Row(row)
				if bad, is := errors.AsType[*BadRow](err); is {
					gotBad = append(gotBad, bad.Error())
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, parsed)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("rows\n%v, want\n%v", got, want)
			}
			if !reflect.DeepEqual(gotBad, wantBad) {
				t.Errorf("bad rows\n%q, want\n%q", gotBad, wantBad)
			}
			l := r.Layout()
			var file []byte
			if l.BOM {
				file = append(file, "\xef\xbb\xbf"...)
			}
			file = append(append(append(file, l.Header...), whole...), l.Tail...)
			if string(file) != c.content {
				t.Errorf("header, rows and tail are\n%q, want\n%q", file, c.content)
			}
			if l.Rows != len(held) || l.Open != (len(whole) > 0 && whole[len(whole)-1] != '\n') {
				t.Errorf("layout %d rows, open %t, of %d rows", l.Rows, l.Open, len(held))
			}
		})
	}
}

func readRows(src Source) ([]Row, error) {
	r, err := Open(src)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out []Row
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// copyRaw copies all rows that keep accepts.
func copyRaw(t *testing.T, src Source, keep func(i int) bool) []byte {
	t.Helper()
	r, err := OpenRaw(src)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	c, err := NewCopier(&out, r)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if keep(i) {
			if err := c.Write(row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCopier(t *testing.T) {
	for _, c := range []struct{ name, file, content, want string }{
		{"jsonl", "a.jsonl", "{\"a\": 1,\"text\":\"x\"}\r\n{\"text\":\"y\"}\n{\"text\":\"z\"}", "{\"a\": 1,\"text\":\"x\"}\r\n{\"text\":\"z\"}\n"},
		{"csv", "a.csv", "id,text\na,\"x\ny\"\nb,y\nc,z", "id,text\na,\"x\ny\"\nc,z\n"},
		{"mark", "a.csv", "\xef\xbb\xbfid,text\na,x\nb,y\n", "\xef\xbb\xbfid,text\na,x\n"},
		{"open row first", "a.tsv", "id\ttext\na\tx", "id\ttext\na\tx\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
				t.Fatal(err)
			}
			if got := copyRaw(t, Source{Path: path}, func(i int) bool { return i%2 == 0 }); string(got) != c.want {
				t.Errorf("copied %q, want %q", got, c.want)
			}
		})
	}
}

// Parquet rows are copied with their types: what is read of the copy is what was
// read of the file.
func TestCopierKeepsParquet(t *testing.T) {
	path := filepath.Join(write(t, "a.parquet", string(foreignFile(t, 250, func(i int) string { return strings.Repeat("a ", i) }))), "a.parquet")
	src := Source{Path: path}
	want, err := readRows(src)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "b.parquet")
	if err := os.WriteFile(copied, copyRaw(t, src, func(int) bool { return true }), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readRows(Source{Path: copied})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		want[i].File = copied
	}
	if len(got) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%v, want\n%v", got, want)
	}
}

// Files with other columns are refused, not mixed.
func TestCopierRefusesOtherColumns(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.csv": "id,text\na,x\n", "b.csv": "text,id\nx,a\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := OpenRaw(Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := NewCopier(io.Discard, r)
	if err != nil {
		t.Fatal(err)
	}
	var last error
	for range 2 {
		row, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		last = c.Write(row)
	}
	if last == nil || !strings.Contains(last.Error(), `the columns "text", "id"`) {
		t.Errorf("error %v, want one that names the columns", last)
	}
}

// extend adds three columns to all rows.
func extend(t *testing.T, src Source) ([]byte, error) {
	t.Helper()
	r, err := OpenRaw(src)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	e, err := NewExtender(&out, r, Column{"s", ""}, Column{"n", int64(0)}, Column{"ok", false})
	if err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		row, err := r.Next()
		if err == io.EOF {
			err := e.Close()
			return out.Bytes(), err
		}
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			err = e.Write(row, "a,\"b\"", int64(i), true)
		} else {
			err = e.Write(row, nil, nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestExtender(t *testing.T) {
	for _, c := range []struct{ name, file, content, want string }{
		{"jsonl", "a.jsonl", "{\"text\": \"x\" }\r\n\n{\"text\":\"}\"}", "{\"text\": \"x\" ,\"s\":\"a,\\\"b\\\"\",\"n\":0,\"ok\":true}\r\n\n{\"text\":\"}\",\"s\":null,\"n\":null,\"ok\":null}\n"},
		{"csv", "a.csv", "text\r\n\"x\ny\"\r\nz", "text,s,n,ok\r\n\"x\ny\",\"a,\"\"b\"\"\",0,true\r\nz,,,\n"},
		{"tsv", "a.tsv", "text\tx\na\tb\n", "text\tx\ts\tn\tok\na\tb\ta,\"b\"\t0\ttrue\n"},
		{"quoted tsv", "a.tsv", "\"text\"\tx\n\"a\tc\"\tb\n", "\"text\"\tx\ts\tn\tok\n\"a\tc\"\tb\t\"a,\"\"b\"\"\"\t0\ttrue\n"},
		{"only a header", "a.csv", "text", "text,s,n,ok\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(write(t, c.file, c.content), c.file)
			if got, err := extend(t, Source{Path: path}); err != nil || string(got) != c.want {
				t.Errorf("extended %q, %v, want %q", got, err, c.want)
			}
		})
	}
	if _, err := extend(t, Source{Path: filepath.Join(write(t, "a.txt", "x"), "a.txt")}); err == nil {
		t.Error("columns are added to a text")
	}
	if _, err := extend(t, Source{Path: filepath.Join(write(t, "a.csv", "n,text\n1,x\n"), "a.csv")}); err == nil {
		t.Error("a column is added that there is")
	}
}

func TestExtenderKeepsParquet(t *testing.T) {
	path := filepath.Join(write(t, "a.parquet", string(foreignFile(t, 250, func(i int) string { return strings.Repeat("a ", i) }))), "a.parquet")
	want, err := readRows(Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	data, err := extend(t, Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	extended := filepath.Join(write(t, "b.parquet", string(data)), "b.parquet")
	got, err := readRows(Source{Path: extended})
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d rows, %v, want %d", len(got), err, len(want))
	}
	for i := range got {
		own := len(want[i].Fields)
		if !reflect.DeepEqual(got[i].Fields[:own], want[i].Fields) {
			t.Fatalf("row %d: %v, want %v", i, got[i].Fields[:own], want[i].Fields)
		}
		add := []Field{{"s", "a,\"b\"", ""}, {"n", fmt.Sprint(i), fmt.Sprint(i)}, {"ok", "true", "true"}}
		if i%2 == 1 {
			add = []Field{{"s", "", "null"}, {"n", "", "null"}, {"ok", "", "null"}}
		}
		if !reflect.DeepEqual(got[i].Fields[own:], add) {
			t.Fatalf("row %d: added %v, want %v", i, got[i].Fields[own:], add)
		}
	}
}

// The rows of a quoted table are cut at quotes, however many empty lines come
// before the first row that is left.
func TestOpenLikeKeepsQuoting(t *testing.T) {
	content := strings.Repeat("\n", sniffed+1) + "a\t\"x\ny\"\n"
	path := filepath.Join(write(t, "kept.tsv", content), "kept.tsv")
	r, err := OpenLike(path, &Layout{Format: "tsv", Quoted: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	row, err := r.Next()
	if err != nil || string(row.Bytes) != content {
		t.Errorf("the first row has %d bytes, error %v, want %d", len(row.Bytes), err, len(content))
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("error %v after the only row, want io.EOF", err)
	}
}

// A row that a limit cuts ends the reading. A quote in the part before the cut
// must not make it a bad row, because the rest of it would be read as rows.
func TestQuotedRowTooLarge(t *testing.T) {
	long := strings.Repeat("b", 4*1000+2*4096) // four documents, and twice what the parser reads ahead
	for _, c := range []struct{ name, row, want string }{
		{"a quote in a field", "a\"" + long, "document of more than"},
		{"a quote after a field in quotes", "\"a\n\"b" + long, "document of more than"},
		{"a quote and commas", "a\"" + strings.Repeat(",", 1000/4+2*4096), "of ',' in a row"},
		{"no quote", long, "document of more than"},
	} {
		for _, raw := range []bool{false, true} {
			src := Source{Path: "-", Format: "csv", Input: strings.NewReader("text\nx\n" + c.row + "\ny\n"), MaxDocument: 1000, SkipBad: 10}
			if rows, err := countRows(src, raw); rows != 1 || wrongError(err, c.want) {
				t.Errorf("%s, raw=%t: %d rows, error %v, want 1 row and %q", c.name, raw, rows, err, c.want)
			}
		}
	}
}

// The memory of a row is that of its bytes, or of its values in a Parquet file.
func TestRawRowMemory(t *testing.T) {
	const n = 1000
	var list bytes.Buffer
	w := parquet.NewGenericWriter[foreign](&list)
	if _, err := w.Write([]foreign{{Text: "text", Tags: make([]string, n)}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	value := int64(reflect.TypeFor[parquet.Value]().Size())
	for _, c := range []struct {
		name, file, content string
		want                int64
	}{
		{"texts", "a.csv", "id,text\na,text\n", 7},
		{"a line", "a.lines", "text\n", 5},
		{"a list", "a.parquet", list.String(), (5+n)*value + 4},
	} {
		path := filepath.Join(write(t, c.file, c.content), c.file)
		src := Source{Path: path}
		if c.file == "a.lines" {
			src.Format = "lines"
		}
		r, err := OpenRaw(src)
		if err != nil {
			t.Fatal(err)
		}
		row, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := row.Memory(); got < c.want || got > c.want+100 { // the list's neighbours have a few bytes
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
		r.Close()
	}
}
