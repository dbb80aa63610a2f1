package cosine

import "math"

// A dot product is the sum over the shared terms of the lower half of all hashes
// plus that over the upper half, each in the order of the terms. Every way to
// compute one keeps to that, so that all agree to the last bit, and a vector's
// product with itself is its sq.

// shared is a shared term: its places in two vectors.
type shared struct{ a, b int32 }

// dot returns the dot product of two vectors. Which list is ahead cannot be
// predicted, so the merge takes no branch on it; and since each step must then wait
// for the one before, it merges both halves at a time.
func dot(a, b *Vector) float64 {
	at, bt := a.Terms, b.Terms
	var low, high float64
	var lows, highs [64]shared
	i, j, k, l := 0, 0, a.mid, b.mid
	for {
		// So many steps surely stay within the lists and the arrays.
		steps := min(a.mid-i, b.mid-j, len(at)-k, len(bt)-l, len(lows))
		if steps == 0 {
			break
		}
		m, n := 0, 0
		for ; steps > 0; steps-- {
			// A place is written each time, but kept only where the terms are equal.
			x, y := at[i], bt[j]
			lows[m&63] = shared{int32(i), int32(j)}
			m += step(x == y)
			i += step(x <= y)
			j += step(x >= y)

			x, y = at[k], bt[l]
			highs[n&63] = shared{int32(k), int32(l)}
			n += step(x == y)
			k += step(x <= y)
			l += step(x >= y)
		}
		low = addShared(low, lows[:m], a, b)
		high = addShared(high, highs[:n], a, b)
	}
	// One half is done.
	for i < a.mid && j < b.mid {
		x, y := at[i], bt[j]
		if x == y {
			low += float64(a.Weights[i]) * float64(b.Weights[j])
		}
		i += step(x <= y)
		j += step(x >= y)
	}
	for k < len(at) && l < len(bt) {
		x, y := at[k], bt[l]
		if x == y {
			high += float64(a.Weights[k]) * float64(b.Weights[l])
		}
		k += step(x <= y)
		l += step(x >= y)
	}
	return low + high
}

// step is 1 for true; it compiles to no branch.
func step(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}

func addShared(sum float64, places []shared, a, b *Vector) float64 {
	for _, p := range places {
		sum += float64(a.Weights[p.a]) * float64(b.Weights[p.b])
	}
	return sum
}

// squares returns the sum of squares, in order. The product of two float32
// is exact in a float64, so a fused multiply-add makes no difference.
func squares(w []float32) (sum float64) {
	for _, x := range w {
		sum += float64(x) * float64(x)
	}
	return sum
}

// cosine makes the score of a dot product. The square root of a rounded square
// is the number itself, hence exactly 1 for a document with itself.
func cosine(dot float64, a, b *Vector) float64 {
	if dot == 0 {
		return 0
	}
	return min(dot/math.Sqrt(a.sq*b.sq), 1)
}
