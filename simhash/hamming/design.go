package hamming

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Kind is the way in which a design finds codes.
type Kind int

const (
	Scan        Kind = iota // compare with every code
	Tables                  // look up parts of the code in tables
	ExpandQuery             // look up every code within the radius of the query in a hash table
	ExpandStore             // store every code within the radius of each code in a hash table
)

// Design says how an index is laid out. Designs come from Designs, ParseDesign or
// the functions named after their authors' layouts. All of them find the same.
type Design struct {
	Name   string // what ParseDesign reads, such as "blocks:4"
	Kind   Kind
	Bits   int // of a code: 32, 64 or 128
	Radius int // the largest distance at which the design finds all codes
	Tables []Table
}

// Table is one table of a design: it holds all codes, by a key of some of their bits.
type Table struct {
	// Key lists the bits of the key, most significant first; bit 0 is the
	// least significant of a code.
	Key []int

	// Probe is the radius within which keys are looked up: all keys that differ from the
	// query's in at most so many bits.
	Probe int

	// Sorted says that the table is a sorted array in which keys are found by interpolation,
	// in place of a directory of where each key begins.
	Sorted bool
}

// What a design may ask for is bounded; the binomials soon pass all use.
const (
	maxTables = 1 << 12
	maxProbes = 1 << 20
)

// ScanDesign returns the design without tables: every query reads every code.
func ScanDesign(bits, radius int) Design {
	return Design{Name: "scan", Kind: Scan, Bits: bits, Radius: radius}
}

// Blocks returns the design that cuts a code into some blocks and takes those but
// radius of them as key, in every choice: of so many blocks, differences in radius
// bits leave some choice untouched (Manku, Jain, Das Sarma, WWW 2007). With radius+1
// blocks each is a key of its own. More blocks make longer keys and more tables.
func Blocks(bits, radius, blocks int) (Design, error) {
	d := Design{Name: fmt.Sprintf("blocks:%d", blocks), Kind: Tables, Bits: bits, Radius: radius}
	if blocks <= radius || blocks > bits {
		return d, fmt.Errorf("hamming: %d blocks for radius %d and %d bits, want more than the radius and at most the bits", blocks, radius, bits)
	}
	cut := split(run(bits-1, 0), blocks)
	for choice := range choices(blocks, blocks-radius) {
		if len(d.Tables) == maxTables {
			return d, fmt.Errorf("hamming: more than %d tables for %d blocks at radius %d", maxTables, blocks, radius)
		}
		var t Table
		for _, b := range choice {
			t.Key = append(t.Key, cut[b]...)
		}
		d.Tables = append(d.Tables, t)
	}
	return d, nil
}

// Nested returns the design that cuts a code into radius+1 blocks and what a block leaves
// into radius+1 pieces, and takes a block and a piece as key: for radius 3 and 64
// bits the 16 tables of 16+12 bits of Manku, Jain and Das Sarma.
func Nested(bits, radius int) (Design, error) {
	d := Design{Name: "nested", Kind: Tables, Bits: bits, Radius: radius}
	n := radius + 1
	if n*n > maxTables || n > bits || bits-(bits+n-1)/n < n {
		return d, fmt.Errorf("hamming: nested blocks of %d bits at radius %d, want enough bits for %d blocks in %d", bits, radius, n, n)
	}
	cut := split(run(bits-1, 0), n)
	for i, block := range cut {
		var rest []int
		for j, other := range cut {
			if j != i {
				rest = append(rest, other...)
			}
		}
		for _, piece := range split(rest, n) {
			d.Tables = append(d.Tables, Table{Key: append(append([]int{}, block...), piece...)})
		}
	}
	return d, nil
}

// MultiIndex returns the design of multi-index hashing (Norouzi, Punjani, Fleet,
// CVPR 2012): a code is cut into some blocks, and where radius = blocks·a + b the
// first b+1 of them are probed within a bits and the others within a-1.
func MultiIndex(bits, radius, blocks int) (Design, error) {
	d := Design{Name: fmt.Sprintf("mih:%d", blocks), Kind: Tables, Bits: bits, Radius: radius}
	if blocks < 1 || blocks > bits {
		return d, fmt.Errorf("hamming: %d blocks of %d bits, want 1 to %d", blocks, bits, bits)
	}
	a, b := radius/blocks, radius%blocks
	probes := 0.0
	for i, block := range split(run(bits-1, 0), blocks) {
		t := Table{Key: block, Probe: a}
		if i > b {
			t.Probe--
		}
		if t.Probe >= 0 {
			d.Tables = append(d.Tables, t)
			probes += volume(len(block), t.Probe)
		}
	}
	if probes > maxProbes {
		return d, fmt.Errorf("hamming: %.0f probes a query for %d blocks at radius %d, want at most %d", probes, blocks, radius, maxProbes)
	}
	return d, nil
}

