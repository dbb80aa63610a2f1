package rabinkarp

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/alike-go/alike/internal/parallel"
)

// rough counts fingerprints in counters that a few of them share, so that some
// counts are too high and none too low.
type rough struct {
	counters []uint32
	shift    int
}

// mostCounters bounds the counters, which then take 64 MB.
const mostCounters = 1 << 24

func countRoughly(sketches []Sketch, workers int) rough {
	total := 0
	for i := range sketches {
		total += len(sketches[i].Prints)
	}
	n := max(1, bits.Len(uint(min(2*total, mostCounters-1))))
	r := rough{make([]uint32, 1<<n), 64 - n}
	parallel.Ranges(context.Background(), workers, len(sketches), 64, func(_, from, to int) {
		for _, s := range sketches[from:to] {
			for _, p := range s.Prints {
				atomic.AddUint32(r.counter(p), 1)
			}
		}
	})
	return r
}

func (r rough) counter(print uint64) *uint32 {
	return &r.counters[print*base>>(r.shift&63)]
}
