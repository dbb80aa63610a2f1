package pipeline_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
)

// put writes a file of a folder.
func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// tree returns the files of a folder by their paths in it.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(read(t, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// words are the options for short texts that are compared by their single words, read in pieces of a line or
// two.
func words(t *testing.T, sources ...string) pipeline.Options {
	t.Helper()
	o := options(t, sources[0], "shingle:width=1", true)
	o.Sources = nil
	for _, s := range sources {
		o.Sources = append(o.Sources, datasets.Source{Path: s, PathIDs: len(sources) > 1})
	}
	o.Runner, o.PieceBytes, o.SkipBad, o.Threshold, o.Candidates = "prism", 20, 9, .6, .6
	return o
}

func ran(t *testing.T, o pipeline.Options) *pipeline.Result {
	t.Helper()
	r, err := pipeline.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Files with whatever a format allows around its rows. Each has rows that are removed: first, last, in the middle.
var odd = map[string]string{
	"plain.jsonl": "{\"text\":\"a b c\"}\n{\"text\":\"d\"}\n{\"text\":\"a b c\", \"n\":1.50}\n{\"text\":\"e\"}\n{\"text\":\"d\"}\n",
	"open.jsonl":  "{\"text\":\"a b c\"}\n{\"text\":\"d\"}\n{\"text\":\"a b c\"}",
	"kept.jsonl":  "{\"text\":\"a b c\"}\n{\"text\":\"a b c\"}\n{\"text\":\"d\"}",
	"blank.jsonl": "\xef\xbb\xbf\n\n{\"text\":\"a b c and more\"}\r\n  \n{\"text\":\"a b c and more\"}\n\n\n\n\n{\"text\":\"d\"}\n\n{\"text\":\"d\"}\n \n \n \n \n \n \n \n \n \n \n \n \n \n \n \n \n",
	"bad.jsonl":   "no\n{\"text\":\"a\"}\n{\"n\":1}\n{\"text\":\"a\"}\n{\"text\":\"\xff\"}\n{\"text\":\"b\"}\n]",
	"crlf.csv":    "id,text\r\n1,\"a, \"\"b\"\"\r\nc\"\r\n2,d\r\n\r\n3,\"a, \"\"b\"\"\r\nc\"\r\n4,e",
	"bad.csv":     "id,text\n1,a b\n2\n3,\"x\"y\n4,a b\n5,c\n6,\"never closed\n7,d\n",
	"plain.tsv":   "id\ttext\n1\ta \"b\"\n\n2\ta \"b\"\n3\tc\n",
	"lines.txt":   "a b and a long line\n\nc\r\na b and a long line\nc",
	"pack.jsonl":  "{\"text\":\"a b c\"}\n{\"text\":\"a b c\"}\n\n{\"text\":\"d\"}",
	"marks.jsonl": "{\"text\":\"a b c\"}\n\ufeff{\"text\":\"a b c\"}\n{\"text\":\"a b c\"}\n\n\x1f\x8b\n\x28\xb5\x2f\xfd\n{\"text\":\"d\"}\n",
	"none.jsonl":  "",
}

// What the pieces hold is the input, byte for byte.
func TestRestore(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(odd)) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, content := filepath.Join(dir, name), []byte(odd[name])
			if name == "pack.jsonl" {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				z.Write(content)
				z.Close()
				path, content = path+".gz", b.Bytes()
			}
			put(t, path, content)
			o := words(t, path)
			if strings.HasSuffix(name, ".txt") {
				o.Sources[0].Format = "lines"
			}
			r := ran(t, o)
			if r.Report.Equal == 0 && name != "bad.csv" && name != "none.jsonl" {
				t.Errorf("nothing is removed: %+v", r.Report)
			}
			pieces, _ := filepath.Glob(filepath.Join(o.Out, "why-*"))
			if strings.HasSuffix(path, ".jsonl") && name != "none.jsonl" && len(pieces) < 2 {
				t.Errorf("there are %d pieces, want several", len(pieces))
			}
			back := filepath.Join(dir, "back")
			command(t, "restore", o.Out, "-o", back)
			got := read(t, back)
			if name == "pack.jsonl" {
				z, err := gzip.NewReader(bytes.NewReader(got))
				if err != nil {
					t.Fatal(err)
				}
				if got, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			if string(got) != odd[name] {
				t.Errorf("restored %q, want %q", got, odd[name])
			}
		})
	}
}

// Empty lines go with the row behind them, also where a piece might end between them. No piece begins with what would be
// taken for the beginning of a file, and not for that of a row.
func TestPiecesEndBehindRows(t *testing.T) {
	for _, name := range []string{"blank.jsonl", "marks.jsonl"} {
		path := filepath.Join(t.TempDir(), name)
		put(t, path, []byte(odd[name]))
		for size := 1; size < len(odd[name]); size += 26 {
			o := words(t, path)
			o.PieceBytes = int64(size)
			check(t, o, "-m", "shingle:width=1", "-t", ".6", "--skip-bad", "9")
		}
	}
}

// Lines of a folder may be compressed.
func TestFolderOfPackedLines(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(odd["lines.txt"]))
	z.Close()
	put(t, filepath.Join(dir, "in", "a.txt.gz"), b.Bytes())
	o := words(t, filepath.Join(dir, "in"))
	o.Sources[0].Format = "lines"
	if r := ran(t, o); r.Report.Documents != 4 || r.Report.Equal != 2 {
		t.Errorf("%d documents, %d equal, want 4 and 2", r.Report.Documents, r.Report.Equal)
	}
}

// The names of files tell the format as they tell it to alike dedup.
func TestFormatsByName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "in")
	for _, name := range []string{"a.json", "b.JSONL", "c.ndjson.gz"} {
		content := []byte(odd["plain.jsonl"])
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(content)
			z.Close()
			content = b.Bytes()
		}
		put(t, filepath.Join(dir, name), content)
	}
	o := words(t, dir)
	check(t, o, "-m", "shingle:width=1", "-t", ".6")
}

// Of several files that begin with a mark of the byte order, the outputs have that of the first.
func TestMarksOfFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.jsonl"} {
		put(t, filepath.Join(dir, "in", name), []byte("\ufeff"+odd["plain.jsonl"]))
	}
	o := words(t, filepath.Join(dir, "in"))
	one := filepath.Join(dir, "one")
	for _, annotate := range []bool{false, true} {
		os.RemoveAll(o.Out)
		os.RemoveAll(one)
		args := []string{"dedup", filepath.Join(dir, "in"), "-o", one, "-m", "shingle:width=1", "-t", ".6", "--max-drop", "100%"}
		names := []string{"kept", "removed"}
		if o.Annotate = annotate; annotate {
			args, names = append(args, "--annotate"), []string{"annotated"}
		}
		ran(t, o)
		command(t, args...)
		for _, name := range names {
			var got string
			pieces, _ := filepath.Glob(filepath.Join(o.Out, name+"-*"))
			for _, p := range pieces {
				got += string(read(t, p))
			}
			if want := string(read(t, filepath.Join(one, name+".jsonl"))); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if !annotate {
			command(t, "restore", o.Out, "-o", filepath.Join(dir, "back"))
			if got, want := tree(t, filepath.Join(dir, "back")), tree(t, filepath.Join(dir, "in")); !reflect.DeepEqual(got, want) {
				t.Errorf("restored %q, want %q", got, want)
			}
		}
	}
}

