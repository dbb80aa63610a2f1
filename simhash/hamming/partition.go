package hamming

import (
	"context"
	"math/bits"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/simhash/hamming/internal/scatter"
)

// blockLen is the number of codes whose keys are computed at a time.
const blockLen = 256

// partition copies src to dst in ascending order of a key of at most 25 bits, stably. It
// sets starts, of length 1<<width + 1, to the place where each key begins. tmp is as
// long as src and is overwritten. The result does not depend on workers.
//
// It is a radix sort in two passes from the top down. After the first pass the parts fit
// the cache, so a second pass by many digits costs little.
func partition(dst, tmp, src columns, k *key, starts []uint32, workers int) {
	n := src.len()
	first, rest := digits(k.width, n)
	bounds := starts
	if rest > 0 {
		bounds = make([]uint32, 1<<first+1)
	} else {
		tmp = dst
	}
	top := func(dst []uint16, lo, hi []uint64) { k.digits(dst, lo, hi, rest, 1<<first-1) }
	offsets := firstPass(bounds, src, top, workers)
	inChunks(len(offsets), n, workers, func(c, from, to int) {
		scatterColumns(tmp, src, from, to, top, offsets[c])
	})
	if rest == 0 {
		return
	}
	low := func(dst []uint16, lo, hi []uint64) { k.digits(dst, lo, hi, 0, 1<<rest-1) }
	starts[1<<k.width] = uint32(n)
	parallel.For(context.Background(), workers, 1<<first, func(_, p int) {
		from, to := int(bounds[p]), int(bounds[p+1])
		off := make([]uint32, 1<<rest)
		count(off, tmp, from, to, low)
		sums(off, from)
		copy(starts[p<<rest:], off)
		scatterColumns(dst, tmp, from, to, low, off)
	})
}

// words is a table's part of the codes: some bits of each code, and its position.
type words struct {
	word []uint32
	pos  []uint32
}

func newWords(n int) words { return words{make([]uint32, n), make([]uint32, n)} }

// partitionWords is partition for a table. The key packed has the bits of the table and
// 32 bits more below them. It sorts by the upper bits, whose places it writes to starts.
// The lower 32 bits become the words, and the numbers of src the positions.
func partitionWords(dst words, tmp, src columns, packed *key, starts []uint32, workers int) {
	n := src.len()
	width := packed.width - 32
	first, rest := digits(width, n)
	bounds := starts
	if rest > 0 {
		bounds = make([]uint32, 1<<first+1)
	}
	top := func(dst []uint16, lo, hi []uint64) { packed.digits(dst, lo, hi, 32+rest, 1<<first-1) }
	offsets := firstPass(bounds, src, top, workers)
	inChunks(len(offsets), n, workers, func(c, from, to int) {
		var keys [blockLen]uint64
		var ids, places [blockLen]uint32
		off := offsets[c]
		for ; from < to; from += blockLen {
			b := keys[:min(blockLen, to-from)]
			packed.words(b, src.lo[from:], tail(src.hi, from))
			for i, w := range b {
				d := w >> (32 + rest)
				places[i] = off[d]
				off[d]++
			}
			numbers := src.idsFrom(from, ids[:len(b)])
			if rest == 0 {
				for i, p := range places[:len(b)] {
					dst.word[p], dst.pos[p] = uint32(b[i]), numbers[i]
				}
				continue
			}
			scatter.Words64(tmp.lo, b, places[:len(b)])
			scatter.Words32(tmp.ids, numbers, places[:len(b)])
		}
	})
	if rest == 0 {
		return
	}
	mask := uint64(1)<<rest - 1
	starts[1<<width] = uint32(n)
	parallel.For(context.Background(), workers, 1<<first, func(_, p int) {
		from, to := int(bounds[p]), int(bounds[p+1])
		off := make([]uint32, 1<<rest)
		in, ids := tmp.lo[from:to], tmp.ids[from:to]
		for _, w := range in {
			off[w>>32&mask]++
		}
		sums(off, from)
		copy(starts[p<<rest:], off)
		for i, w := range in {
			d := w >> 32 & mask
			p := off[d]
			off[d] = p + 1
			dst.word[p], dst.pos[p] = uint32(w), ids[i]
		}
	})
}

// digits cuts a key into the digits of two passes, or of one pass if n is small. The
// first pass makes only as many parts as it takes to fit the second cache.
func digits(width, n int) (first, rest int) {
	if n < 1<<13 && width <= 16 || width <= 7 {
		return width, 0
	}
	first = min(width, max(7, min(bits.Len(uint(n>>16)), 11)))
	if width-first > 16 {
		first = width - 16
	}
	return first, width - first
}

// firstPass sets bounds to the places where the digits begin, and the end. It returns
// for each chunk of src where its codes of each digit go.
func firstPass(bounds []uint32, src columns, digit func(dst []uint16, lo, hi []uint64), workers int) [][]uint32 {
	n, chunks := src.len(), workers
	if n < 1<<16 {
		chunks = 1
	}
	offsets := make([][]uint32, chunks)
	inChunks(chunks, n, workers, func(c, from, to int) {
		offsets[c] = make([]uint32, len(bounds)-1)
		count(offsets[c], src, from, to, digit)
	})
	sum := uint32(0)
	for d := range bounds[:len(bounds)-1] {
		bounds[d] = sum
		for _, c := range offsets {
			c[d], sum = sum, sum+c[d]
		}
	}
	bounds[len(bounds)-1] = sum
	return offsets
}

// sums turns counts into the places where each begins, from a place on.
func sums(counts []uint32, from int) {
	sum := uint32(from)
	for d, c := range counts {
		counts[d], sum = sum, sum+c
	}
}

// count adds the number of codes of src[from:to] with each digit to counts.
func count(counts []uint32, src columns, from, to int, digit func(dst []uint16, lo, hi []uint64)) {
	var buf [blockLen]uint16
	for ; from < to; from += blockLen {
		d := buf[:min(blockLen, to-from)]
		digit(d, src.lo[from:], tail(src.hi, from))
		for _, x := range d {
			counts[x]++
		}
	}
}

// scatterColumns copies src[from:to] to the places in off for each digit, and advances
// off.
func scatterColumns(dst, src columns, from, to int, digit func(dst []uint16, lo, hi []uint64), off []uint32) {
	var buf [blockLen]uint16
	var ids, places [blockLen]uint32
	for ; from < to; from += blockLen {
		d := buf[:min(blockLen, to-from)]
		digit(d, src.lo[from:], tail(src.hi, from))
		p := places[:len(d)]
		for i, x := range d {
			p[i] = off[x]
			off[x]++
		}
		scatter.Words64(dst.lo, src.lo[from:], p)
		scatter.Words32(dst.ids, src.idsFrom(from, ids[:len(d)]), p)
		if src.hi != nil {
			scatter.Words64(dst.hi, src.hi[from:], p)
		}
	}
}

func tail(words []uint64, from int) []uint64 {
	if words == nil {
		return nil
	}
	return words[from:]
}

// inChunks calls f for each of some equal chunks of n items.
func inChunks(chunks, n, workers int, f func(c, from, to int)) {
	size := (n + chunks - 1) / chunks
	parallel.For(context.Background(), workers, chunks, func(_, c int) { f(c, min(c*size, n), min((c+1)*size, n)) })
}
