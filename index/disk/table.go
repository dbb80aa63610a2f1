package disk

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/index"
)

// A table finds the numbers of documents by a hash of 64 bits: the hash of their id,
// or the first bytes of their content hash. It consists of entries hash ‖ number in
// ascending order, ofPage to a page. Hashes are spread evenly, so the place of one
// can be guessed from its value.
const (
	entryBytes = 8 + numberBytes
	ofPage     = 256
)

func hashOfID(id string) uint64 { return xxh3.HashString(id) }

func hashOfContent(h []byte) uint64 { return binary.BigEndian.Uint64(h[:8]) }

func contentOf(h index.Hash) uint64 { return hashOfContent(h[:]) }

// table is a table of a segment.
type table struct {
	pages blocks
	n     int // entries
}

// tableCursor reads entries, a page at a time.
type tableCursor struct {
	s    *segment
	t    *table
	no   int // of the page that is read, plus one
	page []byte
}

func (c *tableCursor) entry(i int) ([]byte, error) {
	no := i / ofPage
	if c.no != no+1 {
		page, err := c.s.read(&c.t.pages, no)
		if err != nil {
			return nil, err
		}
		c.page, c.no = page, no+1
	}
	return c.page[i%ofPage*entryBytes:][:entryBytes], nil
}

func (c *tableCursor) hash(i int) (uint64, error) {
	e, err := c.entry(i)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(e), nil
}

func (c *tableCursor) number(i int) (uint64, error) {
	e, err := c.entry(i)
	if err != nil {
		return 0, err
	}
	return c.s.foot.Base + number24(e[8:]), nil
}

// find returns the place of the first entry whose hash is not less.
func (c *tableCursor) find(hash uint64) (at int, err error) {
	less := func(i int) bool {
		var v uint64
		if err == nil { // else the place does not matter
			v, err = c.hash(i)
		}
		return err == nil && v < hash
	}
	// The guess is off by some square root of the number of entries. Steps from it
	// grow until they pass the place.
	guess, _ := bits.Mul64(hash, uint64(c.t.n))
	from, to := int(guess), int(guess)
	for step := 64; from > 0 && !less(from-1); step *= 4 {
		from, to = max(0, from-step), from-1
	}
	for step := 64; to < c.t.n && less(to); step *= 4 {
		from, to = to+1, min(c.t.n, to+step)
	}
	at = from + sort.Search(to-from, func(i int) bool { return !less(from + i) })
	return at, err
}

// lookup calls do with the number of each entry that has the hash, until do returns
// true.
func (s *segment) lookup(t *table, hash uint64, do func(number uint64) (bool, error)) error {
	if t.n == 0 {
		return nil
	}
	c := tableCursor{s: s, t: t}
	i, err := c.find(hash)
	if err != nil {
		return err
	}
	for ; i < t.n; i++ {
		v, err := c.hash(i)
		if err != nil || v != hash {
			return err
		}
		number, err := c.number(i)
		if err != nil {
			return err
		}
		if done, err := do(number); done || err != nil {
			return err
		}
	}
	return nil
}
