package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
)

// salted returns the features of TestLeakOfSketches.
func salted(t testing.TB, seed uint64) *feature.Extractor {
	t.Helper()
	x, err := feature.New(feature.Options{MinWidth: 3, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// testSets writes two test sets, one with questions and answers, and returns options
// to look for them by their texts.
func testSets(t testing.TB, dir string) LeakOptions {
	t.Helper()
	all := sample(8, 500)
	var qa strings.Builder
	qa.WriteString("no,question,answer\n")
	for i := 300; i < 400; i++ {
		fmt.Fprintf(&qa, "q%d,%s,%s\n", i, all[i], strings.Join(strings.Fields(all[i+50])[:min(i%4, len(strings.Fields(all[i+50])))], " "))
	}
	src := datasets.Source{Path: write(t, filepath.Join(dir, "qa.csv"), []byte(qa.String())), ID: "no", Text: []string{"question", "answer"}}
	return LeakOptions{
		Train: []datasets.Source{{Path: jsonl(t, dir, "train", append(all[:250:250], all[330]+" and "+all[380]))}},
		Tests: []TestSet{
			{Name: "plain", Revision: "7", Sources: []datasets.Source{{Path: jsonl(t, dir, "test", all[250:300])}}, Sample: true},
			{Name: "qa", Sources: []datasets.Source{src}, Question: []string{"question"}, Answer: []string{"answer"}},
		},
		Features: salted(t, 9), Threshold: .6, Passage: Passage{Words: 12}, Least: 4,
	}
}

// Sketches give the verdicts and the evidence that the texts give, but for the place
// in the test text. The file does not depend on the workers, and holds no word of
// the texts.
func TestLeakOfSketches(t *testing.T) {
	dir := t.TempDir()
	o := testSets(t, dir)
	want, report := findLeaks(t, o)
	if len(want) < 20 || report.Sets[1].Leaks == 0 || report.Leaks == report.Test {
		t.Fatalf("%+v", report)
	}
	for i := range want {
		want[i].Text, want[i].Longest.Test = "", [2]int{}
	}
	path := filepath.Join(dir, "tests.sketches")
	var first []byte
	for workers := 1; workers < 4; workers++ {
		own := o
		own.Workers = workers
		rep, err := WriteTestSketches(t.Context(), path, own)
		if err != nil || rep.Sets[0].Test != 50 || rep.Sets[1].Test != 100 {
			t.Fatalf("%+v, %v", rep, err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if !bytes.Equal(b, first) {
			t.Errorf("%d workers make another file", workers)
		}
	}
	if !IsTestSketches(path) || IsTestSketches(o.Train[0].Path) {
		t.Error("the file is not recognised")
	}
	for n := range 400 { // the words of the sample
		if word := fmt.Sprintf("w%d", n); n > 99 && bytes.Contains(first, []byte(word)) {
			t.Errorf("the file holds %q", word)
		}
	}
	by := o
	by.Tests, by.Sketches = nil, path
	for by.Workers = 1; by.Workers < 4; by.Workers++ {
		got, rep := findLeaks(t, by)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(rep, report) {
			t.Fatalf("by sketches %+v\n%+v\nby texts %+v\n%+v", rep, got, report, want)
		}
	}
}

// A file that was damaged, cut or made with other settings is refused.
func TestLeakSketchesRefused(t *testing.T) {
	dir := t.TempDir()
	o := testSets(t, dir)
	path := filepath.Join(dir, "tests.sketches")
	if _, err := WriteTestSketches(t.Context(), path, o); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	find := func(o LeakOptions) error {
		o.Tests, o.Sketches = nil, path
		_, err := FindLeaks(t.Context(), o, func(Leak) error { return nil })
		return err
	}
	for at := len(testMagic); at < len(whole); at += 1 + len(whole)/70 {
		b := bytes.Clone(whole)
		b[at] ^= 4
		write(t, path, b)
		if err := find(o); err == nil || !strings.Contains(err.Error(), "damaged or cut short") {
			t.Errorf("byte %d is changed: %v", at, err)
		}
		write(t, path, whole[:at])
		if err := find(o); err == nil || !strings.Contains(err.Error(), "damaged or cut short") {
			t.Errorf("cut at %d: %v", at, err)
		}
	}
	write(t, path, append(bytes.Clone(whole), 0))
	if err := find(o); err == nil || !strings.Contains(err.Error(), "more than there should be") {
		t.Errorf("a byte more: %v", err)
	}
	var next bytes.Buffer
	if _, err := newFrameWriter(&next, testMagic, TestSketches{Version: 2}); err != nil {
		t.Fatal(err)
	}
	write(t, path, next.Bytes())
	if err := find(o); err == nil {
		t.Error("an empty file is taken")
	}
	w, err := newFrameWriter(&next, testMagic, TestSketches{Version: 2})
	if err = errors.Join(err, w.close()); err != nil {
		t.Fatal(err)
	}
	write(t, path, next.Bytes())
	if err := find(o); err == nil || !strings.Contains(err.Error(), "version 2 of test sketches, want 1") {
		t.Errorf("another version: %v", err)
	}
	write(t, path, whole)
	other := o
	other.Features = salted(t, 10)
	if err := find(other); err == nil || !strings.Contains(err.Error(), "made with other settings") {
		t.Errorf("another seed: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := WriteTestSketches(cancelled, filepath.Join(dir, "more"), o); err == nil {
		t.Error("a cancelled run has written a file")
	}
	o.Tests = []TestSet{{Name: "none", Sources: []datasets.Source{{Path: write(t, filepath.Join(dir, "none.jsonl"), nil)}}}}
	if _, err := WriteTestSketches(t.Context(), filepath.Join(dir, "more"), o); err == nil || !strings.Contains(err.Error(), "there are no test documents (test set none)") {
		t.Errorf("no documents: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "more")); err == nil {
		t.Error("a file is left behind")
	}
}

// Any bytes are an item, or too short.
func FuzzTestItem(f *testing.F) {
	it := testItem{set: 1, id: "q1", at: "f:2"}
	f.Add(it.append(nil, []testPart{{field: questionField, words: []uint64{1}, seq: []uint64{1 << 60}}, {field: answerField, seq: []uint64{5, 6}}}))
	f.Add([]byte{0, 0, 0, 0, 0, 2, 1, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, data []byte) {
		c := cursor{b: data}
		it, parts := c.testItem()
		if c.short {
			return
		}
		again := cursor{b: it.append(nil, parts)}
		it2, parts2 := again.testItem()
		if again.short || len(again.b) > 0 || !reflect.DeepEqual(it, it2) || !reflect.DeepEqual(parts, parts2) {
			t.Fatalf("%+v %+v, then %+v %+v", it, parts, it2, parts2)
		}
	})
}
