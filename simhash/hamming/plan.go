package hamming

import (
	"fmt"
	"math"
	"math/bits"
)

// Costs are the times that a query is made of, in nanoseconds.
type Costs struct {
	Scan      float64 `json:"scan"`      // to compare one of many codes read in order, of 64 bits
	Candidate float64 `json:"candidate"` // to compare one code of a bucket
	Lookup    float64 `json:"lookup"`    // to find a key's bucket and begin to read it, all in cache
	Miss      float64 `json:"miss"`      // more for each access that misses the cache, many at a time
	Latency   float64 `json:"latency"`   // for one that misses and has to be waited for
}

// DefaultCosts are those of a server core with vector instructions. Calibrate measures a
// machine's own.
var DefaultCosts = Costs{Scan: 0.5, Candidate: 0.25, Lookup: 25, Miss: 30, Latency: 110}

// cacheBytes is what is taken to stay in the cache between queries.
const cacheBytes = 4 << 20

// Estimate is what a design comes to with some number of codes, evenly spread.
type Estimate struct {
	Design Design
	Codes  int64

	Tables             int
	KeyLeast, KeyMost  int     // bits of the shortest and the longest key; 0 where every code is read
	Probes             float64 // keys looked up by a query
	CandidatesPerTable float64 // codes with the looked-up keys of a table, its mean over the tables
	Candidates         float64 // the same in all tables, a code counted in each; all codes where there are none

	// Copies is what the codes alone take with a copy for each table, as in the
	// published designs, and Bytes what an Index takes.
	Copies, Bytes float64

	Query float64 // nanoseconds
}

// Estimate returns what a design comes to with n codes.
func (c Costs) Estimate(d Design, n int64) Estimate {
	e := Estimate{Design: d, Codes: n, Tables: len(d.Tables)}
	N, code := float64(n), float64(d.Bits/8)
	e.KeyLeast, e.KeyMost = d.KeyBits()
	e.Bytes = N * (code + 4) // codes and numbers
	switch d.Kind {
	case Scan:
		e.Copies, e.Candidates = N*code, N
		e.Query = N * c.Scan * code / 8
		return e
	case ExpandQuery, ExpandStore:
		e.expand(c, N, code)
		return e
	}
	e.Copies = N * code * float64(len(d.Tables))
	reads := 0.0 // codes of the buckets, which are those of shorter keys
	for i, t := range d.Tables {
		looked := lookupBits(len(t.Key), int(min(n, math.MaxUint32)))
		probes := volume(len(t.Key), t.Probe)
		e.Probes += probes
		e.Candidates += probes * N / math.Exp2(float64(len(t.Key)))
		if t.Sorted {
			looked = min(32, len(t.Key))
		} else {
			e.Bytes += 4 * math.Exp2(float64(looked))
		}
		if i > 0 || t.Sorted {
			e.Bytes += 8 * N
		}
		reads += volume(looked, t.Probe) * N / math.Exp2(float64(looked))
	}
	e.CandidatesPerTable = e.Candidates / float64(len(d.Tables))
	missing := max(0, 1-cacheBytes/e.Bytes)
	e.Query = e.Probes*(c.Lookup+2*missing*c.Miss) + reads*c.Candidate
	if d.Tables[0].Sorted {
		// Interpolation waits for about log log n places in turn.
		e.Query += e.Probes * missing * c.Latency * math.Log2(1+math.Log2(1+N))
	}
	return e
}

// expand fills in the designs that look whole codes up: a query's neighbours in a hash
// table of the codes, or the query in one of all neighbours.
func (e *Estimate) expand(c Costs, n, code float64) {
	around := volume(e.Design.Bits, e.Design.Radius)
	entries, slot := n, (16.0+4+1)*8/7
	e.Tables, e.Probes, e.KeyLeast, e.KeyMost = 1, around, e.Design.Bits, e.Design.Bits
	if e.Design.Kind == ExpandStore {
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

// Designs returns the designs worth comparing at a width and a radius: the scan, the two that
// expand, blocks of one to three more than the radius needs, nested blocks, multi-index
// hashing with fewer blocks, and those that can be with sorted tables.
func Designs(bits, radius int) ([]Design, error) {
	if err := check(bits, radius); err != nil {
		return nil, err
	}
	out := []Design{ScanDesign(bits, radius), Expansion(ExpandQuery, bits, radius), Expansion(ExpandStore, bits, radius)}
	add := func(d Design, err error) {
		if err != nil || len(d.Tables) > worthTables {
			return // too many blocks for the width, or tables for any use
		}
		out = append(out, d)
		if sorted, err := d.Interpolated(); err == nil && len(d.Tables) > radius+1 {
			out = append(out, sorted)
		}
	}
	for more, tables := 1, 1.0; more <= 3; more++ {
		if tables *= float64(radius+more) / float64(more); tables <= worthTables {
			add(Blocks(bits, radius, radius+more))
		}
	}
	if radius > 0 && (radius+1)*(radius+1) <= worthTables {
		add(Nested(bits, radius))
	}
	for blocks := radius; blocks >= max(1, (radius+1)/2); blocks-- {
		add(MultiIndex(bits, radius, blocks))
	}
	return out, nil
}

// worthTables is the most tables of a design that Designs lists.
const worthTables = 128

// Plan returns the estimates of all Designs for n codes, and the place of the one to take: the
// fastest within the memory (0 means any), of those that are within a tenth of it the
// smallest. The designs that expand are there to be compared and never taken. Where nothing fits in
// the memory the scan is taken, which is the smallest.
func (c Costs) Plan(n int64, bits, radius int, memory int64) (all []Estimate, take int, err error) {
	if n < 0 || memory < 0 {
		return nil, 0, fmt.Errorf("hamming: plan for %d codes in %d bytes, want none below 0", n, memory)
	}
	designs, err := Designs(bits, radius)
	if err != nil {
		return nil, 0, err
	}
	for _, d := range designs {
		all = append(all, c.Estimate(d, n))
	}
	fits := func(e Estimate) bool {
		return e.Design.Kind != ExpandQuery && e.Design.Kind != ExpandStore && (memory == 0 || e.Bytes <= float64(memory))
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

// Choose returns the design to take for n codes by DefaultCosts, so that it is the same on
// every machine; see Costs.Plan. It panics if Plan would return an error.
func Choose(n int64, width, radius int, memory int64) Design {
	// What differs little in n is laid out the same.
	if n > 2 {
		n = 1 << (bits.Len64(uint64(n-1)) - 1)
	}
	all, take, err := DefaultCosts.Plan(n, width, radius, memory)
	if err != nil {
		panic(err)
	}
	return all[take].Design
}
