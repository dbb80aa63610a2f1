// Package plan estimates what an index of some number of fingerprints takes on
// each backend, and what it takes to find all near-duplicates of a collection:
// bytes, machines and times.
//
// It is arithmetic over two kinds of numbers. Constants are measured by
// docs/scale/run and lie in costs.json: bytes of a document and of a posting,
// times of a lookup and of a posting that is read. What follows from how a
// backend lays its data out is in this package: a query of the index on disk
// reads a block of every segment of 2^24 documents for each table; a query of
// the one in Redis reads a string for each table, which grows where there are
// more postings than 2^24 strings hold well. All else is an assumption, which
// the caller can change and every output states (Machine).
//
// The index on disk and HBase read what is not in memory from a disk, which
// takes a hundred times as long. An Estimate therefore has three times: of a
// query with all blocks in memory, of one with all blocks on disk, and of one
// on machines with as much of the index in memory as fits.
//
// alike plan and the service print the estimates. What measures or fits
// constants belongs in docs/scale.
//
// Estimates assume that fingerprints are evenly spread. Fingerprints of a crawl
// are not: boilerplate makes buckets of its own. Measure the candidates of real
// texts for these.
package plan

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/simhash/hamming"
	"github.com/alike-go/alike/similarity"
)

// Layout is a way to put fingerprints into buckets.
type Layout struct {
	Bits       int // of a fingerprint
	Distance   int // within which two share a bucket
	Blocks     int // that a fingerprint is cut into
	Tables     int
	Design     string  // such as "10 tables of 25 to 26 bits"
	Candidates float64 // fingerprints in the buckets of one, one counted in each
	Chosen     bool    // by simhash's Buckets at this number of documents
}

// layouts returns the layouts by blocks for a number of fingerprints of some
// bits that are to be found within a distance, the fewest tables first, up to
// the first beyond the chosen one.
func layouts(documents int64, width, distance int) ([]Layout, error) {
	if documents < 1 {
		return nil, fmt.Errorf("plan: %d documents, want at least 1", documents)
	}
	m, err := simhash.New(simhash.Options{Bits: width, Score: simhash.Linear})
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	if distance < 0 || distance >= width {
		return nil, fmt.Errorf("plan: distance %d, want 0 to %d", distance, width-1)
	}
	b, err := m.Buckets(similarity.JoinOptions{Threshold: 1 - float64(distance)/float64(width), Documents: documents})
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	var out []Layout
	past := false
	for blocks := distance + 1; blocks <= width && !past; blocks++ {
		d, err := hamming.Blocks(width, distance, blocks)
		if err != nil || len(d.Tables) > 256 && len(out) > 0 {
			break
		}
		past = len(out) > 0 && out[len(out)-1].Chosen
		e := hamming.DefaultCosts.Estimate(d, documents)
		out = append(out, Layout{Bits: width, Distance: distance, Blocks: blocks, Tables: len(d.Tables), Design: d.String(), Candidates: e.Candidates, Chosen: d.String() == b.Design})
		if distance == 0 {
			break // more blocks are the same
		}
	}
	return out, nil
}

// Buckets returns how many buckets of all tables hold one of n fingerprints or
// more. Of longer keys the top 32 bits count, as an index has them.
func (l Layout) Buckets(n float64) float64 {
	d, err := hamming.Blocks(l.Bits, l.Distance, l.Blocks)
	if err != nil {
		return 0 // no layout
	}
	sum := 0.0
	for _, t := range d.Tables {
		all := math.Exp2(float64(min(32, len(t.Key))))
		sum -= all * math.Expm1(n*math.Log1p(-1/all))
	}
	return sum
}

// Choose returns the layout by blocks that simhash chooses for a number of
// fingerprints of some bits that are to be found within a distance.
func Choose(documents int64, width, distance int) (Layout, error) {
	all, err := layouts(documents, width, distance)
	if err != nil {
		return Layout{}, err
	}
	for _, l := range all {
		if l.Chosen {
			return l, nil
		}
	}
	return Layout{}, fmt.Errorf("plan: no layout for %d documents of %d bits within %d", documents, width, distance)
}

// Machine is what a backend runs on. Its numbers are assumptions.
type Machine struct {
	Memory float64 // bytes
	Disk   float64 // bytes
	Usable float64 // share of either that data may take: the rest is for copies while merging, and growth
	Read   float64 // seconds until a random read of the disk is there
	Stream float64 // bytes a second that the disk gives in order
}

// DefaultMachine has 64 GiB of memory and 2 TB of flash.
var DefaultMachine = Machine{Memory: 64 << 30, Disk: 2e12, Usable: 0.7, Read: 100e-6, Stream: 500e6}

func (m Machine) check() error {
	for _, v := range []float64{m.Memory, m.Disk, m.Usable, m.Stream} {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("plan: a machine of %v bytes of memory, %v of disk, %v usable, %v a second, want each more than 0", m.Memory, m.Disk, m.Usable, m.Stream)
		}
	}
	if m.Usable > 1 || !(m.Read >= 0) {
		return fmt.Errorf("plan: a machine of which %v is usable and reads take %v s, want at most 1 and at least 0", m.Usable, m.Read)
	}
	return nil
}

// trait is how a backend lays data out; names are those of docs/scale/run.
type trait struct {
	name     string
	onDisk   bool // and of memory only what is hot
	spread   bool // over machines by itself; otherwise each has an index of its own, and all are asked
	least    int  // machines
	copies   int  // of each byte
	segments bool // of 2^24 documents, each of which is asked
	groups   bool // of postings, at most 2^24, each of which is read whole
}

