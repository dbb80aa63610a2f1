package plan

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Costs are the constants that were measured. Times are in seconds.
type Costs struct {
	Source   Source    `json:"source"`
	Backends []Backend `json:"backends"`
	Pipeline Pipeline  `json:"pipeline"`
}

// Source says where and when constants were measured.
type Source struct {
	Commit    string  `json:"commit"`
	Go        string  `json:"go"`
	CPU       string  `json:"cpu"`
	CPUs      int     `json:"cpus"`
	Documents []int64 `json:"documents"` // sizes of the indexes
}

// Backend is what an index takes on one.
type Backend struct {
	Name          string  `json:"name"`
	DocumentBytes float64 `json:"document_bytes"` // of a document with an id of 12 bytes, its postings apart
	PostingBytes  float64 `json:"posting_bytes"`
	BucketBytes   float64 `json:"bucket_bytes"` // more for each bucket that holds a posting, in memory
	Load          float64 `json:"load"`         // to add a document
	LoadPosting   float64 `json:"load_posting"` // more for each of its postings
	Query         float64 `json:"query"`        // of any query
	Lookup        float64 `json:"lookup"`       // more for each lookup
	Scanned       float64 `json:"scanned"`      // more for each posting looked at
}

// Pipeline is what finding all near-duplicates takes, on one core.
type Pipeline struct {
	Sketch    float64 `json:"sketch"`    // to read and sketch a byte of text
	Key       float64 `json:"key"`       // to make, sort and meet a key
	Candidate float64 `json:"candidate"` // to compare two fingerprints of a bucket
	Batch     float64 `json:"batch"`     // to hold a stored fingerprint against a million queries
	Record    float64 `json:"record"`    // bytes of a key with its fingerprint and number, as shuffled
}

//go:embed costs.json
var measured []byte

// Measured returns the constants that docs/scale/run has measured last.
func Measured() Costs {
	c, err := ReadCosts(measured)
	if err != nil {
		panic("plan: " + err.Error()) // a test reads it
	}
	return c
}

// ReadCosts reads constants as JSON. Those that are negative or unknown are an error.
func ReadCosts(b []byte) (Costs, error) {
	var c Costs
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("plan: costs: %w", err)
	}
	for _, k := range c.Backends {
		if _, err := traitOf(k.Name); err != nil {
			return c, err
		}
		for _, v := range []float64{k.DocumentBytes, k.PostingBytes, k.BucketBytes, k.Load, k.LoadPosting, k.Query, k.Lookup, k.Scanned} {
			if !(v >= 0) {
				return c, fmt.Errorf("plan: costs of %s: %v, want 0 or more", k.Name, v)
			}
		}
	}
	p := c.Pipeline
	for _, v := range []float64{p.Sketch, p.Key, p.Candidate, p.Batch, p.Record} {
		if !(v > 0) {
			return c, fmt.Errorf("plan: costs of the pipeline: %v, want more than 0", v)
		}
	}
	return c, nil
}

func (c Costs) backend(name string) (Backend, bool) {
	for _, b := range c.Backends {
		if b.Name == name {
			return b, true
		}
	}
	return Backend{}, false
}

// Run is an index that was filled and asked, from which Fit takes constants.
type Run struct {
	Backend   string  `json:"backend"`
	Documents int64   `json:"documents"`
	Blocks    int     `json:"blocks"`
	Tables    int     `json:"tables"`
	Bytes     float64 `json:"bytes"`   // of one copy
	Buckets   float64 `json:"buckets"` // that hold a posting
	Load      float64 `json:"load"`    // seconds
	Lookups   float64 `json:"lookups"` // of a query
	Scanned   float64 `json:"scanned"`
	Query     float64 `json:"query"` // seconds, the median of queries one after the other
}

// Fit returns the constants of a backend that explain its runs with the least relative
// errors, none below 0. There must be three runs or more, of two layouts or more.
func Fit(name string, runs []Run) (Backend, error) {
	b := Backend{Name: name}
	t, err := traitOf(name)
	if err != nil {
		return b, err
	}
	if len(runs) < 3 {
		return b, fmt.Errorf("plan: %d runs of %s, want 3 or more", len(runs), name)
	}
	var sizes, loads, queries [][]float64
	var bytes, load, query []float64
	for _, r := range runs {
		n, tables := float64(r.Documents), float64(r.Tables)
		size := []float64{1, tables}
		if t.mapped {
			size = append(size, r.Buckets/n)
		}
		sizes, loads = append(sizes, size), append(loads, []float64{1, tables})
		bytes, load = append(bytes, r.Bytes/n), append(load, r.Load/n)
		queries, query = append(queries, []float64{1, r.Lookups, r.Scanned}), append(query, r.Query)
	}
	for _, f := range []struct {
		rows [][]float64
		y    []float64
		into []*float64
	}{
		{sizes, bytes, []*float64{&b.DocumentBytes, &b.PostingBytes, &b.BucketBytes}},
		{loads, load, []*float64{&b.Load, &b.LoadPosting}},
		{queries, query, []*float64{&b.Query, &b.Lookup, &b.Scanned}},
	} {
		x, err := fit(f.rows, f.y)
		if err != nil {
			return b, fmt.Errorf("plan: %s: %w", name, err)
		}
		for i, v := range x {
			*f.into[i] = v
		}
	}
	return b, nil
}

// fit returns the x, none below 0, with the least sum of squares of (rows·x - y) / y. With
// three unknowns at most every choice of those that are 0 can be tried.
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
