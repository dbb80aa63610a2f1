// Package lanes rolls a polynomial hash modulo 2^64 over eight parts of a text
// at a time.
//
// On amd64 with AVX-512 or AVX2 it does so in assembly. With the build tag
// noasm, and on other platforms and processors, Available is false.
//
// Package rabinkarp uses it. The plain version, and the choice of windows,
// belong there.
package lanes

import "fmt"

// Lanes is the number of parts.
const Lanes = 8

// Roller rolls over windows of w bytes.
type Roller struct {
	w      int
	limit  uint64
	out    uint64    // what a byte that leaves is multiplied by: -p^w
	powers [9]uint64 // of p, from 0
}

// New returns a roller over windows of w bytes, at least 1, with base p, which marks hashes
// below the limit, at least 1.
func New(w int, p, limit uint64) *Roller {
	if w < 1 || limit < 1 {
		panic(fmt.Sprintf("lanes: windows of %d bytes and a limit of %d, want 1 or more", w, limit))
	}
	r := &Roller{w: w, limit: limit, out: 1}
	for range w {
		r.out *= p
	}
	r.out = -r.out
	r.powers[0] = 1
	for i := range r.powers[1:] {
		r.powers[i+1] = r.powers[i] * p
	}
	return r
}

// Begin sets h[k] to the sum of text[k*stride+i] p^(w-1-i) for i below w. The text has at
// least (Lanes-1)*stride+w+7 bytes.
func (r *Roller) Begin(h *[Lanes]uint64, text []byte, stride int) {
	if stride < 0 || len(text) < (Lanes-1)*stride+r.w+7 {
		panic(fmt.Sprintf("lanes: %d bytes for windows of %d at a stride of %d", len(text), r.w, stride))
	}
	begin(r, h, text, stride)
}

// Roll goes len(below) steps, a multiple of 8 and not 0, that begin at text[0] and each stride
// behind. It sets x[Lanes*i+k] to p h of window i of lane k and bit k of below[i] if that is below
// the limit, and leaves the h of the windows behind. The text has at least
// (Lanes-1)*stride+len(below)+w bytes.
func (r *Roller) Roll(x []uint64, below []byte, h *[Lanes]uint64, text []byte, stride int) {
	steps := len(below)
	if steps == 0 || steps%8 != 0 || len(x) < Lanes*steps || stride < 0 || len(text) < (Lanes-1)*stride+steps+r.w {
		panic(fmt.Sprintf("lanes: %d steps with %d bytes and %d hashes at a stride of %d", steps, len(text), len(x), stride))
	}
	roll(r, x, below, h, text, stride)
}
