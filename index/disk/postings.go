package disk

import (
	"encoding/binary"
	"math/bits"

	"github.com/alike-go/alike/index"
)

// A block of postings is a run of groups, each the documents of one bucket:
//
//	key less the key before it (uvarint) ‖ count (uvarint) ‖ words (8 bytes each) ‖ numbers (3 bytes each)
//
// with bucket ‖ table as the key of 40 bits, and numbers in ascending order, less the
// first of the segment. So the key of a bucket stands once, and a scan runs over its words
// as they lie there and looks at no number but those of near words.
const (
	postingBytes = 8 + numberBytes
	numberBytes  = 3
	mostNumbers  = 1 << (8 * numberBytes) // documents of a segment

	// postingBlock is the length at which a block is full. A query reads from the start of a block:
	// shorter ones make the directory longer, 16 bytes of memory for each.
	postingBlock = 2 << 10
	mostGroup    = postingBlock / postingBytes
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

// next takes the group at the start of a block, which follows the key before.
func (g *group) next(block []byte, before uint64) (rest []byte, ok bool) {
	d, k := binary.Uvarint(block)
	if k <= 0 {
		return nil, false
	}
	n, m := binary.Uvarint(block[k:])
	block = block[k+max(m, 0):]
	if m <= 0 || n > uint64(len(block))/postingBytes {
		return nil, false
	}
	g.key, g.n = before+d, int(n)
	g.words = block[:8*n]
	g.numbers = block[8*n : postingBytes*n]
	return block[postingBytes*n:], true
}

func (g *group) word(i int) uint64 { return binary.LittleEndian.Uint64(g.words[8*i:]) }

func (g *group) number(i int) uint64 { return number24(g.numbers[3*i:]) }

func number24(b []byte) uint64 { return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 }

// scan appends the numbers of the documents in the buckets of the probes whose word is near.
func (s *segment) scan(dst []uint64, probes []index.Posting, within int) ([]uint64, error) {
	// The blocks of several probes are looked up and touched before the first is read, so that the
	// memory fetches them at a time.
	const ahead = 8
	var first [ahead]int
	for len(probes) > 0 {
		n := min(ahead, len(probes))
		for j, p := range probes[:n] {
			i := s.dir.find(keyOf(p))
			if first[j] = i; i < len(s.keys) {
				s.src.touch(s.postings.offs[i])
			}
		}
		for j, p := range probes[:n] {
			var err error
			if dst, err = s.scanFrom(dst, first[j], keyOf(p), p.Word, within); err != nil {
				return dst, err
			}
		}
		probes = probes[n:]
	}
	return dst, nil
}

// scanFrom reads a bucket that begins in block i, if anywhere.
func (s *segment) scanFrom(dst []uint64, i int, key, word uint64, within int) ([]uint64, error) {
	for ; i < len(s.keys) && s.keys[i] <= key; i++ {
		rest, err := s.read(&s.postings, i)
		if err != nil {
			return dst, err
		}
		var g group
		for at := s.keys[i]; len(rest) > 0 && at <= key; at = g.key {
			var ok bool
			if rest, ok = g.next(rest, at); !ok {
				return dst, s.bad(&s.postings, i)
			}
			if g.key != key {
				continue
			}
			words := g.words
			for j := range g.n {
				if bits.OnesCount64(binary.LittleEndian.Uint64(words[8*j:])^word) <= within {
					dst = append(dst, s.foot.Base+g.number(j))
				}
			}
		}
	}
	return dst, nil
}

// postingCursor goes through the postings of a segment in their order.
type postingCursor struct {
	s     *segment
	block int // the next
	rest  []byte
	g     group
	i     int // the next in the group
	at    posting
}

// next sets at to the next posting.
func (c *postingCursor) next() (bool, error) {
	for c.i == c.g.n {
		if len(c.rest) == 0 {
			if c.block == c.s.postings.len() {
				return false, nil
			}
			var err error
			if c.rest, err = c.s.read(&c.s.postings, c.block); err != nil {
				return false, err
			}
			c.g = group{key: c.s.keys[c.block]}
			c.block++
		}
		var ok bool
		if c.rest, ok = c.g.next(c.rest, c.g.key); !ok {
			return false, c.s.bad(&c.s.postings, c.block-1)
		}
		c.i = 0
	}
	c.at = posting{c.g.key, c.s.foot.Base + c.g.number(c.i), c.g.word(c.i)}
	c.i++
	return true, nil
}
