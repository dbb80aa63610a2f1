package index

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/alike-go/alike/similarity"
)

// Posting is a key of the space of postings.
type Posting struct {
	Bucket uint32 // the top 32 bits of a similarity.Key's bucket
	Table  uint8
	Word   uint64 // what a scan of the bucket judges a document by
}

// The lengths of keys, in bytes.
const (
	PrefixSize = 5              // bucket ‖ table
	KeySize    = PrefixSize + 8 // bucket ‖ table ‖ word
)

// AppendPrefix appends bucket ‖ table, with which all keys of a bucket begin.
func (p Posting) AppendPrefix(dst []byte) []byte {
	return append(binary.BigEndian.AppendUint32(dst, p.Bucket), p.Table)
}

// AppendKey appends bucket ‖ table ‖ word, big-endian, so that keys sort as postings do.
func (p Posting) AppendKey(dst []byte) []byte {
	return binary.BigEndian.AppendUint64(p.AppendPrefix(dst), p.Word)
}

// ParseKey reads a key. One of another length is an error that wraps
// similarity.ErrFormat.
func ParseKey(key []byte) (Posting, error) {
	if len(key) != KeySize {
		return Posting{}, fmt.Errorf("index: key of %d bytes, want %d: %w", len(key), KeySize, similarity.ErrFormat)
	}
	return Posting{
		Bucket: binary.BigEndian.Uint32(key),
		Table:  key[4],
		Word:   binary.BigEndian.Uint64(key[PrefixSize:]),
	}, nil
}

// Compare orders postings by bucket, table and word.
func (p Posting) Compare(o Posting) int {
	return cmp.Or(cmp.Compare(p.Bucket, o.Bucket), cmp.Compare(p.Table, o.Table), cmp.Compare(p.Word, o.Word))
}

// Near reports whether the words of two documents of a bucket differ in at most within bits.
func Near(a, b uint64, within int) bool { return bits.OnesCount64(a^b) <= within }