// A corpus of many pieces comes back, of several files too, one of them in a folder.
func TestRestoreSeveralFiles(t *testing.T) {
	corpus := read(t, made(t, 600))
	dir := t.TempDir()
	half := bytes.IndexByte(corpus[len(corpus)/2:], '\n') + len(corpus)/2 + 1
	want := map[string]string{
		"x/a.jsonl": string(corpus[:half]), "x/b/c.jsonl": odd["open.jsonl"], "x/b/d.jsonl": odd["bad.jsonl"],
		"z.jsonl": odd["none.jsonl"], "y.jsonl": string(corpus[half:]) + odd["kept.jsonl"],
	}
	for name, content := range want {
		put(t, filepath.Join(dir, "in", name), []byte(content))
	}
	o := words(t, filepath.Join(dir, "in/x"), filepath.Join(dir, "in/z.jsonl"), filepath.Join(dir, "in/y.jsonl"))
	o.PieceBytes = 50_000
	r := ran(t, o)
	if r.Report.Alike == 0 || r.Report.Unreadable != 4 {
		t.Errorf("%d are removed as alike, %d unreadable", r.Report.Alike, r.Report.Unreadable)
	}
	command(t, "restore", o.Out, "-o", filepath.Join(dir, "back"))
	got := tree(t, filepath.Join(dir, "back"))
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: restored %d bytes, want %d", name, len(got[name]), len(want[name]))
		}
	}
	if len(got) != len(want) {
		t.Errorf("restored %d files, want %d", len(got), len(want))
	}
}

// Texts that are files go where alike dedup puts them, wherever their folders lie.
func TestRestoreTexts(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"a/a.txt": "one two\n", "a/b/a.txt": "one two\n", "c/a.txt": "three", "c/d.txt": "one two", "c/e.txt": "\n\n"}
	for name, content := range want {
		put(t, filepath.Join(dir, "in", name), []byte(content))
	}
	t.Chdir(filepath.Join(dir, "in", "c"))
	o := words(t, "../a", "../../in/c")
	ran(t, o)
	one := filepath.Join(dir, "one")
	command(t, "dedup", "../a", "../../in/c", "-o", one, "-m", "shingle:width=1", "-t", ".6", "--max-drop", "100%")
	for _, part := range []string{"kept", "removed"} {
		if got, want := tree(t, filepath.Join(o.Out, part)), tree(t, filepath.Join(one, part)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %q, want %q", part, got, want)
		}
	}
	if got := tree(t, filepath.Join(dir, "in")); !reflect.DeepEqual(got, want) {
		t.Errorf("the input is %q now", got)
	}
	command(t, "restore", o.Out, "-o", filepath.Join(dir, "back"))
	if got := tree(t, filepath.Join(dir, "back")); !reflect.DeepEqual(got, want) {
		t.Errorf("restored %q, want %q", got, want)
	}
	o = words(t, "a.txt")
	o.Sources[0].Format = "text"
	ran(t, o)
	command(t, "restore", o.Out, "-o", filepath.Join(dir, "single")) // of which none is removed
	if got := tree(t, filepath.Join(dir, "single")); !reflect.DeepEqual(got, map[string]string{"a.txt": "three"}) {
		t.Errorf("restored %q", got)
	}
}

// Names of files need not be UTF-8.
func TestNamesOfAnyBytes(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	for _, name := range []string{"caf\xe9", "b", "caf\xe8"} {
		put(t, filepath.Join(in, name), []byte("one two"))
	}
	o := words(t, in)
	o.Sources[0].Format = "text"
	ran(t, o)
	one := filepath.Join(dir, "one")
	command(t, "dedup", "text:"+in, "-o", one, "-m", "shingle:width=1", "-t", ".6", "--max-drop", "100%")
	for _, part := range []string{"kept", "removed"} {
		if got, want := tree(t, filepath.Join(o.Out, part)), tree(t, filepath.Join(one, part)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %q, want %q", part, got, want)
		}
	}
	put(t, filepath.Join(dir, "caf\xe9.jsonl"), []byte(odd["plain.jsonl"]))
	o = words(t, filepath.Join(dir, "caf\xe9.jsonl"))
	check(t, o, "-m", "shingle:width=1", "-t", ".6")
	o.Out = filepath.Join(dir, "\xe9")
	if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("of an output %q: error %v", o.Out, err)
	}
}

// So it is on an engine that sends everything in bytes, with a mask too.
func TestRestoreOnFlink(t *testing.T) {
	onFlink(t)
	file := notices(t)
	o := options(t, file, "simhash", true)
	o.Runner, o.PieceBytes, o.Mask = "universal", 20_000, clean.All
	check(t, o, "--mask", "time,number,url")
	back := filepath.Join(t.TempDir(), "back")
	command(t, "restore", o.Out, "-o", back)
	if got, want := read(t, back), read(t, file); !bytes.Equal(got, want) {
		t.Errorf("restored %d bytes, want %d", len(got), len(want))
	}
}

