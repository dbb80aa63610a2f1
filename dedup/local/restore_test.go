package local

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/alike-go/alike/datasets"
)

func write(t testing.TB, path string, content []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func dedupOf(t testing.TB, o Options, sources ...datasets.Source) *Report {
	t.Helper()
	o.Sources, o.Method, o.Verify = sources, exact(t), exact(t)
	if o.Threshold == 0 {
		o.Threshold = .6
	}
	rep, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// odd are files with whatever a format allows around its rows. Each has rows that are
// removed: first, last, in the middle.
var odd = map[string]string{
	"plain.jsonl":  "{\"text\":\"a b c\"}\n{\"text\":\"d\"}\n{\"text\":\"a b c\", \"n\":1.50}\n{\"text\":\"e\"}\n{\"text\":\"d\"}\n",
	"open.jsonl":   "{\"text\":\"a b c\"}\n{\"text\":\"d\"}\n{\"text\":\"a b c\"}",
	"kept.jsonl":   "{\"text\":\"a b c\"}\n{\"text\":\"a b c\"}\n{\"text\":\"d\"}",
	"blank.jsonl":  "\xef\xbb\xbf\n\n{\"text\":\"a b c\"}\r\n  \n{\"text\":\"a b c\"}\n\n{\"text\":\"d\"}\n\n\n",
	"bad.jsonl":    "no\n{\"text\":\"a\"}\n{\"n\":1}\n{\"text\":\"a\"}\n{\"text\":\"\xff\"}\n{\"text\":\"b\"}\n]",
	"none.jsonl":   "",
	"only.jsonl":   "\n\n",
	"crlf.csv":     "id,text\r\n1,\"a, \"\"b\"\"\r\nc\"\r\n2,d\r\n\r\n3,\"a, \"\"b\"\"\r\nc\"\r\n4,e",
	"header.csv":   "id,text",
	"bad.csv":      "id,text\n1,a b\n2\n3,\"x\"y\n4,a b\n5,c\n6,\"never closed\n7,d\n",
	"semi.csv":     "id;text\n1;\"a; b\"\n2;c, d\n3;\"a; b\"\n",
	"plain.tsv":    "id\ttext\n1\ta \"b\"\n\n2\ta \"b\"\n3\tc\n",
	"quoted.tsv":   "id\t\"text\"\n1\tc\n2\t\"a\tb\"\n3\tc\n4\t\"a\tb\"\n",
	"unquoted.tsv": "id\ttext\n1\t\"a\tb\"\n2\t\"a\tb\"\n3\tc\n",
	"lines.txt":    "a b\n\nc\r\na b\nc",
	"text.gz":      "{\"text\":\"a b c\"}\n{\"text\":\"a b c\"}\n\n{\"text\":\"d\"}",
}

// oddSource writes one of the odd files, and returns its source.
func oddSource(t *testing.T, dir, name string) datasets.Source {
	t.Helper()
	src, file := datasets.Source{Path: filepath.Join(dir, name)}, []byte(odd[name])
	switch name {
	case "lines.txt":
		src.Format = "lines"
	case "semi.csv":
		src.Delimiter = ";"
	case "text.gz":
		src.Path, file = filepath.Join(dir, "a.jsonl.gz"), pack(t, odd[name])
	}
	write(t, src.Path, file)
	return src
}

func TestRestoreGivesTheBytesBack(t *testing.T) {
	for name, content := range odd {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			src := oddSource(t, dir, name)
			out := filepath.Join(dir, "out")
			rep := dedupOf(t, Options{Out: out, SkipBad: 9}, src)
			if rep.Equal == 0 && !strings.HasPrefix(content, "id,text") && len(content) > 2 && name != "bad.csv" {
				t.Fatalf("nothing is removed: %+v", rep)
			}
			back := filepath.Join(dir, "back")
			paths, err := Restore(t.Context(), out, back)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(back)
			if name == "text.gz" {
				got = unpack(t, got)
			}
			if err != nil || string(got) != content || !reflect.DeepEqual(paths, []string{back}) {
				t.Errorf("restored %v %q, %v, want %q", paths, got, err, content)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".back*")); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Of a file in another encoding the text comes back in UTF-8, and is the same bytes
// when it is converted.
func TestRestoreGivesTheTextBack(t *testing.T) {
	const text = "id,text\r\n1,北京 is a city\r\n2,a b c\r\n3,北京 is a city"
	for name, e := range map[string]encoding.Encoding{
		"GB18030": simplifiedchinese.GB18030, "utf-16": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	} {
		dir := t.TempDir()
		content, err := e.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		src := datasets.Source{Path: write(t, filepath.Join(dir, "in.csv"), content), Encoding: name}
		out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back.csv")
		if rep := dedupOf(t, Options{Out: out}, src); rep.Equal != 1 {
			t.Errorf("%s: %+v", name, rep)
		}
		if _, err := Restore(t.Context(), out, back); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(back)
		if err != nil || strings.TrimPrefix(string(got), "\ufeff") != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if name == "utf-16" { // the encoder writes a mark of its own
			got = bytes.TrimPrefix(got, []byte("\ufeff"))
		}
		if again, err := e.NewEncoder().Bytes(got); err != nil || !bytes.Equal(again, content) {
			t.Errorf("%s: converted back %q, %v, want %q", name, again, err, content)
		}
		o := Options{Out: filepath.Join(dir, "more"), Sources: []datasets.Source{src}, Against: []datasets.Source{src}, Update: true, Method: exact(t), Verify: exact(t), Threshold: .6}
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "want it in UTF-8 for an update") {
			t.Errorf("%s: update: %v", name, err)
		}
	}
}

// Files that hold no row are files all the same, wherever they stand.
func TestRestoreGivesEmptyFilesBack(t *testing.T) {
	for ending, content := range map[string][]string{
		".jsonl": {"", "{\"text\":\"a b c\"}\n", "", "\n\n", "{\"text\":\"a b c\"}", "\ufeff", "", "{\"text\":\"d e f\"}\n", "", ""},
		".csv":   {"text\n", "text\na b c\n", "text\n", "text", "text\na b c\nd e f\n", "text\n\n"},
	} {
		dir := t.TempDir()
		in, out, back := filepath.Join(dir, "in"), filepath.Join(dir, "out"), filepath.Join(dir, "back")
		if err := os.Mkdir(in, 0o777); err != nil {
			t.Fatal(err)
		}
		for i, c := range content {
			write(t, filepath.Join(in, strconv.Itoa(i)+ending), []byte(c))
		}
		if rep := dedupOf(t, Options{Out: out}, datasets.Source{Path: in}); rep.Equal != 1 || rep.Rows != 3 {
			t.Errorf("%s: %d of %d rows are equal, want 1 of 3", ending, rep.Equal, rep.Rows)
		}
		if _, err := Restore(t.Context(), out, back); err != nil {
			t.Fatal(err)
		}
		for i, want := range content {
			if got, err := os.ReadFile(filepath.Join(back, strconv.Itoa(i)+ending)); err != nil || string(got) != want {
				t.Errorf("file %d%s: %q, %v, want %q", i, ending, got, err, want)
			}
		}
	}
}

// Bad rows of old documents are said to be bad, and are none of what is restored.
func TestRestoreBesideOldBadRows(t *testing.T) {
	dir := t.TempDir()
	src, old := datasets.Source{Path: filepath.Join(dir, "new.jsonl")}, datasets.Source{Path: filepath.Join(dir, "old.jsonl")}
	content := `{"text":"a b c"}` + "\nbad too\n" + `{"text":"d e f"}` + "\n" + `{"text":"d e f"}` + "\n"
	write(t, src.Path, []byte(content))
	write(t, old.Path, []byte("no document\n"+`{"text":"a b c"}`+"\nbad\n"))
	out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back")
	said := 0
	rep := dedupOf(t, Options{Out: out, SkipBad: 3, OnBad: func(error) { said++ }, Against: []datasets.Source{old}}, src)
	if rep.Equal != 2 || rep.Unreadable != 1 || said != 3 {
		t.Errorf("%d equal, %d unreadable, %d said to be bad, want 2, 1 and 3", rep.Equal, rep.Unreadable, said)
	}
	if _, err := Restore(t.Context(), out, back); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(back); err != nil || string(got) != content {
		t.Errorf("restored %q, %v, want %q", got, err, content)
	}
}

func pack(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpack(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Several sources, one of them a folder of several files, come back as they were.
func TestRestoreSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{
		"x/a.jsonl":   odd["blank.jsonl"],
		"x/b/c.jsonl": odd["open.jsonl"],
		"x/b/d.jsonl": odd["kept.jsonl"],
		"y.jsonl":     odd["plain.jsonl"],
		"z.jsonl":     odd["none.jsonl"],
	}
	for name, content := range want {
		write(t, filepath.Join(dir, "in", name), []byte(content))
	}
	var sources []datasets.Source
	for _, p := range []string{"x", "z.jsonl", "y.jsonl"} {
		sources = append(sources, datasets.Source{Path: filepath.Join(dir, "in", p), PathIDs: true})
	}
	dedupOf(t, Options{Out: filepath.Join(dir, "out")}, sources...)
	if _, err := Restore(t.Context(), filepath.Join(dir, "out"), filepath.Join(dir, "back")); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, filepath.Join(dir, "back")); !reflect.DeepEqual(got, want) {
		t.Errorf("restored %q, want %q", got, want)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "out", "kept.jsonl"))
	if err != nil || bytes.Count(kept, []byte("a b c")) != 1 {
		t.Errorf("kept %q, %v", kept, err)
	}
}

// Files of text stay files.
func TestRestoreText(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"a.txt": "one two\n", "b/a.txt": "one two\n", "b/c.txt": "three", "d.txt": "\n\n"}
	for name, content := range want {
		write(t, filepath.Join(dir, "in", name), []byte(content))
	}
	out := filepath.Join(dir, "out")
	rep := dedupOf(t, Options{Out: out}, datasets.Source{Path: filepath.Join(dir, "in")})
	if rep.Equal != 1 || rep.WithoutFeatures != 1 {
		t.Errorf("%+v", rep)
	}
	if got := readTree(t, filepath.Join(out, "removed")); !reflect.DeepEqual(got, map[string]string{"b/a.txt": "one two\n"}) {
		t.Errorf("removed %q", got)
	}
	if _, err := Restore(t.Context(), out, filepath.Join(dir, "back")); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, filepath.Join(dir, "back")); !reflect.DeepEqual(got, want) {
		t.Errorf("restored %q, want %q", got, want)
	}
}

