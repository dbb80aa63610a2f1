package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// parted returns documents that share lines, paragraphs and passages within them.
func parted(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 9))
	pieces := []string{
		"The quick brown fox jumps over the lazy dog", "the QUICK brown fox   jumps over the lazy dog.", "Home | News | About us",
		"他们说这里有很多很多的字", "，他們說這裡有", "a", "Cafe\u0301 ﬁnd", "}", "----------------------------------------------", "😀👍🏽 ok",
	}
	for range 12 {
		var b strings.Builder
		for range 3 + r.IntN(12) {
			fmt.Fprintf(&b, "word%d ", r.IntN(1000))
		}
		pieces = append(pieces, b.String())
	}
	docs := make([]string, n)
	for i := range docs {
		var b strings.Builder
		for range r.IntN(10) {
			switch r.IntN(12) {
			case 0, 1, 2, 3:
				fmt.Fprintf(&b, "own%d of %d", r.IntN(1e6), i)
			case 4: // a run of any length
				b.WriteString(strings.Repeat([]string{"=", "0x00, ", "他们 "}[r.IntN(3)], 10+r.IntN(100)))
			default:
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			b.WriteString([]string{" ", "\n", "\n", "\n\n", "\r\n", "", " \n\t\n  ", ", "}[r.IntN(8)])
		}
		docs[i] = b.String()
	}
	return docs
}

