package rabinkarp

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/internal/intersect"
	"github.com/alike-go/alike/similarity"
)

// Sketch is what both methods keep of a text. Treat it as read-only.
type Sketch struct {
	// Prints are the distinct fingerprints in ascending order.
	Prints []uint64

	// Sum is the xxh3 checksum of the folded text, Size its length in bytes. Texts
	// that agree in both count as equal; texts without fingerprints are compared
	// by them alone.
	Sum  uint64
	Size int
}

func newSketch(folded []byte, places []place, s *scratch) Sketch {
	return Sketch{Prints: sorted(places, s), Sum: xxh3.Hash(folded), Size: len(folded)}
}

// sorted returns the distinct hashes of places in ascending order, nil for none.
func sorted(places []place, s *scratch) []uint64 {
	if len(places) == 0 {
		return nil
	}
	var block [256]uint64
	for chunk := range slices.Chunk(places, len(block)) {
		for i, p := range chunk {
			block[i] = p.hash
		}
		s.counts.Add(block[:len(chunk)])
	}
	hashes, _ := s.counts.Sorted()
	out := slices.Clone(hashes)
	s.counts.Reset()
	return out
}

// equal reports whether checksum and size say that the texts are the same.
func equal(a, b Sketch) bool { return a.Sum == b.Sum && a.Size == b.Size }

// Score returns the resemblance (or overlap, see Measure) of the fingerprints.
// It is 1 if checksum and size agree. It is 0 if either text is empty when
// folded, or if only one of them has fingerprints.
func (m *method) Score(a, b Sketch) float64 {
	switch {
	case a.Size == 0 || b.Size == 0:
		return 0
	case equal(a, b):
		return 1
	case len(a.Prints) == 0 || len(b.Prints) == 0:
		return 0
	}
	n := intersect.Count(a.Prints, b.Prints)
	if m.measure == Overlap {
		return float64(n) / float64(min(len(a.Prints), len(b.Prints)))
	}
	return float64(n) / float64(len(a.Prints)+len(b.Prints)-n)
}

// Containment returns the share of the fingerprints of a that b has too:
// Manber's own, asymmetric similarity of a to b.
func (m *method) Containment(a, b Sketch) float64 {
	switch {
	case a.Size == 0 || b.Size == 0:
		return 0
	case equal(a, b):
		return 1
	case len(a.Prints) == 0:
		return 0
	}
	return float64(intersect.Count(a.Prints, b.Prints)) / float64(len(a.Prints))
}

// Empty reports whether the folded text has no bytes.
func (m *method) Empty(s Sketch) bool { return s.Size == 0 }

// Bytes returns eight bytes a fingerprint and sixteen for checksum and size.
func (m *method) Bytes(s Sketch) int { return 8*len(s.Prints) + 16 }

// AppendSketch implements similarity.Sketcher. A sketch is encoded as its size,
// its checksum, the number of fingerprints and
// the fingerprints; numbers as varints, hashes as eight bytes, least byte first.
// Differences of sorted 64-bit values would save under one byte in eight.
func (m *method) AppendSketch(dst []byte, s Sketch) []byte {
	dst = binary.AppendUvarint(dst, uint64(s.Size))
	dst = binary.LittleEndian.AppendUint64(dst, s.Sum)
	dst = binary.AppendUvarint(dst, uint64(len(s.Prints)))
	for _, h := range s.Prints {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	return dst
}

// shortest reads a varint, and takes one that is longer than it must be for
// damaged: a sketch has one encoding.
func shortest(src []byte) (x uint64, n int) {
	x, n = binary.Uvarint(src)
	if n > 1 && src[n-1] == 0 {
		return 0, 0
	}
	return x, n
}

// DecodeSketch implements similarity.Sketcher.
func (m *method) DecodeSketch(src []byte) (Sketch, int, error) {
	bad := func(what string) (Sketch, int, error) {
		return Sketch{}, 0, fmt.Errorf("rabinkarp: sketch: %s: %w", what, similarity.ErrFormat)
	}
	size, at := shortest(src)
	if at <= 0 || size > math.MaxInt || len(src)-at < 8 {
		return bad("size or checksum cut short")
	}
	s := Sketch{Size: int(size), Sum: binary.LittleEndian.Uint64(src[at:])}
	at += 8
	n, k := shortest(src[at:])
	if k <= 0 {
		return bad("count cut short")
	}
	at += k
	if n > uint64(len(src)-at)/8 {
		return bad("fingerprints cut short")
	}
	if n > size {
		return bad("more fingerprints than bytes of text")
	}
	if n > 0 {
		s.Prints = make([]uint64, n)
	}
	for i := range s.Prints {
		s.Prints[i] = binary.LittleEndian.Uint64(src[at:])
		at += 8
		if i > 0 && s.Prints[i] <= s.Prints[i-1] {
			return bad("fingerprints out of order")
		}
	}
	return s, at, nil
}
