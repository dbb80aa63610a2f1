package hamming

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// Options configures an Index. The zero value is a sound default.
type Options struct {
	// Design is the layout as ParseDesign reads it. Empty means that the planner chooses,
	// for each part of the index by its size.
	Design string

	// Memory is the most bytes a design that the planner chooses may take. Zero means no limit.
	Memory int64

	// Workers is the number of goroutines that build. Zero means GOMAXPROCS. The
	// index does not depend on it.
	Workers int

	// Settings says what the codes were made under. A saved index carries it, and
	// Load refuses one that carries another.
	Settings string
}

// recentLen is the number of added codes that lie in no table: so many are scanned in
// well under a microsecond.
const recentLen = 1024

// mergeRatio says that a part is merged with the next larger one unless that is more
// than so many times as large. A larger one would make adding slower, queries faster.
const mergeRatio = 4

// Index finds codes by Hamming distance. Any number of goroutines may search it at a
// time, as long as none adds or deletes.
//
// Adding fills a short list, which is scanned; a full list becomes a part with tables,
// and parts of like size are merged. So a code is laid out about log(n) times in all, and
// the call that merges takes as long as a build of the parts concerned.
type Index struct {
	o            Options
	bits, radius int
	design       Design // if the options name one
	parts        []*segment
	recent       columns
}

// New returns an empty index for codes of 32, 64 or 128 bits, whose tables serve
// searches up to a radius. Wider searches are exact too, by scanning all.
func New(bits, radius int, o Options) (*Index, error) {
	if err := check(bits, radius); err != nil {
		return nil, err
	}
	if o.Memory < 0 || o.Workers < 0 {
		return nil, fmt.Errorf("hamming: memory limit %d, %d workers, want none below 0", o.Memory, o.Workers)
	}
	x := &Index{o: o, bits: bits, radius: radius}
	if o.Design != "" {
		d, err := ParseDesign(o.Design, bits, radius)
		if err != nil {
			return nil, err
		}
		x.design = d
	}
	return x, nil
}

// Build returns an index of many codes at once, under the numbers given, or 0, 1, 2, ...
// where numbers is nil. Neither is kept. It is much faster than adding one by one.
func Build(codes Codes, numbers []uint32, radius int, o Options) (*Index, error) {
	x, err := New(codes.width, radius, o)
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
	if err := x.insert(columns{lo: codes.lo, hi: codes.hi, ids: numbers}); err != nil {
		return nil, err
	}
	return x, nil
}

// insert lays out a part and puts it where it belongs by size.
func (x *Index) insert(src columns) error {
	if src.len() == 0 {
		return nil
	}
	d := x.design
	if d.Name == "" {
		d = Choose(int64(src.len()), x.bits, x.radius, x.o.Memory)
	}
	if entries := float64(src.len()) * volume(d.Bits, d.Radius); d.Kind == ExpandStore && entries > maxEntries {
		return fmt.Errorf("hamming: design %s would store %.0f entries, want at most %d", d.Name, entries, maxEntries)
	}
	x.parts = append(x.parts, buildSegment(src, d, parallel.Workers(x.o.Workers)))
	slices.SortStableFunc(x.parts, func(a, b *segment) int { return cmp.Compare(b.size, a.size) })
	return nil
}

// Bits returns the width of the codes.
func (x *Index) Bits() int { return x.bits }

// Radius returns the radius up to which searches use the tables.
func (x *Index) Radius() int { return x.radius }

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

// Designs returns the designs of the parts, the largest part first.
func (x *Index) Designs() []Design {
	out := make([]Design, len(x.parts))
	for i, p := range x.parts {
		out[i] = p.design
	}
	return out
}

// Add adds a code under a number, which need not be new: the index holds pairs of
// number and code, and one added twice is found twice. It panics if the code has
// bits above the index's width or the number is 1<<32 - 1, which no code can have. The
// error is that of a design which cannot hold so many codes.
func (x *Index) Add(number uint32, code Code) error {
	if !code.fits(x.bits) || number == gone {
		panic(fmt.Sprintf("hamming: added number %d, code %x %x to an index of %d bits", number, code.Hi, code.Lo, x.bits))
	}
	x.recent.append(code, number, x.bits == 128)
	if x.recent.len() < recentLen {
		return nil
	}
	return x.merge(len(x.parts) - x.small())
}

// small returns how many of the parts, from the end, are to be merged with the recent codes.
func (x *Index) small() int {
	sum, n := x.recent.len(), 0
	for n < len(x.parts) && x.parts[len(x.parts)-1-n].size <= mergeRatio*sum {
		sum += x.parts[len(x.parts)-1-n].size
		n++
	}
	return n
}

// merge makes one part of those from keep on and the recent codes.
func (x *Index) merge(keep int) error {
	all := newColumns(0, x.bits == 128)
	for _, p := range x.parts[keep:] {
		p.appendTo(&all)
	}
	all.lo, all.hi, all.ids = append(all.lo, x.recent.lo...), append(all.hi, x.recent.hi...), append(all.ids, x.recent.ids...)
	clear(x.parts[keep:])
	x.parts = x.parts[:keep]
	x.recent = x.recent.head(0)
	return x.insert(all)
}

// Compact lays all codes out anew as one part, without those deleted.
func (x *Index) Compact() error { return x.merge(0) }

// Delete removes a number that was added under a code, once, and reports whether it
// was there. Of deleted codes the tables keep their entries until half of a part is
// deleted, or it is merged.
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
			// A smaller part of the same kind cannot be too large for its design.
			if err := x.insert(left); err != nil {
				panic(err)
			}
		}
		return true
	}
	return false
}
