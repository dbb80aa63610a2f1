package datasets

import "github.com/zeebo/xxh3"

// Repeats counts the documents that have the id of an earlier one. It keeps a hash
// of each id. The zero value is ready.
type Repeats struct {
	N     int
	First string // the first id that is repeated

	seen map[uint64]struct{}
}

// Add adds the id of the next document, and reports whether an earlier one has it.
func (r *Repeats) Add(id string) bool {
	if r.seen == nil {
		r.seen = map[uint64]struct{}{}
	}
	n := len(r.seen)
	if r.seen[xxh3.HashString(id)] = struct{}{}; len(r.seen) > n {
		return false
	}
	if r.N++; r.N == 1 {
		r.First = id
	}
	return true
}
