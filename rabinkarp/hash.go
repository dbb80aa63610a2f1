package rabinkarp

// The mixed hash of a window is the polynomial t1 p^(w-1) + ... + tw modulo 2^64,
// finished by a bijection. The multiplier of the polynomial is 5 modulo 8, so its
// powers take as long as they can to repeat; both constants are otherwise
// arbitrary odd numbers without pattern.
const (
	base  = 0x9e3779b97f4a7c15
	mixer = 0xd6e8feb86659fd93
)

// mix is a bijection whose high bits depend on every bit of h. The polynomial's
// own low bits do not: bit j depends on the bits up to j of the bytes alone.
func mix(h uint64) uint64 { return (h ^ h>>32) * mixer }

// direct returns the mixed hash of one window.
func direct(window []byte) uint64 {
	var h uint64
	for _, b := range window {
		h = h*base + uint64(b)
	}
	return mix(h)
}

// The hash of sif.
const (
	sifBase = 31
	sifMask = 1<<30 - 1
)

// directSif returns the hash of one window as sif takes it.
func directSif(window []byte) uint64 {
	var h uint64
	for _, b := range window {
		h = h*sifBase + uint64(b)
	}
	return h & sifMask
}
