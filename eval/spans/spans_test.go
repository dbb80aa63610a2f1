package spans_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/alike-go/alike/eval/spans"
)

func passage(doc1, start1, end1, doc2, start2, end2 int) spans.Passage {
	return spans.Passage{A: spans.Span{Doc: doc1, Start: start1, End: end1}, B: spans.Span{Doc: doc2, Start: start2, End: end2}}
}

// The passages of the unit tests of PAN's perfmeasures.py (version 1.3) that have
// a source, with its documents tref1, sref1, tref2 and sref2 as 1 to 4.
var (
	ann1  = passage(1, 0, 100, 2, 0, 100)
	ann3  = passage(1, 100, 200, 2, 100, 200)
	ann4  = passage(1, 0, 200, 2, 0, 200)
	ann5  = passage(1, 0, 1, 2, 0, 1)
	ann6  = passage(1, 99, 100, 2, 99, 100)
	ann7  = passage(3, 0, 100, 4, 0, 100)
	ann9  = passage(3, 50, 150, 4, 50, 150)
	ann10 = passage(3, 25, 100, 4, 25, 100)
)

type list = []spans.Passage

// Values from the unit tests of perfmeasures.py.
func TestPAN(t *testing.T) {
	for _, c := range []struct {
		truth, found list
		recall       float64
		precision    float64
	}{
		{nil, nil, 1, 1},
		{list{ann1}, nil, 0, 0},
		{nil, list{ann1}, 0, 0},
		{list{ann1}, list{ann1}, 1, 1},
		{list{ann1, ann7}, list{ann1}, .5, 1},
		{list{ann1}, list{ann7}, 0, 0},
		{list{ann1}, list{ann3}, 0, 0},
		{list{ann1}, list{ann4}, 1, .5},
		{list{ann1}, list{ann4, ann7}, 1, .25},
		{list{ann7}, list{ann9}, .5, .5},
		{list{ann7}, list{ann10}, .75, 1},
		{list{ann7}, list{ann9, ann10}, .75, .75},
		{list{ann1}, list{ann3, ann4}, 1, .25},
	} {
		f, w, _ := spans.Judge(c.truth, c.found)
		if f.Recall != c.recall || w.Precision != c.precision {
			t.Errorf("true %v, found %v: recall %v and precision %v, want %v and %v", c.truth, c.found, f.Recall, w.Precision, c.recall, c.precision)
		}
	}
	// There the detection ann2 has no source; ann5 and ann6 overlap as it does.
	for _, c := range []struct {
		truth, found list
		want         float64
	}{
		{nil, nil, 1},
		{list{ann1}, list{ann5}, 1},
		{list{ann1}, list{ann5, ann3}, 1},
		{list{ann1}, list{ann6, ann3, ann4}, 2},
		{list{ann1, ann3}, list{ann5, ann4}, 1.5},
	} {
		if f, _, _ := spans.Judge(c.truth, c.found); f.Granularity != c.want {
			t.Errorf("true %v, found %v: granularity %v, want %v", c.truth, c.found, f.Granularity, c.want)
		}
	}
	// plagdet_score(1, 1, 2): found in two halves.
	halves := list{passage(1, 0, 50, 2, 0, 50), passage(1, 50, 100, 2, 50, 100)}
	if _, w, _ := spans.Judge(list{ann1}, halves); math.Abs(w.Plagdet-0.63092975) > 1e-8 {
		t.Errorf("plagdet %v, want 0.63092975", w.Plagdet)
	}
	// plagdet_score(1, 0.5, 1).
	if _, w, _ := spans.Judge(list{ann1}, list{ann4}); w.Plagdet != 2./3 {
		t.Errorf("plagdet %v, want 2/3", w.Plagdet)
	}
}

// Two cases of 100 + 100 and 20 + 20 characters. The first is found in two parts:
// one with 50 + 50 characters, and one of 50 + 50 with 30 + 10 of them within.
// Something else is found too. Computed by hand from the definitions of the paper.
func ExampleJudge() {
	truth := []spans.Passage{passage(1, 0, 100, 2, 0, 100), passage(1, 200, 220, 3, 0, 20)}
	found := []spans.Passage{
		passage(1, 0, 50, 2, 0, 50),
		passage(2, 90, 140, 1, 70, 120), // the order of the documents does not matter
		passage(1, 200, 220, 2, 0, 20),  // the right span, from the wrong document
	}
	f, w, cases := spans.Judge(truth, found)
	fmt.Printf("recall of the first case (50+30 + 50+10)/200 = %.2f, its IoU 100/200 = %.2f\n", cases[0].Recall, cases[0].IoU)
	fmt.Printf("recall (0.7 + 0)/2 = %.2f, precision (1 + 0.4 + 0)/3 = %.3f\n", f.Recall, w.Precision)
	fmt.Printf("granularity 2/1 = %.0f, plagdet %.3f\n", f.Granularity, w.Plagdet)
	fmt.Printf("micro recall 140/240 = %.3f, micro precision 140/(50+50+20 + 50+50) = %.3f\n", w.MicroRecall, w.MicroPrecision)
	// Output:
	// recall of the first case (50+30 + 50+10)/200 = 0.70, its IoU 100/200 = 0.50
	// recall (0.7 + 0)/2 = 0.35, precision (1 + 0.4 + 0)/3 = 0.467
	// granularity 2/1 = 2, plagdet 0.252
	// micro recall 140/240 = 0.583, micro precision 140/(50+50+20 + 50+50) = 0.636
}

// set is the characters of passages, by document and place.
type set map[[2]int]bool

