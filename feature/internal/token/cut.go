package token

import (
	"encoding/binary"
	"math/bits"
)

// Block is the number of bytes that are looked at together.
const Block = 64

// maxEdges is how many starts and ends of words may be written: those of a batch
// less one word, and of a block.
const maxEdges = 2*Batch + Block

// Cutter cuts ASCII text into words, a block at a time.
//
// Among ASCII characters, UAX #29 comes down to this: letters, digits and
// underscores go together (WB5, 8 to 10, 13a, 13b); one of ' . : between two letters
// joins them (WB6, WB7) and one of ' . , ; two digits (WB11, WB12); everything else
// stands alone.
type Cutter struct {
	KeepCase  bool // letters stay as they are; otherwise they are folded to lower case
	DropPunct bool // underscores separate words, and nothing joins them

	// Spans holds the words that have been cut. Where a word is Open, it goes on
	// behind the last block; its start is kept behind the end of Spans.
	Spans []Span
	Open  bool
}

// Reset drops the words that have been cut, but not an open one.
func (c *Cutter) Reset() {
	if cap(c.Spans) < maxEdges/2 {
		c.Spans = make([]Span, 0, maxEdges/2)
	}
	if c.Open {
		c.Spans[:1][0].Start = uint32(c.Start())
	}
	c.Spans = c.Spans[:0]
}

// Start returns the start of the open word.
func (c *Cutter) Start() int {
	n := len(c.Spans)
	return int(c.Spans[:n+1][n].Start)
}

// Close ends the word that is open, if there is one.
func (c *Cutter) Close(end int) {
	if c.Open {
		c.edge(end)
	}
}

// edge appends a start or an end.
func (c *Cutter) edge(at int) {
	n := len(c.Spans)
	if c.Open {
		c.Spans = c.Spans[:n+1]
		c.Spans[n].End = uint32(at)
	} else {
		c.Spans[:n+1][n].Start = uint32(at)
	}
	c.Open = !c.Open
}

// Cut cuts blocks of buf from p up to the one that reaches end, and folds them in place. It
// returns the place of the next block and whether that needs care; it also stops
// where a batch is full. At least a block and a byte must follow end.
//
// A block that needs care is left as it is, but that its letters may be folded.
// It is one with a byte, or before a byte, that is not ASCII; or where a word starts
// with an underscore, since underscores alone are none; or that lies within a word.
// Other words are therefore shorter than three blocks.
func (c *Cutter) Cut(buf []byte, p, end int) (next int, care bool) {
	blocks := (end - p + Block - 1) / Block
	if blocks <= 0 || len(c.Spans) >= Batch {
		return p, false
	}
	_ = buf[p+blocks*Block]
	done := c.cut(buf, p, blocks)
	return p + done*Block, done < blocks && len(c.Spans) < Batch
}

// One byte of a word of eight, repeated.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// cutGo cuts at most so many blocks and returns how many it did.
func (c *Cutter) cutGo(buf []byte, p, blocks int) int {
	upper := uint64(highs)
	if c.KeepCase {
		upper = 0
	}
	for done := range blocks {
		b := (*[Block + 1]byte)(buf[p:])
		if b[Block] >= 0x80 {
			return done
		}
		var word, other, unders uint64
		for i := 0; i < Block; i += 8 {
			w := binary.LittleEndian.Uint64(b[i:])
			if w&highs != 0 {
				return done
			}
			// Bytes are below 0x80: adding to them sets their high bit where they
			// reach a bound, and carries nothing into the next.
			l := w | 0x20*ones
			letter := (l + (0x80-'a')*ones) &^ (l + (0x7f-'z')*ones) & highs
			digit := (w + (0x80-'0')*ones) &^ (w + (0x7f-'9')*ones) & highs
			printing := (w + (0x7f-' ')*ones) & highs
			word |= moveMask(letter|digit) << i
			other |= moveMask(printing&^letter&^digit) << i
			u := w ^ '_'*ones
			unders |= (u - ones) &^ u & highs
			binary.LittleEndian.PutUint64(b[i:], w|letter&upper&^(w<<2)>>2)
		}
		before := uint64(b2i(c.Open))
		if !c.DropPunct {
			if unders != 0 {
				under := underscores(b, other)
				if under&^((word|under)<<1|before) != 0 {
					return done
				}
				word |= under
			}
			after := word>>1 | uint64(b2i(IsAlnum(b[Block])))<<63
			for m := other & (word<<1 | before) & after; m != 0; m &= m - 1 {
				if i := bits.TrailingZeros64(m); Joins(buf[p+i-1], b[i], b[i+1]) {
					word |= 1 << i
				}
			}
		}
		edges := word ^ (word<<1 | before)
		if edges == 0 && c.Open {
			return done
		}
		for ; edges != 0; edges &= edges - 1 {
			c.edge(p + bits.TrailingZeros64(edges))
		}
		p += Block
		if len(c.Spans) >= Batch {
			return done + 1
		}
	}
	return blocks
}

// moveMask gathers the high bits of the bytes of a word.
func moveMask(w uint64) uint64 { return w >> 7 * 0x0102040810204080 >> 56 }

// underscores returns which of the other characters of a block are underscores.
func underscores(b *[Block + 1]byte, other uint64) (under uint64) {
	for ; other != 0; other &= other - 1 {
		i := bits.TrailingZeros64(other)
		under |= uint64(b2i(b[i] == '_')) << i
	}
	return under
}

// Joins reports whether c joins the ASCII characters l and r to one word.
func Joins(l, c, r byte) bool {
	switch c {
	case '\'', '.':
		return isLetter(l) && isLetter(r) || isDigit(l) && isDigit(r)
	case ':':
		return isLetter(l) && isLetter(r)
	case ',', ';':
		return isDigit(l) && isDigit(r)
	}
	return false
}
