package rabinkarp

// The hash of sif: F = t1 p^(w-1) + ... + tw modulo 2^30, rolled by
// F' = p F + t(w+1) - t1 p^w. (The exponent w-1 that is sometimes printed belongs to
// the other form of the roll, p(F - t1 p^(w-1)) + t(w+1).)
const (
	sifBase = 31
	sifMask = 1<<30 - 1
)

// rollSif calls yield with F of each window of w bytes in turn.
func rollSif(text []byte, w int, yield func(at int, f uint64)) {
	if len(text) < w {
		return
	}
	// Arithmetic modulo 2^64 is exact modulo 2^30.
	var f uint64
	pw := uint64(1)
	for _, b := range text[:w] {
		f = f*sifBase + uint64(b)
		pw *= sifBase
	}
	yield(0, f&sifMask)
	for i, b := range text[w:] {
		f = f*sifBase + uint64(b) - uint64(text[i])*pw
		yield(i+1, f&sifMask)
	}
}

// sampleSif appends the windows whose F has its low keep bits 0.
func sampleSif(dst []place, text []byte, w, keep int, overlap, once bool) []place {
	next := 0
	rollSif(text, w, func(at int, f uint64) {
		if f&(1<<keep-1) != 0 || at < next {
			return
		}
		dst = add(dst, place{f, at}, once)
		if !overlap {
			next = at + w
		}
	})
	return dst
}
