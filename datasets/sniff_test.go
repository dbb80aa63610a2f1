package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Documents alone have no labels. Pairs of texts have, and documents beside pairs
// or clusters.
func TestLabelled(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	docs := "{\"id\":\"a\",\"text\":\"the cat sat\"}\n{\"id\":\"b\",\"text\":\"the cat sat down\"}\n"
	write("clusters/docs.jsonl", docs)
	write("clusters/clusters.tsv", "id\tcluster\na\t1\nb\t1\n")
	write("pairs/docs.jsonl", docs)
	write("pairs/pairs-test.tsv", "id1\tid2\tlabel\na\tb\t1\n")
	write("ignored/docs.jsonl", docs)
	write("ignored/pairs-ignore.tsv", "id1\tid2\tlabel\na\tb\t1\n")
	for path, want := range map[string]bool{
		write("docs.jsonl", docs):                                              false,
		write("docs.csv", "id,text\n1,the cat sat\n"):                          false,
		write("pairs.tsv", "sentence1\tsentence2\tlabel\nthe cat\ta cat\t1\n"): true,
		filepath.Join(dir, "clusters"):                                         true,
		filepath.Join(dir, "pairs"):                                            true,
		filepath.Join(dir, "ignored"):                                          false,
		"en":                                                                   true, // a name
	} {
		if got := (Source{Path: path}).Labelled(); got != want {
			t.Errorf("%s: labelled is %v, want %v", path, got, want)
		}
	}
	for path, docs := range map[string]bool{"docs.jsonl": true, "docs.csv": true, "pairs.tsv": false, "absent": false} {
		path = filepath.Join(dir, path)
		if got, ok := (Source{Path: path}).DocsPath(); ok != docs || docs && got != path {
			t.Errorf("%s: documents at %q, %v, want %v", path, got, ok, docs)
		}
	}
	if got, ok := (Source{Path: filepath.Join(dir, "pairs")}).DocsPath(); !ok || got != filepath.Join(dir, "pairs") {
		t.Errorf("a folder: documents at %q, %v", got, ok)
	}
}

// Rows keep fields that alike does not know; texts made of several fields do not.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(in, []byte("id,text,more\na,one,1\nb,two,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		src  Source
		want string
	}{
		{Source{Path: in}, `{"id":"a","text":"one","more":"1"}` + "\n" + `{"id":"b","text":"two","more":"2"}` + "\n"},
		{Source{Path: in, Text: []string{"text", "more"}}, `{"id":"a","text":"one\n1"}` + "\n" + `{"id":"b","text":"two\n2"}` + "\n"},
	} {
		n, err := Convert(c.src, out, func(int) {})
		got, _ := os.ReadFile(out)
		if n != 2 || err != nil || string(got) != c.want {
			t.Errorf("%d, %v, %q, want %q", n, err, got, c.want)
		}
	}
	nested := filepath.Join(dir, "nested.jsonl")
	if err := os.WriteFile(nested, []byte(`{"doc":{"id":"a","text":["one","two"]}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(Source{Path: nested, ID: "doc.id", Text: []string{"doc.text[]"}}, filepath.Join(dir, "flat.csv"), func(int) {}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "flat.csv")); string(got) != "id,text\na,\"one\ntwo\"\n" {
		t.Errorf("texts by a path become %q", got)
	}
	docs, err := ReadDocs(Source{Path: out})
	if err != nil || len(docs) != 2 || docs[1] != (Doc{ID: "b", Text: "two\n2"}) {
		t.Errorf("%+v, %v", docs, err)
	}
	again := filepath.Join(dir, "again.jsonl")
	if err := WriteDocs(again, docs); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadDocs(Source{Path: again}); err != nil || !slices.Equal(got, docs) {
		t.Errorf("%+v, %v, want %+v", got, err, docs)
	}
}

func TestSummary(t *testing.T) {
	s := &Set{
		Docs:     []Doc{{"a", "one", "en"}, {"b", "字字字字字", "zh"}, {"c", "two", ""}, {"d", "three and four", "en"}},
		Clusters: []int{0, 1, 0, 0},
		Pairs:    []Pair{{A: 0, B: 2, Label: 1, Split: Dev}, {A: 0, B: 1, Split: Dev}, {A: 0, B: 3, Label: 1, Split: Test}},
	}
	got := s.Summary()
	if got.Documents != 4 || got.Bytes != 3+15+3+14 || got.MedianRunes != 5 || got.MaxRunes != 14 || got.Languages["en"] != 2 ||
		got.Truth != "clusters" || got.Clusters != 1 || got.Pairs["dev"] != 2 || got.Alike["dev"] != 1 || got.Pairs["test"] != 1 {
		t.Errorf("%+v", got)
	}
}
