package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/alike-go/alike/index/plan"
)

// timed is an index that was filled and asked, from which fitCosts takes constants.
type timed struct {
	Backend   string  `json:"backend"`
	Documents int64   `json:"documents"`
	Blocks    int     `json:"blocks"`
	Tables    int     `json:"tables"`
	Bytes     float64 `json:"bytes"`   // of one copy
	Buckets   float64 `json:"buckets"` // that hold a posting
	Load      float64 `json:"load"`    // seconds
	Lookups   float64 `json:"lookups"` // of a query
	Scanned   float64 `json:"scanned"`
	Query     float64 `json:"query"` // seconds, the median of queries one after the other that find nothing

	// Uncached is the same of the index on disk when nothing that a query reads is
	// in memory, 0 if that was not measured.
	Uncached float64 `json:"uncached,omitempty"`

	Memory float64 `json:"memory,omitempty"` // bytes of the machine
}

// sorted is the number of documents from which filling an index on disk sorts
// mostly outside the caches. Where there are such runs, the times of others to fill
// an index do not count.
const sorted = 1_000_000

// far returns the share of far lookups. Only the index on disk has them.
func far(backend string, bytes float64) float64 {
	if backend == "disk" {
		return plan.Far(bytes)
	}
	return 0
}

// fitCosts returns the constants of a backend that explain its runs with the least relative
// errors, none below 0. There must be three runs or more, of two layouts or more.
func fitCosts(name string, runs []timed) (plan.Backend, error) {
	b := plan.Backend{Name: name}
	if len(runs) < 3 {
		return b, fmt.Errorf("%d runs of %s, want 3 or more", len(runs), name)
	}
	var sizes, loads, queries [][]float64
	var bytes, load, query []float64
	largest := slices.MaxFunc(runs, func(a, b timed) int { return cmp.Compare(a.Documents, b.Documents) })
	for _, r := range runs {
		n, tables := float64(r.Documents), float64(r.Tables)
		size := []float64{1, tables}
		if name == "memory" { // each bucket takes bytes beside its postings
			size = append(size, r.Buckets/n)
		}
		sizes, bytes = append(sizes, size), append(bytes, r.Bytes/n)
		if r.Documents >= sorted || largest.Documents < sorted {
			loads, load = append(loads, []float64{1, tables}), append(load, r.Load/n)
		}
		if r.Memory == 0 || r.Bytes < r.Memory/2 { // otherwise parts of it come from the disk
			queries, query = append(queries, []float64{1, r.Lookups, r.Scanned, r.Lookups * far(name, r.Bytes)}), append(query, r.Query)
		}
	}
	for _, f := range []struct {
		rows [][]float64
		y    []float64
		into []*float64
	}{
		{sizes, bytes, []*float64{&b.DocumentBytes, &b.PostingBytes, &b.BucketBytes}},
		{loads, load, []*float64{&b.Load, &b.LoadPosting}},
		{queries, query, []*float64{&b.Query, &b.Lookup, &b.Scanned, &b.Far}},
	} {
		x, err := fit(f.rows, f.y)
		if err != nil {
			return b, fmt.Errorf("%s: %w", name, err)
		}
		for i, v := range x {
			*f.into[i] = v
		}
	}
	return b, nil
}

// fit returns the x, none below 0, with the least sum of squares of (rows·x - y) / y. With
// four unknowns at most every choice of those that are 0 can be tried.
func fit(rows [][]float64, y []float64) ([]float64, error) {
	unknowns := len(rows[0])
	var best []float64
	least := math.Inf(1)
	for set := 1; set < 1<<unknowns; set++ {
		var columns []int
		for j := range unknowns {
			if set>>j&1 == 1 {
				columns = append(columns, j)
			}
		}
		if len(columns) > len(rows) {
			continue
		}
		a, ones := mat.NewDense(len(rows), len(columns), nil), mat.NewVecDense(len(rows), nil)
		for i, row := range rows {
			if !(y[i] > 0) {
				return nil, fmt.Errorf("a run of %v, want more than 0", y[i])
			}
			for k, j := range columns {
				a.Set(i, k, row[j]/y[i])
			}
			ones.SetVec(i, 1)
		}
		var x mat.VecDense
		if err := x.SolveVec(a, ones); err != nil {
			continue // columns that depend on each other; fewer of them do as well
		}
		full, sum, ok := make([]float64, unknowns), 0.0, true
		for k, j := range columns {
			full[j] = x.AtVec(k)
			ok = ok && full[j] >= 0
		}
		for i, row := range rows {
			said := 0.0
			for j, v := range full {
				said += v * row[j]
			}
			sum += (said/y[i] - 1) * (said/y[i] - 1)
		}
		if ok && sum < least {
			best, least = full, sum
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no constants explain %d runs", len(rows))
	}
	return best, nil
}
