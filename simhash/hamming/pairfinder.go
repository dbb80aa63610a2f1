package hamming

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/alike-go/alike/simhash/hamming/internal/scan"
)

const (
	// pieceBits is the most bits of a piece of a word.
	pieceBits = 10

	// regather is the number of codes from which on a bucket whose words tell them apart
	// badly is cut by whole codes in place of words.
	regather = 2048

	// patience is how often a bucket may be cut by whole codes though that leaves
	// more than half of its pairs: each time takes the bits that made it crowded away.
	patience = 4
)

// wholeBucket is the number of codes up to which all pairs of a bucket are compared at
// once: where cutting it into pieces would take as long.
var wholeBucket = map[string]int{"AVX-512": 512, "AVX2": 192, "Go": 48}[scan.Kernel()]

// A pairFinder looks for pairs in one bucket after the other.
type pairFinder struct {
	*joiner
	gather     *key   // what the words of the bucket at hand hold
	differ     []Code // a pair must differ in each of these masks: it is not of an earlier piece
	pairs      []uint64
	candidates int64
	depth      int
	scratch    []words // one for each depth
	counts     []uint32
}

func (f *pairFinder) reset(gather *key, differ []Code) {
	f.gather, f.differ = gather, append(f.differ[:0], differ...)
}

// bucket finds the pairs of some codes that agree in a piece.
func (f *pairFinder) bucket(w words, patience int) {
	n := len(w.word)
	at := n
	if f.b != nil {
		at = sort.Search(n, func(i int) bool { return int(w.pos[i]) >= f.split })
		if at == 0 || at == n {
			return
		}
	}
	if n > wholeBucket && f.cut(w, patience) {
		return
	}
	if f.b != nil {
		f.candidates += int64(at) * int64(n-at)
		f.tiles(words{w.word[:at], w.pos[:at]}, words{w.word[at:], w.pos[at:]})
	} else {
		f.candidates += int64(n) * int64(n-1) / 2
		f.triangle(w)
	}
}

// triangle compares the words of a bucket with one another.
func (f *pairFinder) triangle(w words) {
	for r := 0; r < len(w.word); r += scan.Corners {
		to := min(r+scan.Corners, len(w.word))
		if some := w.word[r:to]; scan.Corner(some, f.k) {
			for i, a := range some {
				for j := i + 1; j < len(some); j++ {
					if bits.OnesCount32(a^some[j]) <= f.k {
						f.take(w.pos[r+i], w.pos[r+j])
					}
				}
			}
		}
		if to < len(w.word) {
			f.tiles(words{w.word[r:to], w.pos[r:to]}, words{w.word[to:], w.pos[to:]})
		}
	}
}

// tiles compares each row with each column.
func (f *pairFinder) tiles(rows, cols words) {
	var last [scan.Rows]uint32
	for r := 0; r < len(rows.word); r += scan.Rows {
		some := rows.word[r:min(r+scan.Rows, len(rows.word))]
		block := &last
		if len(some) == scan.Rows {
			block = (*[scan.Rows]uint32)(some)
		} else {
			copy(last[:], some)
			for i := len(some); i < scan.Rows; i++ {
				last[i] = some[0]
			}
		}
		for from := 0; ; from += scan.Step {
			at, hits := scan.Tile(block, cols.word, from, f.k)
			if hits == 0 {
				break
			}
			for ; hits != 0; hits &= hits - 1 {
				c := at + bits.TrailingZeros32(hits)
				for i, row := range some {
					if bits.OnesCount32(row^cols.word[c]) <= f.k {
						f.take(rows.pos[r+i], cols.pos[c])
					}
				}
			}
			from = at
		}
	}
}

// take keeps a pair if it is near and of no earlier piece.
func (f *pairFinder) take(a, b uint32) {
	x := f.codes.at(int(a)).xor(f.codes.at(int(b)))
	if x.Distance(Code{}) > f.k {
		return
	}
	for _, mask := range f.differ {
		if x.ones(mask) == 0 {
			return
		}
	}
	if a > b {
		a, b = b, a
	}
	f.pairs = append(f.pairs, uint64(a)<<32|uint64(b))
}

