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

// builder is a tree of words, from which pack makes the double array: parent, label
// and weight of the nodes, by number. Number 0 is the root.
type builder struct {
	parent []uint32
	label  []uint16
	weight []uint16
}

// Indexes of weights that no word of the list has.
const (
	noWord   = 0 // -Inf: the end of no word
	loneRune = 1 // of a character that is no word: the least of the list
)
