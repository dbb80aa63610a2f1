package datasets

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gz(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zst(t testing.TB, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

// files makes a folder of name, content, name, content, ...
func files(nameContent ...string) fstest.MapFS {
	dir := fstest.MapFS{}
	for i := 0; i < len(nameContent); i += 2 {
		dir[nameContent[i]] = &fstest.MapFile{Data: []byte(nameContent[i+1])}
	}
	return dir
}

const (
	threeDocs = `{"id":"a","text":"one"}` + "\n" + `{"id":"b","text":"two","lang":"en"}` + "\n" + `{"id":"c","text":"\u2028three","other":1}` + "\n"
	pairsHead = "id1\tid2\tlabel\n"
)

func TestReadFolder(t *testing.T) {
	compressed := fstest.MapFS{
		"docs.jsonl.zst":   {Data: zst(t, threeDocs)},
		"pairs-dev.tsv.gz": {Data: gz(t, pairsHead+"a\tb\t1\nb\tc\t0\n")},
		"pairs-test.tsv":   {Data: []byte("id1\tid2\tlabel\tkind\r\na\tc\t1\todd\r\n")},
		"README.md":        {Data: []byte("# x\n\nTwo\nlines.\n\nMore.\n\n- source: s\n- licence: a\n  b\n- other: c\n\n- licence: d\n")},
	}
	s, err := readFolder(compressed, "x", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
	wantDocs := []Doc{{ID: "a", Text: "one"}, {ID: "b", Text: "two", Lang: "en"}, {ID: "c", Text: "\u2028three"}}
	if !slices.Equal(s.Docs, wantDocs) {
		t.Errorf("documents %q, want %q", s.Docs, wantDocs)
	}
	wantPairs := []Pair{
		{A: 0, B: 1, Label: 1, Grade: 1, Split: Dev},
		{A: 1, B: 2, Split: Dev},
		{A: 0, B: 2, Label: 1, Grade: 1, Split: Test, Kind: "odd"},
	}
	if !slices.Equal(s.Pairs, wantPairs) {
		t.Errorf("pairs %v, want %v", s.Pairs, wantPairs)
	}
	if s.Description != "Two lines." || s.Licence != "a b" {
		t.Errorf("description %q, licence %q", s.Description, s.Licence)
	}
}

// TestWhichFiles pins which files of pairs are read.
func TestWhichFiles(t *testing.T) {
	row := func(grade string) string { return pairsHead + "a\tb\t" + grade + "\na\tc\t0\n" }
	all := files("docs.jsonl", threeDocs, "pairs-train.tsv", row("1"), "pairs-test.tsv", row("1"),
		"pairs.tsv", row("1"), "pairs-level.tsv", row("6"), "pairs-grade.tsv", row("3.5"),
		"pairs-ignore.tsv", row("0.4"), "clusters.tsv", "id\tcluster\na\tx\nb\tx\n")
	tests := []struct {
		kind   string
		remove string // files to take away, by prefix
		pairs  int
		kinds  []string
		splits []Split
		alike  int
		from   float64
	}{
		{"", "", 4, []string{""}, []Split{Train, Test}, 2, 0},
		{"test", "", 2, []string{""}, []Split{Test}, 1, 0},
		{"", "pairs-t", 2, []string{""}, []Split{None}, 1, 0},
		{"level", "", 2, []string{"level"}, []Split{None}, 1, 1},
		{"grade", "", 2, []string{"grade"}, []Split{None}, 0, 4},
		{"", "pairs-t pairs.tsv clusters", 4, []string{"grade", "level"}, []Split{None}, 1, 4},
	}
	for _, test := range tests {
		dir := fstest.MapFS{}
		for name, f := range all {
			if !slices.ContainsFunc(strings.Fields(test.remove), func(p string) bool { return strings.HasPrefix(name, p) }) {
				dir[name] = f
			}
		}
		s, err := readFolder(dir, "x", test.kind, nil)
		if err != nil {
			t.Errorf("kind %q without %q: %v", test.kind, test.remove, err)
			continue
		}
		var kinds []string
		var splits []Split
		alike := 0
		for _, p := range s.Pairs {
			kinds, splits = append(kinds, p.Kind), append(splits, p.Split)
			alike += int(p.Label)
		}
		slices.Sort(kinds)
		slices.Sort(splits)
		kinds, splits = slices.Compact(kinds), slices.Compact(splits)
		if len(s.Pairs) != test.pairs || !slices.Equal(kinds, test.kinds) || !slices.Equal(splits, test.splits) ||
			alike != test.alike || s.AlikeFrom != test.from || s.Graded != (test.from != 0) {
			t.Errorf("kind %q without %q: %d pairs, kinds %q, splits %v, %d alike from %g; want %+v",
				test.kind, test.remove, len(s.Pairs), kinds, splits, alike, s.AlikeFrom, test)
		}
		if len(s.Ignore) != 2 {
			t.Errorf("kind %q: %d pairs to ignore, want 2", test.kind, len(s.Ignore))
		}
	}
}

func TestReadErrors(t *testing.T) {
	cut := gz(t, strings.Repeat(threeDocs, 20))
	tests := []struct {
		name string
		dir  fstest.MapFS
		want string
	}{
		{"no documents", files("pairs.tsv", pairsHead), "x holds no docs.jsonl"},
		{"empty", files("docs.jsonl", "", "pairs.tsv", pairsHead), "x/docs.jsonl holds no document"},
		{"no truth", files("docs.jsonl", threeDocs), "neither pairs.tsv, pairs-KIND.tsv nor clusters.tsv"},
		{"no JSON", files("docs.jsonl", threeDocs+"four\n"), "x/docs.jsonl:4: no JSON object"},
		{"empty line", files("docs.jsonl", "\n"), "x/docs.jsonl:1: no JSON object"},
		{"number", files("docs.jsonl", `{"id":7,"text":""}`), "x/docs.jsonl:1: no JSON object with the strings"},
		{"no id", files("docs.jsonl", `{"text":""}`), `x/docs.jsonl:1: no field "id"`},
		{"no text", files("docs.jsonl", `{"id":"a"}`), `x/docs.jsonl:1: no field "text"`},
		{"tab in id", files("docs.jsonl", `{"id":"a\tb","text":""}`), "holds a tab"},
		{"same id", files("docs.jsonl", threeDocs+threeDocs), `x/docs.jsonl:4: the id "a" is that of line 1 too`},
		{"header", files("docs.jsonl", threeDocs, "pairs.tsv", "a\tb\t1\n"), "x/pairs.tsv:1: the header is"},
		{"no header", files("docs.jsonl", threeDocs, "pairs.tsv", ""), "x/pairs.tsv:1: no header"},
		{"empty zstandard", files("docs.jsonl", threeDocs, "pairs-dev.tsv.zst", ""), "x/pairs-dev.tsv.zst:1: no header"},
		{"no cluster header", files("docs.jsonl", threeDocs, "clusters.tsv", ""), "x/clusters.tsv:1: no header"},
		{"fields", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\n"), "x/pairs.tsv:2: 2 fields, want"},
		{"unknown id", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\t1\na\td\t1\n"), `x/pairs.tsv:3: no document has the id "d"`},
		{"label", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\tmaybe\n"), `x/pairs.tsv:2: the label is "maybe", want a number`},
		{"negative", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\t-1\n"), `the label is "-1"`},
		{"not a number", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\tNaN\n"), `the label is "NaN"`},
		{"infinite", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead+"a\tb\tinf\n"), `the label is "inf"`},
		{"ignore", files("docs.jsonl", threeDocs, "pairs.tsv", pairsHead, "pairs-ignore.tsv", pairsHead+"a\td\t1\n"), "x/pairs-ignore.tsv:2:"},
		{"cluster header", files("docs.jsonl", threeDocs, "clusters.tsv", "a\tb\n"), "x/clusters.tsv:1: the header is"},
		{"cluster fields", files("docs.jsonl", threeDocs, "clusters.tsv", "id\tcluster\na\n"), "x/clusters.tsv:2: want the two fields"},
		{"cluster id", files("docs.jsonl", threeDocs, "clusters.tsv", "id\tcluster\nd\tx\n"), `x/clusters.tsv:2: no document has the id "d"`},
		{"cluster twice", files("docs.jsonl", threeDocs, "clusters.tsv", "id\tcluster\na\tx\na\ty\n"), `x/clusters.tsv:3: the id "a" is listed twice`},
		{"no gzip", files("docs.jsonl.gz", threeDocs), "open x/docs.jsonl.gz: no sound gzip file: gzip"},
		{"no zstandard", files("docs.jsonl.zst", threeDocs), "x/docs.jsonl.zst:1: damaged or cut short"},
		{"cut gzip", files("docs.jsonl.gz", string(cut[:len(cut)/2])), "damaged or cut short: unexpected EOF"},
		{"damaged gzip", files("docs.jsonl.gz", string(cut[:len(cut)-6])+"abcdef"), "x/docs.jsonl.gz:"},
	}
	for _, test := range tests {
		_, err := readFolder(test.dir, "x", "", nil)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "datasets: ") {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	_, err := readFolder(files("docs.jsonl", threeDocs, "pairs-b.tsv", pairsHead, "pairs-a.tsv.gz", ""), "x", "c", nil)
	if err == nil || !strings.Contains(err.Error(), `no pairs of the kind "c", want one of ["a" "b"]`) {
		t.Errorf("unknown kind: %v", err)
	}
}

func TestScanLimits(t *testing.T) {
	nothing := func(int, []byte) error { return nil }
	open := func(s string) *stream { return &stream{Reader: bufio.NewReader(strings.NewReader(s)), name: "x"} }
	err := scan(open("a\nb\nc\n"), 4, nothing, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "datasets: x:3: damaged or cut short: more than 4 bytes") {
		t.Errorf("more than the limit: %v", err)
	}
	if err := scan(open("a\nb\n"), 5, nothing, nil); err != nil {
		t.Errorf("within the limit: %v", err)
	}
}
