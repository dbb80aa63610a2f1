package datasets

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// FuzzOpen reads damaged files in every format: rows, bad rows that name a line
// not before that of the row before, and at the end an error of this package or
// none; never a panic.
func FuzzOpen(f *testing.F) {
	for i, s := range samples {
		for _, how := range []uint8{0, 128, 192} {
			f.Add([]byte(s.content), how+uint8(i))
		}
	}
	f.Add([]byte(`{"id":"1","a":{"b":["\u00e9",{"c":null}]}}`), uint8(128))
	f.Add([]byte("id;text\n1;\xba\xba\xff"), uint8(193))
	f.Add([]byte("\x1f\x8b\b"), uint8(0))
	f.Add([]byte("PAR1"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		formats := append(Formats(), "")
		format := formats[int(n)%len(formats)]
		if format == "parquet" || bytes.HasPrefix(data, []byte(parquetMagic)) {
			t.Skip("FuzzParquet")
		}
		src := Source{Path: "-", Input: bytes.NewReader(data), Format: format, SkipBad: 5}
		if n >= 128 {
			src.Delimiter, src.Text = ";", []string{"text", "a.b[]"}
		}
		if n >= 192 {
			src.Encoding = "gb18030"
		}
		last := 0
		src.OnBad = func(err error) {
			bad, ok := errors.AsType[*BadRow](err)
			if !ok || bad.Line < last || !strings.HasPrefix(err.Error(), "datasets: -:") {
				t.Fatalf("bad row %v after line %d", err, last)
			}
			last = bad.Line
		}
		rows, err := readAll(src)
		checkError(t, err)
		for i, r := range rows {
			if r.Line < 1 || i > 0 && r.Line <= rows[i-1].Line || r.Doc.ID == "" {
				t.Fatalf("row %d is %+v", i, r)
			}
		}
		src.Input, last = bytes.NewReader(data), 0
		set, err := ReadSet(src)
		checkError(t, err)
		if err == nil && len(set.Pairs) == 0 {
			t.Fatal("a set without pairs")
		}
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if err == io.EOF || err != nil && !strings.HasPrefix(err.Error(), "datasets: ") {
		t.Fatalf("error %v", err)
	}
}

// FuzzJSON compares the fields of a line with what encoding/json reads, and
// wants the line again from its fields.
func FuzzJSON(f *testing.F) {
	f.Add(`{"a":"b","c":[1,{"d":"]}"}],"e":{"f":null},"g":-1.5e3,"h":true}`)
	f.Add(` { "a" : "\ud83d\u0000\"\\" , "b" : [ ] } `)
	f.Add(`{"a":1,"a":2}`)
	f.Add(`{"a":"\ud83d\ude00\n天地","\u0061\"":"\\","b":"\\\"\u0000\/"}`)
	f.Add(`{"a":{"b":"}\"]"},"c":[[],{}],"d":nul,"e":01}`)
	f.Add("{\"a\":\"\x01\",}")
	f.Fuzz(func(t *testing.T, line string) {
		if !utf8.ValidString(line) {
			t.Skip("the reader of lines lets none through")
		}
		var j jsonFields
		fields, err := j.fields([]byte(line))
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal([]byte(line), &want)
		if wantErr == nil && want == nil { // null
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, encoding/json: %v", line, err, wantErr)
		}
		if err != nil {
			return
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.Token() // the brace
		for _, f := range fields {
			name, _ := d.Token()
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil || f.Name != name || f.JSON != string(raw) {
				t.Fatalf("%q: field %+v, encoding/json has %q, %q, %v", line, f, name, raw, err)
			}
		}
		last := map[string]Field{}
		for _, f := range fields {
			last[f.Name] = f
		}
		if len(last) != len(want) {
			t.Fatalf("%q has the fields %q, want %q", line, fields, want)
		}
		for name, raw := range want {
			got := last[name]
			if got.JSON != string(raw) {
				t.Fatalf("%q: the field %q is %q, want %q", line, name, got.JSON, raw)
			}
			var s string
			if raw[0] == '"' && (json.Unmarshal(raw, &s) != nil || got.Value != s) {
				t.Fatalf("%q: the field %q is %q, want %q", line, name, got.Value, s)
			}
		}
		var b bytes.Buffer
		w, _ := NewWriter(&b, "jsonl")
		if err := errors.Join(w.Write(fields), w.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := j.fields(b.Bytes())
		if err != nil || len(again) != len(fields) {
			t.Fatalf("%q is written as %q: %v", line, b.String(), err)
		}
	})
}

// FuzzDoc compares the document of a line with that of encoding/json.
func FuzzDoc(f *testing.F) {
	f.Add([]byte(`{"id":"a","text":"b\n","lang":"en","more":[1]}`))
	f.Add([]byte(`{"id":"a","id":"b","text":null,"text":"c"}`))
	f.Add([]byte(`{"text":"a\xff","id":"\t"}`))
	f.Add([]byte("{\"text\":\"a\xe4\xb8\",\"id\":\"b\"}"))
	f.Add([]byte(`{"text":"a","\u0069d":"b","lang":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var j jsonFields
		got, err := j.doc(line)
		var fields map[string]json.RawMessage // a struct would take names of other case too
		want, wantErr := Doc{}, json.Unmarshal(line, &fields)
		for name, to := range map[string]*string{"id": &want.ID, "text": &want.Text, "lang": &want.Lang} {
			if raw := fields[name]; raw != nil {
				wantErr = errors.Join(wantErr, json.Unmarshal(raw, to))
			}
		}
		if want.ID == "" || badID(want.ID) != nil || fields["text"] == nil || string(fields["text"]) == "null" {
			wantErr = errors.New("no document")
		}
		if (err == nil) != (wantErr == nil) || err == nil && got != want {
			t.Fatalf("%q is %q, %v, want %q, %v", line, got, err, want, wantErr)
		}
	})
}

// FuzzTable writes two texts as CSV and as TSV, and reads them.
func FuzzTable(f *testing.F) {
	f.Add("a", "b\"\"c")
	f.Add("\"", "a,\n\"b\"")
	f.Add("\\.", " x")
	f.Add("\x00S\x00", "\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		for _, format := range []string{"csv", "tsv"} {
			var out bytes.Buffer
			w, _ := NewWriter(&out, format)
			want := []Doc{{ID: "1", Text: a}, {ID: "2", Text: b}}
			err := errors.Join(w.WriteDoc(want[0]), w.WriteDoc(want[1]), w.Close())
			if err != nil {
				if format != "tsv" || !strings.ContainsAny(a+b, "\t\r\n") {
					t.Fatal(err)
				}
				continue
			}
			if checkEncoding(out.Bytes()) != nil {
				continue // the texts have so many NULs that the file looks like UTF-16
			}
			quotes := ""
			if format == "tsv" {
				quotes = "none"
			}
			rows, err := readAll(Source{Path: "-", Format: format, Quotes: quotes, Input: &out})
			for i := range want { // encoding/csv reads CRLF within quotes as LF
				want[i].Text = strings.ReplaceAll(want[i].Text, "\r\n", "\n")
			}
			if got := docsOf(rows); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %q, %v, want %q", format, got, err, want)
			}
		}
	})
}

// FuzzQuoted compares the rows of a quoted table with the rows that encoding/csv
// reads. Ours are cut before they are parsed.
func FuzzQuoted(f *testing.F) {
	f.Add("a,\"b\r\n\n\"\"c\"\n\nd,e\"f\ng,\"h\"i\nj,\"k")
	f.Add("\"\"\"\",\"\n\r\"x\n\"\",\r\n\r")
	f.Fuzz(func(t *testing.T, data string) {
		data = strings.ToValidUTF8(data, "")
		if checkEncoding([]byte(data)) != nil || strings.HasPrefix(data, "\ufeff") || strings.Trim(data, "\r\n") == "" {
			t.Skip("no rows")
		}
		r, err := OpenRaw(Source{Path: "-", Format: "csv", Columns: []string{"text"}, Input: strings.NewReader(data)})
		if err != nil {
			t.Fatal(err)
		}
		var p Parser
		want := csv.NewReader(strings.NewReader(data))
		want.FieldsPerRecord = -1
		var whole []byte
		for {
			row, err := r.Next()
			wanted, wantErr := want.Read()
			if err == io.EOF && wantErr == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err, wantErr)
			}
			whole = append(whole, row.Bytes...)
			got, err := p.values(&row, nil)
			if !slices.Equal(got, wanted) && wantErr == nil || (err == nil) != (wantErr == nil) {
				t.Fatalf("row %q has %q, %v, want %q, %v", row.Bytes, got, err, wanted, wantErr)
			}
			if e, ok := errors.AsType[*csv.ParseError](wantErr); ok && row.Line != e.StartLine {
				t.Fatalf("a bad row at line %d, want %d", row.Line, e.StartLine)
			} else if line := 0; !ok {
				if line, _ = want.FieldPos(0); row.Line != line {
					t.Fatalf("row %q at line %d, want %d", row.Bytes, row.Line, line)
				}
			}
		}
		if whole = append(whole, r.Layout().Tail...); string(whole) != data {
			t.Fatalf("rows and tail are %q, want %q", whole, data)
		}
	})
}

// FuzzParquet reads damaged Parquet files. The seeds are small and differ in
// what the format allows, so that mutations of a few bytes reach all of it.
func FuzzParquet(f *testing.F) {
	type row struct {
		ID   string    `parquet:"id"`
		Text string    `parquet:"text,optional,dict"`
		Many []float64 `parquet:"many,list"`
	}
	for _, options := range [][]parquet.WriterOption{
		{parquet.Compression(&parquet.Uncompressed)},
		{parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1)},
		{parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(1)},
		{parquet.Compression(&parquet.Gzip), parquet.DataPageVersion(2)},
	} {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, options...)
		_, err := w.Write([]row{{"a", "b c", []float64{1, 2}}, {"d", "", nil}})
		if err := errors.Join(err, w.Close()); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add(foreignFile(f, 3, func(int) string { return "a" }))
	f.Add([]byte("PAR1PAR1"))
	path := filepath.Join(f.TempDir(), "f") // what comes as a stream is copied to a new file each time
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := readAll(Source{Path: path, Format: "parquet"})
		checkError(t, err)
	})
}
