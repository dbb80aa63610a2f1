package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// Checksum returns the SHA-256, in hexadecimal, of everything that a result can
// depend on: the ids, texts and languages of the documents in their order, the
// pairs with their labels, grades, splits and kinds, the clusters and the sources.
// The name, the description and the compression of the files do not enter.
func (s *Set) Checksum() string {
	sum := digest{h: sha256.New()}
	sum.number(uint64(len(s.Docs)))
	for _, d := range s.Docs {
		sum.text(d.ID)
		sum.text(d.Text)
		sum.text(d.Lang)
	}
	for _, pairs := range [][]Pair{s.Pairs, s.Ignore} {
		sum.number(uint64(len(pairs)))
		for _, p := range pairs {
			sum.number(uint64(p.A))
			sum.number(uint64(p.B))
			sum.number(math.Float64bits(p.Label))
			sum.number(math.Float64bits(p.Grade))
			sum.number(uint64(p.Split))
			sum.text(p.Kind)
		}
	}
	sum.number(uint64(len(s.Clusters)))
	for _, c := range s.Clusters {
		sum.number(uint64(c))
	}
	for _, source := range s.Sources {
		sum.text(source)
	}
	return hex.EncodeToString(sum.h.Sum(nil))
}

// digest writes numbers and strings so that no two sequences of them are
// written alike: a string follows its length.
type digest struct {
	h   hash.Hash
	buf []byte
}

func (d *digest) number(n uint64) {
	d.buf = binary.LittleEndian.AppendUint64(d.buf[:0], n)
	d.h.Write(d.buf)
}

func (d *digest) text(s string) {
	d.buf = binary.LittleEndian.AppendUint64(d.buf[:0], uint64(len(s)))
	d.buf = append(d.buf, s...)
	d.h.Write(d.buf)
}

// Components returns for every document the number of its connected component
// under the pairs that are alike (a label of 0.5 or more). Components are
// numbered from 0 in the order of their first document; a document that is like
// no other is a component of its own. They are what is independent in a set:
// resample or divide components, never pairs.
func (s *Set) Components() []int {
	return Components(len(s.Docs), s.Pairs, Pair.Alike)
}

// Components returns for every one of n documents the number of its connected
// component under the pairs for which join is true, numbered from 0 in the order
// of their first document.
func Components(n int, pairs []Pair, join func(Pair) bool) []int {
	f := NewForest(n)
	for _, p := range pairs {
		if join(p) {
			f.Join(p.A, p.B)
		}
	}
	return f.Numbers()
}

// Forest is a union-find structure over documents: the components that joined
// pairs make. NewForest makes one; it is not safe for concurrent use.
type Forest []int32

// NewForest returns a forest in which each of n documents stands alone.
func NewForest(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// Root returns the first member of a document's component.
func (f Forest) Root(i int) int {
	r := int32(i)
	for f[r] != r {
		f[r] = f[f[r]]
		r = f[r]
	}
	return int(r)
}

// Join joins the components of two documents. The smaller root stays, so that
// components come out the same in whatever order pairs are joined.
func (f Forest) Join(i, j int) {
	i, j = f.Root(i), f.Root(j)
	f[max(i, j)] = int32(min(i, j))
}

// Numbers returns the number of each document's component, counted from 0 in
// the order of their first members.
func (f Forest) Numbers() []int {
	out := make([]int, len(f))
	next := 0
	for i := range f {
		if r := f.Root(i); r < i {
			out[i] = out[r]
		} else {
			out[i] = next
			next++
		}
	}
	return out
}
