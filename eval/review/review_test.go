package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/surrogate"
)

// write writes a file and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// ask reviews a file with what a person types, and returns what the person sees
// and the labels afterwards.
func ask(t *testing.T, o Options, typed string) (seen string, labels []surrogate.Label, err error) {
	t.Helper()
	l, err := Open(t.Context(), o)
	if err != nil {
		return "", nil, err
	}
	defer l.Close()
	var out bytes.Buffer
	err = l.Ask(NewAsker(strings.NewReader(typed), &out))
	labels, failed := surrogate.ReadLabels(o.Labels)
	return out.String(), labels, errors.Join(err, failed)
}

const pairs = "id1\tid2\tscore\ttext1\ttext2\n" +
	"a\tb\t0.9\tthe old cat sat\tthe new cat sat\n" +
	"c\td\t0.5\tone text\tanother one\n" +
	"b\ta\t0.9\tthe new cat sat\tthe old cat sat\n" +
	"e\tf\t0.7\tfirst\tsecond\n"

func all(t *testing.T, text string) Options {
	return Options{Pairs: datasets.Source{Path: write(t, "pairs.tsv", text)}, Labels: filepath.Join(t.TempDir(), "labels.tsv"), Min: math.NaN(), Max: math.NaN()}
}

func TestAsk(t *testing.T) {
	a := func(x, y string, alike bool) surrogate.Label { return surrogate.Label{A: x, B: y, Alike: alike} }
	for _, c := range []struct {
		name, typed string
		asked       int
		want        []surrogate.Label
	}{
		{"all, b and a only once", "y\nn\nyes\n", 3, []surrogate.Label{a("a", "b", true), a("c", "d", false), a("e", "f", true)}},
		{"the end of the input", "y\n", 2, []surrogate.Label{a("a", "b", true)}},
		{"quit", "q\ny\n", 1, nil},
		{"not a key", "what\nY\nq\n", 3, []surrogate.Label{a("a", "b", true)}},
		{"skip", "s\nn\nq\n", 3, []surrogate.Label{a("c", "d", false)}},
		{"undo", "y\nn\nu\nu\nn\nq\n", 6, []surrogate.Label{a("a", "b", false)}},
		{"undo, then quit", "y\nu\nq\n", 3, nil},
		{"undo of a skip", "y\ns\nu\nn\nq\n", 5, []surrogate.Label{a("a", "b", true), a("c", "d", false)}},
		{"nothing to undo", "u\ny\nq\n", 3, []surrogate.Label{a("a", "b", true)}},
	} {
		seen, labels, err := ask(t, all(t, pairs), c.typed)
		if got := strings.Count(seen, "are they the same?"); err != nil || !slices.Equal(labels, c.want) || got != c.asked {
			t.Errorf("%s: %v, %v, %d questions, want %v and %d", c.name, labels, err, got, c.want, c.asked)
		}
	}
	seen, _, err := ask(t, all(t, pairs), "")
	const want = "\na\n  the [old] cat sat\n\nb\n  the [new] cat sat\n\n0 answered, 3 to go, score 0.900: are they the same? y, n, s (skip), u (undo) or q (quit): "
	if err != nil || seen != want {
		t.Errorf("%v, shows\n%q, want\n%q", err, seen, want)
	}
}

// A second review goes on where the first one ended, and a filter bounds scores.
func TestGoesOn(t *testing.T) {
	o := all(t, pairs)
	if _, _, err := ask(t, o, "y\n"); err != nil {
		t.Fatal(err)
	}
	seen, _, err := ask(t, o, "q\n")
	if err != nil || !strings.HasPrefix(seen, "\nc\n") || !strings.Contains(seen, "2 to go") {
		t.Errorf("%v, shows %q", err, seen)
	}
	o.Min, o.Max = .6, .8
	if seen, _, err = ask(t, o, "q\n"); err != nil || !strings.HasPrefix(seen, "\ne\n") || !strings.Contains(seen, "1 to go") {
		t.Errorf("%v, shows %q", err, seen)
	}
	o.Pairs.Path = write(t, "pairs.csv", "id1,id2,text1,text2\na,b,x,y\n")
	if _, _, err = ask(t, o, "q\n"); err == nil || !strings.Contains(err.Error(), "pairs.csv:2: ") {
		t.Errorf("a filter without scores: error %v", err)
	}
}

// docs yields documents; the ones after the first wait until a test says so.
func docs(wait <-chan struct{}, ids ...string) func(context.Context, *error) iter.Seq[datasets.Doc] {
	return func(ctx context.Context, failed *error) iter.Seq[datasets.Doc] {
		return func(yield func(datasets.Doc) bool) {
			for i, id := range ids {
				if i == 2 {
					select {
					case <-wait:
					case <-ctx.Done():
						*failed = ctx.Err()
						return
					}
				}
				if !yield(datasets.Doc{ID: id, Text: "text of " + id}) {
					return
				}
			}
		}
	}
}

