package segment

import "fmt"

// dict is a dictionary ready for cutting. It is immutable.
type dict struct {
	basic  [1 << 16]uint16 // labels of the characters below U+10000, 0 for those of no word
	astral map[rune]uint16 // and of the others
	trie   trie
	ln     []float64 // weights of words, by the index in a node
	chain  chain
	emit   []emission // by label
}

// Labels of characters that end a stretch of text, greater than all others.
const (
	labelWord = 0xfffe // a word by itself
	labelSkip = 0xffff // part of no word
)

func (d *dict) label(r rune) uint16 {
	if r < 1<<16 {
		return d.basic[r]
	}
	return d.astral[r]
}

// plan is what a dictionary is made from.
type plan struct {
	runes []rune // by label; that of label 0 stands for all others
	ln    []float64
	tree  *builder
	chain chain
	emit  []emission
}

var errTooLarge = fmt.Errorf("segment: the words make a trie of more than %d nodes", maxNodes)

// name sets the labels of runes.
func (d *dict) name(runes []rune) {
	d.astral = make(map[rune]uint16)
	for label, r := range runes {
		if r < 1<<16 {
			d.basic[r] = uint16(label)
		} else {
			d.astral[r] = uint16(label)
		}
	}
}

// build makes the dictionary.
func (p *plan) build() (*dict, error) {
	d := &dict{ln: p.ln, chain: p.chain, emit: p.emit}
	d.name(p.runes)
	t, ok := p.tree.pack(len(p.runes))
	if !ok {
		return nil, errTooLarge
	}
	d.trie = t
	for i, n := range t[:len(p.runes)] {
		if n.weight() == noWord {
			t[i] |= loneRune
		}
	}
	for _, r := range []rune{0, ' ', '\t', '\n', '\r'} {
		d.basic[r] = labelSkip
	}
	for _, r := range []rune{'，', '。'} {
		d.basic[r] = labelWord
	}
	return d, nil
}
