package dedup

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Rank is the place of a document in the order of keeping. Of two documents, the
// one with the smaller rank, compared as a string, is kept. So an engine can sort
// and compare documents without a Doc. A rank ends in the document's number, so
// no two documents have the same rank.
type Rank string

// The bits of a number, below which rows and sources must stay.
const (
	rowBits    = 40
	sourceBits = 23
)

// Number packs a reference in 63 bits, so that numbers are in input order. ok is
// false from row 2⁴⁰ or source 2²³ on.
func (r Ref) Number() (n uint64, ok bool) {
	if r.Source < 0 || r.Row < 0 || uint64(r.Source) >= 1<<sourceBits || uint64(r.Row) >= 1<<rowBits {
		return 0, false
	}
	return uint64(r.Source)<<rowBits | uint64(r.Row), true
}

// RefOf returns the reference that a number stands for.
func RefOf(number uint64) Ref {
	return Ref{Source: int(number >> rowBits), Row: int(number & (1<<rowBits - 1))}
}

// Rank returns the rank of a document. Ranks of one policy have the same length
// and compare as Compare does. Old documents come before all others, in input
// order; they must stand in the first sources. It is an error if the reference
// has no number.
func (p Policy) Rank(d *Doc, old bool) (Rank, error) {
	n, ok := d.Ref.Number()
	if !ok {
		return "", fmt.Errorf("dedup: row %d of source %d: more than 2⁴⁰ rows or 2²³ sources", d.Ref.Row, d.Ref.Source)
	}
	var rank []byte
	if !p.InputOrder() { // which puts the first sources first anyhow
		if old {
			rank = make([]byte, p.RankLen()-8)
		} else {
			rank = p.appendCriteria([]byte{1}, d)
		}
	}
	return Rank(binary.BigEndian.AppendUint64(rank, n)), nil
}

func (p Policy) appendCriteria(dst []byte, d *Doc) []byte {
	for _, c := range p.by {
		switch c.kind {
		case "first": // and what follows decides nothing
			return dst
		case "longest":
			dst = binary.BigEndian.AppendUint64(dst, math.MaxInt64-uint64(d.Length))
		case "source":
			dst = binary.BigEndian.AppendUint32(dst, uint32(d.Ref.Source))
		case "newest", "highest":
			dst = binary.BigEndian.AppendUint64(dst, ^ascending(d.Values[c.value]))
		}
	}
	return dst
}

// ascending returns bits that compare as cmp.Compare does: no number at all comes before
// -Inf, and both zeros are one.
func ascending(v float64) uint64 {
	switch b := math.Float64bits(v); {
	case v != v:
		return 0
	case v == 0:
		return 1 << 63
	case b>>63 == 1:
		return ^b
	default:
		return b | 1<<63
	}
}

// RankLen returns the length of the policy's ranks in bytes: 8 for input order.
func (p Policy) RankLen() int {
	n := 8
	if p.InputOrder() {
		return n
	}
	for n++; len(p.by) > 0; p.by = p.by[1:] {
		switch p.by[0].kind {
		case "first":
			return n
		case "source":
			n += 4
		default:
			n += 8
		}
	}
	return n
}

// Number returns the number of the document's reference.
func (r Rank) Number() uint64 {
	if len(r) < 8 {
		panic(fmt.Sprintf("dedup: %q is no rank", string(r)))
	}
	return binary.BigEndian.Uint64([]byte(r[len(r)-8:]))
}

// Ref returns the document's reference.
func (r Rank) Ref() Ref { return RefOf(r.Number()) }
