package clean

import (
	"math/bits"

	"github.com/alike-go/alike/internal/splitmix"
	"github.com/zeebo/xxh3"
)

// Windows of width bytes are looked at, and of so many in a row, gap, the one of the least
// hash is chosen (winnowing; Schleimer, Wilkerson and Aiken, SIGMOD 2003), so that a
// passage of width+gap-1 bytes has the same windows chosen wherever it stands. The bytes
// are those of the text itself: what a template made is the same to the byte, and
// places in a folded text cost ten times the time to map back.
const (
	width = 32
	gap   = 16
)

// window is a place in a text that is known by its hash.
type window struct {
	hash       uint64
	start, end int
}

// base is the odd number whose powers the rolling hash weighs bytes by.
const base = 0x9e3779b97f4a7c15

// leaving is what a byte weighs when it leaves the window.
var leaving = func() uint64 {
	p := uint64(1)
	for range width {
		p *= base
	}
	return p
}()

// choose appends the chosen windows of a text in ascending order: of every gap
// windows in a row the one with the least hash, of several the rightmost. Of a text with
// fewer it is one, and none of a text shorter than a window. Where the next one
// has the same hash, both are one: 100 MB of a single character must not be as many windows.
func choose(dst []window, text string) []window {
	if len(text) < width {
		return dst
	}
	var h uint64
	for i := range width - 1 {
		h = (h + uint64(text[i])) * base
	}
	var recent [gap]uint64
	at, least, from := 0, ^uint64(0), len(dst)
	for i := range len(text) - width + 1 {
		x := (h + uint64(text[i+width-1])) * base
		h = x - uint64(text[i])*leaving
		recent[i%gap] = x
		switch {
		case x <= least:
			at, least = i, x
		case i-at == gap:
			at, least = i, x
			for j := i - 1; j > i-gap; j-- {
				if recent[j%gap] < least {
					at, least = j, recent[j%gap]
				}
			}
		case i != gap-1 && i != len(text)-width:
			continue
		}
		if i < min(gap, len(text)-width+1)-1 {
			continue // the first row is not complete
		}
		w := window{splitmix.Mix(least), at, at + width}
		n := len(dst)
		switch {
		case n > from && dst[n-1].end == w.end: // the last one still
		case n > from && dst[n-1].hash == w.hash && dst[n-1].end >= w.start:
			dst[n-1].end = w.end
		default:
			dst = append(dst, w)
		}
	}
	return dst
}

// What begins a text is hashed with other seeds than what ends it, and than windows.
const headSeed, tailSeed = 1, 2

// windows appends the chosen windows and two more: what stands from the beginning of the
// text to the end of the first, and from the beginning of the last to the end of the text.
// So a passage that begins or ends a text, as most do, leaves no rest there.
func windows(dst []window, text string) []window {
	from := len(dst)
	dst = choose(dst, text)
	if len(dst) == from {
		return dst
	}
	head, tail := dst[from].end, dst[len(dst)-1].start
	return append(dst,
		window{xxh3.HashStringSeed(text[:head], headSeed), 0, head},
		window{xxh3.HashStringSeed(text[tail:], tailSeed), tail, len(text)})
}

// scale returns x·n/2⁶⁴, which spreads hashes over n places.
func scale(x uint64, n int) uint64 {
	hi, _ := bits.Mul64(x, uint64(n))
	return hi
}
