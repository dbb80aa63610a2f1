package setjoin

import (
	"context"
	"math/bits"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/internal/splitmix"
)

// groups are the distinct sketches of a collection, each standing for all documents
// that have it: a million equal documents are looked up in an index of one.
type groups struct {
	of      []int32 // group of each document, none for a document without shingles
	first   []int   // first document of each group, ascending
	start   []int   // where the members of a group begin; one more than there are groups
	members []int   // documents by group, ascending in each
}

const none = -1

// newGroups groups n documents. hash must be equal for equal sketches; empty documents
// are in no group.
func newGroups(ctx context.Context, n, workers int, empty func(i int) bool, hash func(i int) uint64, equal func(i, j int) bool) groups {
	hashes := make([]uint64, n)
	const block = 256
	parallel.Ranges(ctx, workers, n, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			hashes[i] = hash(i)
		}
	})
	if ctx.Err() != nil {
		empty = func(int) bool { return true } // hashes are missing; the caller asks ctx
	}
	g := groups{of: make([]int32, n)}
	width := bits.Len(uint(n)) + 1
	table := make([]int32, 1<<width) // a group's number plus one
	var sizes []int
	filled := 0
	for i, h := range hashes {
		g.of[i] = none
		if empty(i) {
			continue
		}
		filled++
		at := int(h * hashFactor >> (64 - width))
		for ; table[at] != 0; at = (at + 1) & (len(table) - 1) {
			if f := g.first[table[at]-1]; hashes[f] == h && equal(f, i) {
				break
			}
		}
		if table[at] == 0 {
			g.first = append(g.first, i)
			sizes = append(sizes, 0)
			table[at] = int32(len(g.first))
		}
		g.of[i] = table[at] - 1
		sizes[g.of[i]]++
	}
	g.start = make([]int, len(sizes)+1)
	for k, size := range sizes {
		g.start[k+1] = g.start[k] + size
		sizes[k] = g.start[k]
	}
	g.members = make([]int, filled)
	for i, k := range g.of {
		if k != none {
			g.members[sizes[k]] = i
			sizes[k]++
		}
	}
	return g
}

// last returns the last document of a group.
func (g groups) last(group int32) int { return g.members[g.start[group+1]-1] }

// all returns the documents of a group.
func (g groups) all(group int32) []int { return g.members[g.start[group]:g.start[group+1]] }

// hashWords returns a hash of words, in two lanes since each waits for its products.
func hashWords(words []uint64) uint64 {
	a, b := uint64(len(words)), uint64(hashFactor)
	for ; len(words) >= 2; words = words[2:] {
		a = (a ^ words[0]) * 0xff51afd7ed558ccd
		b = (b ^ words[1]) * 0xc4ceb9fe1a85ec53
		a ^= a >> 32
		b ^= b >> 32
	}
	if len(words) == 1 {
		a = (a ^ words[0]) * 0xff51afd7ed558ccd
	}
	return splitmix.Mix(a ^ bits.RotateLeft64(b, 32))
}
