// Package rowsum appends a checksum to the rows of documents that servers keep.
package rowsum

import (
	"encoding/binary"
	"hash/crc32"
)

// Size is the length of a checksum, in bytes.
const Size = 4

var table = crc32.MakeTable(crc32.Castagnoli)

// Append appends the checksum of content, a CRC-32C, to dst.
func Append(dst, content []byte) []byte {
	return binary.BigEndian.AppendUint32(dst, crc32.Checksum(content, table))
}

// Cut returns a row without its checksum, and whether the checksum is right.
func Cut(row []byte) (content []byte, ok bool) {
	if len(row) < Size {
		return nil, false
	}
	content, sum := row[:len(row)-Size], row[len(row)-Size:]
	return content, binary.BigEndian.Uint32(sum) == crc32.Checksum(content, table)
}