// The first question does not wait for documents that it does not need.
func TestFirstQuestionComesEarly(t *testing.T) {
	o := all(t, "id1\tid2\na\tb\nc\td\n")
	wait := make(chan struct{})
	o.Docs = docs(wait, "b", "a", "c", "d")
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p, err := l.Next()
	if err != nil || p.A.Text != "text of a" || p.B.Text != "text of b" {
		t.Fatalf("%+v, %v", p, err)
	}
	l.Skip()
	time.AfterFunc(10*time.Millisecond, func() { close(wait) })
	if p, err = l.Next(); err != nil || p.A.Text != "text of c" || p.B.Text != "text of d" {
		t.Errorf("%+v, %v", p, err)
	}
	l.Skip()
	if _, err = l.Next(); err != io.EOF {
		t.Errorf("error %v, want the end", err)
	}
}

// While the pair in turn waits for texts far back in the documents, those that are
// complete are asked about, the first of the list first.
func TestLatePairWaits(t *testing.T) {
	o := all(t, "id1\tid2\na\tz\nb\tc\nd\te\nb\te\n")
	ids := []string{"a", "e", "d", "b", "c"}
	wait := make(chan struct{})
	close(wait)
	o.Docs = docs(wait, append(ids, "z")...)
	for _, c := range []struct {
		patience int64 // in documents
		inOrder  bool
		want     string
	}{
		{6, false, "a z, b c, d e, b e"}, {4, false, "d e, a z, b c, b e"}, {2, false, "d e, b c, a z, b e"}, {0, false, "d e, b e, b c, a z"},
		{0, true, "a z, b c, d e, b e"},
	} {
		o.InOrder = c.inOrder
		l, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		l.patience = c.patience*(rowCost+int64(len("text of a"))) - 1
		found := 0
		l.o.Found = func() { found++ }
		var got []string
		for {
			p, err := l.Next()
			if err == io.EOF {
				break
			}
			if err != nil || p.A.Text != "text of "+p.A.ID || p.B.Text != "text of "+p.B.ID {
				t.Fatalf("%+v, %v", p, err)
			}
			got = append(got, p.A.ID+" "+p.B.ID)
			l.Skip()
		}
		if seen := strings.Join(got, ", "); seen != c.want || found == 0 {
			t.Errorf("patience of %d documents: %s, want %s; waited %d times", c.patience, seen, c.want, found)
		}
		l.Close()
	}
}

// What is missing is an error that names the line, and so is a review that ends.
func TestWithoutTexts(t *testing.T) {
	o := all(t, "id1\tid2\na\tb\na\tz\n")
	if _, _, err := ask(t, o, "y\n"); err == nil || !strings.Contains(err.Error(), "pairs.tsv:2: the pair has no texts") {
		t.Errorf("error %v", err)
	}
	o.Docs = docs(nil, "a", "b")
	if _, labels, err := ask(t, o, "y\ny\n"); err == nil || !strings.Contains(err.Error(), `pairs.tsv:3: no document has the id "z"`) || len(labels) != 1 {
		t.Errorf("%v, error %v", labels, err)
	}
	o.Docs, o.Labels = docs(nil, "a", "b", "z"), o.Labels+"2"
	ctx, cancel := context.WithCancel(t.Context())
	l, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Next(); err != nil {
		t.Fatal(err)
	}
	l.Skip()
	cancel()
	if _, err := l.Next(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// A list of more pairs than are read ahead is asked about in full.
func TestManyPairs(t *testing.T) {
	var b strings.Builder
	b.WriteString("id1\tid2\n")
	const n = 2*batch + 7
	for i := range n {
		fmt.Fprintf(&b, "a\tb%d\n", i)
	}
	o := all(t, b.String())
	o.Docs = func(context.Context, *error) iter.Seq[datasets.Doc] {
		return func(yield func(datasets.Doc) bool) {
			for i := range n + 1 {
				id := "a"
				if i > 0 {
					id = fmt.Sprint("b", i-1)
				}
				if !yield(datasets.Doc{ID: id, Text: id}) {
					return
				}
			}
		}
	}
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range n {
		p, err := l.Next()
		if err != nil || p.B.Text != fmt.Sprint("b", i) {
			t.Fatalf("pair %d: %+v, %v", i, p, err)
		}
		l.Skip()
	}
	if _, err := l.Next(); err != io.EOF || !l.Done() {
		t.Errorf("error %v, want the end", err)
	}
}