type typed struct {
	ID   int64    `parquet:"id"`
	Text string   `parquet:"text"`
	Tags []string `parquet:"tags,list"`
	At   *float64 `parquet:"at"`
}

func TestRestoreParquet(t *testing.T) {
	dir := t.TempDir()
	var rows []typed
	for i := range 300 {
		r := typed{ID: int64(i), Text: fmt.Sprint("text ", i/3), Tags: []string{"a", "b"}[:i%3%2]}
		if i%2 == 0 {
			v := float64(i) / 2
			r.At = &v
		}
		rows = append(rows, r)
	}
	in, out, back := filepath.Join(dir, "a.parquet"), filepath.Join(dir, "out"), filepath.Join(dir, "back.parquet")
	if err := parquet.WriteFile(in, rows); err != nil {
		t.Fatal(err)
	}
	dedupOf(t, Options{Out: out, Threshold: 1}, datasets.Source{Path: in})
	if _, err := Restore(t.Context(), out, back); err != nil {
		t.Fatal(err)
	}
	kept, err := parquet.ReadFile[typed](filepath.Join(out, "kept.parquet"))
	if err != nil || len(kept) != 100 || !reflect.DeepEqual(kept[1], rows[3]) {
		t.Errorf("kept %d rows, %v", len(kept), err)
	}
	got, err := parquet.ReadFile[typed](back)
	if err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("restored %d rows, %v", len(got), err)
	}
}

