// Package scatter writes words to places all over an array, as one pass of a
// radix sort does.
//
// Such a pass writes hundreds of runs at a time, too many for the processor to
// foresee, and each store into a new cache line waits for it. On amd64 the
// assembly asks for the next line of a run with each store, which makes the
// pass about twice as fast. With the build tag noasm and on other platforms
// plain Go does without.
//
// Package hamming uses it. Where a word goes is decided there.
package scatter

// Words64 sets dst[places[i]] to src[i] for each i. It panics if src is shorter than
// places; the places must lie in dst, which it does not check.
func Words64(dst, src []uint64, places []uint32) { words64(dst, src[:len(places)], places) }

// Words32 is Words64 for words of 32 bits.
func Words32(dst, src []uint32, places []uint32) { words32(dst, src[:len(places)], places) }

func scatterGo[T uint32 | uint64](dst, src []T, places []uint32) {
	for i, p := range places {
		dst[p] = src[i]
	}
}
