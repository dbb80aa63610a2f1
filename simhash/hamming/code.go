package hamming

import (
	"fmt"
	"math/bits"
)

// Code is a code of 32, 64 or 128 bits. Codes of 32 and 64 bits are in Lo and leave the
// rest zero. The code zero has no special meaning.
type Code struct{ Hi, Lo uint64 }

// Distance returns the number of bits in which two codes differ.
func (c Code) Distance(d Code) int {
	return bits.OnesCount64(c.Lo^d.Lo) + bits.OnesCount64(c.Hi^d.Hi)
}

func (c Code) xor(d Code) Code { return Code{c.Hi ^ d.Hi, c.Lo ^ d.Lo} }

// ones counts the bits of a mask that c has set.
func (c Code) ones(mask Code) int {
	return bits.OnesCount64(c.Lo&mask.Lo) + bits.OnesCount64(c.Hi&mask.Hi)
}

// with returns c with bit i set. Bit 0 is the least significant.
func (c Code) with(i int) Code {
	if i < 64 {
		c.Lo |= 1 << i
	} else {
		c.Hi |= 1 << (i - 64)
	}
	return c
}

func (c Code) bit(i int) uint64 {
	if i < 64 {
		return c.Lo >> i & 1
	}
	return c.Hi >> (i - 64) & 1
}

// fits reports whether c has no bits above its width.
func (c Code) fits(width int) bool {
	return width == 128 || c.Hi == 0 && (width == 64 || c.Lo>>32 == 0)
}

// Codes is a list of codes of one width, packed: 8 bytes each, or 16 at 128 bits.
type Codes struct {
	width  int
	lo, hi []uint64 // hi is nil up to 64 bits
}

// NewCodes returns an empty list of codes of 32, 64 or 128 bits with the capacity. It
// panics on another width.
func NewCodes(bits, capacity int) Codes {
	if !widthOK(bits) {
		panic(fmt.Sprintf("hamming: codes of %d bits, want 32, 64 or 128", bits))
	}
	c := Codes{width: bits, lo: make([]uint64, 0, capacity)}
	if bits == 128 {
		c.hi = make([]uint64, 0, capacity)
	}
	return c
}

// Codes64 returns a list of 64-bit codes that shares the memory of the slice.
func Codes64(codes []uint64) Codes { return Codes{width: 64, lo: codes} }

// tooMany is the least number of codes that neither an index nor a join takes:
// positions have 32 bits.
const tooMany = 1<<32 - 1

func widthOK(bits int) bool { return bits == 32 || bits == 64 || bits == 128 }

// Append adds a code. It panics if the code has bits above the list's width.
func (c *Codes) Append(code Code) {
	if !code.fits(c.width) {
		panic(fmt.Sprintf("hamming: code %x %x in a list of %d bits", code.Hi, code.Lo, c.width))
	}
	c.lo = append(c.lo, code.Lo)
	if c.width == 128 {
		c.hi = append(c.hi, code.Hi)
	}
}

// Len returns the number of codes.
func (c Codes) Len() int { return len(c.lo) }

// Bits returns the width of the codes, 0 for the zero Codes.
func (c Codes) Bits() int { return c.width }

// At returns the i-th code.
func (c Codes) At(i int) Code { return c.columns().at(i) }

// columns returns the codes as columns without numbers. They share memory.
func (c Codes) columns() columns { return columns{lo: c.lo, hi: c.hi} }

// columns is codes with their numbers, an array each, so that the codes of a bucket are
// adjacent. Without numbers the codes have the numbers 0, 1, 2, ...
type columns struct {
	lo, hi []uint64
	ids    []uint32
}

func newColumns(n int, wide bool) columns {
	c := columns{lo: make([]uint64, n), ids: make([]uint32, n)}
	if wide {
		c.hi = make([]uint64, n)
	}
	return c
}

func (c columns) len() int { return len(c.lo) }

func (c columns) at(i int) Code {
	if c.hi == nil {
		return Code{Lo: c.lo[i]}
	}
	return Code{c.hi[i], c.lo[i]}
}

// idsFrom returns the numbers of len(buf) codes from i on. It may write them to buf.
func (c columns) idsFrom(i int, buf []uint32) []uint32 {
	if c.ids != nil {
		return c.ids[i : i+len(buf)]
	}
	for j := range buf {
		buf[j] = uint32(i + j)
	}
	return buf
}

// slice returns the columns from i to j, which must have numbers.
func (c columns) slice(i, j int) columns {
	s := columns{lo: c.lo[i:j:j], ids: c.ids[i:j:j]}
	if c.hi != nil {
		s.hi = c.hi[i:j:j]
	}
	return s
}

func (c columns) set(i int, code Code, id uint32) {
	c.lo[i], c.ids[i] = code.Lo, id
	if c.hi != nil {
		c.hi[i] = code.Hi
	}
}

// bytes returns the memory of the columns.
func (c columns) bytes() int64 { return int64(8*cap(c.lo) + 8*cap(c.hi) + 4*cap(c.ids)) }
