package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// refused runs and wants an error that says something.
func refused(t *testing.T, o Options, want string) {
	t.Helper()
	o.Method, o.Verify, o.Threshold = exact(t), exact(t), .6
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that says %q", err, want)
	}
}

// What no run has made is not taken for the beginnings of one and removed.
func TestForeignFolderStays(t *testing.T) {
	for _, held := range []string{"notes.txt", "out", "lock/x"} {
		dir := t.TempDir()
		o := Options{Sources: []datasets.Source{{Path: jsonl(t, dir, "a", sample(3, 20))}}, Out: filepath.Join(dir, "out")}
		name := write(t, filepath.Join(o.Out+".partial", held), []byte("the only copy"))
		o.Resume = held == "out"
		refused(t, o, ".partial")
		if b, err := os.ReadFile(name); err != nil || string(b) != "the only copy" {
			t.Errorf("%s holds %q, %v", held, b, err)
		}
	}
}

// What is read is not removed, nor is what is made read.
func TestOutputsAndSourcesApart(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "texts", "a.txt"), []byte("one two"))
	o := Options{Sources: []datasets.Source{{Path: filepath.Dir(in)}}, Out: filepath.Join(dir, "texts", "sub", "out")}
	refused(t, o, "is read")
	if err := os.Symlink(filepath.Join(dir, "texts"), filepath.Join(dir, "link")); err == nil {
		o.Out = filepath.Join(dir, "link", "out")
		refused(t, o, "is read")
	}
	o.Out = filepath.Join(dir, "texts.out") // beside it
	if dedupOf(t, o, o.Sources...).Kept != 1 {
		t.Error("a folder beside the source is refused")
	}

	o.Out = filepath.Join(dir, "out")
	write(t, filepath.Join(o.Out+".partial", "lock"), nil)
	in = write(t, filepath.Join(o.Out+".partial", "out", "kept.jsonl"), []byte("{\"text\":\"a\"}\n"))
	o.Sources[0].Path = in
	refused(t, o, "lies in")
	o.Against, o.Sources = o.Sources, []datasets.Source{{Path: jsonl(t, dir, "a", sample(3, 20))}}
	refused(t, o, "lies in")
	if _, err := os.Stat(in); err != nil {
		t.Error(err)
	}
}

// The largest cluster may be that of an old document, whose source has no counterpart among the
// new ones.
func TestDropErrorNamesAnOldDocument(t *testing.T) {
	dir := t.TempDir()
	docs := []string{"one two three", "one two three", "four five"}
	o := Options{
		Sources: []datasets.Source{{Path: jsonl(t, dir, "new", docs)}}, MaxDrop: .1, Threshold: .6,
		Against: []datasets.Source{{Path: jsonl(t, dir, "other", docs[2:])}, {Path: jsonl(t, dir, "old", docs[:1])}},
		Method:  exact(t), Verify: exact(t), Out: filepath.Join(dir, "out"),
	}
	_, err := Run(context.Background(), o)
	if _, ok := errors.AsType[*DropError](err); !ok || !strings.Contains(err.Error(), "row 1 of "+o.Against[1].Path) {
		t.Errorf("error %v, want one that names %s", err, o.Against[1].Path)
	}
}

// Files of the same name in folders that a working directory makes look alike are all
// kept, and come back.
func TestFilesOfOneName(t *testing.T) {
	for _, ending := range []string{"txt", "jsonl"} {
		dir := t.TempDir()
		content := map[string]string{"t/a." + ending: `{"text":"one two three"}`, "q/t/a." + ending: `{"text":"four five six"}`}
		for name, c := range content {
			write(t, filepath.Join(dir, name), []byte(c))
		}
		t.Chdir(filepath.Join(dir, "q"))
		dedupOf(t, Options{Out: "../out"}, datasets.Source{Path: "../t/a." + ending}, datasets.Source{Path: "t/a." + ending})
		t.Chdir("/")
		if _, err := Restore(t.Context(), filepath.Join(dir, "out"), filepath.Join(dir, "back")+"/"); err != nil {
			t.Fatal(err)
		}
		if got := readTree(t, filepath.Join(dir, "back")); !reflect.DeepEqual(got, content) {
			t.Errorf("restored %q, want %q", got, content)
		}
	}
}

// Texts that are files come back with what is no text of theirs, and where one is given
// twice.
func TestRestoreTextFilesAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{
		"mark.txt": "\xef\xbb\xbfone two\r\n", "a.txt.gz": string(pack(t, "one two")), "b.txt": "three", "c.txt": "..", "none.txt": "",
		"bad.txt": "\xff",
	}
	for name, content := range want {
		write(t, filepath.Join(dir, "in", name), []byte(content))
	}
	in := datasets.Source{Path: filepath.Join(dir, "in")}
	out := filepath.Join(dir, "out")
	rep := dedupOf(t, Options{Out: out, SkipBad: 2}, in, in)
	if rep.Kept != 6 || rep.Unreadable != 2 {
		t.Errorf("%+v", rep)
	}
	if _, err := Restore(t.Context(), out, filepath.Join(dir, "back")); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, filepath.Join(dir, "back")); !reflect.DeepEqual(got, want) {
		t.Errorf("restored %q, want %q", got, want)
	}
}

// What cannot be written is refused before anything is read through.
func TestOutputsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	rows := jsonl(t, dir, "a", sample(3, 20))
	table := write(t, filepath.Join(dir, "b.tsv"), []byte("id\ttext\n1\tone two\n"))
	text := write(t, filepath.Join(dir, "c.txt"), []byte("one two"))
	for want, o := range map[string]Options{
		"different formats":       {Sources: []datasets.Source{{Path: rows}, {Path: table}}},
		"are files":               {Sources: []datasets.Source{{Path: text}, {Path: rows}}},
		"is text without columns": {Sources: []datasets.Source{{Path: text}}, Annotate: true},
		"want jsonl":              {Sources: []datasets.Source{{Path: rows}}, Format: "xml"},
		"want at most":            {Sources: []datasets.Source{{Path: rows}}, Cohesion: .7},
		"columns":                 {Sources: []datasets.Source{{Path: rows}}, Format: "csv", Update: true, Against: []datasets.Source{{Path: table}}},
	} {
		o.Out = filepath.Join(dir, "out")
		o.Progress = func(string, float64) { t.Errorf("%s: it has begun", want) }
		refused(t, o, want)
	}
}
