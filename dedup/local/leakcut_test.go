package local

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// leaky returns test items and training texts that hold some of them, edited,
// re-wrapped and repeated, in English and Chinese.
func leaky(seed uint64, n int) (items, train []string) {
	r := rand.New(rand.NewPCG(seed, 4))
	han := []rune("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜")
	words := func(n int, chinese bool) string {
		var b strings.Builder
		for i := range n {
			if chinese {
				b.WriteRune(han[r.IntN(len(han))])
				if r.IntN(8) == 0 {
					b.WriteString([]string{"，", "。", "\n", "？”"}[r.IntN(4)])
				}
				continue
			}
			if i > 0 {
				b.WriteString([]string{" ", " ", " ", "\n", ", ", ". “"}[r.IntN(6)])
			}
			fmt.Fprintf(&b, "w%d", r.IntN(300))
		}
		return b.String()
	}
	for i := range n {
		items = append(items, words(2+r.IntN(30), i%3 == 0))
	}
	for i := range 4 * n {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(words(r.IntN(20), i%3 == 0) + []string{" ", "\n", "", "… "}[r.IntN(4)])
			item := items[r.IntN(n)]
			switch r.IntN(4) {
			case 0: // an edit
				at := strings.IndexAny(item, " 日天，\n")
				item = item[:max(at, 0)] + " other " + item[max(at, 0):]
			case 1: // a part
				cut := []rune(item)
				item = string(cut[:r.IntN(len(cut)+1)])
			case 2:
				item = strings.ReplaceAll(strings.ToUpper(item), " ", "\r\n")
			}
			b.WriteString(item + []string{"", ". ", "。", "\n", " end"}[r.IntN(5)])
		}
		train = append(train, b.String())
	}
	return items, train
}

