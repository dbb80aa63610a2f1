package rabinkarp

// The rolling hash of a window t1...tw is the polynomial
//
//	x = t1 p^w + t2 p^(w-1) + ... + tw p  modulo 2^64
//
// and windows are chosen by its high bits, or its order, which depend on every
// bit of every byte. (Bit j depends on the bits up to j of the bytes only, so the
// low bits, by which such hashes are often chosen, know little of the text.) The
// fingerprint of a chosen window is x finished by a mixer.
//
// The roll keeps h = x/p = t1 p^(w-1) + ... + tw, for which
//
//	h' = p h + t(w+1) - t1 p^w = x + t(w+1) - t1 p^w
//
// so that x falls out of each step. base is the golden ratio's fraction of 2^64,
// odd, 5 modulo 8: its powers take as long as they can to repeat.
const base = 0x9e3779b97f4a7c15

// block is the number of windows hashed at a time. Arrays of a known size spare the
// bounds checks, which cost more than the arithmetic.
const block = 256

// direct returns x of one window.
func direct(window []byte) uint64 {
	var x uint64
	for _, b := range window {
		x = (x + uint64(b)) * base
	}
	return x
}

// roller rolls over the windows of w bytes of a text.
type roller struct {
	w   int
	out [256]uint64 // what byte b subtracts when it leaves: -b p^w
}

func newRoller(w int) *roller {
	r := &roller{w: w}
	pw := uint64(1)
	for range w {
		pw *= base
	}
	for b := range r.out {
		r.out[b] = -uint64(b) * pw
	}
	return r
}

// start returns h of the first window of text, which has at least w bytes.
func (r *roller) start(text []byte) uint64 {
	var h uint64
	window := text[:r.w]
	p, p2 := uint64(base), square
	p3, p4 := p2*p, p2*p2
	for len(window) >= 4 {
		h = h*p4 + (uint64(window[0])*p3 + uint64(window[1])*p2 + (uint64(window[2])*p + uint64(window[3])))
		window = window[4:]
	}
	for _, b := range window {
		h = h*p + uint64(b)
	}
	return h
}

// step returns the next h: x of this window, with byte in entering and out leaving.
func (r *roller) step(x uint64, in, out byte) uint64 {
	return x + uint64(in) + r.out[out]
}

// fill sets dst[i] to x of the window at text[i:], given h of the first, and
// returns h of the window behind the last, if there is one. The text has at least
// len(dst)+w-1 bytes.
func (r *roller) fill(dst []uint64, text []byte, h uint64) uint64 {
	in := text[r.w:]
	i := 0
	for ; i+block <= min(len(dst), len(in)); i += block {
		h = fillBlock((*[block]uint64)(dst[i:]), (*[block]byte)(in[i:]), (*[block]byte)(text[i:]),
			&r.out, h, base, square)
	}
	for ; i < len(dst); i++ {
		dst[i] = h * base
		if i < len(in) {
			h = r.step(dst[i], in[i], text[i])
		}
	}
	return h
}

// square is p squared. It and p are passed as variables where it matters: as
// constants the compiler loads them anew for each multiplication.
var square = func() uint64 { p := uint64(base); return p * p }()

// fillBlock rolls two windows at a time: with d = in - out p^w of each step, x of
// the second window is p²h + p d0, so that the chain of dependent multiplications
// is half as long.
func fillBlock(dst *[block]uint64, in, out *[block]byte, tab *[256]uint64, h, p, p2 uint64) uint64 {
	for i := 0; i < block-1; i += 2 {
		d := uint64(in[i]) + tab[out[i]]
		x := h*p2 + d*p
		dst[i] = h * p
		dst[i+1] = x
		h = x + uint64(in[i+1]) + tab[out[i+1]]
	}
	return h
}
