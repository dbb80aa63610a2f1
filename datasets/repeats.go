package datasets

import (
	"strings"

	"github.com/zeebo/xxh3"
)

// Repeats counts the documents that have the id of an earlier one. It keeps a hash
// of each id. The zero value is ready.
type Repeats struct {
	N     int
	First string // the first id that is repeated

	seen map[uint64]struct{}
}

// Add adds the id of the next document, and reports whether an earlier one has it.
func (r *Repeats) Add(id string) bool { return r.AddHash(HashID(id), id) }

// HashID returns the hash of an id that AddHash takes.
func HashID(id string) uint64 { return xxh3.HashString(id) }

// AddHash is Add where the hash of the id is known.
func (r *Repeats) AddHash(hash uint64, id string) bool {
	if r.seen == nil {
		r.seen = map[uint64]struct{}{}
	}
	n := len(r.seen)
	if r.seen[hash] = struct{}{}; len(r.seen) > n {
		return false
	}
	if r.N++; r.First == "" {
		r.First = strings.Clone(id) // lets the row go
	}
	return true
}
