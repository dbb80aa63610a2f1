package plan

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
)

// Costs are the constants that were measured, as docs/scale/run writes them to
// costs.json. It fills indexes of several sizes and layouts on each backend, asks
// them, and fits the constants that explain the runs with the smallest relative
// errors. TestDocs holds the model to the tables that the same runs left in the
// docs. Times are in seconds.
type Costs struct {
	Source   Source    `json:"source"`
	Sizes    Sizes     `json:"sizes"`
	Backends []Backend `json:"backends"`
	Pipeline Pipeline  `json:"pipeline"`
}

// Source says where constants were measured.
type Source struct {
	Commit    string  `json:"commit"`
	Go        string  `json:"go"`
	CPU       string  `json:"cpu"`
	CPUs      int     `json:"cpus"`
	Documents []int64 `json:"documents"` // sizes of the indexes
}

// Sizes is the machine that filled the largest indexes, some of which do not fit
// into its memory.
type Sizes struct {
	Memory float64 `json:"memory"` // bytes
	Read   float64 `json:"read"`   // more for a lookup whose block comes from the disk
}

// Machine returns that machine, with a disk for any index.
func (s Sizes) Machine() Machine {
	m := DefaultMachine
	m.Memory, m.Disk, m.Read = s.Memory, 1e15, s.Read
	return m
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
	Far           float64 `json:"far"`          // more for a lookup in a large index (see Far)
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
	c, err := readCosts(measured)
	if err != nil {
		panic("plan: " + err.Error()) // a test reads it
	}
	return c
}

// readCosts reads constants as JSON. Those that are negative or unknown are an error.
func readCosts(b []byte) (Costs, error) {
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
		for _, v := range []float64{k.DocumentBytes, k.PostingBytes, k.BucketBytes, k.Load, k.LoadPosting, k.Query, k.Lookup, k.Far, k.Scanned} {
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

// cached returns the time of a query if all that it reads is in memory. far is the
// share of far lookups.
func (b Backend) cached(lookups, scanned, far float64) float64 {
	return b.Query + lookups*(b.Lookup+b.Far*far) + scanned*b.Scanned
}

func (c Costs) backend(name string) (Backend, bool) {
	for _, b := range c.Backends {
		if b.Name == name {
			return b, true
		}
	}
	return Backend{}, false
}
