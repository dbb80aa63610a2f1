package hamming

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/alike-go/alike/internal/scan"
)

// pieceBits is the maximum number of bits of a piece of a word.
const pieceBits = 10

// A pairFinder looks for pairs in one bucket after another.
type pairFinder struct {
	*joiner
	gather     *key   // what the words of the bucket at hand hold
	differ     []Code // a pair must differ in each of these masks: it is not of an earlier piece
	pairs      []uint64
	candidates int64
	depth      int
	scratch    []*scratch // one for each depth
}

func (f *pairFinder) reset(gather *key, differ []Code) {
	f.gather, f.differ = gather, append(f.differ[:0], differ...)
}

// bucket finds the pairs of codes that agree in a piece. enough is the minimum number of
// codes to cut by whole codes.
func (f *pairFinder) bucket(w words, enough int) {
	n := len(w.word)
	at := n
	if f.b != nil {
		at = sort.Search(n, func(i int) bool { return int(w.pos[i]) >= f.split })
		if at == 0 || at == n {
			return
		}
	}
	if n > limits.whole && f.cut(w, enough) {
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

// triangle compares the words of a bucket with each other.
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

// take keeps a pair if it is near and no earlier piece has it.
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

// cut looks for pairs in the buckets of pieces of the words, if that rules out at least
// half of the pairs, and otherwise in buckets of whole codes. It reports whether it did
// either.
func (f *pairFinder) cut(w words, enough int) bool {
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
	width := min(len(vary)/(f.k+1), max(bits.Len(uint(n))-limits.bucketBits, 1), pieceBits)
	if width == 0 {
		return f.cutByCodes(w, enough)
	}
	s := f.scratchFor(n, (f.k+1)<<width)
	left := 0.0
	for i, p := range split(vary, f.k+1) {
		s.keys[i] = newKey(p[:width])
		left += s.count(i, w)
	}
	if left > float64(n)*float64(n)/2 {
		return f.cutByCodes(w, enough)
	}
	was := len(f.differ)
	f.depth++
	for i := range s.keys {
		k := &s.keys[i]
		ends := s.sort(i, w)
		from := uint32(0)
		for _, to := range ends {
			if to-from > 1 {
				f.bucket(words{s.out.word[from:to], s.out.pos[from:to]}, enough)
			}
			from = to
		}
		f.differ = append(f.differ, f.gather.spread(k.mask.Lo))
	}
	f.depth--
	f.differ = f.differ[:was]
	return true
}

// scratch is the memory for one depth of cutting by words.
type scratch struct {
	out    words
	keys   []key
	counts []uint32 // of each key in turn
}

// scratchFor returns the scratch of the current depth.
func (f *pairFinder) scratchFor(n, counts int) *scratch {
	for len(f.scratch) <= f.depth {
		f.scratch = append(f.scratch, &scratch{keys: make([]key, f.k+1)})
	}
	s := f.scratch[f.depth]
	if cap(s.out.word) < n {
		s.out = newWords(n + n/2)
	}
	s.out = words{s.out.word[:n], s.out.pos[:n]}
	s.counts = slices.Grow(s.counts[:0], counts)[:counts]
	clear(s.counts)
	return s
}

// countsOf returns the counts of the i-th key.
func (s *scratch) countsOf(i int) []uint32 {
	size := 1 << s.keys[i].width
	return s.counts[i*size : (i+1)*size]
}

// count counts the words by the i-th key and returns the sum of the squares.
func (s *scratch) count(i int, w words) float64 {
	k, counts := &s.keys[i], s.countsOf(i)
	if turn, mask, ok := k.run(); ok {
		for _, x := range w.word {
			counts[bits.RotateLeft64(uint64(x), turn)&mask]++
		}
	} else {
		for _, x := range w.word {
			counts[k.of(Code{Lo: uint64(x)})]++
		}
	}
	return sumSquares(counts)
}

// sort sorts the words by the i-th key, stably, and returns where each value ends.
func (s *scratch) sort(i int, w words) []uint32 {
	k, off := &s.keys[i], s.countsOf(i)
	sums(off, 0)
	if turn, mask, ok := k.run(); ok {
		for j, x := range w.word {
			d := bits.RotateLeft64(uint64(x), turn) & mask
			p := off[d]
			off[d] = p + 1
			s.out.word[p], s.out.pos[p] = x, w.pos[j]
		}
		return off
	}
	for j, x := range w.word {
		d := k.of(Code{Lo: uint64(x)})
		p := off[d]
		off[d] = p + 1
		s.out.word[p], s.out.pos[p] = x, w.pos[j]
	}
	return off
}

// cutByCodes cuts a bucket by pieces of the whole codes: of the bits that tell these
// codes apart best. It reports whether it did.
func (f *pairFinder) cutByCodes(w words, enough int) bool {
	n := len(w.word)
	if n < enough {
		return false
	}
	src, tmp := newColumns(n, f.width == 128), newColumns(n, false)
	for i, p := range w.pos {
		src.set(i, f.codes.at(int(p)), p)
	}
	even, sample := balance(src, f.width)
	cuts := pieces(even, sample, f.width, f.k+1, maxLookup)
	left := 0.0
	for i, p := range cuts {
		cuts[i] = p[:lookupBits(len(p), n)]
		left += squares(src, cuts[i])
	}
	if left > float64(n)*float64(n)/2 {
		enough *= f.k + 1
	}
	gather, was := f.gather, len(f.differ)
	f.depth++
	for _, p := range cuts {
		order := append(slices.Clone(p), others(p, even, sample, f.width)...)
		word := wordKey(order[len(p):])
		out, starts := newWords(n), make([]uint32, 1<<len(p)+1)
		partitionWords(out, tmp, src, packing(order, len(p)), starts, 1)
		f.gather = &word
		for b := range len(starts) - 1 {
			if from, to := starts[b], starts[b+1]; to-from > 1 {
				f.bucket(words{out.word[from:to], out.pos[from:to]}, enough)
			}
		}
		lookup := newKey(p)
		f.differ = append(f.differ, lookup.mask)
	}
	f.depth--
	f.gather, f.differ = gather, f.differ[:was]
	return true
}

// squares returns the sum of the squared bucket sizes of a key of the bits.
func squares(c columns, bits []int) float64 {
	k := newKey(bits)
	counts := make([]uint32, 1<<len(bits))
	for i := range c.len() {
		counts[k.of(c.at(i))]++
	}
	return sumSquares(counts)
}

func sumSquares(counts []uint32) float64 {
	sum := 0.0
	for _, c := range counts {
		sum += float64(c) * float64(c)
	}
	return sum
}
