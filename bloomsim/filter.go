package bloomsim

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bits-and-blooms/bitset"

	"github.com/alike-go/alike/bloomsim/internal/popcount"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Filter is the sketch of a text: a Bloom filter of its features. It is immutable.
type Filter struct {
	set  bitset.BitSet
	ones int     // bits set
	load float64 // features for a bit, as estimated; kept to spare Score two logarithms of three
}

// Bits returns the size m of the filter.
func (f Filter) Bits() int { return int(f.set.Len()) }

// Ones returns the number of bits set.
func (f Filter) Ones() int { return f.ones }

// Fill returns the share of bits set, in [0, 1].
func (f Filter) Fill() float64 {
	if f.ones == 0 {
		return 0
	}
	return float64(f.ones) / float64(f.Bits())
}

// Saturated reports whether all bits are set. Such a filter holds any feature, and
// how many went into it cannot be told: a larger size is needed.
func (f Filter) Saturated() bool { return f.ones > 0 && f.ones == f.Bits() }

// BitSet returns a copy of the bits.
func (f Filter) BitSet() *bitset.BitSet { return f.set.Clone() }

// Count returns the estimated number of distinct features of the text, +Inf for a
// saturated filter.
func (m *Method) Count(f Filter) float64 {
	if f.Saturated() {
		return math.Inf(1)
	}
	return f.load * float64(f.Bits()) / float64(m.o.Hashes)
}

// newFilter takes over words.
func (m *Method) newFilter(words []uint64, size int) Filter {
	ones := popcount.And(words, words)
	return Filter{*bitset.FromWithLength(uint(size), words), ones, load(ones, size)}
}

// Sketch returns the filter of a text's features. A text without features has a
// filter with no bit set, which Empty reports.
func (m *Method) Sketch(text string) Filter {
	if !m.x.Complete() {
		return m.SketchFeatures(m.x.Append(nil, text))
	}
	b := m.newBuilder()
	m.x.Blocks(text, b.add)
	return b.filter()
}

// SketchFeatures returns the filter of the features of weight above 0.
func (m *Method) SketchFeatures(features []feature.Feature) Filter {
	b := m.newBuilder()
	var block [128]uint64
	for some := range slices.Chunk(features, len(block)) {
		b.add(feature.AppendPresent(block[:0], some))
	}
	return b.filter()
}

// builder collects the features of one text. Under Auto it keeps their hashes
// until the size is known, or until no size but the greatest can be.
type builder struct {
	m      *Method
	words  []uint64 // nil while the size is open
	hashes *[]uint64
}

// hashBuffers holds buffers for the hashes of a text, at most autoMax/autoFill each.
var hashBuffers = sync.Pool{New: func() any { return new([]uint64) }}

func (m *Method) newBuilder() builder {
	if m.o.Bits == Auto {
		return builder{m: m, hashes: hashBuffers.Get().(*[]uint64)}
	}
	return builder{m: m, words: make([]uint64, (m.o.Bits+63)/64)}
}

func (b *builder) add(hashes []uint64) {
	if b.words == nil {
		*b.hashes = append(*b.hashes, hashes...)
		if b.m.roomFor(len(*b.hashes)) < autoMax {
			return
		}
		b.words, hashes = make([]uint64, autoMax/64), *b.hashes
	}
	b.place(hashes)
}

func (b *builder) place(hashes []uint64) {
	size := b.m.o.Bits
	if size == Auto {
		size = 64 * len(b.words)
	}
	b.m.o.Places.place(b.words, size, b.m.o.Hashes, hashes)
}

func (b *builder) filter() Filter {
	if b.m.o.Bits != Auto {
		return b.m.newFilter(b.words, b.m.o.Bits)
	}
	if b.words == nil {
		b.words = make([]uint64, b.m.roomFor(len(*b.hashes))/64)
		b.place(*b.hashes)
	}
	*b.hashes = (*b.hashes)[:0]
	hashBuffers.Put(b.hashes)
	words := slices.Clone(fit(b.words)) // what was folded away is not kept in memory
	return b.m.newFilter(words, 64*len(words))
}

// Empty reports whether the text had no features.
func (m *Method) Empty(f Filter) bool { return f.ones == 0 }

// Bytes returns the size of the bits in bytes, in whole words. The bit count and
// the estimate kept beside them are not in it, since the bits give them back.
func (m *Method) Bytes(f Filter) int { return 8 * len(f.set.Words()) }

// AppendSketch appends the size in bits as a uvarint and the words, little-endian.
func (m *Method) AppendSketch(dst []byte, f Filter) []byte {
	dst = binary.AppendUvarint(dst, uint64(f.Bits()))
	for _, w := range f.set.Words() {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// DecodeSketch decodes what AppendSketch appended. It refuses a size that the
// method does not make, and bits beyond the size.
func (m *Method) DecodeSketch(src []byte) (Filter, int, error) {
	size, at := binary.Uvarint(src)
	if at <= 0 || size > maxBits || !m.makes(int(size)) {
		return Filter{}, 0, fmt.Errorf("bloomsim: filter of %d bits, want %s: %w", size, sizeName(m.o.Bits), similarity.ErrFormat)
	}
	if size>>(7*(at-1)) == 0 {
		return Filter{}, 0, fmt.Errorf("bloomsim: size of a filter not in its shortest form: %w", similarity.ErrFormat)
	}
	n := (int(size) + 63) / 64
	if len(src)-at < 8*n {
		return Filter{}, 0, fmt.Errorf("bloomsim: filter cut to %d of %d bytes: %w", len(src)-at, 8*n, similarity.ErrFormat)
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(src[at+8*i:])
	}
	if !noneBeyond(words, int(size)) {
		return Filter{}, 0, errBeyond(int(size))
	}
	return m.newFilter(words, int(size)), at + 8*n, nil
}

// noneBeyond reports whether no bit of the last word is beyond the size.
func noneBeyond(words []uint64, size int) bool {
	spare := 64*len(words) - size
	return words[len(words)-1]>>(64-spare) == 0 // a shift by 64 gives 0
}

func errBeyond(size int) error {
	return fmt.Errorf("bloomsim: filter has bits beyond its %d: %w", size, similarity.ErrFormat)
}

// makes reports whether filters of the method can have that size.
func (m *Method) makes(size int) bool {
	if m.o.Bits == Auto {
		return size >= autoMin && size <= autoMax && size&(size-1) == 0
	}
	return size == m.o.Bits
}
