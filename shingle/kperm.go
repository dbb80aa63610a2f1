package shingle

import "github.com/alike-go/alike/internal/splitmix"

// coef is a hash function a·x + b modulo 2⁶⁴ with a odd. Its upper bits are
// almost universal (Dietzfelbinger, Hagerup, Katajainen and Penttonen, Journal of
// Algorithms 1997), and its argument here is mixed first. Reduction modulo a
// prime, as textbooks have it, costs more and gives no better values.
type coef struct{ a, b uint64 }

func newCoefs(size int, seed uint64) []coef {
	s := splitmix.Stream(seed)
	c := make([]coef, size)
	for i := range c {
		c[i] = coef{s.Next() | 1, s.Next()}
	}
	return c
}

// kpermAdd lowers each of the least values to that of the hashes under its
// function. It uses mixed as scratch space.
func kpermAdd(least []uint64, coefs []coef, seed uint64, hashes, mixed []uint64) {
	mixed = mixed[:0]
	for _, x := range hashes {
		mixed = append(mixed, mix(x, seed))
	}
	// Function by function, so that the least value stays in a register; two of
	// them, so that one minimum need not wait for the other.
	least = least[:len(coefs)]
	for i, c := range coefs {
		u, v := least[i], least[i]
		xs := mixed
		for ; len(xs) >= 2; xs = xs[2:] {
			u = min(u, c.a*xs[0]+c.b)
			v = min(v, c.a*xs[1]+c.b)
		}
		for _, x := range xs {
			u = min(u, c.a*x+c.b)
		}
		least[i] = min(u, v)
	}
}
