package surrogate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLabelsAreKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.tsv")
	if got, err := ReadLabels(name); err != nil || got != nil {
		t.Fatalf("a file that is not there: %v, %v", got, err)
	}
	given := []Label{{A: "a", B: "b", Alike: true}, {A: "b", B: "c", Alike: false}, {A: "b", B: "a", Alike: false}}
	for _, l := range given {
		if err := AppendLabel(name, l); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadLabels(name)
	if err != nil {
		t.Fatal(err)
	}
	// The second answer about a and b stands in the place of the first.
	if want := []Label{{A: "b", B: "a", Alike: false}, {A: "b", B: "c", Alike: false}}; !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
}

func TestLabelsThatAreNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.tsv")
	if err := AppendLabel(name, Label{A: "a\tb", B: "c"}); err == nil {
		t.Error("an id with a tab was written")
	}
	if err := AppendLabel(name, Label{A: "a\xff", B: "c"}); err == nil || !strings.Contains(err.Error(), name+":2: ") {
		t.Errorf("an id that is no UTF-8: error %v, want one that names file and line", err)
	}
	if got, err := ReadLabels(name); err != nil || got != nil {
		t.Errorf("after an answer that was refused: %v, %v, want none", got, err)
	}
	if err := os.WriteFile(name, []byte("id1\tid2\tlabel\na\tb\tmaybe\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := ReadLabels(name)
	if err == nil || !strings.Contains(err.Error(), "labels.tsv:2") {
		t.Errorf("the label maybe: error %v, want one that names file and line", err)
	}
}

// Whatever a file of labels holds is labels or an error that names the file.
func FuzzReadLabels(f *testing.F) {
	f.Add("id1\tid2\tlabel\nx\ty\t1\n")
	f.Add("id1\tid2\tlabel\tkind\nx\ty\t0\treview\ny\tx\t1\treview\n")
	f.Add("id1\tid2\n")
	f.Add("id1\tid2\tlabel\nx\ty\tNaN\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "labels.tsv")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		labels, err := ReadLabels(name)
		if err != nil && !strings.Contains(err.Error(), "labels.tsv") {
			t.Errorf("error %v names no file", err)
		}
		seen := map[[2]string]bool{}
		for _, l := range labels {
			key := [2]string{min(l.A, l.B), max(l.A, l.B)}
			if seen[key] {
				t.Errorf("%v stands twice", key)
			}
			seen[key] = true
		}
	})
}

// Whatever is left of a file whose end was lost, the next answer can be read,
// and so can all that were whole.
func TestAppendLabelAfterACut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.tsv")
	first, second, next := Label{A: "a1", B: "b1", Alike: true}, Label{A: "a2", B: "b2", Alike: false}, Label{A: "c", B: "d", Alike: true}
	for _, l := range []Label{first, second} {
		if err := AppendLabel(name, l); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for at := range len(whole) {
		if err := os.WriteFile(name, whole[:at], 0o666); err != nil {
			t.Fatal(err)
		}
		if err := AppendLabel(name, next); err != nil {
			t.Fatalf("cut at %d: %v", at, err)
		}
		// A row counts once its label is there.
		var want []Label
		for i, l := range []Label{first, second} {
			row := fmt.Sprintf("a%d\tb%d\t%d", i+1, i+1, 1-i)
			if strings.Contains(string(whole[:at]), row) {
				want = append(want, l)
			}
		}
		got, err := ReadLabels(name)
		if err != nil || !slices.Equal(got, append(want, next)) {
			t.Errorf("cut at %d: %v, %v, want %v and %v", at, got, err, want, next)
		}
	}
}

// What somebody wrote by hand stays, or is an error that names the line.
func TestAppendLabelKeepsForeignLines(t *testing.T) {
	const three, four = "id1\tid2\tlabel\n", "id1\tid2\tlabel\tkind\n"
	for _, c := range []struct{ name, file, want, wrong string }{
		{"three columns", three + "a\tb\t1", three + "a\tb\t1\nc\td\t1\n", ""},
		{"five columns", "id1\tid2\tlabel\tkind\tnote\na\tb\t1\tx\ty", "id1\tid2\tlabel\tkind\tnote\na\tb\t1\tx\ty\nc\td\t1\treview\t\n", ""},
		{"another order", "label\tid2\tid1\n1\tb\ta", "label\tid2\tid1\n1\tb\ta\n1\td\tc\n", ""},
		{"carriage returns", "id1\tid2\tlabel\r\na\tb\t1\r\n", "id1\tid2\tlabel\r\na\tb\t1\r\nc\td\t1\n", ""},
		{"a mark and an empty line", "\ufeff\n" + three, "\ufeff\n" + three + "c\td\t1\n", ""},
		{"only a header", "id2\tid1\tlabel", "id2\tid1\tlabel\nd\tc\t1\n", ""},
		{"no kind", four + "a\tb\t0.7", four + "a\tb\t0.7\t\nc\td\t1\treview\n", ""},
		{"half a line", three + "a\tb\t0\na\tb\t", three + "a\tb\t0\nc\td\t1\n", ""},
		{"half a line of another order", "label\tid1\tid2\n1\ta\t", "label\tid1\tid2\n1\tc\td\n", ""},
		{"a line without an id", three + "\tb\t1", "", ":2: "},
		{"a label that is none", three + "a\tb\tmaybe", "", ":2: "},
		{"too many fields", three + "a\tb\t1\tsure", "", ":2: "},
		{"an earlier line that is none", three + "a\tb\na\tb\t1\n", "", ":2: "},
		{"a line break in quotes", three + "a\tb\t1\na\t\"b\nc\"\t1", "", ":3: "},
		{"no column of labels", "id1\tid2\na\tb", "", ":1: "},
		{"no header", "a\tb\t1\n", "", ":1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "labels.tsv")
			if err := os.WriteFile(name, []byte(c.file), 0o666); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if c.wrong != "" {
				want = c.file
			}
			err := AppendLabel(name, Label{A: "c", B: "d", Alike: true})
			if (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), name+c.wrong) {
				t.Errorf("error %v, want %q", err, c.wrong)
			}
			if got, err := os.ReadFile(name); err != nil || string(got) != want {
				t.Errorf("the file is %q, %v, want %q", got, err, want)
			}
			if labels, err := ReadLabels(name); c.wrong == "" && (err != nil || !slices.Contains(labels, Label{A: "c", B: "d", Alike: true})) {
				t.Errorf("read %v, %v, want c and d in it", labels, err)
			}
		})
	}
}

// DropLabel takes back the last answer and nothing else.
func TestDropLabel(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.tsv")
	first, second := Label{A: "a", B: "b", Alike: true}, Label{A: "c", B: "d", Alike: false}
	for _, l := range []Label{first, second} {
		if err := AppendLabel(name, l); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range []Label{first, {A: "c", B: "d", Alike: true}} {
		if err := DropLabel(name, l); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, which is not the last answer: error %v", l, err)
		}
	}
	for _, want := range [][]Label{{first}, nil} {
		last := second
		if want == nil {
			last = first
		}
		if err := DropLabel(name, last); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadLabels(name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v left, want %v", got, err, want)
		}
	}
	if err := DropLabel(name, first); err == nil {
		t.Error("a file without answers gave one")
	}
}
