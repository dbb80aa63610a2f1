package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
)

// against runs both and holds all that they write to each other but for the layout, which restoring tells of. It returns
// what is said of the removed rows.
func against(t *testing.T, o pipeline.Options, args ...string) []local.Removal {
	t.Helper()
	want := filepath.Join(t.TempDir(), "want")
	args = append([]string{"dedup", "-o", want, "-m", o.Method.String()}, args...)
	if o.Verify == nil {
		args = append(args, "--verify", "sketch")
	}
	args = byThreshold(args)
	for _, s := range o.Sources {
		args = append(args, s.Path)
	}
	for _, s := range o.Against {
		args = append(args, "--against", s.Path)
	}
	command(t, args...)
	for _, list := range [][]datasets.Source{o.Sources, o.Against} {
		for i := range list {
			list[i].PathIDs = true
		}
	}
	ran(t, o)
	got, all := joined(t, o.Out), tree(t, want)
	why := got["why.jsonl"]
	for _, name := range []string{"report.json", local.LayoutFile} {
		delete(got, name)
		delete(all, name)
	}
	for name := range all {
		if got[name] != all[name] {
			t.Errorf("%s: %d bytes, want %d", name, len(got[name]), len(all[name]))
		}
	}
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(all)); !slices.Equal(a, b) {
		t.Errorf("there are %q, want %q", a, b)
	}
	a, b := reportAgainst(t, o.Out), reportAgainst(t, want)
	if o.Verify != nil { // on one machine fewer pairs need to be scored
		delete(a, "scored")
		delete(b, "scored")
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("report %v, want %v", a, b)
	}
	var out []local.Removal
	for line := range strings.Lines(why) {
		var r local.Removal
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// joined returns the files of a folder, with the pieces of one kind put one behind the other.
func joined(t *testing.T, dir string) map[string]string {
	t.Helper()
	got, out := tree(t, dir), map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		whole, _, cut := strings.Cut(name, "-0")
		if cut {
			whole += filepath.Ext(name)
		}
		out[whole] += got[name]
	}
	return out
}

func reportAgainst(t *testing.T, dir string) map[string]any {
	t.Helper()
	r := report(t, dir)
	for _, s := range r["against"].([]any) {
		delete(s.(map[string]any), "xxh3")
	}
	return r
}

// dealt deals a corpus with planted near-duplicates to two old files and a new one. All three have some of the same texts,
// within one file too, and rows without any.
func dealt(t *testing.T, docs int) (old []string, fresh string) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	var files [3]bytes.Buffer
	row := func(to int, line string) { files[to].WriteString(line) }
	n := 0
	for line := range strings.Lines(string(read(t, made(t, docs)))) {
		row([]int{0, 1, 2, 2}[r.IntN(4)], line)
		if n++; n%40 == 0 {
			for range 3 {
				row(r.IntN(3), line)
			}
			row(r.IntN(3), `{"text":""}`+"\n")
			row(2, fmt.Sprintf(`{"text":"new %d and twice"}`+"\n", n))
			row(2, fmt.Sprintf(`{"text":"new %d and twice"}`+"\n", n))
		}
	}
	dir := t.TempDir()
	var paths []string
	for i := range files {
		paths = append(paths, filepath.Join(dir, fmt.Sprint("part", i, ".jsonl")))
		put(t, paths[i], files[i].Bytes())
	}
	return paths[:2], paths[2]
}

// newAgainst returns the options for a file against others.
func newAgainst(t *testing.T, old []string, fresh, method string, text bool) pipeline.Options {
	t.Helper()
	o := options(t, fresh, method, text)
	o.Runner, o.PieceBytes = "prism", 30_000
	for _, path := range old {
		o.Against = append(o.Against, datasets.Source{Path: path})
	}
	return o
}

// reasons counts what is removed by what it is removed for.
func reasons(t *testing.T, all []local.Removal) {
	t.Helper()
	n := map[string]int{}
	for _, r := range all {
		if r.Kept == nil {
			continue
		}
		n[fmt.Sprint(r.Reason, r.Kept.Against)]++
	}
	for _, what := range []string{"equaltrue", "equalfalse", "aliketrue", "alikefalse"} {
		if n[what] == 0 {
			t.Errorf("nothing is removed as %s: %v", what, n)
		}
	}
}

