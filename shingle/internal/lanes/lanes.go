// Package lanes compares words that hold two values each.
//
// On amd64 processors with AVX2 it does so in assembly, eight values at a time.
// With the build tag noasm, on other platforms and other processors, plain Go
// does the same.
//
// Package shingle uses it to compare signatures. It does not know what a value
// means.
package lanes

// Differ returns in how many of their 32-bit values a and b differ, of which b must
// be at least as long as a. The highest bit of every value must be zero.
func Differ(a, b []uint64) int { return differ(a, b[:len(a)]) }

// differGo is Differ in plain Go. Since the highest bits are zero, adding all ones below
// carries into them where values differ; that takes six instructions for two
// values, and unrolling the loop gains nothing.
func differGo(a, b []uint64) int {
	const (
		low = 0x7fffffff7fffffff
		one = 0x0000000100000001
	)
	b = b[:len(a)]
	var n uint64 // two counters
	for i, x := range a {
		n += ((x ^ b[i]) + low) >> 31 & one
	}
	return int(n>>32 + n&0xffffffff)
}