// Expansion returns one of the two designs that look codes up as a whole, for comparison:
// ExpandQuery looks up all neighbours of a query, ExpandStore stores those of each code.
// At 64 bits and radius 3 that is 43,745 probes, or as many entries for a code.
func Expansion(kind Kind, bits, radius int) Design {
	name := "expand-query"
	if kind == ExpandStore {
		name = "expand-store"
	}
	return Design{Name: name, Kind: kind, Bits: bits, Radius: radius}
}

// ParseDesign returns the design of a name: scan, expand-query, expand-store, blocks:R,
// nested, mih:M, or one of the last three with ",sorted" for sorted tables with
// interpolation search.
func ParseDesign(name string, bits, radius int) (Design, error) {
	if err := check(bits, radius); err != nil {
		return Design{}, err
	}
	base, sorted := strings.CutSuffix(name, ",sorted")
	kind, arg, _ := strings.Cut(base, ":")
	count := 0
	if kind == "blocks" || kind == "mih" {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return Design{}, fmt.Errorf("hamming: design %q, want a number of blocks after %s:", name, kind)
		}
		count = n
	} else if arg != "" {
		return Design{}, fmt.Errorf("hamming: design %q, want nothing after %s", name, kind)
	}
	d, err := Design{}, error(nil)
	switch kind {
	case "blocks":
		d, err = Blocks(bits, radius, count)
	case "nested":
		d, err = Nested(bits, radius)
	case "mih":
		d, err = MultiIndex(bits, radius, count)
	case "scan":
		d = ScanDesign(bits, radius)
	case "expand-query":
		d = Expansion(ExpandQuery, bits, radius)
	case "expand-store":
		d = Expansion(ExpandStore, bits, radius)
	default:
		return d, fmt.Errorf("hamming: design %q, want scan, blocks:R, nested, mih:M, expand-query or expand-store", name)
	}
	if err != nil || !sorted {
		return d, err
	}
	return d.Interpolated()
}

// Interpolated returns the design with sorted tables in place of directories.
func (d Design) Interpolated() (Design, error) {
	if d.Kind != Tables {
		return d, fmt.Errorf("hamming: design %s has no tables to sort", d.Name)
	}
	d.Name += ",sorted"
	tables := make([]Table, len(d.Tables))
	for i, t := range d.Tables {
		if t.Probe > 0 {
			return d, fmt.Errorf("hamming: design %s probes more than one key a table, which sorted tables do not", d.Name)
		}
		tables[i] = Table{Key: t.Key, Sorted: true}
	}
	d.Tables = tables
	return d, nil
}

// check returns an error unless codes can have the width and an index the radius.
func check(bits, radius int) error {
	if !widthOK(bits) {
		return fmt.Errorf("hamming: %d bits, want 32, 64 or 128", bits)
	}
	if radius < 0 || radius > bits {
		return fmt.Errorf("hamming: radius %d, want 0 to %d", radius, bits)
	}
	return nil
}

// run returns the bits from one down to another.
func run(from, to int) []int {
	out := make([]int, 0, from-to+1)
	for b := from; b >= to; b-- {
		out = append(out, b)
	}
	return out
}

// split cuts bits into n parts of equal length, the first ones longer by one where
// they do not divide.
func split(bits []int, n int) [][]int {
	parts := make([][]int, n)
	at := 0
	for i := range parts {
		end := at + len(bits)/n
		if i < len(bits)%n {
			end++
		}
		parts[i] = bits[at:end:end]
		at = end
	}
	return parts
}

// choices yields the choices of some of n in lexicographic order.
func choices(n, some int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		c := run(some-1, 0)
		for i := range c {
			c[i] = i
		}
		for yield(c) {
			i := some - 1
			for i >= 0 && c[i] == n-some+i {
				i--
			}
			if i < 0 {
				return
			}
			c[i]++
			for j := i + 1; j < some; j++ {
				c[j] = c[j-1] + 1
			}
		}
	}
}
