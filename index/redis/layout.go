package redis

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// layoutVersion changes whenever the meaning of stored bytes does. An index of
// version 2 has no checksums of rows and no counts of documents, and stays so.
const (
	layoutVersion = 3
	oldestLayout  = 2
)

// layout says how an index lies in keys. It is stored with the header and never
// changes.
type layout struct {
	Version int   `json:"version"`
	Groups  uint  `json:"groups"`         // bits: the postings lie in 2^Groups strings
	Shards  uint  `json:"shards"`         // bits: the documents lie in 2^Shards hashes
	Sets    bool  `json:"sets,omitempty"` // see errSets
	TTL     int64 `json:"ttl,omitempty"`  // seconds; 0 is for ever

	name string
}

const (
	pairBits   = 40 // of a bucket and its table
	wordBytes  = 8  // of a posting's word
	perGroup   = 64 // postings that a string is meant to hold
	perShard   = 32 // documents that a hash is meant to hold, two fields each: Redis keeps 128 in a compact one
	mostGroups = 24 // bits of their number; with more than 10^9 postings strings grow instead
	mostShards = 28 // bits of their number
	smallBits  = 16 // of shards, up to which numbers take 5 bytes
	wholePair  = 1<<pairBits - 1
)

func newLayout(o Options) layout {
	groups := bits.Len64(uint64(o.Documents*int64(o.Postings)-1) / perGroup)
	shards := bits.Len64(uint64(o.Documents-1) / perShard)
	return layout{
		Version: layoutVersion,
		Groups:  uint(min(groups, mostGroups)),
		Shards:  uint(min(shards, mostShards)),
		TTL:     int64(o.TTL.Seconds()),
		name:    o.Name,
	}
}

// errSets refuses an index whose postings lie in a set for each bucket. Such
// indexes were made to compare that layout with this one (docs/scale.md). Their
// documents lie as in any other index, so that an export reads them.
var errSets = fmt.Errorf("redis: the index has a set for each bucket, a layout that is no longer used; make a new one under another name with "+
	"alike index create, and fill it with alike index export URL | alike index import NEW-URL -: %w", similarity.ErrSettings)

// encode returns what is stored of the layout.
func (l layout) encode() []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic("redis: " + err.Error()) // numbers alone
	}
	return b
}

// parseLayout reads what was stored of a layout.
func parseLayout(b []byte, name string) (layout, error) {
	l := layout{name: name}
	if err := json.Unmarshal(b, &l); err != nil {
		return l, fmt.Errorf("redis: layout: %v: %w", err, similarity.ErrFormat)
	}
	if l.Version < oldestLayout || l.Version > layoutVersion {
		return l, fmt.Errorf("redis: layout of version %d, want %d to %d; what made the index can export it: %w", l.Version, oldestLayout, layoutVersion, similarity.ErrSettings)
	}
	if l.Groups > mostGroups || l.Shards > mostShards || l.TTL < 0 {
		return l, fmt.Errorf("redis: layout %s: %w", b, similarity.ErrFormat)
	}
	return l, nil
}

// The keys of an index. What is in braces decides the slot of a cluster, so
// that all keys of a shard are on one server.

func (l layout) metaKey() string { return l.name + ":meta" }

func (l layout) key(n uint64, kind byte) string {
	b := make([]byte, 0, len(l.name)+12)
	b = append(append(b, l.name...), ":{"...)
	b = strconv.AppendUint(b, n, 16)
	return string(append(b, '}', kind))
}

func (l layout) postingsKey(group uint64) string { return l.key(group, 'p') }
func (l layout) docsKey(shard uint64) string     { return l.key(shard, 'd') }
func (l layout) hashesKey(shard uint64) string   { return l.key(shard, 'h') }

// idShard returns the shard of a document by its id.
func (l layout) idShard(id string) uint64 {
	return xxh3.HashStringSeed(id, 1) >> 1 & (1<<l.Shards - 1)
}

// hashShard returns the shard of a content hash.
func (l layout) hashShard(h index.Hash) uint64 {
	return xxh3.HashSeed(h[:], 2) >> 1 & (1<<l.Shards - 1)
}

// number joins the place of a document in its shard to the shard.
func (l layout) number(seq, shard uint64) uint64 { return seq<<l.Shards | shard }

func (l layout) split(number uint64) (seq, shard uint64) {
	return number >> l.Shards, number & (1<<l.Shards - 1)
}

// numberBytes is how many bytes of a number are stored with a posting.
func (l layout) numberBytes() int {
	if l.Shards > smallBits {
		return 6
	}
	return 5
}

// mostNumber is the greatest number that can be stored.
func (l layout) mostNumber() uint64 { return 1<<(8*l.numberBytes()) - 1 }

// restBytes is how many bytes are stored of what a group does not say of a bucket.
func (l layout) restBytes() int { return int(pairBits-l.Groups+7) / 8 }

func (l layout) recordSize() int { return l.restBytes() + wordBytes + l.numberBytes() }

// The factors of mix and their inverses modulo 2^40.
const (
	mixA = 0x9e3779b97f4a7c15 & wholePair
	mixB = 0xc2b2ae3d27d4eb4f & wholePair
)

var unmixA, unmixB = inverse(mixA), inverse(mixB)

// inverse returns the inverse of an odd number modulo 2^40.
func inverse(a uint64) uint64 {
	x := a
	for range 5 { // each step doubles the bits that are right, of which three are at first
		x *= 2 - a*x
	}
	return x & wholePair
}

// mix spreads buckets and tables, whose top bits may be alike, over 40 bits,
// one to one.
func mix(p index.Posting) uint64 {
	v := uint64(p.Table)<<32 | uint64(p.Bucket)
	v = v * mixA & wholePair
	v ^= v >> (pairBits / 2)
	v = v * mixB & wholePair
	return v ^ v>>(pairBits/2)
}

// unmix is the inverse of mix.
func unmix(v uint64) index.Posting {
	v ^= v >> (pairBits / 2)
	v = v * unmixB & wholePair
	v ^= v >> (pairBits / 2)
	v = v * unmixA & wholePair
	return index.Posting{Bucket: uint32(v), Table: uint8(v >> 32)}
}

// place returns the group of a posting and what is left of its bucket.
func (l layout) place(p index.Posting) (group, rest uint64) {
	v := mix(p)
	return v >> (pairBits - l.Groups), v & (1<<(pairBits-l.Groups) - 1)
}

// appendRecord appends rest ‖ word ‖ number, big-endian.
func (l layout) appendRecord(dst []byte, rest, word, number uint64) []byte {
	dst = appendUint(dst, rest, l.restBytes())
	dst = binary.BigEndian.AppendUint64(dst, word)
	return appendUint(dst, number, l.numberBytes())
}

// record is a posting in its group.
type record struct{ rest, word, number uint64 }

func (l layout) parseRecord(b []byte) record {
	n := l.restBytes()
	return record{uintOf(b[:n]), binary.BigEndian.Uint64(b[n:]), uintOf(b[n+wordBytes : n+wordBytes+l.numberBytes()])}
}

// postingOf returns the posting of a record.
func (l layout) postingOf(group uint64, r record) index.Posting {
	p := unmix(group<<(pairBits-l.Groups) | r.rest)
	p.Word = r.word
	return p
}

func appendUint(dst []byte, v uint64, n int) []byte {
	for n--; n >= 0; n-- {
		dst = append(dst, byte(v>>(8*n)))
	}
	return dst
}

func uintOf(b []byte) uint64 {
	v := uint64(0)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}
