package setjoin

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/internal/splitmix"
)

// rankPart is about how many hashes of many different ones are counted at a time, so that
// their counters stay in the second cache.
const rankPart = 1 << 17

// rankMany ranks the hashes of the round, of which there may be any number of different ones: it
// sorts them into parts first, which takes five bytes each.
func (r *ranker) rankMany(ctx context.Context, workers int) {
	width := min(1+bits.Len(uint(len(r.of)/rankRounds/rankPart)), 10)
	shift, parts := 64-width, 1<<width
	at := make([][]int, r.chunks) // for each chunk, how many hashes of each part; then where they go
	r.eachChunk(ctx, workers, func(c int) {
		n := make([]int, parts)
		for i := c * len(r.sets) / r.chunks; i < (c+1)*len(r.sets)/r.chunks; i++ {
			end := r.begin[i]
			for _, h := range r.sets[i].Hashes[end:] {
				if h > r.last {
					break
				}
				n[h*hashFactor>>(shift&63)]++
				end++
			}
			r.end[i] = end
		}
		at[c] = n
	})
	if ctx.Err() != nil {
		return
	}
	starts, next := make([]int, parts+1), 0
	for p := range parts {
		starts[p] = next
		for c := range at {
			at[c][p], next = next, next+at[c][p]
		}
	}
	starts[parts] = next
	r.keys, r.ofKeys = slices.Grow(r.keys[:0], next)[:next], slices.Grow(r.ofKeys[:0], next)[:next]
	keys, of := r.keys, r.ofKeys
	r.eachChunk(ctx, workers, func(c int) {
		next := slices.Clone(at[c])
		r.eachSet(c, func(_ int, hashes []uint64) {
			for _, h := range hashes {
				key := h * hashFactor
				to := &next[key>>(shift&63)]
				keys[*to] = uint32(key << width >> 32)
				*to++
			}
		})
	})
	counters := make([]counter, workers)
	parallel.For(ctx, workers, parts, func(w, p int) {
		counters[w].rank(of[starts[p]:starts[p+1]], keys[starts[p]:starts[p+1]])
	})
	r.eachChunk(ctx, workers, func(c int) {
		next := at[c]
		r.eachSet(c, func(first int, hashes []uint64) {
			out := r.of[first : first+len(hashes)]
			for k, h := range hashes {
				from := &next[h*hashFactor>>(shift&63)]
				out[k] = of[*from]
				*from++
			}
		})
	})
}

// counter counts keys approximately in bytes: exactly up to exactCounts, and from there on
// each level stands for a twelfth more, to which a random number leads (Morris, Communications
// of the ACM 1978).
type counter struct {
	cells []uint8
	rng   splitmix.Stream
}

const exactCounts = 32

// limits are, for each level, how many of 2³² random numbers lead to the next; levels are the
// counts that it stands for.
var limits, levels = func() (limits [256]uint32, levels [256]float64) {
	width := 1.0
	for n := range limits {
		if n > 0 {
			levels[n] = levels[n-1] + width
		}
		if n >= exactCounts {
			width = max(width, levels[n]/12)
		}
		limits[n] = uint32(math.MaxUint32 / width)
	}
	limits[255] = 0
	return limits, levels
}()

// levelOf returns the level of a count above 0.
func levelOf(n uint32) uint8 {
	if n <= exactCounts {
		return uint8(n)
	}
	return uint8(min(255, sort.SearchFloat64s(levels[:], float64(n)+0.5)-1))
}

// rank ranks keys of a part by how many there are of each.
func (c *counter) rank(of []uint8, keys []uint32) {
	width := max(8, bits.Len(uint(cellsEach*len(keys))))
	c.cells = slices.Grow(c.cells[:0], 1<<width)[:1<<width]
	clear(c.cells)
	c.rng = 0
	shift := 32 - width
	for _, key := range keys {
		cell := &c.cells[key>>(shift&31)]
		if n := *cell; n < exactCounts {
			*cell = n + 1
		} else if uint32(c.rng.Next()>>32) < limits[n] {
			*cell = n + 1
		}
	}
	for i, key := range keys {
		of[i] = c.cells[key>>(shift&31)] - 1
	}
}
