package rabinkarp

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/rabinkarp/internal/lanes"
)

// Where the processor can roll over eight parts of a text at a time, sample does, and gives
// the same windows. Each part then begins with a hash made afresh, so that parts must
// not be short; and the windows behind a chosen one, which one by one would be passed
// over, are hashed too.

const (
	// leastSteps is the least length of a part, in windows.
	leastSteps = 24

	// mostSteps bounds it, and with it what waits to be put in order.
	mostSteps = 1024

	// slice is the number of steps whose hashes are kept until they are looked through.
	slice = 64
)

// laneScratch is what sampling by parts needs.
type laneScratch struct {
	hashes [lanes.Lanes * slice]uint64
	below  [slice]byte
	found  [lanes.Lanes][mostSteps]place
	count  [lanes.Lanes]int
}

// byParts reports whether parts are faster than one window after the other, which
// passes over w windows behind each chosen one.
func (s *sampler) byParts() bool {
	gap := math.MaxUint64 / s.limit
	return lanes.Available() && (s.overlap || uint64(s.w/4) <= gap)
}

// stepsFor returns the length of parts of a text of n windows, a multiple of 8, or 0 where it
// is not worth it. Rolling goes in groups of 8 windows that each have a byte behind them.
func stepsFor(n, w int) int {
	steps := min((n-8)/lanes.Lanes, mostSteps) / 8 * 8
	if steps < leastSteps || steps < w/4 {
		return 0
	}
	return steps
}

// sampleLanes appends the chosen windows of the text that lie in whole parts, and returns
// how far these reach and from where on the next window counts.
func (s *sampler) sampleLanes(dst []place, sc *laneScratch, text []byte, once bool) (_ []place, at, next int) {
	n := len(text) - s.w + 1
	for steps := stepsFor(n, s.w); steps > 0; steps = stepsFor(n-at, s.w) {
		s.findLanes(sc, text[at:], steps)
		for k := range sc.found {
			for _, p := range sc.found[k][:sc.count[k]] {
				p.at += at
				if p.at < next {
					continue
				}
				dst = add(dst, place{splitmix.Mix(p.hash), p.at}, once)
				if !s.overlap {
					next = p.at + s.w
				}
			}
		}
		at += lanes.Lanes * steps
	}
	return dst, at, next
}

// findLanes sets found to the windows below the limit in each of the parts that the text
// begins with.
func (s *sampler) findLanes(sc *laneScratch, text []byte, steps int) {
	var h [lanes.Lanes]uint64
	s.lanes.Begin(&h, text, steps)
	sc.count = [lanes.Lanes]int{}
	for from := 0; from < steps; from += slice {
		below := sc.below[:min(slice, steps-from)]
		s.lanes.Roll(sc.hashes[:], below, &h, text[from:], steps)
		for g := 0; g+8 <= len(below); g += 8 {
			// Bit 8i+k is for step g+i of lane k, so that those of a lane come in order.
			for marks := binary.LittleEndian.Uint64(below[g:]); marks != 0; marks &= marks - 1 {
				bit := bits.TrailingZeros64(marks)
				i, k := g+bit/8, bit%8
				n := sc.count[k]
				sc.found[k][n%mostSteps] = place{sc.hashes[(lanes.Lanes*g+bit)%len(sc.hashes)], k*steps + from + i}
				sc.count[k] = n + 1
			}
		}
	}
}
