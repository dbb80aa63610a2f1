package hamming

import (
	"fmt"
	"math"
	"math/bits"
)

// Costs are the times of the parts of a query, in nanoseconds.
type Costs struct {
	Scan      float64 `json:"scan"`      // to compare one of many codes read in order, of 64 bits
	Candidate float64 `json:"candidate"` // to compare one code of a bucket
	Lookup    float64 `json:"lookup"`    // to find a key's bucket and begin to read it, all in cache
	Miss      float64 `json:"miss"`      // more for each access that misses the cache, many at a time
}

// DefaultCosts are the costs of a server core with vector instructions. Calibrate
// measures the costs of this machine.
var DefaultCosts = Costs{Scan: 0.5, Candidate: 0.25, Lookup: 25, Miss: 30}

// cacheBytes is the assumed size of what stays in the cache between queries.
const cacheBytes = 4 << 20

// Estimate is what a design costs for a number of evenly spread codes.
type Estimate struct {
	Design Design
	Codes  int64

	Tables             int
	KeyLeast, KeyMost  int     // bits of the shortest and the longest key; 0 where every code is read
	Probes             float64 // keys looked up by a query
	CandidatesPerTable float64 // codes with the looked-up keys of a table, its mean over the tables
	Candidates         float64 // the same in all tables, a code counted in each; all codes where there are none

	// Copies is the size of a copy of the codes for each table, as in the published
	// designs. Bytes is the size of an Index.
	Copies, Bytes float64

	Query float64 // nanoseconds
}

// Estimate returns what a design costs for n codes.
func (c Costs) Estimate(d Design, n int64) Estimate {
	e := Estimate{Design: d, Codes: n, Tables: len(d.Tables)}
	N, code := float64(n), float64(d.Bits/8)
	e.KeyLeast, e.KeyMost = d.KeyBits()
	e.Bytes = N * (code + 4) // codes and numbers
	if len(d.Tables) == 0 {
		e.Copies, e.Candidates = N*code, N
		e.Query = N * c.Scan * code / 8
		return e
	}
	e.Copies = N * code * float64(len(d.Tables))
	reads := 0.0 // codes of the buckets, which belong to shorter keys
	for i, t := range d.Tables {
		looked := lookupBits(len(t.Key), int(min(n, math.MaxUint32)))
		probes := volume(len(t.Key), t.Probe)
		e.Probes += probes
		e.Candidates += probes * N / math.Exp2(float64(len(t.Key)))
		e.Bytes += 4 * math.Exp2(float64(looked))
		if i > 0 {
			e.Bytes += 8 * N
		}
		reads += volume(looked, t.Probe) * N / math.Exp2(float64(looked))
	}
	e.CandidatesPerTable = e.Candidates / float64(len(d.Tables))
	missing := max(0, 1-cacheBytes/e.Bytes)
	e.Query = e.Probes*(c.Lookup+2*missing*c.Miss) + reads*c.Candidate
	return e
}

// designs returns the designs to compare at a width and a radius: the scan, blocks of
// one to three more than the radius needs, and multi-index hashing with fewer blocks.
func designs(bits, radius int) ([]Design, error) {
	if err := check(bits, radius); err != nil {
		return nil, err
	}
	out := []Design{scanDesign(bits, radius)}
	add := func(d Design, err error) {
		if err == nil && len(d.Tables) <= worthTables { // else too many blocks for the width, or too many tables
			out = append(out, d)
		}
	}
	for more, tables := 1, 1.0; more <= 3; more++ {
		if tables *= float64(radius+more) / float64(more); tables <= worthTables {
			add(Blocks(bits, radius, radius+more))
		}
	}
	for blocks := radius; blocks >= max(1, (radius+1)/2); blocks-- {
		add(multiIndex(bits, radius, blocks))
	}
	return out, nil
}

// worthTables is the maximum number of tables of a design that Plan lists.
const worthTables = 128

// Plan returns the estimates of the designs for n codes, and the position of the chosen
// one: the smallest design within a tenth of the fastest that fits into memory bytes (0
// means any). If none fits, it is the scan, which is the smallest.
func (c Costs) Plan(n int64, bits, radius int, memory int64) (all []Estimate, take int, err error) {
	if n < 0 || memory < 0 {
		return nil, 0, fmt.Errorf("hamming: plan for %d codes in %d bytes, want none below 0", n, memory)
	}
	compared, err := designs(bits, radius)
	if err != nil {
		return nil, 0, err
	}
	for _, d := range compared {
		all = append(all, c.Estimate(d, n))
	}
	fits := func(e Estimate) bool { return memory == 0 || e.Bytes <= float64(memory) }
	fastest := math.Inf(1)
	for _, e := range all {
		if fits(e) {
			fastest = min(fastest, e.Query)
		}
	}
	for i, e := range all {
		if fits(e) && e.Query <= 1.1*fastest && (!fits(all[take]) || all[take].Query > 1.1*fastest || e.Bytes < all[take].Bytes) {
			take = i
		}
	}
	return all, take, nil
}

// choose returns the design that Plan chooses for n codes by DefaultCosts, so that it
// is the same on every machine. It panics if Plan would return an error.
func choose(n int64, width, radius int) Design {
	// Similar numbers of codes get the same layout.
	if n > 2 {
		n = 1 << (bits.Len64(uint64(n-1)) - 1)
	}
	all, take, err := DefaultCosts.Plan(n, width, radius, 0)
	if err != nil {
		panic(err)
	}
	return all[take].Design
}

// volume returns the number of codes within k bits of a code. It is a float because it
// exceeds all integers.
func volume(width, k int) float64 {
	sum, choose := 0.0, 1.0
	for i := 0; i <= min(k, width); i++ {
		sum += choose
		choose *= float64(width-i) / float64(i+1)
	}
	return math.Round(sum)
}
