package redis

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// A hash of documents has two fields for each, its id after "=" with its place, and its place with its
// row. Beside them stand "" with the place that was given last, and "!" with the last that a merge
// has closed.

// idField returns the field of an id.
func idField(id string) string { return "=" + id }

// isPlace reports whether a field is a place.
func isPlace(field string) bool { return field != "" && '0' <= field[0] && field[0] <= '9' }

// rows returns how many rows a hash of so many fields has.
func rows(fields int64) int64 { return max(0, fields-1) / 2 }

// A row, whose beginnings scripts read:
//
//	end of life (4 bytes, seconds since 1970, 0 is never) ‖ time (8) ‖ content hash (16)
//	‖ length of the id (2) ‖ id ‖ sketch
const rowHead = 4 + 8 + 16 + 2

func appendRow(dst []byte, d index.Document, until uint32) []byte {
	dst = binary.BigEndian.AppendUint32(dst, until)
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.Time))
	dst = append(dst, d.Hash[:]...)
	dst = append(dst, idHead(d.ID)...)
	return append(dst, d.Sketch...)
}

// idHead returns an id as it stands in a row.
func idHead(id string) string {
	return string(append(binary.BigEndian.AppendUint16(nil, uint16(len(id))), id...))
}

// parseRow reads a row, the number apart.
func parseRow(row string) (d index.Document, until uint32, err error) {
	if len(row) < rowHead {
		return d, 0, fmt.Errorf("redis: row of %d bytes, want at least %d: %w", len(row), rowHead, similarity.ErrFormat)
	}
	head := []byte(row[:rowHead])
	until = binary.BigEndian.Uint32(head)
	d.Time = int64(binary.BigEndian.Uint64(head[4:]))
	d.Hash = index.Hash(head[12:28])
	n := int(binary.BigEndian.Uint16(head[28:]))
	if len(row) < rowHead+n {
		return d, 0, fmt.Errorf("redis: row of %d bytes with an id of %d: %w", len(row), n, similarity.ErrFormat)
	}
	d.ID = row[rowHead : rowHead+n]
	d.Sketch = []byte(row[rowHead+n:])
	return d, until, nil
}

// gone reports whether a row's life is over.
func gone(until uint32, now int64) bool { return until != 0 && int64(until) <= now }

// until returns when a row that is written now ends.
func (l layout) until(now time.Time) uint32 {
	if l.TTL == 0 {
		return 0
	}
	return uint32(min(now.Unix()+l.TTL, math.MaxUint32))
}
