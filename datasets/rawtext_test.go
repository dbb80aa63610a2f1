package datasets

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A row with another text is read with that text, and with all else as before.
func TestSetText(t *testing.T) {
	texts := []string{"plain", "two\nlines", `"quoted", \ and <é>`, "\u2028 tab\t.", " spaces ", "一行"}
	parquet := string(foreignFile(t, 6, func(i int) string { return fmt.Sprint("text ", i) }))
	for name, content := range map[string]string{
		"a.jsonl":   "{\"id\":\"a\",\"text\":\"x\",\"n\":1.50}\n\n {\"n\":[{\"text\":1}] , \"text\" : \"\\u00e9\" , \"id\":\"b\"} \r\n{\"text\":\"first\",\"id\":\"c\",\"text\":\"last\"}",
		"a.csv":     "id,text,note\r\na,\"x\r\ny\",1\r\n\r\nb,\"a \"\"quote\"\"\",\"2,\"\r\nc,z,3",
		"a.tsv":     "id\ttext\na\tx\n\nb\ty \"z\"\n",
		"b.tsv":     "id\t\"text\"\na\t\"x\ty\"\nb\tz\n",
		"a.parquet": parquet,
		"a.txt":     "one\ntwo\n",
	} {
		r := rand.New(rand.NewPCG(1, 1))
		path := filepath.Join(write(t, name, content), name)
		in, err := OpenRaw(Source{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		var p Parser
		rows := 0
		for {
			row, err := in.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			rows++
			for range 4 {
				before, err := p.Row(row)
				if err != nil {
					t.Fatal(err)
				}
				text := texts[r.IntN(len(texts))]
				if name == "a.tsv" && strings.ContainsAny(text, "\t\n") {
					continue
				}
				changed, err := p.SetText(row, text)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				after, err := p.Row(changed)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				last := -1
				for i, f := range before.Fields {
					if f.Name == "text" {
						last = i
					}
				}
				want := before
				want.Doc.Text = text
				want.Fields = append([]Field{}, before.Fields...)
				want.Fields[last].Value = text
				if j := after.Fields[last].JSON; (j == "") != (want.Fields[last].JSON == "") {
					t.Errorf("%s: the text is %q in JSON", name, j)
				}
				want.Fields[last].JSON = after.Fields[last].JSON
				if !reflect.DeepEqual(after, want) {
					t.Errorf("%s: read\n%+v, want\n%+v", name, after, want)
				}
			}
		}
		if rows == 0 {
			t.Errorf("%s has no rows", name)
		}
	}
}

// The rest of a JSON object stays as it is spelled.
func TestSetTextKeepsTheRow(t *testing.T) {
	path := filepath.Join(write(t, "a.jsonl", "\n {\"n\": 1.50,\"text\" :\"x\", \"e\":\"\\u00e9\"}\r\n"), "a.jsonl")
	in, err := OpenRaw(Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	row, err := in.Next()
	if err != nil {
		t.Fatal(err)
	}
	row, err = new(Parser).SetText(row, "a \"b\"")
	if want := "\n {\"n\": 1.50,\"text\" :\"a \\\"b\\\"\", \"e\":\"\\u00e9\"}\r\n"; err != nil || string(row.Bytes) != want {
		t.Errorf("%q, %v, want %q", row.Bytes, err, want)
	}
}

func TestSetTextRefuses(t *testing.T) {
	for _, c := range []struct {
		src  Source
		text string
		want string
	}{
		{Source{HTML: true}, "x", "HTML"},
		{Source{Text: []string{"text", "id"}}, "x", "2 columns"},
		{Source{Text: []string{"a.b"}}, "x", "path"},
		{Source{}, "two\nlines", "is no line"},
		{Source{}, "a\ttab", "is no line"},
		{Source{Format: "lines"}, " ", "is no line"},
	} {
		c.src.Path = filepath.Join(write(t, "a.tsv", "id\ttext\ta.b\na\tx\ty\n"), "a.tsv")
		in, err := OpenRaw(c.src)
		if err != nil {
			t.Fatal(err)
		}
		row, err := in.Next()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := new(Parser).SetText(row, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.src, err, c.want)
		}
		in.Close()
	}
}

// Contract takes off what an Extender has added: the rows are those that it was given.
func TestContract(t *testing.T) {
	parquet := string(foreignFile(t, 20, func(i int) string { return strings.Repeat("a ", i) }))
	for name, content := range map[string]string{
		"a.jsonl": "{\"text\": \"x\" }\r\n\n{\"text\":\",\\\"s\\\":1}\"}\n", "a.csv": "text\r\n\"x\ny\"\r\nz\r\n", "a.tsv": "text\tx\na\tb\n", "a.parquet": parquet,
	} {
		path := filepath.Join(write(t, name, content), name)
		src := Source{Path: path}
		r, err := OpenRaw(src)
		if err != nil {
			t.Fatal(err)
		}
		extended := filepath.Join(filepath.Dir(path), "b"+filepath.Ext(name))
		f, err := os.Create(extended)
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewExtender(f, r, Column{"s", int64(0)})
		if err != nil {
			t.Fatal(err)
		}
		for i := int64(0); ; i++ {
			row, err := r.Next()
			if err == io.EOF {
				break
			}
			if err == nil {
				err = e.Write(row, i)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		back, err := OpenLike(extended, r.Layout())
		if err != nil {
			t.Fatal(err)
		}
		back.Contract("s")
		c, err := NewCopier(io.Discard, back)
		if err != nil {
			t.Fatal(err)
		}
		again, err := OpenRaw(src)
		if err != nil {
			t.Fatal(err)
		}
		var p Parser
		for n := 0; ; n++ {
			want, err := again.Next()
			got, err2 := back.Next()
			if err != err2 {
				t.Fatalf("%s: row %d: %v, want %v", name, n, err2, err)
			}
			if err == io.EOF {
				break
			}
			if string(got.Bytes) != string(want.Bytes) {
				t.Errorf("%s: row %d is %q, want %q", name, n, got.Bytes, want.Bytes)
			}
			a, err := p.Record(got)
			b, err2 := p.Record(want)
			if err != nil || err2 != nil || !reflect.DeepEqual(a.Fields, b.Fields) {
				t.Errorf("%s: row %d is read as %+v, %v, want %+v, %v", name, n, a, err, b, err2)
			}
			if err := c.Write(want); err != nil { // stands beside rows that were not extended
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
