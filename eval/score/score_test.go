package score_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/similarity"
)

func file(t *testing.T, name, text string) datasets.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return datasets.Source{Path: path}
}

// The set has the documents a, b, c and d.
var set = &datasets.Set{Name: "letters", Docs: []datasets.Doc{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}}

// usual is an output with the columns of alike itself.
func usual() score.Output {
	return score.Output{ID1: "id1", ID2: "id2", ID: "id", Cluster: "cluster", FirstRow: -1}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		kind, file, text string
		how              func(*score.Output)
		want             eval.Found
	}{
		{"pairs", "x.tsv", "id1\tid2\na\tb\nd\tc\n", nil, eval.Found{Pairs: []similarity.Pair{{A: 0, B: 1}, {A: 3, B: 2}}}},
		{"pairs", "x.csv", "id1,id2,score\na,b,.5\na,c,.25\n", nil, eval.Found{Pairs: []similarity.Pair{{A: 0, B: 1, Score: .5}, {A: 0, B: 2, Score: .25}}, Scored: true}},
		{"pairs", "x.csv", "id1,id2,score\na,b,.5\na,c,.25\n", func(o *score.Output) { o.Limited, o.Limit = true, .5 },
			eval.Found{Pairs: []similarity.Pair{{A: 0, B: 1, Score: .5}}, Scored: true}},
		{"pairs", "x.csv", "id1,id2,bits\n1,2,3\n1,4,4\n", func(o *score.Output) { o.Score, o.Distance, o.Limited, o.Limit, o.FirstRow = "bits", true, true, 3, 1 },
			eval.Found{Pairs: []similarity.Pair{{A: 0, B: 1, Score: -3}}, Scored: true}},
		{"clusters", "x.tsv", "id\tcluster\nb\tx\nd\ty\nc\tx\n", nil, eval.Found{Clusters: []int{2, 0, 0, 1}}},
		{"removed", "x.tsv", "b\nd\n", func(o *score.Output) { o.Columns = []string{"id"} }, eval.Found{Removed: []bool{false, true, false, true}}},
		{"kept", "x.jsonl", `{"id":"b"}` + "\n" + `{"id":"d"}` + "\n", nil, eval.Found{Removed: []bool{true, false, true, false}}},
	} {
		o := usual()
		if c.how != nil {
			c.how(&o)
		}
		got, err := o.Read(t.Context(), set, c.kind, file(t, c.file, c.text))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %q: %+v, %v, want %+v", c.kind, c.text, got, err, c.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		kind, text, want string
		firstRow         int
	}{
		{"pairs", "id1\tid2\na\tx\n", `:2: letters has no document "x"`, -1},
		{"pairs", "id1\tid2\na\t2\n", "say --rows 0 or --rows 1", -1},
		{"pairs", "id1\tid2\n1\t5\n", "there is no row 5 in letters, want 1 to 4", 1},
		{"pairs", "id1\tid2\n1\tx\n", `the row is "x", want a number`, 1},
		{"pairs", "id1\tid2\tscore\na\tb\tNaN\n", `the score is "NaN", want a finite number`, -1},
		{"clusters", "id\tcluster\na\tx\na\ty\n", `:3: the document "a" is in the cluster "y", and in another on line 2`, -1},
		{"removed", "id\nx\n", "has no document", -1},
		{"removed", "name\nx\n", `"id"`, -1},
	} {
		o := usual()
		o.FirstRow = c.firstRow
		if _, err := o.Read(t.Context(), set, c.kind, file(t, "x.tsv", c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: error %v, want %q", c.kind, c.text, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := usual()
	if _, err := o.Read(ctx, set, "kept", file(t, "x.tsv", "id\na\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

const labels = "id1\tid2\tlabel\tkind\na\tb\t1\tmixed:0.2\nc\ta\t1\tmixed:0.05\nb\tc\t0\trandom\na\tz\t1\tmove\n"

// Scores are one for a and b, half for others. The join finds a and b, and a pair
// that has no label.
func TestLabels(t *testing.T) {
	for _, two := range []bool{false, true} {
		l, err := score.ReadLabels(file(t, "x.tsv", labels))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"d", "a", "b", "c"} {
			l.Seen(0, id)
		}
		other := []string{"d", "a", "b", "c"}
		if two {
			other = []string{"b", "c", "a"}
			for _, id := range other {
				l.Seen(1, id)
			}
		}
		l.Resolve(two)
		scoreOf := func(a, b int) float64 {
			if x, y := []string{"d", "a", "b", "c"}[a], other[b]; x == "a" && y == "b" {
				return 1
			}
			return .5
		}
		if two {
			l.Found(similarity.Pair{A: 1, B: 0})
		} else {
			l.Found(similarity.Pair{A: 1, B: 2})
		}
		l.Found(similarity.Pair{A: 0, B: 1})
		got, absent := l.Kinds(scoreOf, .5)
		want := []score.Kind{
			{Kind: "mixed:0.05", Alike: true, Pairs: 1, Reach: 1, Missed: 1},
			{Kind: "mixed:0.2", Alike: true, Pairs: 1, Reach: 1, Found: 1, Recall: 1},
			{Kind: "all", Alike: true, Pairs: 2, Reach: 2, Found: 1, Missed: 1, Recall: .5},
			{Kind: "random", Pairs: 1, Reach: 1, Missed: 1},
			{Kind: "all", Pairs: 1, Reach: 1, Missed: 1},
		}
		if !reflect.DeepEqual(got, want) || absent != 1 || l.Unlabelled != 1 {
			t.Errorf("two sides %t: %+v, %d absent, %d unlabelled, want %+v, 1, 1", two, got, absent, l.Unlabelled, want)
		}
	}
	if _, err := score.ReadLabels(file(t, "x.tsv", "id1\tid2\tlabel\na\tb\tmaybe\n")); err == nil || !strings.Contains(err.Error(), `:2: the label is "maybe", want a number`) {
		t.Errorf("error %v of a label that is no number", err)
	}
}

// Of a partial set, pairs with another document are counted and not judged.
func TestReadPartial(t *testing.T) {
	set := &datasets.Set{Docs: []datasets.Doc{{ID: "a"}, {ID: "b"}}}
	src := datasets.Source{Path: "-", Format: "csv", Input: strings.NewReader("id1,id2\na,b\na,z\ny,b\n")}
	o := &score.Output{ID1: "id1", ID2: "id2", FirstRow: -1, Partial: true}
	found, err := o.Read(t.Context(), set, "pairs", src)
	if err != nil || len(found.Pairs) != 1 || o.Outside != 2 {
		t.Errorf("%+v, %d outside, %v, want one pair and 2", found.Pairs, o.Outside, err)
	}
	src.Input, o.Partial = strings.NewReader("id1,id2\na,b\na,z\n"), false
	if _, err := o.Read(t.Context(), set, "pairs", src); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("error %v, want one that names z", err)
	}
}
