package datasets

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// foreign is a row of a file that this package does not write: with numbers,
// nested columns and columns that are not in the order of their names.
type foreign struct {
	ID    int64    `parquet:"id"`
	Text  string   `parquet:"text"`
	Score *float64 `parquet:"score"`
	Tags  []string `parquet:"tags,list"`
	From  struct {
		URL  string `parquet:"url"`
		Year int32  `parquet:"year"`
	} `parquet:"from"`
	Done bool `parquet:"done"`
}

func foreignFile(t testing.TB, n int, text func(i int) string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[foreign](&b, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(100))
	half := 0.5
	for i := range n {
		row := foreign{ID: int64(i), Text: text(i), Tags: []string{"x", "y"}[:i%3]}
		if i%2 == 0 {
			row.Score, row.From.URL, row.From.Year, row.Done = &half, "u", 2001, true
		}
		if _, err := w.Write([]foreign{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestParquet(t *testing.T) {
	text := func(i int) string { return strings.Repeat("a ", i) + "天" }
	data := foreignFile(t, 250, text)
	for _, pack := range []string{string(data), string(gz(t, string(data)))} {
		path := filepath.Join(write(t, "a", pack), "a")
		rows, err := readAll(Source{Path: path})
		if err != nil || len(rows) != 250 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for i, r := range rows {
			if r.Line != i+1 || r.Doc.Text != text(i) || r.Doc.ID != r.Fields[0].JSON {
				t.Fatalf("row %d is %q of %d bytes at %d", i, r.Doc.ID, len(r.Doc.Text), r.Line)
			}
		}
		want := []Field{{"id", "2", "2"}, {"text", "a a 天", ""}, {"score", "0.5", "0.5"}, {"tags", `["x","y"]`, `["x","y"]`},
			{"from", `{"url":"u","year":2001}`, `{"url":"u","year":2001}`}, {"done", "true", "true"}}
		if !reflect.DeepEqual(rows[2].Fields, want) {
			t.Errorf("fields %q, want %q", rows[2].Fields, want)
		}
		if f := rows[1].Fields[2]; f != (Field{"score", "", "null"}) {
			t.Errorf("a null is %q", f)
		}
	}
	_, err := readAll(Source{Path: "-", Input: bytes.NewReader(data), Text: []string{"body"}})
	if err == nil || !strings.Contains(err.Error(), `datasets: -:1: no column "body"; the columns are "id", "text", "score"`) {
		t.Errorf("a column that is not there: %v", err)
	}
	_, err = readAll(Source{Path: "-", Input: bytes.NewReader(foreignFile(t, 3, func(i int) string { return "a\xff"[:1+i%2] }))})
	if err == nil || !strings.Contains(err.Error(), `datasets: -:2: column "text": byte 2 is no UTF-8`) {
		t.Errorf("no UTF-8: %v", err)
	}
}

func TestParquetPairs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dev.parquet")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range [][]Field{
		{{Name: "sentence2", Value: "b"}, {Name: "sentence1", Value: "a"}, {Name: "label", Value: "1"}},
		{{Name: "sentence2", Value: "c"}, {Name: "sentence1", Value: "a"}, {Name: "label", Value: "0"}},
	} {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []Pair{{A: 0, B: 1, Label: 1, Grade: 1, Split: Dev}, {A: 0, B: 2, Split: Dev}}
	if !slices.Equal(s.Pairs, want) || s.Docs[0].Text != "a" {
		t.Errorf("%q, %v, want %v", s.Docs, s.Pairs, want)
	}
}

// TestParquetDamage cuts a file everywhere and turns bits: the result is an error
// or, where a bit of a text has turned, rows; no temporary file is left.
func TestParquetDamage(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	data := foreignFile(t, 20, func(i int) string { return strings.Repeat("a", i) })
	for n := 0; n < len(data); n += 3 {
		if _, err := readAll(Source{Path: "-", Format: "parquet", Input: bytes.NewReader(data[:n])}); err == nil || !strings.HasPrefix(err.Error(), "datasets: ") {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(data), err)
		}
	}
	for i := 0; i < len(data); i += 7 {
		damaged := bytes.Clone(data)
		damaged[i] ^= 1 << (i % 8)
		if _, err := readAll(Source{Path: "-", Format: "parquet", Input: bytes.NewReader(damaged)}); err != nil && !strings.HasPrefix(err.Error(), "datasets: ") {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	data = foreignFile(t, 3, func(int) string { return "" })
	footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	for bit := range 8 * 200 { // the schema, which the directory begins with
		damaged := bytes.Clone(data)
		damaged[footer+bit/8] ^= 1 << (bit % 8)
		if _, err := readAll(Source{Path: "-", Format: "parquet", Input: bytes.NewReader(damaged)}); err != nil && !strings.HasPrefix(err.Error(), "datasets: ") {
			t.Fatalf("bit %d of the schema: %v", bit, err)
		}
	}
	if entries, _ := os.ReadDir(tmp); len(entries) > 0 {
		t.Errorf("%d temporary files are left", len(entries))
	}
}

// A row that lacks a value cannot be written: the values of the rows after it
// would move up.
func TestCopierRefusesDamagedRows(t *testing.T) {
	data := foreignFile(t, 3, func(int) string { return "text" })
	const values = 18 // where the header of the first page has their number, as a zigzag varint
	if data[values] != 2*3 {
		t.Fatalf("byte %d is %d, want the number of values", values, data[values])
	}
	data[values] = 2 * 2
	r, err := OpenRaw(Source{Path: "-", Input: bytes.NewReader(data)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := NewCopier(io.Discard, r)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewExtender(io.Discard, r, Column{"n", int64(0)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "", "datasets: copy row 3 of -: damaged: values are missing"} {
		row, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{c.Write(row), e.Write(row, int64(i))} {
			if (err != nil) != (want != "") || want != "" && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("row %d: error %v, want %q", row.Line, err, want)
			}
		}
	}
}

// A row has the values of its columns in order, and a column begins with
// a value that repeats none.
func TestParquetSound(t *testing.T) {
	p := &parquetCutter{kinds: []parquet.Kind{parquet.Int64, parquet.ByteArray}}
	n, text, null := parquet.ValueOf(int64(1)), parquet.ValueOf("a"), parquet.NullValue()
	for _, c := range []struct {
		name string
		row  parquet.Row
		want bool
	}{
		{"plain", parquet.Row{n.Level(0, 0, 0), text.Level(0, 0, 1)}, true},
		{"a list", parquet.Row{n.Level(0, 0, 0), text.Level(0, 1, 1), text.Level(1, 1, 1)}, true},
		{"null", parquet.Row{n.Level(0, 0, 0), null.Level(0, 0, 1)}, true},
		{"empty", nil, false},
		{"the first column is missing", parquet.Row{text.Level(0, 0, 1)}, false},
		{"the last column is missing", parquet.Row{n.Level(0, 0, 0)}, false},
		{"a column too many", parquet.Row{n.Level(0, 0, 0), text.Level(0, 0, 1), n.Level(0, 0, 2)}, false},
		{"another kind", parquet.Row{n.Level(0, 0, 0), n.Level(0, 0, 1)}, false},
		{"two values", parquet.Row{n.Level(0, 0, 0), text.Level(0, 0, 1), text.Level(0, 0, 1)}, false},
		{"the rest of a list", parquet.Row{n.Level(0, 0, 0), text.Level(1, 1, 1)}, false},
	} {
		if got := p.sound(c.row); got != c.want {
			t.Errorf("%s: sound is %t, want %t", c.name, got, c.want)
		}
	}
}
