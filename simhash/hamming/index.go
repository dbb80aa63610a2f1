package hamming

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// Options configures an Index. The zero value is a sound default.
type Options struct {
	// Design is the name of the layout: scan, blocks:R, nested or mih:M. Empty means
	// that the planner chooses a layout for each part of the index by its size.
	Design string

	// Memory is the maximum size in bytes of a design that the planner chooses. Zero
	// means no limit.
	Memory int64

	// Workers is the number of goroutines that build. Zero means GOMAXPROCS. The
	// index does not depend on it.
	Workers int
}

// recentLen is the maximum number of added codes that are in no table. Scanning them
// takes well under a microsecond.
const recentLen = 1024

// mergeRatio is the size ratio up to which a part is merged with the next larger one. A
// larger ratio makes adding slower and queries faster.
const mergeRatio = 4

// Index finds codes by Hamming distance. Any number of goroutines may search it at a
// time, as long as none adds or deletes.
//
// Add fills a short list, which searches scan. A full list becomes a part with tables,
// and parts of similar size are merged. So a code is laid out about log(n) times, and a
// call that merges takes as long as building the merged parts.
type Index struct {
	o            Options
	bits, radius int
	design       Design // if the options name one
	parts        []*segment
	recent       columns
}

// newIndex returns an empty index.
func newIndex(bits, radius int, o Options) (*Index, error) {
	if err := check(bits, radius); err != nil {
		return nil, err
	}
	if o.Memory < 0 || o.Workers < 0 {
		return nil, fmt.Errorf("hamming: memory limit %d, %d workers, want none below 0", o.Memory, o.Workers)
	}
	x := &Index{o: o, bits: bits, radius: radius}
	if o.Design != "" {
		d, err := parseDesign(o.Design, bits, radius)
		if err != nil {
			return nil, err
		}
		x.design = d
	}
	return x, nil
}

// Build returns an index of the codes under the given numbers, or under 0, 1, 2, ... if
// numbers is nil. It keeps neither slice. The tables serve searches up to the radius;
// wider searches are exact too and scan all codes. Building is much faster than adding
// one by one. An empty list makes an empty index.
func Build(codes Codes, numbers []uint32, radius int, o Options) (*Index, error) {
	x, err := newIndex(codes.width, radius, o)
	if err != nil {
		return nil, err
	}
	if numbers != nil && len(numbers) != codes.Len() {
		return nil, fmt.Errorf("hamming: %d numbers for %d codes", len(numbers), codes.Len())
	}
	if uint64(codes.Len()) >= gone {
		return nil, fmt.Errorf("hamming: %d codes, want fewer than %d", codes.Len(), uint64(gone))
	}
	if slices.Contains(numbers, gone) {
		return nil, fmt.Errorf("hamming: number %d is taken for what is deleted", uint64(gone))
	}
	x.insert(columns{codes.lo, codes.hi, numbers})
	return x, nil
}

// insert adds a part. Parts are in descending order of size.
func (x *Index) insert(src columns) {
	if src.len() == 0 {
		return
	}
	d := x.design
	if d.Name == "" {
		d = choose(int64(src.len()), x.bits, x.radius, x.o.Memory)
	}
	x.parts = append(x.parts, buildSegment(src, d, parallel.Workers(x.o.Workers)))
	slices.SortStableFunc(x.parts, func(a, b *segment) int { return cmp.Compare(b.size, a.size) })
}

// Len returns the number of codes, repetitions counted.
func (x *Index) Len() int {
	n := x.recent.len()
	for _, p := range x.parts {
		n += p.size - p.dead
	}
	return n
}

// Bytes returns the memory that the index takes.
func (x *Index) Bytes() int64 {
	n := x.recent.bytes()
	for _, p := range x.parts {
		n += p.bytes()
	}
	return n
}

// Add adds a code under a number, which need not be new: the index holds pairs of
// number and code, and a pair added twice is found twice. It panics if the code has
// bits above the index's width or the number is 1<<32 - 1, which no code can have.
func (x *Index) Add(number uint32, code Code) {
	if !code.fits(x.bits) || number == gone {
		panic(fmt.Sprintf("hamming: added number %d, code %x %x to an index of %d bits", number, code.Hi, code.Lo, x.bits))
	}
	x.recent.append(code, number, x.bits == 128)
	if x.recent.len() >= recentLen {
		x.merge(len(x.parts) - x.small())
	}
}

// small returns how many parts, from the end, to merge with the recent codes.
func (x *Index) small() int {
	sum, n := x.recent.len(), 0
	for n < len(x.parts) && x.parts[len(x.parts)-1-n].size <= mergeRatio*sum {
		sum += x.parts[len(x.parts)-1-n].size
		n++
	}
	return n
}

// merge makes one part of the parts from keep on and the recent codes.
func (x *Index) merge(keep int) {
	all := newColumns(0, x.bits == 128)
	for _, p := range x.parts[keep:] {
		p.appendTo(&all)
	}
	all.lo, all.hi, all.ids = append(all.lo, x.recent.lo...), append(all.hi, x.recent.hi...), append(all.ids, x.recent.ids...)
	clear(x.parts[keep:])
	x.parts = x.parts[:keep]
	x.recent = x.recent.head(0)
	x.insert(all)
}

// Compact lays out all codes again as one part, without the deleted ones.
func (x *Index) Compact() { x.merge(0) }

// Delete removes one pair of number and code and reports whether it was there. The
// tables keep the entries of deleted codes until half of a part is deleted, or the part
// is merged.
func (x *Index) Delete(number uint32, code Code) bool {
	for i := range x.recent.len() {
		if x.recent.ids[i] == number && x.recent.at(i) == code {
			last := x.recent.len() - 1
			x.recent.set(i, x.recent.at(last), x.recent.ids[last])
			x.recent = x.recent.head(last)
			return true
		}
	}
	var scratch []Match
	for i, p := range x.parts {
		var found bool
		if scratch, found = p.delete(number, code, scratch); !found {
			continue
		}
		if 2*p.dead > p.size {
			x.parts = slices.Delete(x.parts, i, i+1)
			left := newColumns(0, x.bits == 128)
			p.appendTo(&left)
			x.insert(left)
		}
		return true
	}
	return false
}
