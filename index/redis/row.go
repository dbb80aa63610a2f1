package redis

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/rowsum"
	"github.com/alike-go/alike/similarity"
)

// A hash of documents has two fields per document: "=" and its id, with its
// place as the value, and its place, with its row as the value. It has three
// more fields: "" is the last place that was given, "!" the last that a merge
// has closed, and "#", since version 3 of the layout, how many documents there
// are.

// idField returns the field of an id.
func idField(id string) string { return "=" + id }

// isPlace reports whether a field is a place.
func isPlace(field string) bool { return field != "" && '0' <= field[0] && field[0] <= '9' }

// rows returns how many rows a hash of so many fields has.
func (l layout) rows(fields int64) int64 { return max(0, fields-1-int64(min(1, l.sumBytes()))) / 2 }

// A row. Scripts read its fields up to the id:
//
//	end of life (4 bytes, seconds since 1970, 0 is never) ‖ time (8) ‖ content hash (16)
//	‖ length of the id (2) ‖ id ‖ sketch ‖ checksum of all that (4, since version 3 of the layout)
const rowHead = 4 + 8 + 16 + 2

// sumBytes is how many bytes of a row are its checksum. An index that has them
// also counts the documents of each hash.
func (l layout) sumBytes() int {
	if l.Version < 3 {
		return 0
	}
	return rowsum.Size
}

func (l layout) appendRow(dst []byte, d index.Document, until uint32) []byte {
	from := len(dst)
	dst = binary.BigEndian.AppendUint32(dst, until)
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.Time))
	dst = append(dst, d.Hash[:]...)
	dst = append(dst, idHead(d.ID)...)
	dst = append(dst, d.Sketch...)
	if l.sumBytes() > 0 {
		dst = rowsum.Append(dst, dst[from:])
	}
	return dst
}

// idHead returns an id as it stands in a row.
func idHead(id string) string {
	return string(append(binary.BigEndian.AppendUint16(nil, uint16(len(id))), id...))
}

// parseRow reads a row, the number apart.
func (l layout) parseRow(row string) (d index.Document, until uint32, err error) {
	if l.sumBytes() > 0 {
		content, ok := rowsum.Cut([]byte(row))
		if !ok {
			return d, 0, fmt.Errorf("redis: row of %d bytes with a wrong checksum: %w", len(row), similarity.ErrFormat)
		}
		row = string(content)
	}
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

// gone reports whether a row has expired.
func gone(until uint32, now int64) bool { return until != 0 && int64(until) <= now }

// until returns when a row that is written now ends.
func (l layout) until(now time.Time) uint32 {
	if l.TTL == 0 {
		return 0
	}
	return uint32(min(now.Unix()+l.TTL, math.MaxUint32))
}
