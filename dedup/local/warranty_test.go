package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
)

// always answers every question alike.
func always(alike bool) func(context.Context, Judged) (bool, error) {
	return func(context.Context, Judged) (bool, error) { return alike, nil }
}

// warranted returns the options of a run that removes about 400 documents.
func warranted(t *testing.T, dir string) Options {
	o := resumable(t, dir)
	o.Sources = []datasets.Source{{Path: jsonl(t, dir, "w", sample(3, 1500))}}
	o.Out = filepath.Join(dir, "out")
	o.Warranty = &Warranty{AtMost: 0.05, Confidence: 0.95, Seed: 1, Judge: always(true)}
	return o
}

// If no removal is wrong, as many are judged as was said, the sample is the same
// for every number of workers, and the outputs are those without a warranty.
func TestWarrantyIsShown(t *testing.T) {
	dir := t.TempDir()
	o := warranted(t, dir)
	var first []string
	for workers := 1; workers <= 3; workers++ {
		o.Workers, o.Out = workers, filepath.Join(dir, fmt.Sprint(workers))
		var asked []string
		var expected *Assurance
		o.Warranty.Expect = func(a Assurance) { expected = &a }
		o.Warranty.Judge = func(_ context.Context, j Judged) (bool, error) {
			if j.Removed.Text == j.Kept.Text || j.Removed.Text == "" || j.Kept.Text == "" {
				t.Errorf("asked about %+v", j)
			}
			if expected == nil || j.SoFar.Judged != len(asked) || j.Left != expected.Expected-len(asked) {
				t.Errorf("question %d: %+v, expected %+v", len(asked), j, expected)
			}
			asked = append(asked, j.Removed.ID+" "+j.Kept.ID)
			return true, nil
		}
		rep, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		a := *rep.Warranty
		if a.Removals != rep.Equal+rep.Alike || a.Equal != rep.Equal || a.Judged != len(asked) || a.Judged != a.Expected || a.Wrong != 0 || a.Bound > 0.05 || a.Bound == 0 {
			t.Errorf("%+v, asked %d, equal %d, alike %d", a, len(asked), rep.Equal, rep.Alike)
		}
		if len(asked) < 10 || len(asked) >= rep.Alike {
			t.Errorf("asked %d times about %d removals", len(asked), rep.Alike)
		}
		why := map[string]bool{}
		for _, line := range lines(t, filepath.Join(o.Out, whyFile)) {
			why[line] = true
		}
		for _, pair := range asked {
			removed, kept, _ := strings.Cut(pair, " ")
			if !slices.ContainsFunc(slices.Collect(maps.Keys(why)), func(line string) bool {
				return strings.Contains(line, `"id":"`+removed+`"`) && strings.Contains(line, `"kept":{"id":"`+kept+`"`) && strings.Contains(line, `"reason":"alike"`)
			}) {
				t.Errorf("asked about %s, which is not removed", pair)
			}
		}
		if first == nil {
			first = asked
		} else if !slices.Equal(asked, first) {
			t.Errorf("%d workers judge others", workers)
		}
	}
	o.Warranty, o.Out = nil, filepath.Join(dir, "plain")
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	plain, got := readTree(t, o.Out), readTree(t, filepath.Join(dir, "1"))
	delete(plain, reportFile)
	delete(got, reportFile)
	if !maps.Equal(plain, got) {
		t.Error("the outputs are others than without a warranty")
	}
	o = warranted(t, dir)
	o.Warranty.Seed = 2
	same := true
	n := 0
	o.Warranty.Judge = func(_ context.Context, j Judged) (bool, error) {
		same = same && j.Removed.ID+" "+j.Kept.ID == first[n]
		n++
		return true, nil
	}
	if _, err := Run(context.Background(), o); err != nil || same {
		t.Errorf("another seed: %v, the same sample: %v", err, same)
	}
}