// readWhy reads why.jsonl.
func readWhy(t testing.TB, out string) map[dedup.Ref]Removal {
	t.Helper()
	m, err := OpenMade(out)
	if err != nil {
		t.Fatal(err)
	}
	all := map[dedup.Ref]Removal{}
	if err := m.Removals(func(_, _ int, w *Removal) error { all[w.Ref] = *w; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// texts reads the texts of a file.
func textsOf(t testing.TB, path string) (ids, texts []string) {
	t.Helper()
	r, err := datasets.Open(datasets.Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		ids, texts = append(ids, row.Doc.ID), append(texts, row.Doc.Text)
	}
	return ids, texts
}

// What is written is the documents without the cuts that why.jsonl names. What a cut
// names is the same text, and stands. No character or word is divided, and the input
// comes back to the byte.
func TestBelowKeepsItsLaws(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 3
	}
	cut := map[string]int{}
	for seed := range seeds {
		for _, keep := range []string{"first", "longest", "highest:n", "none"} {
			for unit := passages.Any; unit <= passages.Paragraphs; unit++ {
				dir := t.TempDir()
				r := rand.New(rand.NewPCG(seed, uint64(unit)))
				b := &Below{Unit: unit, MinLength: []int{10, 1, 2}[unit] + r.IntN(15), MinCount: 1 + r.IntN(3), MinLeft: 1 + r.IntN(30)}
				if r.IntN(3) == 0 {
					b.MaxShare = .5
				}
				path := jsonl(t, dir, "a", parted(seed, 30))
				o := Options{Sources: []datasets.Source{{Path: path}}, Out: filepath.Join(dir, "out"), Keep: mustPolicy(t, keep), Below: b, Workers: 2}
				name := fmt.Sprintf("seed %d, keep %s, %+v", seed, keep, *b)
				rep, err := Run(t.Context(), o)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				checkBelow(t, name, path, o.Out, rep)
				for _, w := range readWhy(t, o.Out) {
					cut[w.Reason]++
				}
				back := filepath.Join(dir, "back")
				if _, err := Restore(t.Context(), o.Out, back); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				want, _ := os.ReadFile(path)
				if got, _ := os.ReadFile(back); !bytes.Equal(got, want) {
					t.Fatalf("%s: other bytes come back", name)
				}
			}
		}
	}
	if cut[reasonCut] < 100 || cut[reasonShort] < 10 {
		t.Errorf("only %v: the test shows little", cut)
	}
}

func checkBelow(t *testing.T, name, in, out string, rep *Report) {
	t.Helper()
	ids, before := textsOf(t, in)
	keptIDs, after := textsOf(t, filepath.Join(out, "kept.jsonl"))
	why := readWhy(t, out)
	var wantIDs, want []string
	gone, whole, cuts := int64(0), 0, 0
	for row, text := range before {
		w, removed := why[dedup.Ref{Row: row}]
		if removed && w.ID != ids[row] {
			t.Fatalf("%s: row %d is called %s, want %s", name, row, w.ID, ids[row])
		}
		if !removed {
			whole++
		}
		left, at := "", 0
		cuts += len(w.Cuts)
		for i, c := range w.Cuts {
			if c.Start < at || c.End <= c.Start || c.End > len(text) {
				t.Fatalf("%s: row %d: the cuts %+v", name, row, w.Cuts)
			}
			left += text[at:c.Start]
			at = c.End
			joined := i > 0 && w.Cuts[i-1].End == c.Start || i+1 < len(w.Cuts) && w.Cuts[i+1].Start == c.End
			if !joined && (passages.Within(text, c.Start) || passages.Within(text, c.End)) && !touched(why, dedup.Ref{Row: row}, c) {
				t.Fatalf("%s: row %d: the cut %d to %d divides a word of %q", name, row, c.Start, c.End, text)
			}
			if (c.Kept == nil) != (rep.Settings.Keep == "none") && (c.Kept != nil || w.Reason != reasonShort) {
				t.Fatalf("%s: row %d: the cut %+v", name, row, c)
			}
			if k := c.Kept; k != nil {
				other := before[k.Row]
				if k.ID != ids[k.Row] || k.At != fmt.Sprintf("%s:%d", in, k.Row+1) {
					t.Fatalf("%s: row %d is called %s at %s", name, k.Row, k.ID, k.At)
				}
				of := why[k.Ref]
				if of.Reason == reasonShort || slices.ContainsFunc(of.Cuts, func(c Cut) bool { return c.Start < k.End && k.Start < c.End }) {
					t.Fatalf("%s: row %d: the cut %+v names text that goes: %+v", name, row, c, of)
				}
				if a, b := folded(text[c.Start:c.End]), folded(other[k.Start:k.End]); !strings.Contains(b, a) {
					t.Fatalf("%s: row %d: the cut %q names %q", name, row, a, b)
				}
			}
		}
		left += text[at:]
		switch w.Reason {
		case reasonShort:
			gone += int64(len(text))
			continue
		case reasonCut:
			gone += int64(len(text) - len(left))
			if len(w.Cuts) == 0 || strings.TrimSpace(left) == "" {
				t.Fatalf("%s: row %d: cut by %+v", name, row, w.Cuts)
			}
		}
		wantIDs, want = append(wantIDs, ids[row]), append(want, left)
	}
	if !slices.Equal(keptIDs, wantIDs) || !slices.Equal(after, want) {
		t.Fatalf("%s: kept %q, want %q", name, after, want)
	}
	if rep.Below.Gone != gone || int(rep.Below.Cuts) != cuts || rep.Kept != len(want) || rep.Below.Cut+rep.Short+whole != len(before) {
		t.Fatalf("%s: the report %+v of %+v, want %d bytes gone", name, rep, rep.Below, gone)
	}
}

// touched reports whether a cut ends at text that is kept for another.
func touched(why map[dedup.Ref]Removal, ref dedup.Ref, c Cut) bool {
	for _, w := range why {
		for _, o := range w.Cuts {
			if o.Kept != nil && o.Kept.Ref == ref && (o.Kept.Start == c.End || o.Kept.End == c.Start) {
				return true
			}
		}
	}
	return false
}

func folded(s string) string {
	return strings.TrimSpace(string(feature.Fold{}.Normalize(nil, strings.TrimSpace(s))))
}

// Each line is kept once, and no line that is long enough stands twice.
func TestBelowLinesAsNaive(t *testing.T) {
	for seed := range uint64(20) {
		dir := t.TempDir()
		docs := parted(seed, 40)
		path := jsonl(t, dir, "a", docs)
		out := filepath.Join(dir, "out")
		if _, err := Run(t.Context(), Options{Sources: []datasets.Source{{Path: path}}, Out: out, Below: &Below{Unit: passages.Lines, MinLength: 8, MinCount: 1}}); err != nil {
			t.Fatal(err)
		}
		lines := func(docs []string) (all []string) {
			for _, d := range docs {
				for line := range strings.Lines(d) {
					if f := folded(line); utf8.RuneCountInString(f) >= 10 { // more than 8 with marks
						all = append(all, f)
					}
				}
			}
			return all
		}
		_, after := textsOf(t, filepath.Join(out, "kept.jsonl"))
		got, want := lines(after), []string{}
		for _, l := range lines(docs) {
			if !slices.Contains(want, l) {
				want = append(want, l)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: the lines %q are left, want %q", seed, got, want)
		}
	}
}

// The outputs do not depend on the workers, and a run that is cancelled again and again
// comes to the same bytes.
func TestBelowWritesTheSameBytes(t *testing.T) {
	for unit := passages.Any; unit <= passages.Paragraphs; unit++ {
		dir := t.TempDir()
		o := Options{
			Sources: []datasets.Source{{Path: jsonl(t, dir, "a", parted(1, 1500))}, {Path: jsonl(t, dir, "b", parted(2, 500))}},
			Below:   &Below{Unit: unit}, Keep: mustPolicy(t, "highest:n,longest"), Resume: true,
		}
		var want map[string]string
		for workers := 1; workers <= 4; workers++ {
			o.Out, o.Workers, o.Memory = filepath.Join(dir, fmt.Sprint("out", workers)), workers, leastMemory<<workers
			if _, err := Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			got := readTree(t, o.Out)
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%v: other bytes with %d workers", unit, workers)
			}
		}
		o.Out = filepath.Join(dir, "again")
		for _, at := range []string{"read", "grow", "locate", "write"} {
			ctx, cancel := context.WithCancel(t.Context())
			o.Progress = func(stage string, share float64) {
				if stage == at && share > .3 {
					cancel()
				}
			}
			if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
				t.Fatalf("%v: error %v, want that the run was cancelled at %s", unit, err, at)
			}
			if _, err := os.Stat(filepath.Join(partialOf(o.Out), "decision")); (err == nil) != (at == "write") {
				t.Errorf("%v, cancelled at %s: %v", unit, at, err)
			}
		}
		o.Progress = func(stage string, _ float64) {
			if stage == "read" {
				t.Errorf("%v: the run did not go on from its decision", unit)
			}
		}
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if got := readTree(t, o.Out); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: other bytes than in one run", unit)
		}
		o.Progress = nil
	}
}

