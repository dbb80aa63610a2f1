package rabinkarp

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/alike-go/alike/internal/parallel"
)

// order is an order of all fingerprints, the rare first: by how often they, and those
// few that share their counter, occur, to a power of two, and then by value. Counters
// instead of exact numbers cost an addition a fingerprint; that some are too high only
// makes an order a little worse.
type order struct {
	counters []uint32
	shift    int
}

// mostCounters bounds the counters, which then take 64 MB.
const mostCounters = 1 << 24

// newOrder counts the fingerprints of both collections.
func newOrder(a, b []Sketch, workers int) *order {
	total := 0
	for _, list := range [][]Sketch{a, b} {
		for i := range list {
			total += len(list[i].Prints)
		}
	}
	n := max(1, bits.Len(uint(min(2*total, mostCounters-1))))
	o := &order{make([]uint32, 1<<n), 64 - n}
	for _, list := range [][]Sketch{a, b} {
		parallel.Ranges(context.Background(), workers, len(list), chunk, func(_, from, to int) {
			for _, s := range list[from:to] {
				for _, p := range s.Prints {
					atomic.AddUint32(o.counter(p), 1)
				}
			}
		})
	}
	return o
}

func (o *order) counter(print uint64) *uint32 {
	return &o.counters[print*base>>(o.shift&63)]
}

// ranked is a fingerprint and whether any other text may have it.
type ranked struct {
	print  uint64
	shared bool
}

// rank returns the fingerprints of a text, given in ascending order, in the order. It
// uses the memory of dst.
func (o *order) rank(dst []ranked, prints []uint64) []ranked {
	var ends [34]int // by binary digits of the counter, one further on
	for _, p := range prints {
		ends[bits.Len32(*o.counter(p))+1]++
	}
	for d := range ends[1:] {
		ends[d+1] += ends[d]
	}
	dst = slices.Grow(dst[:0], len(prints))[:len(prints)]
	for _, p := range prints {
		d := bits.Len32(*o.counter(p))
		dst[ends[d]] = ranked{p, d > 1}
		ends[d]++
	}
	return dst
}

// lists says for each fingerprint which texts have it among their first few.
type lists struct {
	// begins[v] is where the entries begin whose fingerprints, mixed, have the upper bits
	// v; they ascend by text. There are about as many of these lists as entries, so nearly
	// every list is that of one fingerprint.
	begins  []int
	entries []entry
	shift   int
}

type entry struct {
	print uint64
	doc   int32
	at    int32 // its place in the ordered set
}

// newLists indexes the first(n) fingerprints of each set of n. Those that no other text
// has are left out.
func newLists(docs []Sketch, o *order, first func(n int) int, workers int) *lists {
	pieces := make([][]entry, (len(docs)+chunk-1)/chunk)
	sets := make([][]ranked, workers)
	parallel.Ranges(context.Background(), workers, len(docs), chunk, func(w, from, to int) {
		var out []entry
		for i := from; i < to; i++ {
			sets[w] = o.rank(sets[w], docs[i].Prints)
			for at, r := range sets[w][:first(len(sets[w]))] {
				if r.shared {
					out = append(out, entry{r.print, int32(i), int32(at)})
				}
			}
		}
		pieces[from/chunk] = out
	})
	total := 0
	for _, p := range pieces {
		total += len(p)
	}
	n := max(1, bits.Len(uint(total)))
	l := &lists{make([]int, 1<<n+1), make([]entry, total), 64 - n}
	for _, p := range pieces {
		for i := range p {
			l.begins[l.list(p[i].print)+1]++
		}
	}
	for v := range l.begins[1:] {
		l.begins[v+1] += l.begins[v]
	}
	next := slices.Clone(l.begins)
	for _, p := range pieces {
		for _, e := range p {
			v := l.list(e.print)
			l.entries[next[v]] = e
			next[v]++
		}
	}
	return l
}

func (l *lists) list(print uint64) uint64 { return print * base >> (l.shift & 63) }

// find returns the entries of a fingerprint in texts behind the given one, and
// perhaps some of other fingerprints.
func (l *lists) find(print uint64, after int32) []entry {
	v := l.list(print)
	list := l.entries[l.begins[v]:l.begins[v+1]]
	if after < 0 || len(list) == 0 || list[0].doc > after {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, after+1, func(e entry, doc int32) int { return cmp.Compare(e.doc, doc) })
	return list[at:]
}
