package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// Every row is there, in its place and as it was, with the columns behind it; the
// kept one may come later.
func TestAnnotate(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "a.csv"), []byte("id,text\nx,a b c\ny,d\nz,a b c d\nbad\nw,a b c d e f\n"))
	o := Options{Out: filepath.Join(dir, "out"), Annotate: true, SkipBad: 1, Threshold: .6}
	o.Keep = mustPolicy(t, "longest")
	dedupOf(t, o, datasets.Source{Path: in})
	got, err := os.ReadFile(filepath.Join(o.Out, "annotated.csv"))
	want := `id,text,alike_keep,alike_reason,alike_cluster,alike_kept,alike_score
x,a b c,true,,,,
y,d,true,,,,
z,a b c d,false,alike,1,w,0.6666666666666666
w,a b c d e f,true,,1,,
`
	// x is alike to z (3 of 4 words), which goes in favour of w, and not to w (3 of 6).
	if err != nil || string(got) != want {
		t.Errorf("annotated\n%s%v, want\n%s", got, err, want)
	}
	names, err := os.ReadDir(o.Out)
	if err != nil || len(names) != 4 {
		t.Errorf("%v, %v, want annotated.csv, why.jsonl, clusters.tsv and report.json", names, err)
	}
}

// A column that is there already is not added again, wherever it first stands.
func TestAddedOnce(t *testing.T) {
	for _, column := range []string{CountColumn, "alike_score"} {
		dir := t.TempDir()
		in := write(t, filepath.Join(dir, "a.jsonl"), []byte(`{"id":"x","text":"a b"}`+"\n"+`{"id":"y","text":"c d","`+column+`":1}`+"\n"))
		o := Options{Out: filepath.Join(dir, "out"), Threshold: .6, Counts: column == CountColumn, Annotate: column != CountColumn}
		o.Sources, o.Method, o.Verify = []datasets.Source{{Path: in}}, exact(t), exact(t)
		_, err := Run(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), `a.jsonl:2 has a column "`+column+`" already`) {
			t.Errorf("%s: %v, want an error for line 2", column, err)
		}
	}
}