// A checkpoint whose cuts are damaged is not used.
func TestBelowNoticesDamage(t *testing.T) {
	dir := t.TempDir()
	o := Options{Sources: []datasets.Source{{Path: jsonl(t, dir, "a", parted(1, 300))}}, Below: &Below{Unit: passages.Lines}, Out: filepath.Join(dir, "whole"), Resume: true}
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	want := readTree(t, o.Out)
	o.Out = filepath.Join(dir, "out")
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(stage string, _ float64) {
		if stage == "write" {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	cuts := filepath.Join(partialOf(o.Out), cutFiles[0])
	b, err := os.ReadFile(cuts)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	write(t, cuts, b)
	o.Progress = nil
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, o.Out); !reflect.DeepEqual(got, want) {
		t.Error("damaged cuts were written")
	}
}

// Files come back with whatever stands around their rows.
func TestBelowRestoresOddFiles(t *testing.T) {
	for name := range odd {
		for _, unit := range []passages.Unit{passages.Lines, passages.Paragraphs, passages.Any} {
			dir := t.TempDir()
			src := oddSource(t, dir, name)
			src.SkipBad = 10
			o := Options{Sources: []datasets.Source{src}, SkipBad: 10, Out: filepath.Join(dir, "out"), Below: &Below{Unit: unit, MinLength: 1}}
			if unit == passages.Any {
				o.Below.MinLength = 8
			}
			if _, err := Run(t.Context(), o); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			back := filepath.Join(dir, "back")
			if _, err := Restore(t.Context(), o.Out, back); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, _ := os.ReadFile(back)
			if name == "text.gz" {
				got = unpack(t, got)
			}
			if want := odd[name]; string(got) != want {
				t.Errorf("%s by %v: %q comes back, want %q", name, unit, got, want)
			}
		}
	}
}

// Texts that are files are cut in their files, and come back.
func TestBelowFiles(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	files := map[string]string{"a.txt": "a line of this file\none more line\n", "b/b.txt": mark + "one more line\r\nown\r\n", "c.txt": "one more line"}
	for name, text := range files {
		write(t, filepath.Join(in, name), []byte(text))
	}
	o := Options{Sources: []datasets.Source{{Path: in, Format: "text"}}, Out: filepath.Join(dir, "out"), Below: &Below{Unit: passages.Lines, MinLength: 5}}
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	got := readTree(t, filepath.Join(o.Out, "kept"))
	if want := map[string]string{"a.txt": files["a.txt"], "b/b.txt": mark + "own\r\n"}; !reflect.DeepEqual(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
	back := filepath.Join(dir, "back")
	if _, err := Restore(t.Context(), o.Out, back); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, back); !reflect.DeepEqual(got, files) {
		t.Errorf("%q comes back, want %q", got, files)
	}
	once := o.Sources
	for _, twice := range []string{in, filepath.Join(in, "b"), filepath.Join(in, "b", "b.txt")} {
		o.Out = filepath.Join(dir, "out2")
		o.Sources = append(slices.Clone(once), datasets.Source{Path: twice, Format: "text"})
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "want it once") {
			t.Errorf("%s: error %v, want that it is read twice", twice, err)
		}
	}
	o.Sources = once
	write(t, filepath.Join(in, "d.txt.gz"), pack(t, "one more line"))
	o.Out = filepath.Join(dir, "out2")
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "d.txt.gz is compressed") {
		t.Errorf("error %v, want that the file is compressed", err)
	}
}

