package pipeline_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// annotated runs both and holds what they write to each other. It returns the annotated rows.
func annotated(t *testing.T, o pipeline.Options, args ...string) string {
	t.Helper()
	o.Annotate, o.MaxDrop = true, .001 // of which nothing comes, since nothing is dropped
	want := filepath.Join(t.TempDir(), "want")
	args = append([]string{"dedup", o.Sources[0].Path, "-o", want, "-m", o.Method.String(), "--annotate"}, args...)
	if o.Verify == nil {
		args = append(args, "--verify", "sketch")
	}
	args = byThreshold(args)
	command(t, args...)
	ran(t, o)
	got, joined := tree(t, o.Out), map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		whole, _, cut := strings.Cut(name, "-0")
		if cut {
			whole += filepath.Ext(name)
		}
		joined[whole] += got[name]
	}
	all := tree(t, want)
	delete(joined, "report.json")
	delete(all, "report.json")
	if !reflect.DeepEqual(joined, all) {
		t.Errorf("there are %q, want %q", slices.Sorted(maps.Keys(joined)), slices.Sorted(maps.Keys(all)))
		for name := range all {
			t.Errorf("%s: %d bytes, want %d", name, len(joined[name]), len(all[name]))
		}
	}
	a, b := report(t, o.Out), report(t, want)
	if o.Verify != nil { // on one machine fewer pairs need to be scored
		delete(a, "scored")
		delete(b, "scored")
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("report %v, want %v", a, b)
	}
	return joined["annotated"+filepath.Ext(o.Sources[0].Path)]
}

// Every row is there with what would become of it, as on one machine.
func TestAnnotate(t *testing.T) {
	file := made(t, 600)
	for _, text := range []bool{false, true} {
		o := options(t, file, "simhash", text)
		o.Runner = "prism"
		var err error
		if o.Keep, err = dedup.ParsePolicy("longest"); err != nil {
			t.Fatal(err)
		}
		rows := annotated(t, o, "--keep", "longest")
		if kept, gone := strings.Count(rows, `"alike_keep":true`), strings.Count(rows, `"alike_keep":false`); gone == 0 || kept+gone != bytes.Count(read(t, file), []byte("\n")) {
			t.Errorf("%d rows are kept, %d not", kept, gone)
		}
	}
	for _, name := range []string{"plain.jsonl", "blank.jsonl", "bad.jsonl", "crlf.csv", "plain.tsv"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			put(t, path, []byte(odd[name]))
			o := words(t, path)
			if rows := annotated(t, o, "-m", "shingle:width=1", "-t", ".6", "--skip-bad", "9"); rows == "" {
				t.Error("no rows")
			}
		})
	}
}

func TestAnnotateOnFlink(t *testing.T) {
	onFlink(t)
	o := options(t, made(t, 300), "simhash", false)
	o.Runner = "universal"
	annotated(t, o)
}

// Rows that cannot have the columns are refused before anything is read.
func TestAnnotateRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ content, want string }{
		"twice.csv": {"id,alike_kept,text\n1,2,3\n", "alike_kept"},
		"text.txt":  {"one two\n", "without columns"},
	} {
		path := filepath.Join(dir, name)
		put(t, path, []byte(c.content))
		o := words(t, path)
		o.Annotate = true
		if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Errorf("%s: there are outputs", name)
		}
	}
	o := pipeline.Options{Sources: []datasets.Source{{Path: filepath.Join(dir, "twice.csv")}}, Out: "x", Threshold: 1, Annotate: true, DropText: true}
	o.Method = words(t, "x").Method
	if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "DropText") {
		t.Errorf("error %v, want one of DropText", err)
	}
}
