package remote

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// Rows says how documents are written to rows, big-endian:
//
//	end of life (4 or 8 bytes, seconds since 1970, 0 is never) ‖ time (8) ‖ content hash (16)
//	‖ length of the id (2) ‖ id ‖ sketch ‖ CRC-32C of all that (4)
type Rows struct {
	Backend string // begins errors
	Until   int    // bytes of the end of life
	Sums    bool   // rows end with a checksum
}

// SumSize is the length of a checksum, in bytes.
const SumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// head is the length of what stands before the id.
func (r Rows) head() int { return r.Until + 8 + len(index.Hash{}) + 2 }

// Append appends the row of a document that ends at until.
func (r Rows) Append(dst []byte, d index.Document, until int64) []byte {
	from := len(dst)
	if r.Until == 4 {
		dst = binary.BigEndian.AppendUint32(dst, uint32(min(until, math.MaxUint32)))
	} else {
		dst = binary.BigEndian.AppendUint64(dst, uint64(until))
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.Time))
	dst = append(dst, d.Hash[:]...)
	dst = append(AppendID(dst, d.ID), d.Sketch...)
	if r.Sums {
		dst = AppendSum(dst, dst[from:])
	}
	return dst
}

// AppendSum appends the checksum of content.
func AppendSum(dst, content []byte) []byte {
	return binary.BigEndian.AppendUint32(dst, crc32.Checksum(content, castagnoli))
}

// AppendID appends an id as it stands in a row, behind its length.
func AppendID(dst []byte, id string) []byte {
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(id))), id...)
}

// Parse reads a row. The document has no number.
func (r Rows) Parse(row []byte) (d index.Document, until int64, err error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: row of %s: %w", r.Backend, fmt.Sprintf(format, args...), similarity.ErrFormat)
	}
	all := len(row)
	if r.Sums {
		n := all - SumSize
		if n < 0 || binary.BigEndian.Uint32(row[n:]) != crc32.Checksum(row[:n], castagnoli) {
			return d, 0, bad("%d bytes with a wrong checksum", all)
		}
		row = row[:n:n]
	}
	if len(row) < r.head() {
		return d, 0, bad("%d bytes, want at least %d", len(row), r.head())
	}
	if r.Until == 4 {
		until = int64(binary.BigEndian.Uint32(row))
	} else {
		until = int64(binary.BigEndian.Uint64(row))
	}
	rest := row[r.Until:]
	d.Time = int64(binary.BigEndian.Uint64(rest))
	d.Hash = index.Hash(rest[8:])
	n := int(binary.BigEndian.Uint16(rest[8+len(d.Hash):]))
	if rest = row[r.head():]; len(rest) < n {
		return d, 0, bad("%d bytes with an id of %d", len(row), n)
	}
	d.ID, d.Sketch = string(rest[:n]), bytes.Clone(rest[n:])
	return d, until, nil
}

// Until returns when a row ends that is written now, 0 if it never does.
func Until(now time.Time, ttl int64) int64 {
	if ttl == 0 {
		return 0
	}
	return now.Unix() + ttl
}

// Gone reports whether a row that ends at until has expired.
func Gone(until, now int64) bool { return until != 0 && until <= now }
