package hamming

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Design says how codes are found: by comparing all, or by tables. All designs find
// the same codes.
type Design struct {
	Name   string  // scan, blocks:R or mih:M
	Bits   int     // of a code: 32, 64 or 128
	Radius int     // the largest distance at which the design finds all codes
	Tables []Table // none means that every code is compared
}

// Table is one table of a design. It contains all codes by a key of some of their
// bits.
type Table struct {
	// Key lists the bits of the key, most significant first. Bit 0 is the least
	// significant bit of a code.
	Key []int

	// Probe is the radius within which keys are looked up: all keys that differ from
	// the query's key in at most Probe bits.
	Probe int
}

// Designs are bounded, because the binomials grow fast.
const (
	maxTables = 1 << 12
	maxProbes = 1 << 20
)

// scanDesign returns the design without tables: every query reads every code.
func scanDesign(bits, radius int) Design {
	return Design{Name: "scan", Bits: bits, Radius: radius}
}

// Blocks returns the design that cuts a code into blocks. A key is all blocks but
// radius of them, in every choice: differences in radius bits leave some choice
// untouched (Manku, Jain, Das Sarma, WWW 2007). With radius+1 blocks each block is a
// key. More blocks make longer keys and more tables.
func Blocks(bits, radius, blocks int) (Design, error) {
	d := Design{Name: fmt.Sprintf("blocks:%d", blocks), Bits: bits, Radius: radius}
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

// multiIndex returns the design of multi-index hashing (Norouzi, Punjani, Fleet,
// CVPR 2012). It cuts a code into blocks. If radius = blocks·a + b, the first b+1
// blocks are probed within a bits and the others within a-1.
func multiIndex(bits, radius, blocks int) (Design, error) {
	d := Design{Name: fmt.Sprintf("mih:%d", blocks), Bits: bits, Radius: radius}
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

// parseDesign returns the design of an index by its name: scan, blocks:R or mih:M.
func parseDesign(name string, bits, radius int) (Design, error) {
	if err := check(bits, radius); err != nil {
		return Design{}, err
	}
	kind, arg, counted := strings.Cut(name, ":")
	count, err := strconv.Atoi(arg)
	switch {
	case kind == "scan" && !counted:
		return scanDesign(bits, radius), nil
	case kind == "blocks" && err == nil:
		return Blocks(bits, radius, count)
	case kind == "mih" && err == nil:
		return multiIndex(bits, radius, count)
	}
	return Design{}, fmt.Errorf("hamming: design %q, want scan, blocks:R or mih:M", name)
}

// check returns an error for a width that codes cannot have, or a radius beyond it.
func check(bits, radius int) error {
	if !widthOK(bits) {
		return fmt.Errorf("hamming: %d bits, want 32, 64 or 128", bits)
	}
	if radius < 0 || radius > bits {
		return fmt.Errorf("hamming: radius %d, want 0 to %d", radius, bits)
	}
	return nil
}

// run returns the bits from one bit down to another.
func run(from, to int) []int {
	out := make([]int, 0, from-to+1)
	for b := from; b >= to; b-- {
		out = append(out, b)
	}
	return out
}

// split cuts bits into n parts of equal length. The first parts are longer by one if
// the length is no multiple of n.
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