var traits = []trait{
	{name: "memory", least: 1, copies: 1},
	{name: "disk", onDisk: true, least: 1, copies: 1, segments: true},
	{name: "redis", least: 1, copies: 1, groups: true},
	{name: "redis cluster", spread: true, least: 3, copies: 2, groups: true},
	{name: "hbase", onDisk: true, spread: true, least: 3, copies: 3},
}

// Backends returns the names of all backends that can be planned for.
func Backends() []string {
	var out []string
	for _, t := range traits {
		out = append(out, t.name)
	}
	return out
}

func traitOf(name string) (trait, error) {
	for _, t := range traits {
		if t.name == name {
			return t, nil
		}
	}
	return trait{}, fmt.Errorf("plan: no backend %q, want one of %q", name, Backends())
}

const (
	segmentDocs = 1 << 24 // of the index on disk
	groupSize   = 64      // postings that a string of the index in Redis is meant to hold
	mostGroups  = 24      // bits of their number
)

// reads returns what a query reads on an index of n documents: lookups, and the
// postings that are looked at.
func (t trait) reads(n float64, l Layout, candidates float64) (lookups, scanned float64) {
	tables := float64(l.Tables)
	lookups, scanned = tables, candidates
	if t.segments {
		lookups *= math.Ceil(n / segmentDocs)
	}
	if t.groups {
		postings := n * tables
		groups := math.Exp2(float64(min(mostGroups, bits.Len64(uint64(max(0, postings-1))/groupSize))))
		scanned = tables * postings / groups
	}
	return lookups, scanned
}

// farBytes is the size of an index on disk of which half of the lookups are far.
const farBytes = 512 << 20

// Far returns the share of the lookups of an index on disk that go to a place that
// the process has not read before or not lately: the CPU has it in no cache, it may
// not be mapped yet, and its checksum may not have been compared. Of an index of
// 100 MB a sixth are far, of one of 20 GB nearly all.
func Far(bytes float64) float64 { return bytes / (bytes + farBytes) }

// Reads returns how many lookups a query of a backend makes on an index of so
// many documents, and how many postings it looks at.
func Reads(backend string, documents int64, l Layout) (lookups, scanned float64, err error) {
	t, err := traitOf(backend)
	if err != nil {
		return 0, 0, err
	}
	lookups, scanned = t.reads(float64(documents), l, l.Candidates)
	return lookups, scanned, nil
}

// Estimate is what an index comes to on a backend.
type Estimate struct {
	Backend   string
	Documents int64
	Layout    Layout
	Bytes     float64 // of one copy, on the disk or in the memory of the backend
	Copies    int
	Machines  int
	Apart     bool    // each machine has an index of its share, and a query asks all
	Hot       float64 // of what a query reads, the share that is in memory
	Lookups   float64 // of a query, on one machine
	Scanned   float64 // postings that it looks at there
	Query     float64 // seconds, of one query that finds nothing, on machines without other work
	Cached    float64 // the same if all that the query reads is in memory
	Uncached  float64 // the same if none of it is, 0 for backends that keep everything in memory
	Load      float64 // seconds, with one client for each machine
}

// Compare estimates every backend that was measured, for each number of documents, with
// the layout that Choose takes for it.
func (c Costs) Compare(documents []int64, bits, distance int, m Machine) ([]Estimate, error) {
	var out []Estimate
	for _, n := range documents {
		layout, err := Choose(n, bits, distance)
		if err != nil {
			return nil, err
		}
		for _, b := range c.Backends {
			e, err := c.Estimate(b.Name, n, layout, m)
			if err != nil {
				return nil, err
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// Estimate returns what so many documents come to on a backend.
func (c Costs) Estimate(backend string, documents int64, l Layout, m Machine) (Estimate, error) {
	t, err := traitOf(backend)
	if err != nil {
		return Estimate{}, err
	}
	if err := m.check(); err != nil {
		return Estimate{}, err
	}
	if documents < 1 {
		return Estimate{}, fmt.Errorf("plan: %d documents, want at least 1", documents)
	}
	b, ok := c.backend(backend)
	if !ok {
		return Estimate{}, fmt.Errorf("plan: %s has not been measured (docs/scale/run does)", backend)
	}
	n, tables := float64(documents), float64(l.Tables)
	e := Estimate{Backend: backend, Documents: documents, Layout: l, Copies: t.copies, Hot: 1}
	e.Bytes = n*(b.DocumentBytes+tables*b.PostingBytes) + l.Buckets(n)*b.BucketBytes
	room := m.Memory
	if t.onDisk {
		room = m.Disk
	}
	e.Machines = max(t.least, int(math.Ceil(e.Bytes*float64(t.copies)/(room*m.Usable))))
	e.Apart = !t.spread && e.Machines > 1
	mine, candidates := n, l.Candidates
	if e.Apart {
		mine, candidates = n/float64(e.Machines), candidates/float64(e.Machines)
	}
	e.Lookups, e.Scanned = t.reads(mine, l, candidates)
	far := 0.0
	if t.segments {
		far = Far(e.Bytes * mine / n)
	}
	e.Cached = b.cached(e.Lookups, e.Scanned, far)
	e.Query = e.Cached
	if t.onDisk {
		// Each byte is in as many memories as it has copies, though only one is asked.
		e.Hot = min(1, m.Memory*m.Usable*float64(e.Machines)/e.Bytes)
		e.Uncached = e.Cached + e.Lookups*m.Read + e.Scanned*b.PostingBytes/m.Stream
		e.Query += (1 - e.Hot) * (e.Uncached - e.Cached)
	}
	e.Load = n * (b.Load + tables*b.LoadPosting) / float64(e.Machines)
	return e, nil
}
