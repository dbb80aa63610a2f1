package redis

import (
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
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

// rowsOf returns how many rows a hash of so many fields has.
func (l layout) rowsOf(fields int64) int64 { return max(0, fields-1-int64(min(1, l.sumBytes()))) / 2 }

// rows says how documents are written. The checksum came with version 3 of the
// layout, together with the count of the documents of each hash.
func (l layout) rows() remote.Rows {
	return remote.Rows{Backend: "redis", Until: 4, Sums: l.sumBytes() > 0}
}

// sumBytes is how many bytes of a row are its checksum. An index that has them
// also counts the documents of each hash.
func (l layout) sumBytes() int {
	if l.Version < 3 {
		return 0
	}
	return remote.SumSize
}

func (l layout) parseRow(row string) (d index.Document, until int64, err error) {
	return l.rows().Parse([]byte(row))
}
