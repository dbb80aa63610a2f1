package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// The candidates of all tables at 2^34 are those of Manku, Jain, Das Sarma (WWW
// 2007, 3.1) with uneven blocks counted one by one: 4·2^18; 6 keys of 26 bits
// and 4 of 25; of 6 blocks 11, 11, 11, 11, 10, 10 by threes 4 keys of 33 bits,
// 12 of 32 and 4 of 31.
func TestLayouts(t *testing.T) {
	all, err := layouts(1<<34, 64, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []Layout{
		{64, 3, 4, 4, "4 tables of 16 bits", 4 << 18, false},
		{64, 3, 5, 10, "10 tables of 25 to 26 bits", 6<<8 + 4<<9, false},
		{64, 3, 6, 20, "20 tables of 31 to 33 bits", 4<<1 + 12<<2 + 4<<3, true},
		{64, 3, 7, 35, "35 tables of 36 to 37 bits", 0, false},
	}
	if len(all) != len(want) {
		t.Fatalf("%+v, want %d layouts", all, len(want))
	}
	for i, w := range want {
		if i == 3 {
			w.Candidates = all[i].Candidates
		}
		if all[i] != w {
			t.Errorf("%+v, want %+v", all[i], w)
		}
	}
	for _, c := range []struct {
		documents       int64
		bits, distance  int
		tables, layouts int
	}{
		{1, 64, 3, 4, 2}, {1e9, 64, 3, 10, 3}, {8e9, 64, 3, 20, 4}, {1e9, 64, 0, 1, 1}, {1e9, 32, 2, 28, 7},
	} {
		l, err := Choose(c.documents, c.bits, c.distance)
		all, _ := layouts(c.documents, c.bits, c.distance)
		if err != nil || l.Tables != c.tables || len(all) != c.layouts {
			t.Errorf("%+v: %+v of %d, %v", c, l, len(all), err)
		}
	}
	for _, c := range [][3]int64{{0, 64, 3}, {1, 48, 3}, {1, 64, 64}, {1, 64, -1}} {
		if _, err := layouts(c[0], int(c[1]), int(c[2])); err == nil {
			t.Errorf("no error for %v", c)
		}
	}
}

// The expected number of full buckets is that of balls thrown into bins: for 4
// tables of 16 bits here by throwing them.
func TestLayoutBuckets(t *testing.T) {
	const n = 50_000
	rng := rand.New(rand.NewPCG(2, 2))
	full := map[[2]uint64]bool{}
	for range n {
		f := rng.Uint64()
		for table := range uint64(4) {
			full[[2]uint64{table, f >> (16 * table) & 0xffff}] = true
		}
	}
	l := Layout{Bits: 64, Distance: 3, Blocks: 4}
	if got := l.Buckets(n); !near(got, float64(len(full)), 0.01) {
		t.Errorf("%v buckets, want some %d", got, len(full))
	}
	if got := l.Buckets(1e12); !near(got, 4<<16, 1e-9) {
		t.Errorf("%v buckets, want all", got)
	}
	if got := (Layout{Bits: 64, Distance: 3, Blocks: 6}).Buckets(1); !near(got, 20, 1e-6) {
		t.Errorf("%v buckets of one document, want 20", got)
	}
}

// Every number of documents and distance has a chosen layout.
func TestChoose(t *testing.T) {
	for _, width := range []int{32, 64, 128} {
		for distance := range width {
			for documents := int64(1); documents < 1e13; documents *= 1000 {
				if l, err := Choose(documents, width, distance); err != nil || l.Tables < 1 || l.Tables > 256 {
					t.Errorf("%d documents, %d bits within %d: %+v, %v", documents, width, distance, l, err)
				}
			}
		}
	}
}

// Worked by hand: 2^26 documents of four postings are four segments on disk,
// and 2^28 postings are 64 in each of 2^22 strings; 2^34 are 2^12 in each of
// the 2^24 that there are at most.
func TestReads(t *testing.T) {
	l := Layout{Tables: 4, Candidates: 4096}
	for _, c := range []struct {
		backend          string
		documents        int64
		lookups, scanned float64
	}{
		{"memory", 1 << 26, 4, 4096},
		{"disk", 1 << 24, 4, 4096},
		{"disk", 1<<24 + 1, 8, 4096},
		{"disk", 1 << 26, 16, 4096},
		{"redis", 1 << 26, 4, 4 * 64},
		{"redis", 1 << 34, 4, 4 * 4096},
		{"redis cluster", 1 << 34, 4, 4 * 4096},
		{"redis", 8, 4, 4 * 32},
		{"hbase", 1 << 34, 4, 4096},
	} {
		lookups, scanned, err := Reads(c.backend, c.documents, l)
		if err != nil || lookups != c.lookups || scanned != c.scanned {
			t.Errorf("%s of %d: %v lookups, %v scanned, %v, want %v, %v", c.backend, c.documents, lookups, scanned, err, c.lookups, c.scanned)
		}
	}
	if _, _, err := Reads("etcd", 1, l); err == nil {
		t.Error("a backend that there is not")
	}
}

var round = Costs{
	Backends: []Backend{
		{Name: "memory", DocumentBytes: 100, PostingBytes: 25, BucketBytes: 50, Load: 1e-6, LoadPosting: 1e-6, Query: 1e-6, Lookup: 1e-7, Scanned: 1e-9},
		{Name: "disk", DocumentBytes: 60, PostingBytes: 10, Load: 2e-6, LoadPosting: 1e-6, Query: 1e-6, Lookup: 1e-5, Scanned: 1e-9},
		{Name: "redis cluster", DocumentBytes: 100, PostingBytes: 20, Load: 1e-5, LoadPosting: 1e-6, Query: 1e-4, Lookup: 1e-5, Scanned: 1e-8},
		{Name: "hbase", DocumentBytes: 100, PostingBytes: 40, Load: 1e-5, LoadPosting: 1e-5, Query: 1e-3, Lookup: 1e-3, Scanned: 1e-7},
	},
	Pipeline: Pipeline{Sketch: 1e-8, Key: 1e-7, Candidate: 1e-9, Batch: 1e-8, Record: 24},
}

var small = Machine{Memory: 2e9, Disk: 20e9, Usable: 0.5, Read: 1e-4, Stream: 1e8}

// Worked by hand with round constants, for 10^8 documents of ten postings and
// 40 candidates.
func TestEstimate(t *testing.T) {
	// Of one block, so that there is a table, and with 64 documents as many buckets.
	l := Layout{Bits: 64, Distance: 0, Blocks: 1, Tables: 10, Candidates: 40}
	for _, c := range []struct {
		backend              string
		bytes                float64
		machines             int
		apart                bool
		hot                  float64
		lookups, query, load float64
	}{
		// 35 GB and 10^8 buckets, of which 1 in 86 has two documents, in
		// memories of 1 GB: 40 machines.
		{"memory", 35e9 + 50*98.8448e6, 40, true, 1, 10, 1e-6 + 1e-6 + 40e-9/40, 1e8 * 11e-6 / 40},
		// 16 GB on disks of 10 GB: two, each 5·10^7 documents in three
		// segments; of 8 GB each has 1 GB in memory.
		{"disk", 16e9, 2, true, 0.125, 30, 1e-6 + 30e-5 + 20e-9 + 0.875*(30*1e-4+20*10/1e8), 1e8 * 12e-6 / 2},
		// 30 GB twice in memories of 1 GB. 10^9 postings lie in 2^24 strings,
		// 59.6 in each.
		{"redis cluster", 30e9, 60, false, 1, 10, 1e-4 + 1e-4 + 10*1e9/(1<<24)*1e-8, 1e8 * 20e-6 / 60},
		// 50 GB three times on disks of 10 GB; 15 memories of 1 GB hold 15 of 50 GB.
		{"hbase", 50e9, 15, false, 0.3, 10, 1e-3 + 1e-2 + 40e-7 + 0.7*(10*1e-4+40*40/1e8), 1e8 * 11e-5 / 15},
	} {
		e, err := round.Estimate(c.backend, 1e8, l, small)
		if err != nil {
			t.Fatal(err)
		}
		if !near(e.Bytes, c.bytes, 1e-6) || e.Machines != c.machines || e.Apart != c.apart || !near(e.Hot, c.hot, 1e-12) ||
			e.Lookups != c.lookups || !near(e.Query, c.query, 1e-9) || !near(e.Load, c.load, 1e-12) {
			t.Errorf("%s: %+v, want %+v", c.backend, e, c)
		}
	}
	// Few documents are on one machine, or as many as the backend needs.
	for backend, machines := range map[string]int{"memory": 1, "disk": 1, "redis cluster": 3, "hbase": 3} {
		e, err := round.Estimate(backend, 1000, l, small)
		if err != nil || e.Machines != machines || e.Apart || e.Hot != 1 {
			t.Errorf("%s: %+v, %v, want %d machines", backend, e, err, machines)
		}
	}
	if _, err := round.Estimate("redis", 1000, l, small); err == nil || !strings.Contains(err.Error(), "not been measured") {
		t.Errorf("a backend without constants: %v", err)
	}
	for _, m := range []Machine{{}, {Memory: 1, Disk: 1, Usable: 1.1, Stream: 1}, {Memory: math.Inf(1), Disk: 1, Usable: 1, Stream: 1}, {Memory: 1, Disk: 1, Usable: 1, Stream: 1, Read: -1}} {
		if _, err := round.Estimate("memory", 1000, l, m); err == nil {
			t.Errorf("no error for %+v", m)
		}
	}
}

// The constants in the package are those of some machine, and can be planned with.
func TestMeasured(t *testing.T) {
	c := Measured()
	if c.Source.CPU == "" || len(c.Source.Documents) == 0 || len(c.Backends) < 4 {
		t.Fatalf("costs of %+v with %d backends", c.Source, len(c.Backends))
	}
	for _, b := range c.Backends {
		if b.DocumentBytes+b.PostingBytes < 8 || b.Load+b.LoadPosting <= 0 || b.Query+b.Lookup+b.Scanned <= 0 {
			t.Errorf("%+v cannot be", b)
		}
	}
	for _, bad := range []string{``, `{"x":1}`, `{"backends":[{"name":"etcd"}]}`, `{"backends":[{"name":"disk","load":-1}]}`, `{"pipeline":{"sketch":0}}`} {
		if _, err := readCosts([]byte(bad)); err == nil {
			t.Errorf("no error for %s", bad)
		}
	}
}

func TestWork(t *testing.T) {
	w, err := round.Work(Job{Documents: 8e9, Text: 5000, Bits: 64, Distance: 3, Cores: 100, Machine: DefaultMachine})
	if err != nil {
		t.Fatal(err)
	}
	line := func(lines []Line, what string, want, relative float64) {
		t.Helper()
		for _, l := range lines {
			if l.What == what {
				if !near(l.Value, want, relative) {
					t.Errorf("%s is %v, want %v (%s)", what, l.Value, want, l.Work)
				}
				return
			}
		}
		t.Errorf("no line says %s", what)
	}
	line(w.Lines, "texts", 40e12, 0)
	line(w.Lines, "fingerprints", 64e9, 0) // as Manku, Jain, Das Sarma say
	line(w.Lines, "reading and sketching", 40e12/1e8/3600, 1e-12)
	line(w.Lines, "all pairs", 3.2e19, 1e-9)
	// (1 + 64 + 2016 + 41664) / 2^64 of all pairs.
	line(w.Lines, "pairs of unrelated documents within the distance, by chance", 3.2e19*43745/math.Exp2(64), 1e-6)
	if len(w.Joins) != 4 || len(w.Index) != 4 || !slices.Equal(w.Unproven, []string{"redis"}) {
		t.Fatalf("%d joins, %d indexes, unproven %q", len(w.Joins), len(w.Index), w.Unproven)
	}
	four, twenty := w.Joins[0], w.Joins[2]
	if four.Keys != 32e9 || four.Shuffle != 768e9 || !near(four.Candidates, 8e9*8e9*4/65536/2, 1e-12) || !near(four.Compare, 8e9*8e9*2/65536*1e-9/3600, 1e-12) {
		t.Errorf("four tables: %+v", four)
	}
	if !twenty.Layout.Chosen || twenty.Shuffle != 8e9*20*24 || !near(twenty.Sort, 1.6e11*1e-7/3600, 1e-12) {
		t.Errorf("twenty tables: %+v", twenty)
	}
	line(w.Total, "reading, sketching, sorting and comparing", 40e12/1e8/3600+twenty.Sort+twenty.Compare, 1e-12)
	line(w.Total, "time", (40e12/1e8/3600+twenty.Sort+twenty.Compare)/100, 1e-12)
	line(w.Batch, "10^6 queries held against all fingerprints", 80, 1e-12)
	line(w.Batch, "the same on 200 cores", 0.4, 1e-12)
	good := w.Job
	for _, spoil := range []func(*Job){
		func(j *Job) { j.Documents = 0 }, func(j *Job) { j.Text = 0 }, func(j *Job) { j.Text = math.NaN() }, func(j *Job) { j.Cores = 0 },
		func(j *Job) { j.Bits = 7 }, func(j *Job) { j.Distance = 64 }, func(j *Job) { j.Machine = Machine{} },
	} {
		bad := good
		spoil(&bad)
		if _, err := round.Work(bad); err == nil {
			t.Errorf("no error for %+v", bad)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0), "0"}, {Count(0.0012), "0.0012"}, {Count(7.5), "7.5"}, {Count(41), "41"}, {Count(99999), "99999"}, {Count(1e5), "10^5"}, {Count(8e9), "8·10^9"},
		{Count(9.999e9), "10^10"}, {Count(3.2e19), "3.2·10^19"}, {Bytes(999), "999 B"}, {Bytes(64e9), "64 GB"}, {Bytes(999.6e6), "1 GB"}, {Bytes(2700), "2.7 kB"},
		{Seconds(0), "0 s"}, {Seconds(1.4e-9), "1.4 ns"}, {Seconds(0.00123), "1.23 ms"}, {Seconds(0.9999), "1 s"}, {Seconds(100), "100 s"}, {Seconds(3600), "60 min"}, {Seconds(36000), "10 h"}, {Seconds(864000), "10 days"},
		{Figure(2, "hours"), "2 h"}, {Figure(12, "pairs"), "12 pairs"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Compare goes through the numbers and, for each, the backends that were measured.
func TestCompare(t *testing.T) {
	costs := Measured()
	all, err := costs.Compare([]int64{1e6, 8e9}, 64, 3, DefaultMachine)
	if err != nil || len(all) != 2*len(costs.Backends) {
		t.Fatalf("%d estimates, %v, want 2 of each of %d backends", len(all), err, len(costs.Backends))
	}
	for i, got := range all {
		n, tables := int64(1e6), 4 // as the doc of simhash.Method.Buckets says
		if i >= len(costs.Backends) {
			n, tables = 8e9, 20
		}
		if b := costs.Backends[i%len(costs.Backends)]; got.Documents != n || got.Backend != b.Name || got.Layout.Tables != tables {
			t.Errorf("estimate %d is of %d documents in %d tables on %s, want %d in %d on %s", i, got.Documents, got.Layout.Tables, got.Backend, n, tables, b.Name)
		}
	}
	if _, err := costs.Compare([]int64{0}, 64, 3, DefaultMachine); err == nil {
		t.Error("no documents were compared")
	}
}