func setOf(passages ...spans.Passage) set {
	s := set{}
	for _, p := range passages {
		for _, x := range []spans.Span{p.A, p.B} {
			for i := x.Start; i < x.End; i++ {
				s[[2]int{x.Doc, i}] = true
			}
		}
	}
	return s
}

func (s set) and(t set) set {
	both := set{}
	for c := range s {
		if t[c] {
			both[c] = true
		}
	}
	return both
}

func (s set) or(t set) set {
	either := set{}
	for _, x := range []set{s, t} {
		for c := range x {
			either[c] = true
		}
	}
	return either
}

// detects says whether r detects s, and which characters are in both.
func detects(r, s spans.Passage) (bool, set) {
	in := func(x, y spans.Span) bool { return len(setOf(spans.Passage{A: x}).and(setOf(spans.Passage{A: y}))) > 0 }
	if r.A.Doc != s.A.Doc {
		r.A, r.B = r.B, r.A
	}
	if in(r.A, s.A) && in(r.B, s.B) {
		return true, setOf(r).and(setOf(s))
	}
	return false, set{}
}

// naive computes all figures from sets of characters.
func naive(truth, found []spans.Passage) (spans.Figures, spans.Whole, []spans.Case) {
	cases := make([]spans.Case, len(truth))
	w := spans.Whole{Detections: len(found)}
	both, detections, detected := set{}, 0, 0
	f := spans.Figures{Cases: len(truth)}
	for i, s := range truth {
		of := set{}
		for _, r := range found {
			if yes, x := detects(r, s); yes {
				of = of.or(x)
				cases[i].Detections++
				cases[i].IoU = max(cases[i].IoU, float64(len(x))/float64(len(setOf(r).or(setOf(s)))))
			}
		}
		cases[i].Recall = float64(len(of)) / float64(len(setOf(s)))
		f.Recall += cases[i].Recall / float64(len(truth))
		f.IoU += cases[i].IoU / float64(len(truth))
		both = both.or(of)
		detections += cases[i].Detections
		if cases[i].Detections > 0 {
			detected++
		}
	}
	for _, r := range found {
		of := set{}
		for _, s := range truth {
			_, x := detects(r, s)
			of = of.or(x)
		}
		w.Precision += float64(len(of)) / float64(len(setOf(r))) / float64(len(found))
	}
	f.Detected, f.Granularity = detected, 1
	if detected > 0 {
		f.Granularity = float64(detections) / float64(detected)
	}
	w.MicroPrecision = float64(len(both)) / float64(len(setOf(found...)))
	w.MicroRecall = float64(len(both)) / float64(len(setOf(truth...)))
	combine := func(p, r float64) float64 {
		if p+r == 0 {
			return 0
		}
		return 2 * p * r / (p + r) / (math.Log(1+f.Granularity) / math.Log(2))
	}
	w.Plagdet, w.MicroPlagdet = combine(w.Precision, f.Recall), combine(w.MicroPrecision, w.MicroRecall)
	return f, w, cases
}

func TestOracle(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0))
		random := func() spans.Passage {
			docs := r.Perm(2 + int(seed%3))
			a, b := r.IntN(40), r.IntN(40)
			return passage(docs[0], a, a+1+r.IntN(12), docs[1], b, b+1+r.IntN(12))
		}
		var truth, found list
		for range 1 + r.IntN(12) {
			truth = append(truth, random())
		}
		for range 1 + r.IntN(12) {
			p := random()
			if r.IntN(2) == 0 { // near a true one
				p = truth[r.IntN(len(truth))]
				p.A.Start += r.IntN(3)
				p.A.End += 3
				p.B.End += r.IntN(5)
				if r.IntN(2) == 0 {
					p.A, p.B = p.B, p.A
				}
			}
			found = append(found, p)
		}
		before := slices.Clone(truth)
		f, w, cases := spans.Judge(truth, found)
		wantF, wantW, wantCases := naive(truth, found)
		if !slices.Equal(before, truth) || !close(f, wantF) || !close(w, wantW) || len(cases) != len(wantCases) {
			t.Fatalf("seed %d: %+v %+v, want %+v %+v", seed, f, w, wantF, wantW)
		}
		for i := range cases {
			if !close(cases[i], wantCases[i]) {
				t.Fatalf("seed %d: case %d is %+v, want %+v", seed, i, cases[i], wantCases[i])
			}
		}
		if mean := spans.Mean(cases); mean != f {
			t.Fatalf("seed %d: the mean of the cases is %+v, want %+v", seed, mean, f)
		}
	}
}

// close reports whether all fields of two structs are equal up to rounding.
func close(x, y any) bool {
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	for i := range a.NumField() {
		if a.Field(i).CanFloat() {
			if !(math.Abs(a.Field(i).Float()-b.Field(i).Float()) < 1e-9) {
				return false
			}
		} else if a.Field(i).Int() != b.Field(i).Int() {
			return false
		}
	}
	return true
}

func BenchmarkJudge(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("passages=%d", n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			truth := make(list, n)
			found := make(list, n)
			for i := range truth {
				doc, at := r.IntN(n/10), r.IntN(1_000_000)
				truth[i] = passage(doc, at, at+500, n+doc, at, at+500)
				found[i] = passage(doc, at+50, at+600, n+doc, at+50, at+600)
			}
			b.ReportAllocs()
			for b.Loop() {
				if f, _, _ := spans.Judge(truth, found); f.Detected != n {
					b.Fatalf("%d of %d detected", f.Detected, n)
				}
			}
		})
	}
}