// The values of Parquet come back.
func TestRestoreParquet(t *testing.T) {
	dir := t.TempDir()
	var sources []string
	for f := range 2 {
		var b bytes.Buffer
		w, err := datasets.NewWriter(&b, "parquet")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			fields := []datasets.Field{{Name: "id", Value: fmt.Sprint(i)}, {Name: "text", Value: fmt.Sprint("text of ", i/3, " of ", f)}}
			if err := w.Write(fields); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, filepath.Join(dir, "in", fmt.Sprint(f, ".parquet")))
		put(t, sources[f], b.Bytes())
	}
	o := words(t, sources...)
	o.Threshold = 1
	if r := ran(t, o); r.Report.Equal != 400 {
		t.Errorf("%d are equal, want 400", r.Report.Equal)
	}
	command(t, "restore", o.Out, "-o", filepath.Join(dir, "back"))
	for f, path := range sources {
		got, want := records(t, filepath.Join(dir, "back", fmt.Sprint(f, ".parquet"))), records(t, path)
		if !reflect.DeepEqual(got, want) || len(got) != 300 {
			t.Errorf("restored %d rows, want %d", len(got), len(want))
		}
	}
}

func records(t *testing.T, path string) (out [][]datasets.Field) {
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
		if err != nil {
			t.Fatal(err)
		}
		rec, err := p.Record(raw)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, slices.Clone(rec.Fields))
	}
}

// What does not make the input again is refused: pieces that were changed or are missing, or no removed texts.
func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "in.jsonl")
	put(t, path, []byte(odd["plain.jsonl"]))
	o := words(t, path)
	ran(t, o)
	refused := func(what, want string) {
		t.Helper()
		back := filepath.Join(dir, "back")
		if _, err := local.Restore(t.Context(), o.Out, back); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, err, want)
		}
		if _, err := os.Stat(back); err == nil {
			t.Errorf("%s: a file is there that is not what it was", what)
		}
	}
	pieces, err := filepath.Glob(filepath.Join(o.Out, "kept-*.jsonl"))
	if err != nil || len(pieces) < 2 {
		t.Fatalf("pieces %q, %v", pieces, err)
	}
	first := pieces[0]
	whole := read(t, first)
	for what, change := range map[string]struct{ content, want string }{
		"another row": {string(whole) + "{\"text\":\"x\"}\n", "more rows"},
		"a row less":  {string(whole[:bytes.IndexByte(whole, '\n')+1]), "fewer rows"},
		"a byte":      {strings.Replace(string(whole), "d", "x", 1), "have been changed"},
	} {
		put(t, first, []byte(change.content))
		refused(what, change.want)
	}
	os.Remove(first)
	refused("a piece less", filepath.Base(first))
	put(t, first, whole)

	layout := filepath.Join(o.Out, local.LayoutFile)
	said := read(t, layout)
	for what, change := range map[string]struct{ from, to, want string }{
		"a file elsewhere":  {`"name": "in.jsonl"`, `"name": "../in.jsonl"`, "names the file"},
		"a piece elsewhere": {`"infix": "-00000`, `"infix": "/../-00000`, "names the piece"},
		"another version":   {`"version": 3`, `"version": 99`, "version 99"},
	} {
		if !bytes.Contains(said, []byte(change.from)) {
			t.Fatalf("no %s in %s", change.from, said)
		}
		put(t, layout, bytes.ReplaceAll(said, []byte(change.from), []byte(change.to)))
		refused(what, change.want)
	}

	o = words(t, path)
	o.DropText = true
	ran(t, o)
	refused("dropped texts", "dropped")
	var l struct{ Dropped bool }
	if err := json.Unmarshal(read(t, filepath.Join(o.Out, local.LayoutFile)), &l); err != nil || !l.Dropped {
		t.Errorf("layout %+v, %v", l, err)
	}
}
