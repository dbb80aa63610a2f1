package segment

import (
	"fmt"
	"unicode/utf8"
)

// dict is a dictionary ready for cutting. It is immutable.
type dict struct {
	basic  [1 << 16]uint16 // labels of the characters below U+10000, 0 for those of no word
	astral map[rune]uint16 // and of the others
	trie   trie
	ln     []float64 // weights of words, by the index in a node
	alone  []bool    // by label: characters that the user made words; nil for none
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
	alone []rune
	chain chain
	emit  []emission
}

// newPlan makes a plan of a word list, a user's words and a model. Of words that
// stand twice the last counts; a user's words come after the list's.
func newPlan(list []entry, user []Word, m *model) (*plan, error) {
	w, err := newWeights(list)
	if err != nil {
		return nil, err
	}
	p := &plan{chain: m.chain}
	for _, u := range user {
		freq := u.Frequency
		if freq == 0 {
			freq = w.median
		}
		list = append(list, entry{[]byte(u.Text), freq})
		if r, size := utf8.DecodeRuneInString(u.Text); size == len(u.Text) {
			p.alone = append(p.alone, r)
		}
	}
	if p.runes, err = rank(list, m); err != nil {
		return nil, err
	}
	var d dict
	d.name(p.runes)
	p.tree = newBuilder(len(list) * 3 / 2)
	var word []uint16
	for _, e := range list {
		word = word[:0]
		for i := 0; i < len(e.word); {
			r, size := utf8.DecodeRune(e.word[i:])
			word = append(word, d.label(r))
			i += size
		}
		weight, err := w.of(e.freq)
		if err != nil {
			return nil, err
		}
		if !p.tree.insert(word, weight) {
			return nil, errTooLarge
		}
	}
	p.ln = w.ln
	p.emit = make([]emission, len(p.runes))
	for label, r := range p.runes {
		e, ok := m.emit[r]
		if !ok || label == 0 {
			e = noEmission
		}
		p.emit[label] = e
	}
	return p, nil
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
	if p.alone != nil {
		d.alone = make([]bool, len(p.runes))
		for _, r := range p.alone {
			d.alone[d.label(r)] = true
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