// Where answers are missing nothing is written, and the run goes on with them.
func TestWarrantyGoesOn(t *testing.T) {
	dir := t.TempDir()
	o := warranted(t, dir)
	answers, open := map[string]bool{}, 0
	o.Warranty.Judge = func(_ context.Context, j Judged) (bool, error) {
		if len(answers) == 7 && !answers[j.Removed.ID] {
			return false, ErrUnanswered
		}
		answers[j.Removed.ID] = true
		return true, nil
	}
	o.Warranty.Open = func(Judged) error { open++; return nil }
	_, err := Run(context.Background(), o)
	unproved, ok := errors.AsType[*WarrantyError](err)
	if !ok || unproved.Refuted || unproved.Judged != 7 || open != unproved.Expected-7 || unproved.Bound <= 0.05 {
		t.Fatalf("%v, %+v, %d open", err, unproved, open)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the output is there: %v", err)
	}
	judged := 0
	o.Warranty.Judge = func(_ context.Context, j Judged) (bool, error) {
		if judged++; judged <= 7 && !answers[j.Removed.ID] {
			t.Errorf("question %d is about %s, which was not asked about before", judged, j.Removed.ID)
		}
		return true, nil
	}
	o.Resume = true
	r, err := start(t, context.Background(), o)
	if err != nil || !r.resumed || judged != unproved.Expected {
		t.Fatalf("%v, resumed %v, judged %d", err, r.resumed, judged)
	}
	o.Out, o.Resume = filepath.Join(dir, "one"), false
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(readTree(t, o.Out), readTree(t, filepath.Join(dir, "out"))) {
		t.Error("the outputs differ from those of one run")
	}
}

// Some wrong removals need more answers; many are refused before all were judged.
func TestWarrantyCountsWrongOnes(t *testing.T) {
	dir := t.TempDir()
	o := warranted(t, dir)
	n := 0
	o.Warranty.Judge = func(context.Context, Judged) (bool, error) { n++; return n != 20, nil }
	rep, err := Run(context.Background(), o)
	if err != nil || rep.Warranty.Wrong != 1 || rep.Warranty.Judged <= rep.Warranty.Expected || rep.Warranty.Judged != n || rep.Warranty.Bound > 0.05 {
		t.Fatalf("%v, %+v", err, rep.Warranty)
	}
	o.Out, n = filepath.Join(dir, "bad"), 0
	o.Warranty.Judge = func(context.Context, Judged) (bool, error) { n++; return false, nil }
	_, err = Run(context.Background(), o)
	unproved, ok := errors.AsType[*WarrantyError](err)
	if !ok || !unproved.Refuted || unproved.Judged != n || unproved.Wrong != n || n >= unproved.Expected {
		t.Errorf("%v, %+v, asked %d", err, unproved, n)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the output is there: %v", err)
	}
}

// Equal bytes need no answers, unless they are equal only by what is cleaned.
func TestWarrantyOfEqualTexts(t *testing.T) {
	dir := t.TempDir()
	var docs []string
	for i := range 40 {
		docs = append(docs, fmt.Sprintf("cat%[1]c sat on the mat of dog%[1]c on day ", 'a'+i/10))
	}
	o := warranted(t, dir)
	o.Threshold, o.Candidates, o.Verify, o.Method = 1, 1, nil, exact(t)
	o.Sources = []datasets.Source{{Path: jsonl(t, dir, "equal", docs)}}
	asked := 0
	o.Warranty.Judge = func(context.Context, Judged) (bool, error) { asked++; return true, nil }
	rep, err := Run(context.Background(), o)
	if err != nil || asked != 0 || rep.Equal == 0 || rep.Warranty.Equal != rep.Equal || rep.Warranty.Bound != 0 {
		t.Fatalf("%v, asked %d, %+v", err, asked, rep)
	}
	mask, err := clean.ParseMask("number")
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		docs[i] += fmt.Sprint(i)
	}
	o.Sources = []datasets.Source{{Path: jsonl(t, dir, "masked", docs)}}
	o.Clean.Mask, o.Out = mask, filepath.Join(dir, "masked")
	rep, err = Run(context.Background(), o)
	if err != nil || asked == 0 || rep.Equal == 0 || rep.Warranty.Equal != 0 {
		t.Fatalf("%v, asked %d, %+v", err, asked, rep)
	}
}

func TestWarrantyIsChecked(t *testing.T) {
	o := warranted(t, t.TempDir())
	o.MaxDrop = 0.01
	o.Warranty.Judge = func(context.Context, Judged) (bool, error) {
		t.Error("asked although too much would be removed")
		return true, nil
	}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "would remove") {
		t.Errorf("too much is removed: %v", err)
	}
	for want, w := range map[string]Warranty{
		"share of wrong removals is 0": {Confidence: 0.9, Judge: always(true)},
		"share of wrong removals is 1": {AtMost: 1, Confidence: 0.9, Judge: always(true)},
		"the confidence is 0":          {AtMost: 0.1, Judge: always(true)},
		"the confidence is 1":          {AtMost: 0.1, Confidence: 1, Judge: always(true)},
		"a warranty needs somebody":    {AtMost: 0.1, Confidence: 0.9},
	} {
		o.Warranty = &w
		refused(t, o, want)
	}
}
