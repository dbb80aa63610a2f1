package setjoin

import (
	"context"
	"math/bits"

	"github.com/alike-go/alike/internal/parallel"
)

// postings is an index from shingles to the sets whose prefixes they are in. It is
// cut by the keys in parts, which are built apart.
type postings struct {
	parts []part
	width int // number of bits of a key that choose the part
}

// part is a hash table from keys to lists.
type part struct {
	lists []list
	posts []posting
	width int
}

// list is a piece of posts: from start to mid sets whose prefix as the smaller of a
// pair holds the key, from mid to end others, both by ascending number. One that is
// empty is a free place of the table.
type list struct {
	key             uint64
	start, mid, end uint32
}

// posting is a set and the size of what is left of it from the shingle on.
type posting struct {
	id  uint32
	rem float32
}

// record is a posting on its way to the list of a key; rem is negative where
// the set is to stand behind mid, and 0 where it will only be looked up.
type record struct {
	key uint64
	posting
}

// prefix is what a set is found by: keys, and for each the size of what is left of the set. As
// the smaller of a pair, the first few suffice.
type prefix struct {
	keys  []uint64
	rem   []float32
	small int
}

// recordsPart is about how many records make a part, so that its table stays in the
// second cache.
const recordsPart = 1 << 15

// newPostings indexes sets 0 to n−1, and leaves out lists in which nothing will be found: of
// less than two where they look each other up both ways, and with no key of sets n to
// n+others−1 where these look them up. find, which start makes for each goroutine, finds a
// prefix that stands until it is called again.
func newPostings(ctx context.Context, n, others int, how meeting, workers int, start func() func(int) prefix) postings {
	total := n + others
	// A sample tells how many parts there are to be.
	const every = 64
	sample, find := 0, start()
	for id := 0; id < total; id += every {
		sample += len(find(id).keys)
	}
	x := postings{width: min(bits.Len(uint(sample*every/recordsPart)), 10)}
	x.parts = make([]part, 1<<x.width)
	// Each chunk of the sets is handed to the parts on its own; in
	// the order of the chunks the sets ascend again.
	chunks := min(total, 4*workers)
	records := make([][][]record, chunks)
	finds := make([]func(int) prefix, workers)
	parallel.For(ctx, workers, chunks, func(w, c int) {
		if finds[w] == nil {
			finds[w] = start()
		}
		out := make([][]record, len(x.parts))
		for id := c * total / chunks; id < (c+1)*total/chunks; id++ {
			p := finds[w](id)
			for i, key := range p.keys {
				rem := p.rem[i]
				if id >= n {
					rem = 0
				} else if i >= p.small {
					rem = -rem
				}
				at := x.part(key)
				out[at] = append(out[at], record{key, posting{uint32(id), rem}})
			}
		}
		records[c] = out
	})
	if ctx.Err() != nil {
		return x
	}
	builders := make([]partBuilder, workers)
	parallel.For(ctx, workers, len(x.parts), func(w, p int) {
		b := &builders[w]
		b.chunks = b.chunks[:0]
		for c := range records {
			b.chunks = append(b.chunks, records[c][p])
			records[c][p] = nil
		}
		x.parts[p] = b.build(x.width, how)
	})
	return x
}

func (x postings) part(key uint64) uint64 { return key >> (64 - x.width) }

// find returns the postings of a key, and where in them the sets begin that are in
// the list only as the greater of a pair.
func (x postings) find(key uint64) (posts []posting, mid int) {
	p := &x.parts[x.part(key)]
	if len(p.lists) == 0 {
		return nil, 0
	}
	for at := p.place(key, x.width); ; at++ {
		l := &p.lists[at&(len(p.lists)-1)]
		if l.end == 0 || l.key == key {
			return p.posts[l.start:l.end], int(l.mid - l.start)
		}
	}
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
}

// count is how many records have a key, and later where the next of either kind goes.
type count struct {
	key        uint64
	small, all uint32
	used       bool
	wanted     bool // a set looked up has the key
}

func (b *partBuilder) build(width int, how meeting) part {
	total := 0
	for _, c := range b.chunks {
		total += len(c)
	}
	if total == 0 {
		return part{}
	}
	places := 2 << bits.Len(uint(total))
	if cap(b.counts) < places {
		b.counts = make([]count, places)
	}
	b.counts = b.counts[:places]
	clear(b.counts)
	for _, records := range b.chunks {
		for _, r := range records {
			c := b.of(r.key, width)
			c.key, c.used = r.key, true
			switch {
			case r.rem > 0:
				c.small++
				c.all++
			case r.rem < 0:
				c.all++
			default:
				c.wanted = true
			}
		}
	}
	kept, posts := 0, 0
	for i := range b.counts {
		c := &b.counts[i]
		switch how {
		case once:
			c.wanted = c.all > 0
		case bothWays: // two of the list meet where one of them may be the smaller
			c.wanted = c.all > 1 && c.small > 0
		default:
			c.wanted = c.wanted && c.all > 0
		}
		if c.wanted {
			kept++
			posts += int(c.all)
		}
	}
	if kept == 0 {
		return part{}
	}
	p := part{width: bits.Len(uint(kept)) + 1, posts: make([]posting, posts)}
	p.lists = make([]list, 1<<p.width)
	next := uint32(0)
	for i := range b.counts {
		c := &b.counts[i]
		if !c.wanted {
			continue
		}
		at := p.place(c.key, width)
		for p.lists[at].end != 0 {
			at = (at + 1) & (len(p.lists) - 1)
		}
		p.lists[at] = list{c.key, next, next + c.small, next + c.all}
		next, c.small, c.all = next+c.all, next, next+c.small
	}
	for _, records := range b.chunks {
		for _, r := range records {
			c := b.of(r.key, width)
			switch {
			case !c.wanted:
			case r.rem > 0:
				p.posts[c.small] = r.posting
				c.small++
			case r.rem < 0:
				p.posts[c.all] = posting{r.id, -r.rem}
				c.all++
			}
		}
	}
	return p
}

// of returns the count of a key, or a free one.
func (b *partBuilder) of(key uint64, width int) *count {
	for at := int(key << width >> 32); ; at++ {
		c := &b.counts[at&(len(b.counts)-1)]
		if c.key == key || !c.used {
			return c
		}
	}
}