// Old documents stay, new ones are removed for them and for each other, as on one machine.
func TestAgainst(t *testing.T) {
	docs, some := 300, []string{"simhash", "minhash:bits=8", "shingle"}
	if os.Getenv("ALIKE_LONG") == "1" {
		docs, some = 10_000, methods
	}
	old, fresh := dealt(t, docs)
	for _, m := range some {
		t.Run(m, func(t *testing.T) {
			reasons(t, against(t, newAgainst(t, old, fresh, m, false)))
		})
	}
	t.Run("text", func(t *testing.T) {
		reasons(t, against(t, newAgainst(t, old, fresh, "minhash:bits=8", true)))
	})
	t.Run("groups", func(t *testing.T) { // of which some hold old documents alone
		o := newAgainst(t, old, fresh, "shingle", false)
		o.Groups = 7
		reasons(t, against(t, o))
	})
	t.Run("crowded", func(t *testing.T) {
		for _, m := range []string{"simhash", "minhash:bits=8"} {
			o := newAgainst(t, old, fresh, m, false)
			o.Crowded = 1
			reasons(t, against(t, o))
		}
	})
	t.Run("longest", func(t *testing.T) {
		o := newAgainst(t, old, fresh, "simhash", true)
		var err error
		if o.Keep, err = dedup.ParsePolicy("longest"); err != nil {
			t.Fatal(err)
		}
		o.Waves = 2
		reasons(t, against(t, o, "--keep", "longest"))
	})
	t.Run("annotate", func(t *testing.T) {
		o := newAgainst(t, old, fresh, "simhash", true)
		o.Annotate, o.Explain, o.Mask = true, true, clean.Number
		reasons(t, against(t, o, "--annotate", "--explain", "--mask", "number"))
	})
	t.Run("values", func(t *testing.T) { // that old rows lack count as well
		numbered := filepath.Join(t.TempDir(), "numbered.jsonl")
		rows := strings.ReplaceAll(string(read(t, fresh)), "\n{", "\n{\"n\":3,") // all but the first
		if err := os.WriteFile(numbered, []byte(rows), 0o666); err != nil {
			t.Fatal(err)
		}
		o := newAgainst(t, old, numbered, "simhash", false)
		var err error
		if o.Keep, err = dedup.ParsePolicy("highest:n,longest"); err != nil {
			t.Fatal(err)
		}
		o.DropText = true
		reasons(t, against(t, o, "--keep", "highest:n,longest", "--drop-text"))
	})
}

// The new files come back, and nothing of the old ones.
func TestAgainstRestore(t *testing.T) {
	old, fresh := dealt(t, 300)
	more := filepath.Join(filepath.Dir(fresh), "more.jsonl")
	put(t, more, slices.Concat([]byte(odd["plain.jsonl"]), read(t, old[0])))
	o := newAgainst(t, old, fresh, "minhash:bits=8", true)
	o.Sources = append(o.Sources, datasets.Source{Path: more})
	reasons(t, against(t, o))
	back := filepath.Join(t.TempDir(), "back")
	command(t, "restore", o.Out, "-o", back)
	want := map[string]string{"part2.jsonl": string(read(t, fresh)), "more.jsonl": string(read(t, more))}
	if got := tree(t, back); !reflect.DeepEqual(got, want) {
		t.Errorf("restored %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// Texts that are files stay files, also where old ones are rows of a table, and the other way round.
func TestAgainstTexts(t *testing.T) {
	dir := t.TempDir()
	var table strings.Builder
	table.WriteString("id,text\r\n")
	text := func(i int) string {
		return fmt.Sprintf("the text of number %d and none of the others, %d, but for its doubles", i, i*i)
	}
	for i := range 40 {
		put(t, filepath.Join(dir, "old", fmt.Sprint(i/10), fmt.Sprint(i, ".txt")), []byte(text(i/2)))
		put(t, filepath.Join(dir, "new", fmt.Sprint(i%3), fmt.Sprint(i, ".txt")), []byte(text(10+i/2)))
		fmt.Fprintf(&table, "r%d,\"%s\"\r\n", i, text(20+i/3))
	}
	csv := filepath.Join(dir, "table.csv")
	put(t, csv, []byte(table.String()))
	for name, c := range map[string]struct {
		sources, old []string
	}{
		"texts": {[]string{filepath.Join(dir, "new")}, []string{filepath.Join(dir, "old"), csv}},
		"table": {[]string{csv}, []string{filepath.Join(dir, "old"), filepath.Join(dir, "new")}},
		"both":  {[]string{filepath.Join(dir, "new"), filepath.Join(dir, "old")}, []string{csv}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newAgainst(t, c.old, c.sources[0], "simhash", false)
			o.Sources = nil
			for _, s := range c.sources {
				o.Sources = append(o.Sources, datasets.Source{Path: s})
			}
			if len(against(t, o)) < 10 {
				t.Error("hardly anything is removed")
			}
			back := filepath.Join(t.TempDir(), "back")
			command(t, "restore", o.Out, "-o", back)
			switch name {
			case "table":
				if got := read(t, back); string(got) != table.String() {
					t.Errorf("restored %q", got)
				}
			default:
				if got := tree(t, back); len(got) != 40*len(c.sources) {
					t.Errorf("restored %d files", len(got))
				}
			}
		})
	}
}

// A mark of the byte order at the beginning of the new rows stays there, whatever old files begin with, and new tables
// need the columns of each other and not those of old ones.
func TestAgainstBeginnings(t *testing.T) {
	dir := t.TempDir()
	rows := "{\"text\":\"a b c d\"}\n{\"text\":\"e f g h\"}\n{\"text\":\"e f g h\"}\n"
	marked, plain := filepath.Join(dir, "marked.jsonl"), filepath.Join(dir, "plain.jsonl")
	put(t, marked, []byte("\xef\xbb\xbf"+rows))
	put(t, plain, []byte("{\"text\":\"a b c d\"}\n"))
	wide, narrow := filepath.Join(dir, "wide.csv"), filepath.Join(dir, "narrow.csv")
	put(t, wide, []byte("id,more,text\n1,2,a b c d\n"))
	put(t, narrow, []byte("text\na b c d\n"))
	for _, old := range []string{plain, wide} {
		for _, annotate := range []bool{false, true} {
			o := newAgainst(t, []string{old}, marked, "simhash", false)
			args := []string{}
			if o.Annotate = annotate; annotate {
				args = append(args, "--annotate")
			}
			against(t, o, args...)
		}
	}
	against(t, newAgainst(t, []string{wide}, narrow, "simhash", false))
	o := newAgainst(t, []string{plain}, wide, "simhash", false)
	o.Sources = append(o.Sources, datasets.Source{Path: narrow})
	if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "columns") {
		t.Errorf("error %v, want one of columns", err)
	}
}

// Where nothing is alike, or an old file is empty, nothing goes.
func TestAgainstNothing(t *testing.T) {
	dir := t.TempDir()
	none, one := filepath.Join(dir, "none.jsonl"), filepath.Join(dir, "one.jsonl")
	put(t, none, nil)
	put(t, one, []byte(`{"id":"a","text":"one two three four"}`+"\n"))
	twice := filepath.Join(dir, "twice.jsonl")
	put(t, twice, bytes.Repeat([]byte(`{"id":"b","text":"five six seven eight"}`+"\n"), 3))
	for _, m := range []string{"simhash", "shingle"} {
		o := newAgainst(t, []string{none, twice}, one, m, false)
		o.PieceBytes, o.Groups = 20, map[string]int{"shingle": 4}[m]
		if gone := against(t, o); len(gone) > 0 {
			t.Errorf("%+v is removed", gone)
		}
		o = newAgainst(t, []string{one, none}, none, m, false)
		if gone := against(t, o); len(gone) > 0 {
			t.Errorf("%+v is removed", gone)
		}
	}
}

// Old rows that are no documents count among those allowed, and the first too many is named.
func TestAgainstBadRows(t *testing.T) {
	o := badRows(t)
	o.Runner = "prism"
	old := filepath.Join(t.TempDir(), "old.jsonl")
	put(t, old, []byte(`{"text":"one two three four five six 7"}`+"\nno\n"+`{"text":"one two three four five six 9"}`+"\n[\n"))
	lone := filepath.Join(t.TempDir(), "lone.jsonl") // of which nothing else is said
	put(t, lone, []byte("no\n"+`{"text":"a text that no other is alike to"}`+"\n"))
	o.Against, o.SkipBad = []datasets.Source{{Path: old}, {Path: lone}}, 5
	if gone := against(t, o, "--skip-bad", "5"); len(gone) < 40 {
		t.Errorf("%d rows are removed", len(gone))
	}
	for allowed, want := range []string{old + ":2", old + ":4", lone + ":1", o.Sources[0].Path + ":61", o.Sources[0].Path + ":92"} {
		o.SkipBad, o.Out = allowed, filepath.Join(t.TempDir(), "out")
		if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+want+": ") {
			t.Errorf("with %d allowed: error %v, want one at %s", allowed, err, want)
		}
	}
}

