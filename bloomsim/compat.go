package bloomsim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"

	"github.com/alike-go/alike/similarity"
)

// errPlaces is returned where filters of other places would be mistaken for those
// of bits-and-blooms.
var errPlaces = errors.New("bloomsim: Places is Alike, want Compat to exchange filters with bits-and-blooms")

// FromBloom returns a filter made with bits-and-blooms/bloom/v3, here or elsewhere,
// as a sketch that can be scored. Its size and number of hashes must be the
// method's (ErrSettings), and Places Compat. The bits are copied.
//
// Two filters are comparable when the same keys went into them for the same
// features: either the feature hashes, 8 bytes big-endian, as Sketch adds them, or
// the bytes of words or shingles, which SketchKeys adds.
func (m *Method) FromBloom(f *bloom.BloomFilter) (Filter, error) {
	if m.o.Places != Compat {
		return Filter{}, errPlaces
	}
	size := f.Cap()
	if size > maxBits || !m.makes(int(size)) || int(f.K()) != m.o.Hashes {
		return Filter{}, fmt.Errorf("bloomsim: filter of %d bits and %d hashes, want %s and %d: %w",
			size, f.K(), sizeName(m.o.Bits), m.o.Hashes, similarity.ErrSettings)
	}
	if f.BitSet() == nil {
		return Filter{}, fmt.Errorf("bloomsim: filter of %d bits has no bits: %w", size, similarity.ErrFormat)
	}
	words := make([]uint64, (size+63)/64)
	from := f.BitSet().Words()
	copy(words, from)
	if !noneBeyond(words, int(size)) || len(from) > len(words) && slices.Max(from[len(words):]) != 0 {
		return Filter{}, errBeyond(int(size))
	}
	return m.newFilter(words, int(size)), nil
}

// ToBloom returns a copy of a filter for use with bits-and-blooms. Under Sketch the
// keys to test for are feature hashes, 8 bytes big-endian.
func (m *Method) ToBloom(f Filter) (*bloom.BloomFilter, error) {
	if m.o.Places != Compat {
		return nil, errPlaces
	}
	b := bloom.New(uint(f.Bits()), uint(m.o.Hashes))
	copy(b.BitSet().Words(), f.set.Words())
	return b, nil
}

// WriteFilter writes a filter in the format of bits-and-blooms' WriteTo.
func (m *Method) WriteFilter(w io.Writer, f Filter) error {
	b, err := m.ToBloom(f)
	if err != nil {
		return err
	}
	if _, err := b.WriteTo(w); err != nil {
		return fmt.Errorf("bloomsim: write filter: %w", err)
	}
	return nil
}

// ReadFilter reads a filter that bits-and-blooms' WriteTo or WriteFilter wrote. It
// refuses another size or number of hashes (ErrSettings) and damaged data
// (ErrFormat), before it allocates anything for them.
func (m *Method) ReadFilter(r io.Reader) (Filter, error) {
	if m.o.Places != Compat {
		return Filter{}, errPlaces
	}
	// The size and the number of hashes, and the length of the bit set.
	var head [24]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Filter{}, fmt.Errorf("bloomsim: read filter: %w: %w", err, similarity.ErrFormat)
	}
	size, hashes := binary.BigEndian.Uint64(head[:]), binary.BigEndian.Uint64(head[8:])
	if size > maxBits || !m.makes(int(size)) || hashes != uint64(m.o.Hashes) {
		return Filter{}, fmt.Errorf("bloomsim: filter of %d bits and %d hashes, want %s and %d: %w",
			size, hashes, sizeName(m.o.Bits), m.o.Hashes, similarity.ErrSettings)
	}
	// A set made from words has a length in whole words.
	if n := bitset.BinaryOrder().Uint64(head[16:]); n < size || n > (size+63)/64*64 {
		return Filter{}, fmt.Errorf("bloomsim: bit set of %d bits in a filter of %d: %w", n, size, similarity.ErrFormat)
	}
	var b bloom.BloomFilter
	if _, err := b.ReadFrom(io.MultiReader(bytes.NewReader(head[:]), r)); err != nil {
		return Filter{}, fmt.Errorf("bloomsim: read filter: %w: %w", err, similarity.ErrFormat)
	}
	return m.FromBloom(&b)
}

// SketchKeys returns the filter of the keys, placed as bits-and-blooms' Add places
// them, for comparison with filters made elsewhere from such keys.
func (m *Method) SketchKeys(keys iter.Seq[[]byte]) (Filter, error) {
	if m.o.Places != Compat || m.o.Bits == Auto {
		return Filter{}, fmt.Errorf("bloomsim: SketchKeys with places=%s and bits=%s, want places=compat and fixed bits", m.o.Places, sizeName(m.o.Bits))
	}
	words := make([]uint64, (m.o.Bits+63)/64)
	b := bloom.FromWithM(words, uint(m.o.Bits), uint(m.o.Hashes))
	for key := range keys {
		b.Add(key)
	}
	return m.newFilter(words, m.o.Bits), nil
}

// Keys yields the keys that a maker of filters elsewhere, who knows nothing of
// feature hashes, would add for the features of a text: the folded bytes of each
// word or shingle, with what stands between its words, repeats included. Words are not
// stemmed in it. A key is valid until the next.
func (m *Method) Keys(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var kept map[uint64]bool
		if !m.x.Complete() {
			kept = m.kept(text)
		}
		var key []byte
		for _, f := range m.x.Locate(text) {
			if kept != nil && !kept[f.Hash] {
				continue
			}
			key = m.o.Features.Fold.Normalize(key[:0], text[f.Start:f.End])
			if !yield(key) {
				return
			}
		}
	}
}
