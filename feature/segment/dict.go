package segment

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// dict is a dictionary ready for cutting. It is immutable.
type dict struct {
	basic  [1 << 16]uint16 // labels of the characters below U+10000, 0 for those of no word
	astral map[rune]uint16 // and of the others
	trie   trie
	ln     []float64  // weights of words, by the index in a node
	alone  []bool     // by label: characters that the user made words; nil for none
	emit   []emission // by label
	hmm    *model
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

// newDict makes a dictionary of a word list, a user's words and a model. Of
// words that stand twice the last counts; a user's words come after the list's.
func newDict(list []entry, user []Word, m *model) (*dict, error) {
	w, err := newWeights(list)
	if err != nil {
		return nil, err
	}
	for _, u := range user {
		freq := u.Frequency
		if freq == 0 {
			freq = w.median
		}
		list = append(list, entry{[]byte(u.Text), freq})
	}
	d := &dict{hmm: m, astral: make(map[rune]uint16)}
	labels, err := d.assign(list)
	if err != nil {
		return nil, err
	}
	if err := d.plant(list, w, labels); err != nil {
		return nil, err
	}
	d.ln = w.ln
	for _, u := range user {
		if r, size := utf8.DecodeRuneInString(u.Text); size == len(u.Text) {
			if d.alone == nil {
				d.alone = make([]bool, labels)
			}
			d.alone[d.label(r)] = true
		}
	}
	d.emit = make([]emission, labels)
	for i := range d.emit {
		d.emit[i] = noEmission
	}
	for r, e := range m.emit {
		d.emit[d.label(r)] = e
	}
	for _, r := range []rune{0, ' ', '\t', '\n', '\r'} {
		d.basic[r] = labelSkip
	}
	for _, r := range []rune{'，', '。'} {
		d.basic[r] = labelWord
	}
	return d, nil
}

// assign gives each character a label, from 1, and returns how many labels there
// are with 0. Frequent characters have low ones, so that what is needed often lies
// together.
func (d *dict) assign(list []entry) (int, error) {
	type tally struct {
		r rune
		n uint64
	}
	var basic [1 << 16]uint64
	astral := make(map[rune]uint64)
	add := func(r rune, n uint64) {
		if r < 1<<16 {
			basic[r] = min(basic[r]+n, math.MaxUint64/2)
		} else {
			astral[r] = min(astral[r]+n, math.MaxUint64/2)
		}
	}
	for _, e := range list {
		for i := 0; i < len(e.word); {
			r, size := utf8.DecodeRune(e.word[i:])
			add(r, e.freq)
			i += size
		}
	}
	for r := range d.hmm.emit {
		add(r, 1)
	}
	var all []tally
	for r, n := range basic {
		if n > 0 {
			all = append(all, tally{rune(r), n})
		}
	}
	for r, n := range astral {
		all = append(all, tally{r, n})
	}
	if len(all) >= labelWord {
		return 0, fmt.Errorf("segment: the words have %d different characters, want fewer than %d", len(all), labelWord)
	}
	slices.SortFunc(all, func(a, b tally) int {
		if a.n != b.n {
			if a.n > b.n {
				return -1
			}
			return 1
		}
		return int(a.r - b.r)
	})
	for i, t := range all {
		if t.r < 1<<16 {
			d.basic[t.r] = uint16(i + 1)
		} else {
			d.astral[t.r] = uint16(i + 1)
		}
	}
	return len(all) + 1, nil
}

// plant makes the trie.
func (d *dict) plant(list []entry, w *weights, labels int) error {
	b := newBuilder(len(list) * 3 / 2)
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
			return err
		}
		if !b.insert(word, weight) {
			return fmt.Errorf("segment: the words make a trie of more than %d nodes", maxNodes)
		}
	}
	t, ok := b.pack(labels)
	if !ok {
		return fmt.Errorf("segment: the words make a trie of more than %d places", maxNodes)
	}
	d.trie = t
	for i, n := range t[:labels] {
		if n.weight() == noWord {
			t[i] |= loneRune
		}
	}
	return nil
}
