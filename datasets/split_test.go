package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRoles(t *testing.T) {
	tests := []struct {
		have           []Split
		choose, report Split
		ok             bool
	}{
		{nil, None, None, false},
		{[]Split{None}, None, None, false},
		{[]Split{Test}, None, None, false},
		{[]Split{Train, Dev, Test}, Dev, Test, true},
		{[]Split{Test, Dev}, Dev, Test, true},
		{[]Split{Train, Test}, Train, Test, true},
		{[]Split{Train, Dev}, Train, Dev, true},
		{[]Split{None, Train}, None, None, false},
	}
	for _, test := range tests {
		s := &Set{}
		for _, split := range test.have {
			s.Pairs = append(s.Pairs, Pair{Split: split})
		}
		if choose, report, ok := s.Roles(); choose != test.choose || report != test.report || ok != test.ok {
			t.Errorf("splits %v: %v, %v, %t; want %v, %v, %t", test.have, choose, report, ok, test.choose, test.report, test.ok)
		}
	}
}

func TestSplitString(t *testing.T) {
	if got := fmt.Sprint([]Split{None, Train, Dev, Test, 9}); got != "[none train dev test Split(9)]" {
		t.Error(got)
	}
}

func TestParseSplit(t *testing.T) {
	for name, want := range map[string]Split{"": None, "train": Train, "dev": Dev, "test": Test} {
		if got, err := ParseSplit(name); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"none", "all", "Test"} {
		if got, err := ParseSplit(name); err == nil {
			t.Errorf("%q is %v", name, got)
		}
	}
}

// TestSplitByComponent checks on random sets what the comment promises.
func TestSplitByComponent(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 300 {
		s := randomSet(r)
		before := slices.Clone(s.Pairs)
		seed := r.Uint64()
		split := s.SplitByComponent(seed, 0.5)
		if !slices.Equal(s.Pairs, before) {
			t.Fatal("the original has changed")
		}
		if !slices.Equal(split.Pairs, s.SplitByComponent(seed, 0.5).Pairs) {
			t.Fatal("two divisions under one seed differ")
		}
		side := make([]Split, len(s.Docs))
		for _, p := range split.Pairs {
			if p.Split == None {
				if p.Label == 1 {
					t.Fatalf("seed %d: the positive pair %v is in no split", seed, p)
				}
				continue
			}
			if p.Split != Dev && p.Split != Test {
				t.Fatalf("seed %d: split %v", seed, p.Split)
			}
			for _, d := range []int{p.A, p.B} {
				if side[d] != None && side[d] != p.Split {
					t.Fatalf("seed %d: document %d is in both splits", seed, d)
				}
				side[d] = p.Split
			}
		}
	}
}

// TestSplitShare divides many components of one pair each; the share is then met
// to within one.
func TestSplitShare(t *testing.T) {
	s := &Set{}
	for i := range 100 {
		s.Docs = append(s.Docs, Doc{ID: fmt.Sprint(2 * i)}, Doc{ID: fmt.Sprint(2*i + 1)}, Doc{ID: fmt.Sprint("single", i)})
		s.Pairs = append(s.Pairs, Pair{A: 3 * i, B: 3*i + 1, Label: 1}, Pair{A: 3 * i, B: 3*i + 2})
	}
	for _, share := range []float64{0, 0.3, 0.5, 1} {
		split := s.SplitByComponent(7, share)
		dev, test := split.Select(Dev), split.Select(Test)
		if len(dev)+len(test) != 200 {
			t.Errorf("share %g: single documents do not follow their partners: %d and %d pairs", share, len(dev), len(test))
		}
		if want := 200 * share; float64(len(dev)) < want-2 || float64(len(dev)) > want+2 {
			t.Errorf("share %g: %d of 200 pairs in dev", share, len(dev))
		}
	}
	if slices.Equal(s.SplitByComponent(1, 0.5).Pairs, s.SplitByComponent(2, 0.5).Pairs) {
		t.Error("two seeds divide alike")
	}
}