// Of new documents no more than the share allowed may go, and the error names an old one by its file.
func TestAgainstDropError(t *testing.T) {
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, "old.jsonl"), filepath.Join(dir, "new.jsonl")
	put(t, old, []byte(strings.Repeat(`{"text":"x y z"}`+"\n", 90)+`{"text":"a b c d"}`+"\n"))
	put(t, fresh, []byte(strings.Repeat(`{"text":"a b c d"}`+"\n", 3)+`{"text":"e f g h"}`+"\n"))
	o := newAgainst(t, []string{old}, fresh, "simhash", false)
	o.MaxDrop = .7
	_, err := pipeline.Run(context.Background(), o)
	if want := "75.0% of the documents (3 of 4), more than 70.0%"; err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "row 91 of "+old) {
		t.Errorf("error %v, want %q and row 91 of %s", err, want, old)
	}
}

// What is no documents is refused before anything is read.
func TestAgainstRefuses(t *testing.T) {
	old, fresh := dealt(t, 100)
	made := filepath.Join(t.TempDir(), "made")
	command(t, "dedup", old[0], "-o", made, "--verify", "sketch", "--sketches", "--max-drop", "100%")
	o := newAgainst(t, []string{filepath.Join(made, local.SketchFile)}, fresh, "simhash", false)
	if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "holds sketches and no texts") {
		t.Errorf("error %v, want one of sketches", err)
	}
	o = newAgainst(t, []string{filepath.Join(made, "none.jsonl")}, fresh, "simhash", false)
	if _, err := pipeline.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "none.jsonl") {
		t.Errorf("error %v, want one of the file that is not there", err)
	}
}

func TestAgainstOnFlink(t *testing.T) {
	onFlink(t)
	old, fresh := dealt(t, 300)
	o := newAgainst(t, old, fresh, "minhash:bits=8", true)
	o.Runner = "universal"
	reasons(t, against(t, o))
}
