package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/index/plan"
)

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

var roundCosts = []plan.Backend{
	{Name: "memory", DocumentBytes: 100, PostingBytes: 25, BucketBytes: 50, Load: 1e-6, LoadPosting: 1e-6, Query: 1e-6, Lookup: 1e-7, Scanned: 1e-9},
	{Name: "disk", DocumentBytes: 60, PostingBytes: 10, Load: 2e-6, LoadPosting: 1e-6, Query: 1e-6, Lookup: 1e-5, Far: 1e-4, Scanned: 1e-9},
	{Name: "redis cluster", DocumentBytes: 100, PostingBytes: 20, Load: 1e-5, LoadPosting: 1e-6, Query: 1e-4, Lookup: 1e-5, Scanned: 1e-8},
	{Name: "hbase", DocumentBytes: 100, PostingBytes: 40, Load: 1e-5, LoadPosting: 1e-5, Query: 1e-3, Lookup: 1e-3, Scanned: 1e-7},
}

// What runs made by known constants show, fitCosts finds again, and of noisy ones
// nearly.
func TestFit(t *testing.T) {
	for _, noise := range []float64{0, 0.02} {
		rng := rand.New(rand.NewPCG(1, 9))
		for _, want := range roundCosts {
			var runs []timed
			for _, documents := range []int64{1e5, 1e6, 1e7} {
				for _, l := range []plan.Layout{
					{Bits: 64, Distance: 3, Blocks: 4, Tables: 4, Candidates: float64(documents) / 16384},
					{Bits: 64, Distance: 3, Blocks: 5, Tables: 10, Candidates: float64(documents) / 4.8e6},
					{Bits: 64, Distance: 3, Blocks: 6, Tables: 20},
				} {
					lookups, scanned, err := plan.Reads(want.Name, documents, l)
					if err != nil {
						t.Fatal(err)
					}
					about := func(v float64) float64 { return v * (1 + noise*rng.NormFloat64()) }
					n, tables := float64(documents), float64(l.Tables)
					runs = append(runs, timed{
						Backend: want.Name, Documents: documents, Tables: l.Tables, Lookups: lookups, Scanned: scanned,
						Buckets: l.Buckets(n),
						Bytes:   about(n*(want.DocumentBytes+tables*want.PostingBytes) + l.Buckets(n)*want.BucketBytes),
						Load:    about(n * (want.Load + tables*want.LoadPosting)),
					})
					r := &runs[len(runs)-1]
					r.Query = about(asks(want, *r))
				}
			}
			got, err := fitCosts(want.Name, runs)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range values(got) {
				w := values(want)[i]
				if noise == 0 && !near(v, w, 1e-6) && math.Abs(v-w) > 1e-12 || v < 0 {
					t.Errorf("%s: constant %d is %v, want %v", want.Name, i, v, w)
				}
			}
			for _, r := range runs {
				if said := asks(got, r); !near(said, r.Query, 5*noise+1e-6) {
					t.Errorf("%s: a query of %v s is said to take %v", want.Name, r.Query, said)
				}
			}
		}
	}
	if _, err := fitCosts("disk", make([]timed, 2)); err == nil {
		t.Error("two runs are enough")
	}
	if _, err := fitCosts("disk", make([]timed, 3)); err == nil {
		t.Error("runs of nothing are enough")
	}
}

// asks returns what a query of an index takes by the constants of its backend.
func asks(b plan.Backend, r timed) float64 {
	return b.Query + r.Lookups*(b.Lookup+b.Far*plan.Far(r.Bytes)) + r.Scanned*b.Scanned
}

func values(b plan.Backend) []float64 {
	return []float64{b.DocumentBytes, b.PostingBytes, b.BucketBytes, b.Load, b.LoadPosting, b.Query, b.Lookup, b.Far, b.Scanned}
}

// No constant is below 0, and what is left explains the runs as well as can be:
// the oracle looks at a grid.
func TestFitIsNotNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for trial := range 50 {
		var rows [][]float64
		var y []float64
		for range 6 {
			rows = append(rows, []float64{1, float64(1 + rng.IntN(20))})
			y = append(y, 0.5+rng.Float64()*3)
		}
		x, err := fit(rows, y)
		if err != nil {
			t.Fatal(err)
		}
		errorOf := func(x []float64) float64 {
			sum := 0.0
			for i, row := range rows {
				e := (row[0]*x[0]+row[1]*x[1])/y[i] - 1
				sum += e * e
			}
			return sum
		}
		if slices.Min(x) < 0 {
			t.Fatalf("trial %d: %v", trial, x)
		}
		for a := range 80 {
			for b := range 80 {
				if other := []float64{float64(a) * 0.05, float64(b) * 0.01}; errorOf(other) < errorOf(x)-1e-9 {
					t.Fatalf("trial %d: %v has an error of %v, %v one of %v", trial, x, errorOf(x), other, errorOf(other))
				}
			}
		}
	}
}
