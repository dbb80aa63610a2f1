package disk

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync/atomic"

	"github.com/alike-go/alike/similarity"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumSize is the length of the checksum behind each block.
const sumSize = 4

// seal appends the checksum of a block to it.
func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// unseal returns what is in front of the checksum.
func unseal(b []byte) ([]byte, bool) {
	n := len(b) - sumSize
	if n < 0 || binary.LittleEndian.Uint32(b[n:]) != crc32.Checksum(b[:n], castagnoli) {
		return nil, false
	}
	return b[:n:n], true
}

// blocks are the blocks of one kind in a segment. A block's checksum is compared when it is first
// read, and not again.
type blocks struct {
	kind string
	offs []int64         // of the blocks, and the end of the last
	seen []atomic.Uint32 // a bit for each whose checksum was right
}

func newBlocks(kind string, offs []int64) blocks {
	return blocks{kind, offs, make([]atomic.Uint32, (len(offs)+30)/32)}
}

func (b *blocks) len() int { return max(0, len(b.offs)-1) }

// read returns the content of block i.
func (s *segment) read(b *blocks, i int) ([]byte, error) {
	raw, err := s.src.At(b.offs[i], b.offs[i+1])
	if err != nil {
		return nil, fmt.Errorf("disk: %s: %s block %d: %w", s.name, b.kind, i, err)
	}
	bit := uint32(1) << (i % 32)
	if b.seen[i/32].Load()&bit != 0 {
		return raw[:len(raw)-sumSize], nil
	}
	body, ok := unseal(raw)
	if !ok {
		return nil, s.bad(b, i)
	}
	b.seen[i/32].Or(bit)
	return body, nil
}

// bad is the error of a damaged block.
func (s *segment) bad(b *blocks, i int) error {
	return fmt.Errorf("disk: %s: %s block %d, at byte %d: %w", s.name, b.kind, i, b.offs[i], similarity.ErrFormat)
}
