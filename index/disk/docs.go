package disk

import (
	"encoding/binary"
	"sort"

	"github.com/alike-go/alike/index"
)

// A block of documents is a run of them in ascending order of the numbers:
//
//	number less the one before (uvarint) ‖ bytes shared with the id before (uvarint) ‖ rest of the id ‖
//	sketch ‖ hash (16 bytes) ‖ time less the one before (varint)
//
// with the length (uvarint) in front of the id's rest and of the sketch. The first
// number of a block is less the one of the directory, which is 0.
const (
	docsOfBlock  = 16
	mostDocBlock = 16 << 10 // bytes, from which a block is full with fewer
)

// appendDoc appends a document to a block, after another or none.
func appendDoc(dst []byte, d, before *index.Document) []byte {
	shared := 0
	for shared < len(d.ID) && shared < len(before.ID) && d.ID[shared] == before.ID[shared] {
		shared++
	}
	dst = binary.AppendUvarint(dst, d.Number-before.Number)
	dst = binary.AppendUvarint(dst, uint64(shared))
	dst = binary.AppendUvarint(dst, uint64(len(d.ID)-shared))
	dst = append(dst, d.ID[shared:]...)
	dst = binary.AppendUvarint(dst, uint64(len(d.Sketch)))
	dst = append(dst, d.Sketch...)
	dst = append(dst, d.Hash[:]...)
	return binary.AppendVarint(dst, d.Time-before.Time)
}

// row is a document of a block, whose slices are those of the block.
type row struct {
	number uint64
	id     []byte
	sketch []byte
	hash   []byte
	time   int64
}

// next takes the document at the start of a block, which follows the one in r.
func (r *row) next(block []byte) (rest []byte, ok bool) {
	p := parser{block, true}
	r.number += p.uvarint()
	shared := p.uvarint()
	suffix := p.bytes(p.uvarint())
	r.sketch = p.bytes(p.uvarint())
	r.hash = p.bytes(uint64(len(index.Hash{})))
	r.time += p.varint()
	if !p.ok || shared > uint64(len(r.id)) {
		return nil, false
	}
	r.id = append(r.id[:shared], suffix...)
	return p.rest, true
}

// document copies the row.
func (r *row) document() index.Document {
	d := index.Document{Number: r.number, ID: string(r.id), Time: r.time}
	d.Sketch = append([]byte{}, r.sketch...)
	copy(d.Hash[:], r.hash)
	return d
}

// parser takes values off the front of bytes; ok turns false where there are too few.
type parser struct {
	rest []byte
	ok   bool
}

func (p *parser) uvarint() uint64 {
	v, k := binary.Uvarint(p.rest)
	if k <= 0 {
		p.ok, p.rest = false, nil
		return 0
	}
	p.rest = p.rest[k:]
	return v
}

func (p *parser) varint() int64 {
	v, k := binary.Varint(p.rest)
	if k <= 0 {
		p.ok, p.rest = false, nil
		return 0
	}
	p.rest = p.rest[k:]
	return v
}

func (p *parser) bytes(n uint64) []byte {
	if n > uint64(len(p.rest)) {
		p.ok, p.rest = false, nil
		return nil
	}
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

// row sets r to the document of the number; ok is false where the segment has none.
func (s *segment) row(r *row, number uint64) (ok bool, err error) {
	i := sort.Search(len(s.firsts), func(i int) bool { return s.firsts[i] > number }) - 1
	if i < 0 {
		return false, nil
	}
	rest, err := s.read(&s.docs, i)
	if err != nil {
		return false, err
	}
	*r = row{number: s.firsts[i], id: r.id[:0]}
	for len(rest) > 0 {
		if rest, ok = r.next(rest); !ok {
			return false, s.bad(&s.docs, i)
		}
		if r.number >= number {
			return r.number == number, nil
		}
	}
	return false, nil
}

// docCursor goes through the documents of a segment in ascending order of the numbers.
type docCursor struct {
	s     *segment
	block int // the next
	rest  []byte
	at    row
}

func (c *docCursor) next() (bool, error) {
	if len(c.rest) == 0 {
		if c.block == c.s.docs.len() {
			return false, nil
		}
		var err error
		if c.rest, err = c.s.read(&c.s.docs, c.block); err != nil {
			return false, err
		}
		c.at = row{number: c.s.firsts[c.block], id: c.at.id[:0]}
		c.block++
	}
	var ok bool
	if c.rest, ok = c.at.next(c.rest); !ok {
		return false, c.s.bad(&c.s.docs, c.block-1)
	}
	return true, nil
}
