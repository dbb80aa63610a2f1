// Package token does the two things that cost most of the time of sketching
// English text: it cuts ASCII text into words, and hashes tokens.
//
// On amd64 processors with AVX2 both are done in assembly. With the build tag
// noasm, on other platforms and other processors, plain Go gives the same.
//
// Package feature uses it. The other rules of Unicode for words belong there.
package token

// Span is the place of a token in a buffer.
type Span struct{ Start, End uint32 }

// Batch is the number of tokens that are cut and hashed at a time, so that they
// stay in the first cache.
const Batch = 512

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool { return isLetter(c) || isDigit(c) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// b2i returns 1 for true, without a branch.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