// A run that would remove too much writes nothing, and what makes no sense is refused.
func TestBelowRefuses(t *testing.T) {
	dir := t.TempDir()
	path := jsonl(t, dir, "a", []string{"one line is here", "one line is here", "one line is here"})
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.MaxDrop = .5 }, "this would remove 66.7% of the text (32 of 48 bytes)"},
		{func(o *Options) { o.Method = exact(t) }, "without Method"},
		{func(o *Options) { o.Against = o.Sources }, "without Against"},
		{func(o *Options) { o.Annotate = true }, "Annotate"},
		{func(o *Options) { o.Below.MinCount = -1 }, "MinCount is -1"},
		{func(o *Options) { o.Below.MinLeft = -1 }, "MinLeft is -1"},
		{func(o *Options) { o.Below.MaxShare = 2 }, "MaxShare is 2"},
		{func(o *Options) { o.Below.MinLength = -2 }, "MinLength is -2"},
		{func(o *Options) { o.Sources[0].HTML = true }, "HTML"},
		{func(o *Options) { o.Sources[0].Text = []string{"a", "b"} }, "2 columns"},
		{func(o *Options) { o.Sources[0].Text = []string{"a.b"} }, "path"},
		{func(o *Options) { o.Keep = mustPolicy(t, "newest:date") }, `no document has a time in a field "date"`},
	} {
		o := Options{Sources: []datasets.Source{{Path: path}}, Out: filepath.Join(dir, "out"), Below: &Below{Unit: passages.Lines, MinLength: 5}}
		c.change(&o)
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "out*")); left != nil {
			t.Errorf("%q leaves %v", c.want, left)
		}
	}
}

// Whatever the texts are, the input comes back.
func FuzzRestoreBelow(f *testing.F) {
	f.Add("one line of text\nown\n\none line of text", "one line of text\nother", uint8(1), uint8(3))
	f.Add("他们说这里有很多很多的字。", "，他们说这里有很多很多的字", uint8(0), uint8(9))
	f.Add("\x00\u2028 \r\n\\\"<>é\n", "é\n\x00\u2028 \r\n", uint8(2), uint8(1))
	f.Fuzz(func(t *testing.T, a, b string, unit, least uint8) {
		dir := t.TempDir()
		var in bytes.Buffer
		enc := json.NewEncoder(&in)
		enc.SetEscapeHTML(least%2 == 0)
		for i, text := range []string{a, b, a + b, b + "\n" + a} {
			if err := enc.Encode(map[string]string{"id": fmt.Sprint(i), "text": text, "more": a}); err != nil {
				t.Fatal(err)
			}
		}
		u := passages.Unit(unit % 3)
		o := Options{
			Sources: []datasets.Source{{Path: write(t, filepath.Join(dir, "in.jsonl"), in.Bytes())}}, Out: filepath.Join(dir, "out"),
			Below: &Below{Unit: u, MinLength: 8 + int(least%32), MinCount: 1}, Memory: leastMemory, Workers: 1,
		}
		if u != passages.Any {
			o.Below.MinLength -= 7
		}
		rep, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		checkBelow(t, "fuzz", o.Sources[0].Path, o.Out, rep)
		back := filepath.Join(dir, "back")
		if _, err := Restore(t.Context(), o.Out, back); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(back); !bytes.Equal(got, in.Bytes()) {
			t.Fatalf("%q comes back, want %q", got, in.Bytes())
		}
	})
}
