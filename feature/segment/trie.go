package segment

// node is a node of the trie in a double array (Aoe, IEEE Transactions on Software
// Engineering 15, 1989): the base of its children (24 bits), the place of its
// parent (24 bits) and the index of its weight (16 bits).
//
// The child for a label stands at base+label if the node there has this one as its
// parent. Base 0 means no children. No node is the child of place 0, so that an
// empty place is nobody's child.
type node uint64

func makeNode(base, parent uint32, weight uint16) node {
	return node(base)<<40 | node(parent)<<16 | node(weight)
}

func (n node) base() uint32   { return uint32(n >> 40) }
func (n node) parent() uint32 { return uint32(n>>16) & (1<<24 - 1) }
func (n node) weight() uint16 { return uint16(n) }

// trie holds words as paths of labels. The node for a word's first label stands at
// that place; there is one for every label. It is long enough for every base and label.
type trie []node

// child returns the place of the child of the node at a place, or 0 if there is none.
func (t trie) child(at uint32, label uint16) uint32 {
	b := t[at].base()
	if b == 0 {
		return 0
	}
	c := b + uint32(label)
	if t[c].parent() != at {
		return 0
	}
	return c
}

// maxNodes is the most nodes, and the last place of the double array.
const maxNodes = 1<<24 - 1

// builder collects words as a tree, from which pack makes the double array.
type builder struct {
	// table finds children, by open addressing: parent (24 bits), label (16),
	// child (24); 0 where free.
	table []uint64
	// parent, label and weight of the nodes, by number. Number 0 is the root.
	parent []uint32
	label  []uint16
	weight []uint16

	word []uint16 // the one inserted last
	path []uint32 // its nodes
}

func newBuilder(nodes int) *builder {
	size := 1 << 10
	for size < 2*nodes {
		size *= 2
	}
	return &builder{
		table:  make([]uint64, size),
		parent: make([]uint32, 1, nodes+1),
		label:  make([]uint16, 1, nodes+1),
		weight: make([]uint16, 1, nodes+1),
	}
}

// insert adds a word, or gives it another weight. It reports whether there is room.
func (b *builder) insert(word []uint16, weight uint16) bool {
	// Word lists are sorted more or less, so that a word shares much with the one before.
	n := 0
	for n < min(len(word), len(b.word)) && word[n] == b.word[n] {
		n++
	}
	b.path = b.path[:n]
	b.word = append(b.word[:0], word...)
	at := uint32(0)
	if n > 0 {
		at = b.path[n-1]
	}
	for _, label := range word[n:] {
		if at = b.child(at, label); at == 0 {
			return false
		}
		b.path = append(b.path, at)
	}
	b.weight[at] = weight
	return true
}

func (b *builder) slot(key uint64) uint64 {
	return key * 0x9e3779b97f4a7c15 >> 20 & uint64(len(b.table)-1)
}

// child returns the number of a node's child, which it adds if there is none.
// It returns 0 if there are maxNodes already.
func (b *builder) child(parent uint32, label uint16) uint32 {
	key := uint64(parent)<<16 | uint64(label)
	i := b.slot(key)
	for ; b.table[i] != 0; i = (i + 1) & uint64(len(b.table)-1) {
		if b.table[i]>>24 == key {
			return uint32(b.table[i]) & (1<<24 - 1)
		}
	}
	n := len(b.parent)
	if n > maxNodes {
		return 0
	}
	b.parent = append(b.parent, parent)
	b.label = append(b.label, label)
	b.weight = append(b.weight, noWord)
	b.table[i] = key<<24 | uint64(n)
	if 2*n > len(b.table) {
		b.grow()
	}
	return uint32(n)
}

func (b *builder) grow() {
	old := b.table
	b.table = make([]uint64, 2*len(old))
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := b.slot(e >> 24)
		for b.table[i] != 0 {
			i = (i + 1) & uint64(len(b.table)-1)
		}
		b.table[i] = e
	}
}