// A damaged row of a Parquet file can be skipped, but not kept: a run that would
// write it ends with an error and leaves no output.
func TestRunRefusesDamagedParquet(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	if err := parquet.Write(&b, []typed{{ID: 1, Text: "a b"}, {ID: 2, Text: "c d"}, {ID: 3, Text: "a b"}}); err != nil {
		t.Fatal(err)
	}
	const values = 18 // where the header of the first page has their number, as a zigzag varint
	if b.Bytes()[values] != 2*3 {
		t.Fatalf("byte %d is %d, want the number of values", values, b.Bytes()[values])
	}
	b.Bytes()[values] = 2 * 2
	in := write(t, filepath.Join(dir, "a.parquet"), b.Bytes())
	o := Options{Out: filepath.Join(dir, "out"), Threshold: 1, SkipBad: 1, Method: exact(t), Verify: exact(t), Sources: []datasets.Source{{Path: in}}}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "row 3 of "+in+": damaged") {
		t.Errorf("error %v, want one that names file and row", err)
	}
	if _, err := os.Stat(o.Out); err == nil {
		t.Error("the run has left an output")
	}
	o.Out, o.DropText = filepath.Join(dir, "dropped"), true
	if rep, err := Run(context.Background(), o); err != nil || rep.Kept != 2 {
		t.Errorf("without the removed texts: %+v, %v, want 2 rows kept", rep, err)
	}
}

