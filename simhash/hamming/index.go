package hamming

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
)

// Options configures an Index. The zero value is a sound default.
type Options struct {
	// Design is the name of the layout: scan, blocks:R or mih:M. Empty means that
	// the planner chooses a layout by the number of codes.
	Design string

	// Workers is the number of goroutines that build. Zero means GOMAXPROCS. The
	// index does not depend on it.
	Workers int
}

// Index finds codes by Hamming distance. It is immutable, so any number of goroutines
// may search it at a time. Package index keeps documents that come and go.
type Index struct {
	distinct // in the order of the first table

	design Design
	tables []table
	size   int // codes, repetitions counted
}

// Build returns an index of the codes. It does not keep the slices. The tables serve
// searches up to the radius; wider searches are exact too and scan all codes. An empty
// list makes an empty index.
func Build(codes Codes, radius int, o Options) (*Index, error) {
	if err := check(codes.width, radius); err != nil {
		return nil, err
	}
	if o.Workers < 0 {
		return nil, fmt.Errorf("hamming: %d workers, want 0 or more", o.Workers)
	}
	if uint64(codes.Len()) >= tooMany {
		return nil, fmt.Errorf("hamming: %d codes, want fewer than %d", codes.Len(), uint64(tooMany))
	}
	if o.Design == "" {
		o.Design = choose(int64(codes.Len()), codes.width, radius).Name
	}
	d, err := parseDesign(o.Design, codes.width, radius)
	if err != nil {
		return nil, err
	}
	return build(codes.columns(), d, parallel.Workers(o.Workers)), nil
}

// build lays out codes. It neither keeps nor changes src.
func build(src columns, d Design, workers int) *Index {
	n := src.len()
	x := &Index{design: d, size: n}
	tmp := newColumns(n, d.Bits == 128)
	// Equal codes meet in a bucket of any table. Without tables they are sorted by the
	// bits that vary most.
	scans := len(d.Tables) == 0
	var by []int
	if !scans {
		by = d.Tables[0].Key
	} else {
		even, sample := balance(src, d.Bits)
		by = pieces(even, sample, d.Bits, 1, maxLookup)[0]
	}
	t := table{lookup: newKey(by[:lookupBits(len(by), n)])}
	t.starts = make([]uint32, 1<<t.lookup.width+1)
	x.distinct = newDistinct(src, tmp, &t.lookup, t.starts, workers)
	if scans {
		return x
	}
	t.packed, t.probe = t.lookup.raised(), d.Tables[0].Probe
	x.tables = append(x.tables, t)
	codes := x.codes
	codes.ids = nil // tables hold positions
	for _, spec := range d.Tables[1:] {
		x.tables = append(x.tables, buildTable(spec, codes, tmp, d.Bits, workers))
	}
	parallel.For(context.Background(), workers, len(x.tables), func(_, i int) { x.tables[i].cut(codes, d.Bits, d.Radius, 0) })
	return x
}

// Len returns the number of codes, repetitions counted.
func (x *Index) Len() int { return x.size }

// Bytes returns the memory that the index takes.
func (x *Index) Bytes() int64 {
	n := x.distinct.bytes()
	for i := range x.tables {
		n += x.tables[i].bytes()
	}
	return n
}
