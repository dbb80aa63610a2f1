package align

import "math/bits"

// A word holds for 64 neighbouring rows of a column whether the length of the longest
// common subsequence grows from the row above: a 0 where it does. The length is the number of
// zeros in the last column.

// subsequenceWord returns the column behind the text for a pattern of one word, from the column
// before it: all ones where it is the first.
func subsequenceWord[T symbol](masks []uint64, text []T, v uint64) uint64 {
	for _, c := range text {
		u := v & masks[c]
		v = (v + u) | (v &^ u) // v - u: all of u is in v
	}
	return v
}

// subsequenceTwo is subsequenceWord for two texts at a time; see editTwo.
func subsequenceTwo[T symbol](masks []uint64, a, b []T) (v, w uint64) {
	v, w = ^uint64(0), ^uint64(0)
	n := min(len(a), len(b))
	rest := b[n:]
	b = b[:n]
	for i, c := range a[:n] {
		u := v & masks[c]
		v = (v + u) | (v &^ u)
		u = w & masks[b[i]]
		w = (w + u) | (w &^ u)
	}
	return subsequenceWord(masks, a[n:], v), subsequenceWord(masks, rest, w)
}

// subsequenceStrip returns the last column of a strip. border has what the addition carries into
// the strip at each column, and is overwritten by what it carries out.
func subsequenceStrip[T symbol](masks []strip, text []T, border []uint8) strip {
	v0, v1, v2, v3 := ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
	border = border[:len(text)]
	for i, c := range text {
		m := &masks[c]
		u0, u1, u2, u3 := v0&m[0], v1&m[1], v2&m[2], v3&m[3]
		s0, carry := bits.Add64(v0, u0, uint64(border[i]))
		s1, carry := bits.Add64(v1, u1, carry)
		s2, carry := bits.Add64(v2, u2, carry)
		s3, carry := bits.Add64(v3, u3, carry)
		v0, v1, v2, v3 = s0|v0&^u0, s1|v1&^u1, s2|v2&^u2, s3|v3&^u3
		border[i] = uint8(carry)
	}
	return strip{v0, v1, v2, v3}
}

// subsequenceTop is subsequenceStrip for a pattern of one strip.
func subsequenceTop[T symbol](masks []strip, text []T) strip {
	v0, v1, v2, v3 := ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
	for _, c := range text {
		m := &masks[c]
		u0, u1, u2, u3 := v0&m[0], v1&m[1], v2&m[2], v3&m[3]
		s0, carry := bits.Add64(v0, u0, 0)
		s1, carry := bits.Add64(v1, u1, carry)
		s2, carry := bits.Add64(v2, u2, carry)
		s3, _ := bits.Add64(v3, u3, carry)
		v0, v1, v2, v3 = s0|v0&^u0, s1|v1&^u1, s2|v2&^u2, s3|v3&^u3
	}
	return strip{v0, v1, v2, v3}
}

// zeros returns the number of zeros in the first n rows of a strip.
func zeros(v strip, n int) int {
	sum := 0
	for w := range v {
		sum += bits.OnesCount64(^v[w] & low(n-64*w))
	}
	return sum
}
