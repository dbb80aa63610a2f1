package shingle

// coef is a hash function a·x + b modulo 2⁶⁴ with a odd. Its upper bits are
// almost universal (Dietzfelbinger, Hagerup, Katajainen and Penttonen, Journal of
// Algorithms 1997), and its argument here is mixed first. Reduction modulo a
// prime, as textbooks have it, costs more and gives no better values.
type coef struct{ a, b uint64 }

func newCoefs(size int, seed uint64) []coef {
	s := stream(seed)
	c := make([]coef, size)
	for i := range c {
		c[i] = coef{s.next() | 1, s.next()}
	}
	return c
}

// kpermAdd lowers each of the least values to that of the hashes under its function.
func kpermAdd(least []uint64, coefs []coef, seed uint64, hashes []uint64) {
	for _, x := range hashes {
		x = mix(x, seed)
		for i, c := range coefs {
			least[i] = min(least[i], c.a*x+c.b)
		}
	}
}
