package hamming

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Costs are the times of the parts of a query, in nanoseconds.
type Costs struct {
	Scan      float64 `json:"scan"`      // to compare one of many codes read in order, of 64 bits
	Candidate float64 `json:"candidate"` // to compare one code of a bucket
	Lookup    float64 `json:"lookup"`    // to find a key's bucket and begin to read it, all in cache
	Miss      float64 `json:"miss"`      // more for each access that misses the cache, many at a time
	Latency   float64 `json:"latency"`   // for one that misses and has to be waited for
}

// DefaultCosts are the costs of a server core with vector instructions. Calibrate
// measures the costs of this machine.
var DefaultCosts = Costs{Scan: 0.5, Candidate: 0.25, Lookup: 25, Miss: 30, Latency: 110}

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
	switch d.kind {
	case scans:
		e.Copies, e.Candidates = N*code, N
		e.Query = N * c.Scan * code / 8
		return e
	case expandQuery, expandStore:
		e.expand(c, N, code)
		return e
	}
	e.Copies = N * code * float64(len(d.Tables))
	reads := 0.0 // codes of the buckets, which belong to shorter keys
	for i, t := range d.Tables {
		looked := lookupBits(len(t.Key), int(min(n, math.MaxUint32)))
		probes := volume(len(t.Key), t.Probe)
		e.Probes += probes
		e.Candidates += probes * N / math.Exp2(float64(len(t.Key)))
		if d.sorted {
			looked = min(32, len(t.Key))
		} else {
			e.Bytes += 4 * math.Exp2(float64(looked))
		}
		if i > 0 || d.sorted {
			e.Bytes += 8 * N
		}
		reads += volume(looked, t.Probe) * N / math.Exp2(float64(looked))
	}
	e.CandidatesPerTable = e.Candidates / float64(len(d.Tables))
	missing := max(0, 1-cacheBytes/e.Bytes)
	e.Query = e.Probes*(c.Lookup+2*missing*c.Miss) + reads*c.Candidate
	if d.sorted {
		// Interpolation waits for about log log n places, one after the other (Perl, Itai,
		// Avni, CACM 1978).
		e.Query += e.Probes * missing * c.Latency * math.Log2(1+math.Log2(1+N))
	}
	return e
}

// expand estimates the designs that look up whole codes: the neighbours of a query in
// a hash table of the codes, or the query in a hash table of all neighbours.
func (e *Estimate) expand(c Costs, n, code float64) {
	around := volume(e.Design.Bits, e.Design.Radius)
	entries, slot := n, (16.0+4+1)*8/7
	e.Tables, e.Probes, e.KeyLeast, e.KeyMost = 1, around, e.Design.Bits, e.Design.Bits
	if e.Design.kind == expandStore {
		entries, e.Probes = n*around, 1
		e.Bytes += 8 * entries
	}
	e.Bytes += slot * entries
	e.Copies = entries * code
	e.Candidates = n * around / math.Exp2(float64(e.Design.Bits))
	e.CandidatesPerTable = e.Candidates
	missing := max(0, 1-cacheBytes/e.Bytes)
	e.Query = e.Probes * (c.Lookup + 2*missing*c.Miss)
}

// published returns the designs to compare at a width and a radius: the scan, the two
// that expand, blocks of one to three more than the radius needs, nested blocks,
// multi-index hashing with fewer blocks, and each of many tables with sorted tables.
func published(bits, radius int) ([]Design, error) {
	if err := check(bits, radius); err != nil {
		return nil, err
	}
	out := []Design{
		scanDesign(bits, radius),
		{Name: "expand-query", kind: expandQuery, Bits: bits, Radius: radius},
		{Name: "expand-store", kind: expandStore, Bits: bits, Radius: radius},
	}
	add := func(d Design, err error) {
		if err != nil || len(d.Tables) > worthTables {
			return // too many blocks for the width, or too many tables
		}
		out = append(out, d)
		probes := slices.ContainsFunc(d.Tables, func(t Table) bool { return t.Probe > 0 })
		if !probes && len(d.Tables) > radius+1 {
			d.Name, d.sorted = d.Name+",sorted", true
			out = append(out, d)
		}
	}
	for more, tables := 1, 1.0; more <= 3; more++ {
		if tables *= float64(radius+more) / float64(more); tables <= worthTables {
			add(Blocks(bits, radius, radius+more))
		}
	}
	if radius > 0 && (radius+1)*(radius+1) <= worthTables {
		add(nested(bits, radius))
	}
	for blocks := radius; blocks >= max(1, (radius+1)/2); blocks-- {
		add(multiIndex(bits, radius, blocks))
	}
	return out, nil
}

// worthTables is the maximum number of tables of a design that Plan lists.
const worthTables = 128

// Plan returns the estimates of the published designs for n codes, and the position of
// the chosen one: the smallest design within a tenth of the fastest that fits into
// memory bytes (0 means any). If none fits, it is the scan, which is the smallest.
// Designs that expand are listed for comparison and never chosen.
func (c Costs) Plan(n int64, bits, radius int, memory int64) (all []Estimate, take int, err error) {
	if n < 0 || memory < 0 {
		return nil, 0, fmt.Errorf("hamming: plan for %d codes in %d bytes, want none below 0", n, memory)
	}
	designs, err := published(bits, radius)
	if err != nil {
		return nil, 0, err
	}
	for _, d := range designs {
		all = append(all, c.Estimate(d, n))
	}
	fits := func(e Estimate) bool {
		return e.Design.kind != expandQuery && e.Design.kind != expandStore && (memory == 0 || e.Bytes <= float64(memory))
	}
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
// is the same on every machine. It panics if Plan would return an error. It never
// returns a sorted design: sorted tables cost more than directories for any n that an
// index can hold.
func choose(n int64, width, radius int, memory int64) Design {
	// Similar numbers of codes get the same layout.
	if n > 2 {
		n = 1 << (bits.Len64(uint64(n-1)) - 1)
	}
	all, take, err := DefaultCosts.Plan(n, width, radius, memory)
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