// Nothing leaks in what is kept, by the same rules. It is the training data
// without the cuts that why.jsonl names, which divide no word and have only
// text of the test documents and up to three words between. Documents without a
// leak are the same, and the training data comes back.
func TestLeakCutKeepsItsLaws(t *testing.T) {
	found := map[string]int{}
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 6))
		dir := t.TempDir()
		items, train := leaky(seed, 40)
		path := jsonl(t, dir, "train", train)
		o := LeakOptions{
			Train: []datasets.Source{{Path: path}}, Tests: []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", items)}}}},
			Features: extractor(t, 3), Threshold: []float64{.3, .5, .8, 1}[r.IntN(4)], Least: []int{0, 4, 8}[r.IntN(3)],
			Clean: filepath.Join(dir, "out"), Cut: true, Workers: 1,
		}
		if seed%4 == 3 {
			x, err := feature.New(feature.Options{Tokens: feature.Rune, MinWidth: 5})
			if err != nil {
				t.Fatal(err)
			}
			o.Features = x
		}
		switch r.IntN(3) {
		case 0:
			o.Passage.Words = 5 + r.IntN(8)
		case 1:
			o.Passage.Share = .4
		}
		name := fmt.Sprintf("seed %d: %v %v %d %v", seed, o.Features, o.Threshold, o.Least, o.Passage)
		_, rep := findLeaks(t, o)
		why := readWhy(t, o.Clean)
		ids, before := textsOf(t, path)
		keptIDs, after := textsOf(t, filepath.Join(o.Clean, "kept.jsonl"))
		var wantIDs, want []string
		cuts := 0
		for row, text := range before {
			w := why[dedup.Ref{Row: row}]
			found[w.Reason]++
			if w.Reason == reasonLeaked {
				continue
			}
			left, at := "", 0
			for i, c := range w.Cuts {
				if cuts++; c.Start < at || c.End <= c.Start || c.End > len(text) || c.Test == nil {
					t.Fatalf("%s: row %d: the cuts %+v", name, row, w.Cuts)
				}
				joined := i > 0 && w.Cuts[i-1].End == c.Start || i+1 < len(w.Cuts) && w.Cuts[i+1].Start == c.End
				if !joined && (passages.Within(text, c.Start) || passages.Within(text, c.End)) {
					t.Fatalf("%s: row %d: the cut %d to %d divides a word of %q", name, row, c.Start, c.End, text)
				}
				if row, gap := c.Test.Row, unlike(o, text[c.Start:c.End], items[c.Test.Row]); gap > 3 && !joined && seed%4 < 3 {
					t.Fatalf("%s: the cut %q has %d words that the test document %d has not: %q", name, text[c.Start:c.End], gap, row, items[row])
				}
				left += text[at:c.Start]
				at = c.End
				if rest, cut := text[at:], text[c.Start:c.End]; !joined && strings.TrimSpace(cut) != cut && passages.Within(left+rest, len(left)) {
					t.Fatalf("%s: row %d: the cut %q of %q makes one word of two", name, row, cut, text)
				}
			}
			wantIDs, want = append(wantIDs, ids[row]), append(want, left+text[at:])
		}
		if !slices.Equal(keptIDs, wantIDs) || !slices.Equal(after, want) {
			t.Fatalf("%s: kept %q, want %q", name, after, want)
		}
		made, err := OpenMade(o.Clean)
		if err != nil {
			t.Fatal(err)
		}
		gone := 0
		for _, s := range before {
			gone += len(s)
		}
		for _, s := range after {
			gone -= len(s)
		}
		if b := made.Report.Below; b.Cut != rep.Cut || int(b.Cuts) != cuts || int(b.Gone) != gone || made.Report.Kept != len(after) || made.Report.Leaked+rep.Cut != rep.Leaking {
			t.Errorf("%s: the report %+v, %+v of %+v, want %d bytes", name, made.Report, b, rep, gone)
		}
		back := filepath.Join(dir, "back")
		if _, err := Restore(t.Context(), o.Clean, back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a, b := readFile(t, back), readFile(t, path); a != b {
			t.Fatalf("%s: other bytes come back", name)
		}
		first := readTree(t, o.Clean)
		o.Clean, o.Workers = filepath.Join(dir, "again"), 3
		findLeaks(t, o)
		if !reflect.DeepEqual(first, readTree(t, o.Clean)) {
			t.Errorf("%s: other bytes with more workers", name)
		}
		o.Train[0].Path, o.Clean, o.Cut = filepath.Join(o.Clean, "kept.jsonl"), "", false
		if leaks, _ := findLeaks(t, o); len(leaks) > 0 {
			t.Errorf("%s: what is kept has leaks: %+v", name, leaks)
		}
	}
	if found[reasonCut] < 500 || found[reasonLeaked] < 20 || found[reasonLeaked] > found[reasonCut]/20 || found[""] < 500 {
		t.Errorf("%v: the test shows little, or too much is removed", found)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// unlike returns the most words in a row of a text that are in no run of three which an
// item has too. Of the runs at both ends words may have been left out with others.
func unlike(o LeakOptions, text, item string) (most int) {
	has := map[uint64]bool{}
	for _, h := range o.Features.AppendHashes(nil, closeUp(item).text) {
		has[h] = true
	}
	of := o.Features.AppendHashes(nil, closeUp(text).text)
	first := slices.IndexFunc(of, func(h uint64) bool { return has[h] })
	if first < 0 {
		return 0
	}
	last := first
	for i, h := range of {
		if has[h] {
			most = max(most, i-last-3)
			last = i
		}
	}
	return max(most, first, len(of)-1-last)
}

// Of every kind of file the training data comes back, and nothing leaks in what
// is kept.
func TestLeakCutGivesTheBytesBack(t *testing.T) {
	cut := 0
	for name, content := range odd {
		if len(content) < 8 || name == "header.csv" {
			continue
		}
		dir := t.TempDir()
		src := oddSource(t, dir, name)
		o := LeakOptions{
			Train: []datasets.Source{src}, Tests: []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", []string{"b c", "b", "d"})}}}},
			Features: extractor(t, 1), Threshold: 1, SkipBad: 9, Clean: filepath.Join(dir, "out"), Cut: true,
		}
		_, rep := findLeaks(t, o)
		cut += rep.Cut
		back := filepath.Join(dir, "back")
		if _, err := Restore(t.Context(), o.Clean, back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := readFile(t, back)
		if name == "text.gz" {
			got = string(unpack(t, []byte(got)))
		}
		if got != content {
			t.Errorf("%s: restored %q, want %q", name, got, content)
		}
		kept, err := filepath.Glob(filepath.Join(o.Clean, "kept*"))
		if err != nil || len(kept) != 1 {
			t.Fatal(name, kept, err)
		}
		o.Train[0].Path, o.Clean, o.Cut = kept[0], "", false
		if rep.Train > rep.Leaking-rep.Cut {
			if leaks, _ := findLeaks(t, o); len(leaks) > 0 {
				t.Errorf("%s: what is kept has leaks: %+v", name, leaks)
			}
		}
	}
	if cut < 10 {
		t.Errorf("only %d documents were cut", cut)
	}
}

// Texts that are files are cut in their files, and three words of an item stay
// where they stand alone. What cannot be cut is refused, and leaves nothing
// behind.
func TestLeakCutFiles(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	item := "which river flows through the old city of Vienna on its way"
	files := map[string]string{"a.txt": "One.\n" + item + ".\nTwo: the old city of my heart.", "b/b.txt": mark + "Three: " + strings.Replace(item, "old", "NEW", 1) + "\r\n", "c.txt": "own text", "d.txt": item + "?"}
	for name, text := range files {
		write(t, filepath.Join(in, name), []byte(text))
	}
	o := LeakOptions{
		Train: []datasets.Source{{Path: in, Format: "text"}}, Tests: []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", []string{item})}}}},
		Features: extractor(t, 3), Threshold: .5, Least: 4, Clean: filepath.Join(dir, "out"), Cut: true,
	}
	findLeaks(t, o)
	want := map[string]string{"a.txt": "One.\nTwo: the old city of my heart.", "b/b.txt": mark + "Three:\r\n", "c.txt": files["c.txt"]}
	if got := readTree(t, filepath.Join(o.Clean, "kept")); !reflect.DeepEqual(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
	back := filepath.Join(dir, "back")
	if _, err := Restore(t.Context(), o.Clean, back); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, back); !reflect.DeepEqual(got, files) {
		t.Errorf("%q comes back, want %q", got, files)
	}
	write(t, filepath.Join(in, "e.txt.gz"), pack(t, "One. "+item))
	o.Clean = filepath.Join(dir, "out2")
	for want, change := range map[string]func(*LeakOptions){
		"e.txt.gz is compressed":      func(*LeakOptions) {},
		"Cut goes with Clean":         func(o *LeakOptions) { o.Clean = "" },
		"without Mask":                func(o *LeakOptions) { o.Mask = 1 },
		"put together from 2 columns": func(o *LeakOptions) { o.Train = []datasets.Source{{Path: "x.csv", Text: []string{"a", "b"}}} },
	} {
		bad := o
		change(&bad)
		if _, err := FindLeaks(t.Context(), bad, func(Leak) error { return nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*out2*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
