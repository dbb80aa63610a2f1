package datasets

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestWriteRead writes documents in every format and compression and reads them.
func TestWriteRead(t *testing.T) {
	docs := []Doc{{"b", `say "a", <b>`, "en"}, {"a", "\"\"", ""}, {"c", "天地 \u2028\\", "zh"}, {"d", "", ""}}
	for i := range 200 {
		docs = append(docs, Doc{ID: strings.Repeat("x", i+1), Text: strings.Repeat("text ", i)})
	}
	for _, ext := range []string{".jsonl", ".csv", ".tsv", ".parquet"} {
		for _, pack := range []string{"", ".gz", ".zst"} {
			t.Run(ext+pack, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "docs"+ext+pack)
				want := slices.Clone(docs)
				if ext != ".tsv" {
					want = append(want, Doc{ID: "lines", Text: "a\n\tb\n"})
				}
				w, err := Create(path)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Abort()
				for _, d := range want {
					if err := w.WriteDoc(d); err != nil {
						t.Fatal(err)
					}
				}
				if entries, _ := os.ReadDir(dir); len(entries) != 1 || entries[0].Name() == filepath.Base(path) {
					t.Errorf("before Close the folder holds %v", entries)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if entries, _ := os.ReadDir(dir); len(entries) != 1 {
					t.Errorf("after Close the folder holds %v", entries)
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, src := range []Source{{Path: path}, {Path: "-", Input: bytes.NewReader(b), Format: FileFormat(path)}} {
					rows, err := readAll(src)
					if got := docsOf(rows); err != nil || !slices.Equal(got, want) {
						t.Errorf("read from %s: %d documents, %v, want %d", src.Path, len(got), err, len(want))
					}
				}
			})
		}
	}
}

// TestWritePasses wants a JSONL file back byte for byte: numbers, escapes and the
// order of its fields.
func TestWritePasses(t *testing.T) {
	const content = `{"z":1.50,"text":"\u00e9","a":[1, {"b":null}],"id":7,"n":null,"t":true}` + "\n" + `{"text":"x","id":"8"}` + "\n"
	rows, err := readAll(Source{Path: "-", Input: strings.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := NewWriter(&b, "jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Write(r.Fields); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || b.String() != content {
		t.Errorf("written %q, %v, want %q", b.String(), err, content)
	}
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(filepath.Join(dir, "a.xls")); err == nil || !strings.Contains(err.Error(), `".xls", want .jsonl`) {
		t.Errorf("unknown name: %v", err)
	}
	if _, err := Create(filepath.Join(dir, "no", "a.csv")); err == nil {
		t.Error("a file in no folder")
	}
	if _, err := NewWriter(io.Discard, "xls"); err == nil {
		t.Error("an unknown format")
	}
	tests := []struct {
		format string
		rows   [][]Field
		want   string
	}{
		{"tsv", [][]Field{{{Name: "a", Value: "x\ty"}}}, `record 1: the field "a" holds a tab`},
		{"csv", [][]Field{{{Name: "a"}}, {{Name: "b"}}}, `record 2: the field "b" is no column; the first record has "a"`},
		{"csv", [][]Field{{{Name: "a"}, {Name: "a"}}}, `two fields have the name "a"`},
		{"csv", [][]Field{{}}, "no fields"},
		{"parquet", nil, "no record to take the columns"},
		{"jsonl", [][]Field{{{Name: "a", JSON: "[\n"}}}, `the field "a": `},
	}
	for _, test := range tests {
		w, err := NewWriter(io.Discard, test.format)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range test.rows {
			err = errors.Join(err, w.Write(r))
		}
		if err = errors.Join(err, w.Close()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %v: error %v, want %q", test.format, test.rows, err, test.want)
		}
	}
	w, err := Create(filepath.Join(dir, "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	w.Abort()
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("after Abort the folder holds %v", entries)
	}
}

// TestColumns wants the header of a table without records, and no other columns
// than those stated.
func TestColumns(t *testing.T) {
	for _, ext := range []string{".jsonl", ".csv", ".tsv", ".parquet"} {
		path := filepath.Join(t.TempDir(), "pairs"+ext)
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Columns("id1", "id2"), w.Close()); err != nil {
			t.Fatalf("%s: %v", ext, err)
		}
		r, err := Open(Source{Path: path, ID: "id1", Text: []string{"id2"}})
		if err != nil {
			t.Fatalf("%s: %v", ext, err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: a record of an empty table: %v", ext, err)
		}
		r.Close()
	}
	var out bytes.Buffer
	w, err := NewWriter(&out, "tsv")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Columns("a", "a"); err == nil {
		t.Error("two columns of one name")
	}
	w, _ = NewWriter(&out, "tsv")
	if err := w.Columns("a"); err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]Field{{Name: "b"}}); err == nil {
		t.Error("a field that is no column")
	}
}

// Compression beside the writer must not change the bytes of a file: an encoder with
// one goroutine writes the same.
func TestZstdBytes(t *testing.T) {
	var text []byte
	for i := range 1 << 18 {
		text = strconv.AppendUint(text, uint64(i)*0x9e3779b97f4a7c15>>40, 36)
	}
	for _, n := range []int{0, 1, 1 << 17, 1<<17 + 1, len(text)} {
		var want, got bytes.Buffer
		z, err := zstd.NewWriter(&want, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		o, err := newOutput(&got, nil, "zst")
		if err != nil {
			t.Fatal(err)
		}
		_, errZ := z.Write(text[:n])
		_, errO := o.Write(text[:n])
		if err := errors.Join(errZ, errO, z.Close(), o.end()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes make %d, want the same %d as on one goroutine", n, got.Len(), want.Len())
		}
	}
}
