package dedup

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/zeebo/xxh3"
)

// Ref names a document by its place: the number of its source and of its row there,
// both counted from 0. "Input order" is the order of references.
type Ref struct {
	Source int `json:"source"`
	Row    int `json:"row"`
}

// Compare returns -1, 0 or 1 as r comes before, at or behind o in input order.
func (r Ref) Compare(o Ref) int {
	return cmp.Or(cmp.Compare(r.Source, o.Source), cmp.Compare(r.Row, o.Row))
}

// String returns "source:row".
func (r Ref) String() string { return fmt.Sprintf("%d:%d", r.Source, r.Row) }

// Doc is what a Policy knows of a document.
type Doc struct {
	Ref    Ref
	Length int // of the text in bytes, as it is compared

	// Values are what Policy.Values returns.
	Values []float64
}

// Hash stands for a text: texts of equal hashes are taken to be equal. It is
// xxh3-128, which has no known structure among natural texts; at 10⁹ documents two
// differing ones agree with a probability of 10⁻²¹. Whoever can choose the texts can
// make them collide, so it is no proof against an adversary.
type Hash [16]byte

// HashText returns the hash of a text.
func HashText(text string) Hash {
	h := xxh3.HashString128(text)
	var out Hash
	binary.BigEndian.PutUint64(out[:8], h.Hi)
	binary.BigEndian.PutUint64(out[8:], h.Lo)
	return out
}

// String returns the hash in hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }
