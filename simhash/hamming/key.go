package hamming

import "math/bits"

// A key gathers some bits of a code into a number.
type key struct {
	width int
	mask  Code // the bits gathered
	moves []move
}

// A move takes the bits of a mask from one word and rotates them to their place.
type move struct {
	mask uint64
	turn int // to the left
	high bool
}

// newKey returns the key of the given bits of a code, the first bit on top. Bit 0 is
// the least significant bit, and -1 stands for a bit that is never set. Bits that keep
// their distance move together, so a run of bits costs as much as one bit.
func newKey(from []int) key {
	k := key{width: len(from)}
	for i, b := range from {
		if b < 0 {
			continue
		}
		to := len(from) - 1 - i
		m := move{mask: 1 << (b & 63), turn: (to - b) & 63, high: b >= 64}
		k.mask = k.mask.with(b)
		known := false
		for j := range k.moves {
			if k.moves[j].turn == m.turn && k.moves[j].high == m.high {
				k.moves[j].mask |= m.mask
				known = true
			}
		}
		if !known {
			k.moves = append(k.moves, m)
		}
	}
	return k
}

// raised returns the key with 32 zeros below it.
func (k *key) raised() key {
	up := key{width: k.width + 32, mask: k.mask}
	for _, m := range k.moves {
		m.turn = (m.turn + 32) & 63
		up.moves = append(up.moves, m)
	}
	return up
}

// of returns the key of a code, less than 1<<width.
func (k *key) of(c Code) uint64 {
	out := uint64(0)
	for _, m := range k.moves {
		w := c.Lo
		if m.high {
			w = c.Hi
		}
		out |= bits.RotateLeft64(w&m.mask, m.turn)
	}
	return out
}

// run reports whether a rotation and a mask of the lower word gather the key.
func (k *key) run() (turn int, mask uint64, ok bool) {
	if len(k.moves) != 1 || k.moves[0].high {
		return 0, 0, false
	}
	m := k.moves[0]
	return m.turn, bits.RotateLeft64(m.mask, m.turn), true
}

// digits fills dst with the bits above shift and in mask of the keys of len(dst) codes.
func (k *key) digits(dst []uint16, lo, hi []uint64, shift int, mask uint64) {
	lo = lo[:len(dst)]
	if turn, all, ok := k.run(); ok {
		// This is the case in most designs. One rotation does the shift too.
		turn, mask := turn-shift, bits.RotateLeft64(all, -shift)&mask
		for i, c := range lo {
			dst[i] = uint16(bits.RotateLeft64(c, turn) & mask)
		}
		return
	}
	clear(dst)
	for _, m := range k.moves {
		src := lo
		if m.high {
			src = hi[:len(dst)]
		}
		turn, mask := m.turn-shift, bits.RotateLeft64(m.mask, m.turn-shift)&mask
		if mask == 0 {
			continue
		}
		for i, c := range src {
			dst[i] |= uint16(bits.RotateLeft64(c, turn) & mask)
		}
	}
}

// words fills dst with the keys of len(dst) codes.
func (k *key) words(dst []uint64, lo, hi []uint64) {
	for i, m := range k.moves {
		src := lo
		if m.high {
			src = hi
		}
		src = src[:len(dst)]
		if i == 0 {
			for j, c := range src {
				dst[j] = bits.RotateLeft64(c&m.mask, m.turn)
			}
			continue
		}
		for j, c := range src {
			dst[j] |= bits.RotateLeft64(c&m.mask, m.turn)
		}
	}
	if len(k.moves) == 0 {
		clear(dst)
	}
}

// spread is the inverse of of: it returns the bits of a code that are set in the key v.
func (k *key) spread(v uint64) Code {
	var c Code
	for _, m := range k.moves {
		w := bits.RotateLeft64(v, -m.turn) & m.mask
		if m.high {
			c.Hi |= w
		} else {
			c.Lo |= w
		}
	}
	return c
}
