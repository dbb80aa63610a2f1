package disk

import (
	"encoding/binary"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/scan"
)

// A block of postings is a run of groups. A group is the documents of one bucket.
//
//	length of the list (uvarint) ‖ list ‖ words (8 bytes each) ‖ numbers (3 bytes each)
//	list: for each group, key less the key before it (uvarint) ‖ count (uvarint)
//
// The key is bucket ‖ table, 40 bits. The numbers of a group ascend and are stored
// less the first number of the segment. So finding a bucket means reading a list
// of a few bytes. Then its words are compared where they lie, and only the numbers
// of near words are read.
const (
	postingBytes = 8 + numberBytes
	numberBytes  = 3
	mostNumbers  = 1 << (8 * numberBytes) // documents of a segment

	// postingBlock is the length at which a block is full. Shorter blocks make the
	// directory longer: each block takes 16 bytes of memory there.
	postingBlock = 2 << 10

	// mostGroup is the maximum number of postings of a group. It bounds the length of
	// a block, which is read whole for its checksum.
	mostGroup = 4 << 10
)

// keyOf returns bucket ‖ table.
func keyOf(p index.Posting) uint64 { return uint64(p.Bucket)<<8 | uint64(p.Table) }

// posting is one in the order of a segment: by key, then number, then word.
type posting struct {
	key    uint64
	number uint64
	word   uint64
}

// group is the documents of a bucket, or some of them.
type group struct {
	key            uint64
	n              int
	words, numbers []byte
}

func (g *group) word(i int) uint64 { return binary.LittleEndian.Uint64(g.words[8*i:]) }

func (g *group) number(i int) uint64 { return number24(g.numbers[3*i:]) }

func number24(b []byte) uint64 { return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 }

// groups goes through the groups of a block.
type groups struct {
	list           []byte // what is left of it
	words, numbers []byte // of the groups that are left
}

// newGroups takes a block apart.
func newGroups(block []byte) (g groups, ok bool) {
	n, k := binary.Uvarint(block)
	if k <= 0 || n > uint64(len(block)-k) {
		return g, false
	}
	g.list, block = block[k:k+int(n)], block[k+int(n):]
	all := len(block) / postingBytes
	g.words, g.numbers = block[:8*all], block[8*all:]
	return g, len(block)%postingBytes == 0
}

// next takes the next group, which follows the key in at.
func (g *groups) next(at *group) (ok bool) {
	if len(g.list) < 2 {
		return false
	}
	d, n := uint64(g.list[0]), uint64(g.list[1])
	if d|n < 0x80 { // one byte each
		g.list = g.list[2:]
	} else {
		p := parser{g.list, true}
		d, n = p.uvarint(), p.uvarint()
		if g.list = p.rest; !p.ok {
			return false
		}
	}
	if n > uint64(len(g.words))/8 {
		return false
	}
	at.key, at.n = at.key+d, int(n)
	at.words, g.words = g.words[:8*n:8*n], g.words[8*n:]
	at.numbers, g.numbers = g.numbers[:3*n:3*n], g.numbers[3*n:]
	return true
}

// find returns the group of a key in block i, without documents if the block has
// none.
func (s *segment) find(i int, key uint64) (at group, err error) {
	block, err := s.read(&s.postings, i)
	if err != nil {
		return at, err
	}
	g, ok := newGroups(block)
	if !ok {
		return at, s.bad(&s.postings, i)
	}
	at.key = s.keys[i]
	for len(g.list) > 0 {
		if !g.next(&at) {
			return at, s.bad(&s.postings, i)
		}
		if at.key >= key {
			break
		}
	}
	if at.key != key {
		at = group{}
	}
	return at, nil
}

const (
	probesAhead = 8   // probes whose blocks are fetched from memory at a time
	wordsAhead  = 512 // words that are compared at a time
	bytesAhead  = 128 // of a block that is fetched for its list
)

// scan calls found with the documents in the buckets of up to probesAhead probes.
func (s *segment) scan(probes []index.Posting, within int, found func(probe int, number uint64)) error {
	// All blocks are prefetched before one is read, first the lists and then the
	// words, so that the waits for memory overlap.
	var first [probesAhead]int
	var groups [probesAhead]group
	for j, p := range probes {
		i := s.dir.find(keyOf(p))
		if first[j] = i; i < len(s.keys) {
			s.src.Prefetch(s.postings.offs[i], min(s.postings.offs[i+1], s.postings.offs[i]+bytesAhead))
		}
	}
	for j, p := range probes {
		if i := first[j]; i < len(s.keys) && s.keys[i] <= keyOf(p) {
			var err error
			if groups[j], err = s.find(i, keyOf(p)); err != nil {
				return err
			}
			scan.Prefetch(groups[j].words)
		}
	}
	var near [wordsAhead]uint32
	for j, p := range probes {
		for g, i := groups[j], first[j]+1; ; i++ {
			for from := 0; from < g.n; from += wordsAhead {
				words := g.words[8*from : 8*min(g.n, from+wordsAhead)]
				for _, at := range near[:scan.NearBytes(near[:], words, p.Word, within)] {
					found(j, s.foot.Base+g.number(from+int(at)))
				}
			}
			if i >= len(s.keys) || s.keys[i] != keyOf(p) {
				break
			}
			var err error
			if g, err = s.find(i, keyOf(p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// postingCursor goes through the postings of a segment in their order.
type postingCursor struct {
	s     *segment
	block int // the next
	rest  groups
	g     group
	i     int // the next in the group
	at    posting
}

// next sets at to the next posting.
func (c *postingCursor) next() (bool, error) {
	for c.i == c.g.n {
		ok := true
		if len(c.rest.list) == 0 {
			if len(c.rest.words) > 0 {
				return false, c.s.bad(&c.s.postings, c.block-1)
			}
			if c.block == c.s.postings.len() {
				return false, nil
			}
			block, err := c.s.read(&c.s.postings, c.block)
			if err != nil {
				return false, err
			}
			c.rest, ok = newGroups(block)
			c.g = group{key: c.s.keys[c.block]}
			c.block++
		}
		if !ok || !c.rest.next(&c.g) {
			return false, c.s.bad(&c.s.postings, c.block-1)
		}
		c.i = 0
	}
	c.at = posting{c.g.key, c.s.foot.Base + c.g.number(c.i), c.g.word(c.i)}
	c.i++
	return true, nil
}