// cut looks for pairs in the buckets of pieces of the words, and reports whether it was
// worth doing so: it leaves pairs to its caller, or to cutting by whole codes,
// unless at least half of them are ruled out.
func (f *pairFinder) cut(w words, patience int) bool {
	n := len(w.word)
	or, and := uint32(0), ^uint32(0)
	for _, x := range w.word {
		or |= x
		and &= x
	}
	var vary []int
	for b := 31; b >= 0; b-- {
		if (or&^and)>>b&1 == 1 {
			vary = append(vary, b)
		}
	}
	width := min(len(vary)/(f.k+1), max(bits.Len(uint(n))-3, 1), pieceBits)
	keys := make([]key, 0, f.k+1)
	left := 0.0
	if width > 0 {
		for _, p := range split(vary, f.k+1) {
			keys = append(keys, newKey(p[:width]))
			left += f.left(w, &keys[len(keys)-1])
		}
	}
	if width == 0 || left > float64(n)*float64(n)/2 {
		if n < regather || patience == 0 {
			return false
		}
		f.recut(w, patience)
		return true
	}
	was := len(f.differ)
	out := f.scratchFor(n)
	for i := range keys {
		k := &keys[i]
		starts := make([]uint32, 1<<width+1)
		f.sortBy(out, w, k, starts)
		f.depth++
		for b := range len(starts) - 1 {
			if from, to := starts[b], starts[b+1]; to-from > 1 {
				f.bucket(words{out.word[from:to], out.pos[from:to]}, patience)
			}
		}
		f.depth--
		f.differ = append(f.differ, f.gather.spread(k.mask.Lo))
	}
	f.differ = f.differ[:was]
	return true
}

// left returns the sum of the squares of the bucket sizes under a key.
func (f *pairFinder) left(w words, k *key) float64 {
	counts := f.countsFor(1 << k.width)
	for _, x := range w.word {
		counts[k.of(Code{Lo: uint64(x)})]++
	}
	sum := 0.0
	for _, c := range counts {
		sum += float64(c) * float64(c)
	}
	return sum
}

func (f *pairFinder) countsFor(n int) []uint32 {
	f.counts = slices.Grow(f.counts[:0], n)[:n]
	clear(f.counts)
	return f.counts
}

// sortBy sorts words by a key, stably, and sets starts.
func (f *pairFinder) sortBy(out, w words, k *key, starts []uint32) {
	off := f.countsFor(1 << k.width)
	for _, x := range w.word {
		off[k.of(Code{Lo: uint64(x)})]++
	}
	sums(off, 0)
	copy(starts, off)
	starts[len(off)] = uint32(len(w.word))
	for i, x := range w.word {
		d := k.of(Code{Lo: uint64(x)})
		p := off[d]
		off[d] = p + 1
		out.word[p], out.pos[p] = x, w.pos[i]
	}
}

// scratchFor returns the place for words of the depth at hand.
func (f *pairFinder) scratchFor(n int) words {
	for len(f.scratch) <= f.depth {
		f.scratch = append(f.scratch, words{})
	}
	s := &f.scratch[f.depth]
	if len(s.word) < n {
		*s = newWords(n + n/2)
	}
	return words{s.word[:n], s.pos[:n]}
}

// recut cuts a bucket by pieces of the whole codes, of the bits that tell these codes
// apart best.
func (f *pairFinder) recut(w words, patience int) {
	n := len(w.word)
	src, tmp := newColumns(n, f.width == 128), newColumns(n, false)
	for i, p := range w.pos {
		src.set(i, f.codes.at(int(p)), p)
	}
	even, sample := balance(src, f.width)
	wasGather, was := f.gather, len(f.differ)
	f.depth++
	for _, p := range pieces(even, sample, f.width, f.k+1, maxLookup) {
		p = p[:lookupBits(len(p), n)]
		order := append(slices.Clone(p), others(p, even, sample, f.width)...)
		gather := wordKey(order[len(p):])
		out, starts := newWords(n), make([]uint32, 1<<len(p)+1)
		partitionWords(out, tmp, src, packing(order, len(p)), starts, 1)
		f.gather = &gather
		for b := range len(starts) - 1 {
			if from, to := starts[b], starts[b+1]; to-from > 1 {
				next := patience
				if 2*int(to-from) > n {
					next--
				}
				f.bucket(words{out.word[from:to], out.pos[from:to]}, next)
			}
		}
		lookup := newKey(p)
		f.differ = append(f.differ, lookup.mask)
	}
	f.depth--
	f.gather, f.differ = wasGather, f.differ[:was]
}
