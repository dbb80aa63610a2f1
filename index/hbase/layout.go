package hbase

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/tsuna/gohbase/pb"
	"github.com/zeebo/xxh3"
	"google.golang.org/protobuf/proto"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
	"github.com/alike-go/alike/similarity"
)

// layoutVersion changes whenever the meaning of stored bytes does. An index of
// version 1 has no checksums of rows and no notes of batches, and stays so.
const (
	layoutVersion = 2
	oldestLayout  = 1
)

// layout says how an index lies in rows. It is stored with the header and never
// changes.
type layout struct {
	Version int   `json:"version"`
	Salts   int   `json:"salts"`         // rows begin with one of so many bytes
	TTL     int64 `json:"ttl,omitempty"` // seconds; 0 is for ever
}

const (
	mostSalts = 256
	family    = "a" // the one of both tables

	kindDocument = 'd'
	kindID       = 'i'
	kindHash     = 'h'
	kindBegun    = 'b'

	headerColumn  = "header"
	layoutColumn  = "layout"
	counterColumn = "last"
	rowColumn     = "r"
	voidColumn    = "x"
	begunColumn   = "n"
	markColumn    = "\x00" // sorts before numbers
)

// metaRow sorts before all others.
var metaRow = []byte{0, 'M'}

func newLayout(o Options) layout {
	return layout{Version: layoutVersion, Salts: o.Regions, TTL: int64(o.TTL.Seconds())}
}

// encode returns what is stored of the layout.
func (l layout) encode() []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic("hbase: " + err.Error()) // numbers alone
	}
	return b
}

// parseLayout reads what was stored of a layout.
func parseLayout(b []byte) (layout, error) {
	var l layout
	if err := json.Unmarshal(b, &l); err != nil {
		return l, fmt.Errorf("hbase: layout: %v: %w", err, similarity.ErrFormat)
	}
	if l.Version < oldestLayout || l.Version > layoutVersion {
		return l, fmt.Errorf("hbase: layout of version %d, want %d to %d: %w", l.Version, oldestLayout, layoutVersion, similarity.ErrSettings)
	}
	if l.Salts < 1 || l.Salts > mostSalts || l.TTL < 0 {
		return l, fmt.Errorf("hbase: layout %s: %w", b, similarity.ErrFormat)
	}
	return l, nil
}

// splits are the rows at which tables are divided to begin with.
func (l layout) splits() [][]byte {
	var keys [][]byte
	for salt := 1; salt < l.Salts; salt++ {
		keys = append(keys, []byte{byte(salt)})
	}
	return keys
}

// never is the timestamp of cells that do not expire: the year 2600, in
// milliseconds since 1970.
const never = 630 * 365 * 24 * 3600 * 1000

// stays makes a cell outlive the time to live of its table. A server that
// increments the cell keeps a timestamp that is later than its own clock.
func (l layout) stays(m *pb.MutationProto) *pb.MutationProto {
	if l.TTL > 0 {
		m.ColumnValue[0].QualifierValue[0].Timestamp = proto.Uint64(never)
	}
	return m
}

// salt returns the first byte of the row of a key.
func (l layout) salt(key []byte) byte { return byte(xxh3.Hash(key) % uint64(l.Salts)) }

// appendBucket appends the beginning of all rows of a bucket.
func (l layout) appendBucket(dst []byte, p index.Posting) []byte {
	var prefix [index.PrefixSize]byte
	return append(append(dst, l.salt(p.AppendPrefix(prefix[:0]))), p.AppendPrefix(prefix[:0])...)
}

// postingRow returns the row of a posting.
func (l layout) postingRow(p index.Posting) []byte {
	return binary.BigEndian.AppendUint64(l.appendBucket(make([]byte, 0, 1+index.KeySize), p), p.Word)
}

// parsePostingRow reads the row of a posting.
func parsePostingRow(row []byte) (index.Posting, error) {
	if len(row) == 0 {
		return index.Posting{}, fmt.Errorf("hbase: empty row: %w", similarity.ErrFormat)
	}
	return index.ParseKey(row[1:])
}

func (l layout) row(kind byte, key []byte) []byte {
	return append([]byte{l.salt(key), kind}, key...)
}

func (l layout) documentRow(number uint64) []byte { return l.row(kindDocument, numberBytes(number)) }
func (l layout) idRow(id string) []byte           { return l.row(kindID, []byte(id)) }
func (l layout) hashRow(h index.Hash) []byte      { return l.row(kindHash, h[:]) }
func (l layout) begunRow(first uint64) []byte     { return l.row(kindBegun, numberBytes(first)) }

func numberBytes(number uint64) []byte { return binary.BigEndian.AppendUint64(nil, number) }

// markOf is the mark of a document: its number and who owns it.
func markOf(number uint64, id string) []byte {
	return binary.BigEndian.AppendUint64(numberBytes(number), xxh3.HashString(id))
}

const markSize = 16

// sameOwner reports whether two marks are of one id.
func sameOwner(a, b []byte) bool { return bytes.Equal(a[8:], b[8:]) }

// audited reports whether rows have checksums and Add notes its batches.
func (l layout) audited() bool { return l.Version >= 2 }

// rows says how documents are written.
func (l layout) rows() remote.Rows {
	return remote.Rows{Backend: "hbase", Until: 8, Sums: l.audited()}
}
