package shingle

import (
	"fmt"
	"math/bits"

	"github.com/alike-go/alike/shingle/internal/lanes"
	"github.com/alike-go/alike/similarity"
)

// Signature is the values of a MinHash, packed from the low bits up, Bits each,
// in words whose unused bits are zero. nil is the signature of a text without
// shingles.
type Signature []uint64

// A full value is valueBits wide, above it stands the bit copied, which marks a
// value that an empty bin of OPH took from another, and above that a zero. The
// mark makes signatures mergeable, since the values of a union are those of its
// parts without the copies; and a copy should never agree with an original,
// which is of another bin. The zero makes room for a carry when values are
// compared two at a time.
const (
	valueBits = 30
	copied    = 1 << valueBits
	emptyBin  = 1<<31 - 1 // not a value: greater than all, and copied
)

// pack keeps the low bits of each value.
func pack(vals []uint32, width int) Signature {
	s := make(Signature, (len(vals)*width+63)/64)
	if width == 32 {
		for i := range s[:len(vals)/2] {
			s[i] = uint64(vals[2*i]) | uint64(vals[2*i+1])<<32
		}
		if len(vals)%2 == 1 {
			s[len(s)-1] = uint64(vals[len(vals)-1])
		}
		return s
	}
	mask := uint64(1)<<width - 1
	for i := range s {
		n := min(len(vals), 64/width)
		for k, v := range vals[:n] {
			s[i] |= (uint64(v) & mask) << (k * width & 63)
		}
		vals = vals[n:]
	}
	return s
}

// unpack32 is the inverse of pack for full values.
func unpack32(vals []uint32, s Signature) {
	for i := range vals {
		vals[i] = uint32(s[i/2] >> (i % 2 * 32))
	}
}

// differ returns the number of values that differ.
func differ(a, b Signature, width int) int {
	switch width {
	case 32:
		return lanes.Differ(a, b)
	case 16, 8, 4:
		return differLanes(a, b, width)
	case 2:
		n := 0
		b = b[:len(a)]
		for i, x := range a {
			x ^= b[i]
			n += bits.OnesCount64((x | x>>1) & 0x5555555555555555)
		}
		return n
	}
	n := 0
	b = b[:len(a)]
	for i, x := range a {
		n += bits.OnesCount64(x ^ b[i])
	}
	return n
}

// differLanes compares lanes of 16, 8 or 4 bits. The highest bit of a lane of
// x&low + low | x becomes set where any bit of the lane is, by a carry out of the lower
// ones or by itself; those of four words are counted at once.
func differLanes(a, b Signature, width int) int {
	ones := ^uint64(0) / (1<<width - 1) // the lowest bit of each lane
	high := ones << (width - 1)
	low := ^high
	b = b[:len(a)]
	n := 0
	for len(a) >= 4 && len(b) >= 4 {
		w, x, y, z := a[0]^b[0], a[1]^b[1], a[2]^b[2], a[3]^b[3]
		w = (w&low + low | w) & high
		x = (x&low + low | x) & high
		y = (y&low + low | y) & high
		z = (z&low + low | z) & high
		n += bits.OnesCount64(w | x>>1 | y>>2 | z>>3)
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		x ^= b[i]
		n += bits.OnesCount64((x&low + low | x) & high)
	}
	return n
}

// AppendSketch appends the number of words and the words, little-endian.
func (m *MinHash) AppendSketch(dst []byte, s Signature) []byte { return appendWords(dst, s) }

// DecodeSketch decodes what AppendSketch encoded. It refuses a signature of
// another size and one with bits set that no value can have.
func (m *MinHash) DecodeSketch(src []byte) (Signature, int, error) {
	words, n, err := decodeWords(src)
	if err != nil || len(words) == 0 {
		return nil, n, err
	}
	total := m.size * m.bits
	if len(words) != (total+63)/64 {
		return nil, 0, fmt.Errorf("shingle: signature of %d words, want %d: %w", len(words), (total+63)/64, similarity.ErrFormat)
	}
	last := words[len(words)-1]
	bad := total%64 != 0 && last>>(total%64) != 0
	if m.bits == 32 {
		originals := 0
		for i := range m.size {
			v := uint32(words[i/2] >> (i % 2 * 32))
			bad = bad || v >= emptyBin || m.scheme != OPH && v&copied != 0
			if v&copied == 0 {
				originals++
			}
		}
		// Densification would look for a full bin for ever.
		bad = bad || m.scheme == OPH && originals == 0
	}
	if bad {
		return nil, 0, fmt.Errorf("shingle: signature with impossible values: %w", similarity.ErrFormat)
	}
	return words, n, nil
}