// Rows that were converted come back in the other format.
func TestRestoreConverted(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "a.csv"), []byte("id,text\n1,\"a\nb\"\n2,\"a\nb\"\n3,c\n"))
	for format, want := range map[string]string{
		"jsonl": "{\"id\":\"1\",\"text\":\"a\\nb\"}\n{\"id\":\"2\",\"text\":\"a\\nb\"}\n{\"id\":\"3\",\"text\":\"c\"}\n",
		"csv":   "id,text\n1,\"a\nb\"\n2,\"a\nb\"\n3,c\n",
	} {
		out, back := filepath.Join(dir, format), filepath.Join(dir, "back."+format)
		dedupOf(t, Options{Out: out, Format: format}, datasets.Source{Path: in})
		if _, err := Restore(t.Context(), out, back); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(back); err != nil || string(got) != want {
			t.Errorf("%s: restored %q, %v, want %q", format, got, err, want)
		}
	}
}

// Rows that become Parquet come back as they were converted, also where none is removed: a
// file without a row would have no columns.
func TestRestoreConvertedToParquet(t *testing.T) {
	for _, rows := range []string{"1\ta b\n2\tc\n", "1\ta b\n2\ta b\n", ""} {
		dir := t.TempDir()
		in := write(t, filepath.Join(dir, "a.tsv"), []byte("id\ttext\n"+rows))
		out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back.parquet")
		dedupOf(t, Options{Out: out, Format: "parquet"}, datasets.Source{Path: in})
		_, err := Restore(t.Context(), out, back)
		if rows == "" {
			if err == nil {
				t.Error("a Parquet file without columns is restored")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, want := readDocs(t, back), readDocs(t, in); !reflect.DeepEqual(got, want) {
			t.Errorf("restored %q, want %q", got, want)
		}
	}
}

func readDocs(t testing.TB, path string) (out []datasets.Doc) {
	t.Helper()
	r, err := datasets.OpenRaw(datasets.Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var p datasets.Parser
	for {
		raw, err := r.Next()
		if err == io.EOF {
			return out
		}
		row, err2 := p.Row(raw)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		out = append(out, row.Doc)
	}
}

// The tables of kept and of removed rows have the same columns, whichever fields the first row of
// each has.
func TestRestoreConvertedOfOtherOrder(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "a.jsonl"), []byte("{\"id\":1,\"text\":\"a b\",\"n\":2}\n{\"text\":\"a b\",\"id\":3}\n{\"n\":4,\"id\":5,\"text\":\"a b\"}\n"))
	want := "id,text,n\n1,a b,2\n3,a b,\n5,a b,4\n"
	out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back")
	dedupOf(t, Options{Out: out, Format: "csv"}, datasets.Source{Path: in})
	if _, err := Restore(t.Context(), out, back); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(back); err != nil || string(got) != want {
		t.Errorf("restored %q, %v, want %q", got, err, want)
	}
	more := write(t, filepath.Join(dir, "more.jsonl"), []byte("{\"text\":\"a b\"}\n{\"text\":\"a b\",\"x\":3}\n"))
	refused(t, Options{Sources: []datasets.Source{{Path: more}}, Format: "csv", Out: filepath.Join(dir, "other")}, "more.jsonl:2")
}

func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "a.jsonl"), []byte(odd["plain.jsonl"]))
	out := filepath.Join(dir, "out")
	dedupOf(t, Options{Out: out}, datasets.Source{Path: in})
	if _, err := Restore(t.Context(), out, in); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v, want that the file exists", err)
	}
	kept := filepath.Join(out, "kept.jsonl")
	whole, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for change, content := range map[string]string{
		"another row": string(whole) + "{\"text\":\"x\"}\n",
		"a row less":  string(whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1]),
		"a byte":      strings.Replace(string(whole), "d", "x", 1),
	} {
		write(t, kept, []byte(content))
		if _, err := Restore(t.Context(), out, filepath.Join(dir, "back")); err == nil {
			t.Errorf("%s: no error", change)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "back")); err == nil {
		t.Error("a file is there that is not what it was")
	}
	if _, err := Restore(t.Context(), dir, filepath.Join(dir, "back")); err == nil {
		t.Error("no error for a folder that no run has made")
	}
	dropped := filepath.Join(dir, "dropped")
	dedupOf(t, Options{Out: dropped, DropText: true}, datasets.Source{Path: in})
	if _, err := Restore(t.Context(), dropped, filepath.Join(dir, "back")); err == nil || !strings.Contains(err.Error(), "dropped") {
		t.Errorf("error %v, want that the removed documents were dropped", err)
	}
}

