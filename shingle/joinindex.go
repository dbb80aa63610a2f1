package shingle

import (
	"context"
	"math/bits"
)

// postings is an index from shingles to the sets whose prefixes they are in. It is
// cut by the keys in parts, which are built apart.
type postings struct {
	parts []part
	width int // number of bits of a key that choose the part
}

// part is a hash table from keys to lists.
type part struct {
	keys  []uint64
	lists []list // of the key at the same place; one that is empty marks a free place
	posts []posting
	width int
}

// list is a piece of posts: from start to mid sets whose prefix as the smaller of a
// pair holds the shingle, from mid to end others, both by ascending number.
type list struct{ start, mid, end uint32 }

// posting is a set and the size of what is left of it from the shingle on.
type posting struct {
	id  uint32
	rem float32
}

// record is a posting on its way to the list of a key; rem is negative where
// the set is to stand behind mid.
type record struct {
	key uint64
	posting
}

// recordsPart is about how many records make a part, so that its table stays in the
// second cache.
const recordsPart = 1 << 15

// newPostings indexes sets 0 to n−1, whose prefixes find finds. If only they will be looked
// up (self), lists in which no two can meet are left out.
func newPostings(ctx context.Context, n, workers int, self bool, start func() func(int) *prefixer) postings {
	// A sample tells how many parts there are to be.
	const every = 64
	sample, find := 0, start()
	for id := 0; id < n; id += every {
		sample += len(find(id).keys)
	}
	x := postings{width: min(bits.Len(uint(sample*every/recordsPart)), 10)}
	x.parts = make([]part, 1<<x.width)
	// Each chunk of the sets is handed to the parts on its own; in
	// the order of the chunks the sets ascend again.
	chunks := min(n, 4*workers)
	records := make([][][]record, chunks)
	parallel(ctx, chunks, workers, func() func(int) {
		find := start()
		return func(c int) {
			out := make([][]record, len(x.parts))
			for id := c * n / chunks; id < (c+1)*n/chunks; id++ {
				p := find(id)
				for i, key := range p.keys {
					rem := p.rem[i]
					if i >= p.small {
						rem = -rem
					}
					at := x.part(key)
					out[at] = append(out[at], record{key, posting{uint32(id), rem}})
				}
			}
			records[c] = out
		}
	})
	if ctx.Err() != nil {
		return x
	}
	parallel(ctx, len(x.parts), workers, func() func(int) {
		var b partBuilder
		return func(p int) {
			b.chunks = b.chunks[:0]
			for c := range records {
				b.chunks = append(b.chunks, records[c][p])
				records[c][p] = nil
			}
			x.parts[p] = b.build(x.width, self)
		}
	})
	return x
}

func (x postings) part(key uint64) uint64 { return key >> (64 - x.width) }

// find returns the postings of a key, and where in them the sets begin that are in
// the list only as the greater of a pair.
func (x postings) find(key uint64) (posts []posting, mid int) {
	p := &x.parts[x.part(key)]
	if len(p.keys) == 0 {
		return nil, 0
	}
	for at := p.place(key, x.width); ; at = (at + 1) & (len(p.keys) - 1) {
		l := p.lists[at]
		if l.end == 0 || p.keys[at] == key {
			return p.posts[l.start:l.end], int(l.mid - l.start)
		}
	}
}

// meetings returns how often two sets meet in a list, the pairs not counted that no list
// makes candidates of; each is counted twice or nearly so.
func (x postings) meetings() int64 {
	var n int64
	for _, p := range x.parts {
		for _, l := range p.lists {
			n += int64(l.mid-l.start) * int64(l.end-l.start)
		}
	}
	return n
}

// place returns where the search for a key begins, by the bits below those that chose
// the part.
func (p *part) place(key uint64, width int) int {
	return int(key << width >> (64 - p.width))
}

// partBuilder gathers the records of a part in lists.
type partBuilder struct {
	chunks [][]record
	counts []count
	mask   int
}

// count is how many records have a key, and later where the next of either kind goes.
type count struct {
	key        uint64
	small, all uint32
}

// leftOut stands for small in the count of a key without a list.
const leftOut = 1<<32 - 1

func (b *partBuilder) build(width int, self bool) part {
	total := 0
	for _, c := range b.chunks {
		total += len(c)
	}
	if total == 0 {
		return part{}
	}
	bitsOf := bits.Len(uint(total))
	if cap(b.counts) < 2<<bitsOf {
		b.counts = make([]count, 2<<bitsOf)
	}
	b.counts = b.counts[:2<<bitsOf]
	b.mask = len(b.counts) - 1
	clear(b.counts)
	for _, records := range b.chunks {
		for _, r := range records {
			c := b.of(r.key, width)
			c.key = r.key
			c.all++
			if r.rem > 0 {
				c.small++
			}
		}
	}
	kept, posts := 0, 0
	for i := range b.counts {
		c := &b.counts[i]
		if c.all == 0 || self && (c.all == 1 || c.small == 0) {
			continue
		}
		kept++
		posts += int(c.all)
	}
	if kept == 0 {
		return part{}
	}
	p := part{width: bits.Len(uint(kept)) + 1, posts: make([]posting, posts)}
	p.keys = make([]uint64, 1<<p.width)
	p.lists = make([]list, 1<<p.width)
	next := uint32(0)
	for i := range b.counts {
		c := &b.counts[i]
		if c.all == 0 || self && (c.all == 1 || c.small == 0) {
			c.small = leftOut
			continue
		}
		at := p.place(c.key, width)
		for p.lists[at].end != 0 {
			at = (at + 1) & (len(p.keys) - 1)
		}
		p.keys[at] = c.key
		p.lists[at] = list{next, next + c.small, next + c.all}
		next, c.small, c.all = next+c.all, next, next+c.small
	}
	for _, records := range b.chunks {
		for _, r := range records {
			c := b.of(r.key, width)
			switch {
			case c.small == leftOut:
			case r.rem > 0:
				p.posts[c.small] = r.posting
				c.small++
			default:
				p.posts[c.all] = posting{r.id, -r.rem}
				c.all++
			}
		}
	}
	return p
}

// of returns the count of a key, or a free one.
func (b *partBuilder) of(key uint64, width int) *count {
	at := int(key<<width>>32) & b.mask
	for {
		c := &b.counts[at]
		if c.key == key || c.all == 0 {
			return c
		}
		at = (at + 1) & b.mask
	}
}
