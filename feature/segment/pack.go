package segment

import "math/bits"

// pack makes the double array, or returns false if it gets too long. Labels are
// below labels.
//
// Great families of children come first, while there is room in plenty, and only
// children fill the gaps.
func (b *builder) pack(labels int) (t trie, ok bool) {
	n := len(b.parent)
	families := b.families()
	p := newPacker(labels)
	base := make([]uint32, n)
	var own []uint16
	for _, parent := range byFallingSize(families) {
		own = own[:0]
		for _, c := range families.of(parent) {
			own = append(own, b.label[c])
		}
		if len(own) > 1 {
			base[parent] = p.family(own)
		} else {
			base[parent] = p.only(own[0])
		}
	}
	if p.end > maxNodes {
		return nil, false
	}
	t = make(trie, p.end+labels)
	at := func(c uint32) uint32 { return base[b.parent[c]] + uint32(b.label[c]) }
	for c := uint32(1); c < uint32(n); c++ {
		parent := uint32(0)
		if b.parent[c] != 0 {
			parent = at(b.parent[c])
		}
		t[at(c)] = makeNode(base[c], parent, b.weight[c])
	}
	return t, true
}

// families are the children of all nodes: those of p are child[start[p]:start[p+1]].
type families struct{ start, child []uint32 }

func (f *families) of(p uint32) []uint32 { return f.child[f.start[p]:f.start[p+1]] }

func (b *builder) families() *families {
	n := len(b.parent)
	f := &families{start: make([]uint32, n+1), child: make([]uint32, n-1)}
	for _, p := range b.parent[1:] {
		f.start[p]++
	}
	for p := range n {
		f.start[p+1] += f.start[p] // where the family ends, and after the next loop where it begins
	}
	for c := n - 1; c > 0; c-- {
		p := b.parent[c]
		f.start[p]--
		f.child[f.start[p]] = uint32(c)
	}
	return f
}

// byFallingSize returns the nodes with children but for the root, those with more
// children first, else by number.
func byFallingSize(f *families) []uint32 {
	nodes := uint32(len(f.start) - 1)
	largest := 0
	for p := uint32(1); p < nodes; p++ {
		largest = max(largest, len(f.of(p)))
	}
	next := make([]uint32, largest+2) // by largest - size: where the next of this size goes
	for p := uint32(1); p < nodes; p++ {
		next[largest-len(f.of(p))+1]++
	}
	for i := range next[1:] {
		next[i+1] += next[i]
	}
	order := make([]uint32, next[largest])
	for p := uint32(1); p < nodes; p++ {
		if size := len(f.of(p)); size > 0 {
			order[next[largest-size]] = p
			next[largest-size]++
		}
	}
	return order
}

// packer finds places for families in the double array.
type packer struct {
	taken []uint64 // a bit for each place with a node
	from  int      // the word of taken where a search begins
	class int      // that the search is for
	end   int      // the places in use end here
}

// newPacker returns a packer that keeps the places of the root's children.
func newPacker(labels int) *packer {
	p := &packer{end: labels}
	p.reach(labels >> 6)
	for i := range labels {
		p.taken[i>>6] |= 1 << (i & 63)
	}
	return p
}

// reach makes taken hold the word and all that labels reach from there.
func (p *packer) reach(word int) {
	for len(p.taken) <= word+1<<10+1 {
		p.taken = append(p.taken, make([]uint64, 1<<10)...)
	}
}

// window returns the 64 bits of taken from a place on.
func (p *packer) window(at int) uint64 {
	i, shift := at>>6, uint(at)&63
	return p.taken[i]>>shift | p.taken[i+1]<<1<<(63-shift)
}

// patience is how many words of bases are searched in vain before the next
// searches for families of about that size begin further on. With less the array
// grows; with more the time does.
const patience = 8

// family returns a base for several children and takes their places. It tries 64
// bases at once.
func (p *packer) family(labels []uint16) uint32 {
	n := uint(len(labels))
	p.begin(bits.Len(n * n * n * n))
	for w := p.from; ; w++ {
		p.reach(w)
		free := ^uint64(0)
		if w == 0 {
			free-- // base 0 means no children
		}
		for _, l := range labels {
			free &^= p.window(w<<6 + int(l))
			if free == 0 {
				break
			}
		}
		if free == 0 {
			continue
		}
		p.from = max(p.from, w-patience)
		base := w<<6 + bits.TrailingZeros64(free)
		for _, l := range labels {
			p.take(base + int(l))
		}
		return uint32(base)
	}
}

// only returns a base for a single child and takes its place, the first free one
// behind the label.
func (p *packer) only(label uint16) uint32 {
	p.begin(0)
	for w := p.from; ; w++ {
		p.reach(w)
		for free := ^p.taken[w]; free != 0; free &= free - 1 {
			if at := w<<6 + bits.TrailingZeros64(free); at > int(label) {
				p.take(at)
				return uint32(at - int(label))
			}
		}
		if p.taken[w] == ^uint64(0) && w == p.from {
			p.from++
		}
	}
}

func (p *packer) take(at int) {
	p.taken[at>>6] |= 1 << (at & 63)
	p.end = max(p.end, at+1)
}

// begin begins the search anew where the class is another than before.
func (p *packer) begin(class int) {
	if class != p.class {
		p.class, p.from = class, 0
	}
}