// Restore reports changed and lost texts, whatever their names and contents
// are.
func TestRestoreChecksTexts(t *testing.T) {
	texts := map[string]string{"a.txt": "a b c", "a/b.txt": "\xef\xbb\xbfd e\r\n", "c.txt": "a b c", "empty.txt": "", "z.txt.gz": string(pack(t, "packed text"))}
	folder := func(t *testing.T) string {
		dir := filepath.Join(t.TempDir(), "in")
		for name, text := range texts {
			write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
		}
		return dir
	}
	single := func(t *testing.T) []datasets.Source { return []datasets.Source{{Path: folder(t)}} }
	several := func(t *testing.T) (out []datasets.Source) {
		dir := folder(t)
		for name := range texts {
			out = append(out, datasets.Source{Path: filepath.Join(dir, filepath.FromSlash(name)), Format: "text"})
		}
		return out
	}
	for name, sources := range map[string]func(*testing.T) []datasets.Source{"folder": single, "files": several} {
		for what, change := range map[string]func(t *testing.T, path string){
			"whole":   func(*testing.T, string) {},
			"changed": func(t *testing.T, path string) { write(t, path, []byte("other")) },
			"lost": func(t *testing.T, path string) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				dir := t.TempDir()
				out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back")
				dedupOf(t, Options{Out: out, MaxDrop: 1}, sources(t)...)
				change(t, filepath.Join(out, "kept", "a", "b.txt"))
				_, err := Restore(t.Context(), out, back)
				if what == "whole" && err != nil {
					t.Fatal(err)
				}
				if what != "whole" && (err == nil || !strings.Contains(err.Error(), "have been changed")) {
					t.Errorf("error %v, want one that says that files have been changed", err)
				}
				if _, err := os.Stat(back); (err == nil) != (what == "whole") {
					t.Errorf("%s: %v", back, err)
				}
			})
		}
	}
}

// A damaged byte in the layout never makes Restore panic.
func TestRestoreOfDamagedLayout(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	source := datasets.Source{Path: write(t, filepath.Join(dir, "in.jsonl"), []byte(odd["plain.jsonl"]))}
	dedupOf(t, Options{Out: out, MaxDrop: 1}, source)
	path := filepath.Join(out, LayoutFile)
	layout, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range layout {
		damaged := bytes.Clone(layout)
		damaged[at] = []byte{layout[at] ^ 1, layout[at] ^ 4, '-', '9'}[at%4]
		write(t, path, damaged)
		back := filepath.Join(dir, "back")
		if _, err := Restore(t.Context(), out, back); err == nil {
			if got, err := os.ReadFile(back); err != nil || string(got) != odd["plain.jsonl"] {
				t.Errorf("byte %d is %q: restored %q, %v", at, damaged[at], got, err)
			}
			os.RemoveAll(back)
		}
	}
}

// A folder of more texts than a chunk has is compared with its sum, too.
func TestRestoreOfManyTexts(t *testing.T) {
	dir := t.TempDir()
	for i := range chunkRows + 10 {
		write(t, filepath.Join(dir, "in", fmt.Sprint(i)), fmt.Appendf(nil, "text %d", i%500))
	}
	out := filepath.Join(dir, "out")
	dedupOf(t, Options{Out: out, MaxDrop: 1}, datasets.Source{Path: filepath.Join(dir, "in")})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if _, err := Restore(ctx, out, filepath.Join(dir, "back")); err != nil {
		t.Error(err)
	}
}

// A restore that is cancelled ends with the error of its context and leaves
// nothing.
func TestRestoreCancelled(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	dedupOf(t, Options{Out: out, MaxDrop: 1}, datasets.Source{Path: jsonl(t, dir, "a", sample(3, 20))})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Restore(ctx, out, filepath.Join(dir, "back")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// A row of Parquet that is no document is converted with the others.
func TestRestoreConvertedBadRow(t *testing.T) {
	type row struct {
		ID   string  `parquet:"id"`
		Text *string `parquet:"text,optional"`
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "a.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	text := "some words of a text"
	w := parquet.NewGenericWriter[row](f)
	if _, err := w.Write([]row{{"1", &text}, {"2", nil}, {"3", &text}}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back.jsonl")
	if rep := dedupOf(t, Options{Out: out, MaxDrop: 1, SkipBad: 1, Format: "jsonl"}, datasets.Source{Path: f.Name()}); rep.Unreadable != 1 || rep.Equal != 1 {
		t.Fatalf("%+v", rep)
	}
	if _, err := Restore(t.Context(), out, back); err != nil {
		t.Fatal(err)
	}
	if got := len(lines(t, back)); got != 3 {
		t.Errorf("%d rows are restored, want 3", got)
	}
}

// With Counts the kept rows have the size of their clusters, and the bytes come back.
func TestCountsAreTakenOffAgain(t *testing.T) {
	for name, content := range odd {
		dir := t.TempDir()
		src := oddSource(t, dir, name)
		out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back")
		o := Options{Out: out, SkipBad: 9, Counts: true, Sources: []datasets.Source{src}, Method: exact(t), Verify: exact(t), Threshold: .6}
		_, err := Run(t.Context(), o)
		if name == "lines.txt" {
			if err == nil || !strings.Contains(err.Error(), "text without columns") {
				t.Errorf("%s: error %v, want that it has no columns", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := Restore(t.Context(), out, back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := os.ReadFile(back)
		if name == "text.gz" {
			got = unpack(t, got)
		}
		if err != nil || string(got) != content {
			t.Errorf("%s: restored %q, %v, want %q", name, got, err, content)
		}
	}
}

// The counts are those of clusters.tsv.
func TestCountsAreOfClusters(t *testing.T) {
	dir := t.TempDir()
	path := jsonl(t, dir, "a", sample(3, 400))
	for _, name := range []string{"a.jsonl", "a.csv", "a.parquet"} {
		in := filepath.Join(dir, name)
		if in != path {
			if _, err := datasets.Convert(datasets.Source{Path: path}, in, nil); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(dir, "out-"+name)
		dedupOf(t, Options{Out: out, Counts: true}, datasets.Source{Path: in})
		table, err := os.ReadFile(filepath.Join(out, "clusters.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		cluster, sizes := map[string]string{}, map[string]int{}
		for line := range strings.Lines(string(table)) {
			id, c, _ := strings.Cut(strings.TrimSpace(line), "\t")
			cluster[id] = c
			sizes[c]++
		}
		r, err := datasets.Open(datasets.Source{Path: filepath.Join(out, "kept"+filepath.Ext(name))})
		if err != nil {
			t.Fatal(err)
		}
		several := 0
		for row, err := range r.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			want := 1
			if c := cluster[row.Doc.ID]; c != "" {
				want = sizes[c]
				several++
			}
			if got, _ := row.Get(CountColumn); got != strconv.Itoa(want) {
				t.Errorf("%s: %s has %q of %q, want %d", name, row.Doc.ID, got, CountColumn, want)
			}
		}
		r.Close()
		if several < 10 {
			t.Errorf("%s: %d clusters are kept, want more", name, several)
		}
		back := filepath.Join(dir, "back-"+name)
		if _, err := Restore(t.Context(), out, back); err != nil {
			t.Fatal(err)
		}
		gotIDs, got := textsOf(t, back)
		wantIDs, want := textsOf(t, in)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotIDs, wantIDs) {
			t.Errorf("%s: other documents come back", name)
		}
	}
}
