package plant

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"strconv"

	"github.com/alike-go/alike/datasets"
)

// MakeOptions says what documents a Maker makes. The zero value makes
// English-like ones of 400 words on average.
type MakeOptions struct {
	// Lang is English or Chinese; empty means English.
	Lang Lang
	// Words is the number of words there are, from 100 to 2^20. Zero means 50,000.
	Words int
	// Exponent is that of Zipf's law: the word of rank k is drawn in proportion
	// to k to the power -Exponent. It is above 0 and at most 4, and is kept to
	// five decimals. Zero means 0.96, at which 400 words hold some 288 different
	// ones, about as English does.
	Exponent float64
	// Mean is the mean number of words of a document, from 1 to 2^20. Zero means 400.
	Mean int
	// Sigma is the standard deviation of the logarithm of the number of words, at
	// most 2. Zero means 0.5. Documents are never longer than 2^24 words.
	Sigma float64
	// OneLength gives every document Mean words, whatever Sigma is.
	OneLength bool
	// Topics is the number of topics, from 0 to 10,000. A document has one of
	// them, and half of its words follow the topic's own order of frequency;
	// grammatical words are the same in all. Unrelated documents of one topic
	// share more words than others. Zero means none.
	Topics int
	// Seed selects the documents. Their words do not depend on it: documents of
	// different seeds are in one language.
	Seed uint64
}

// withDefaults returns the options with the defaults filled in.
func (o MakeOptions) withDefaults() (MakeOptions, error) {
	o.Lang = cmp.Or(o.Lang, English)
	o.Words = cmp.Or(o.Words, 50_000)
	o.Exponent = cmp.Or(o.Exponent, 0.96)
	o.Mean = cmp.Or(o.Mean, 400)
	o.Sigma = cmp.Or(o.Sigma, 0.5)
	var err error
	switch {
	case o.Lang != English && o.Lang != Chinese:
		err = fmt.Errorf("plant: Lang is %q, want en or zh", o.Lang)
	case o.Words < 100 || o.Words > 1<<20:
		err = fmt.Errorf("plant: Words is %d, want 100 to %d", o.Words, 1<<20)
	case !(o.Exponent > 0 && o.Exponent <= 4):
		err = fmt.Errorf("plant: Exponent is %v, want above 0 and at most 4", o.Exponent)
	case o.Mean < 1 || o.Mean > 1<<20:
		err = fmt.Errorf("plant: Mean is %d, want 1 to %d", o.Mean, 1<<20)
	case !(o.Sigma > 0 && o.Sigma <= 2):
		err = fmt.Errorf("plant: Sigma is %v, want 0 to 2", o.Sigma)
	case o.Topics < 0 || o.Topics > 10_000:
		err = fmt.Errorf("plant: Topics is %d, want 0 to 10000", o.Topics)
	}
	return o, err
}

// Maker makes documents of random words whose frequencies follow Zipf's law, in
// sentences with punctuation. A document is a function of the options and its
// number alone: any part of a collection can be made anywhere, again or at once.
// A Maker is safe for concurrent use.
type Maker struct {
	options MakeOptions
	vocabulary
	ranks  alias
	length logNormal
	step   int // how far apart topics are, in ranks
}

// NewMaker returns a maker of documents.
func NewMaker(o MakeOptions) (*Maker, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	m := &Maker{
		options:    o,
		vocabulary: *newVocabulary(o.Lang, o.Words),
		ranks:      newAlias(zipf(o.Words, o.Exponent)),
		length:     newLogNormal(o.Mean, o.Sigma, o.OneLength),
	}
	if o.Topics > 0 {
		m.step = max(1, (o.Words-m.common)/o.Topics)
	}
	return m, nil
}

// String returns all options in one line, for the README of what was made.
func (m *Maker) String() string {
	o := m.options
	return fmt.Sprintf("lang=%s words=%d exponent=%v mean=%d sigma=%v onelength=%v topics=%d seed=%d",
		o.Lang, o.Words, o.Exponent, o.Mean, o.Sigma, o.OneLength, o.Topics, o.Seed)
}

// Doc returns the document of a number. Its id is "d" and the number.
func (m *Maker) Doc(number uint64) datasets.Doc {
	return m.doc(number, m.AppendText(nil, number))
}

func (m *Maker) doc(number uint64, text []byte) datasets.Doc {
	id := strconv.AppendUint([]byte{'d'}, number, 10)
	return datasets.Doc{ID: string(id), Text: string(text), Lang: string(m.options.Lang)}
}

// Docs returns the n documents from the number first on. It makes one at a time
// and never returns an error.
func (m *Maker) Docs(first, n uint64) iter.Seq2[datasets.Doc, error] {
	return func(yield func(datasets.Doc, error) bool) {
		var text []byte
		for i := range n {
			text = m.AppendText(text[:0], first+i)
			if !yield(m.doc(first+i, text), nil) {
				return
			}
		}
	}
}

// AppendText appends the text of the document of a number to dst.
func (m *Maker) AppendText(dst []byte, number uint64) []byte {
	r := seeded(m.options.Seed, 'm', number)
	n := m.length.draw(&r)
	return m.sentences(dst, &r, n, m.turn(&r))
}

// turn draws a topic. It returns by how many places the topic rotates the order of
// the words. Without topics it returns -1.
func (m *Maker) turn(r *Rand) int {
	if m.options.Topics == 0 {
		return -1
	}
	return r.Below(m.options.Topics) * m.step
}

// sentences appends n words of a topic.
func (m *Maker) sentences(dst []byte, r *Rand, n, turn int) []byte {
	space, comma, stop, commas := " ", ",", ".", uint64(15)
	if m.options.Lang == Chinese {
		space, comma, stop, commas = "", "，", "。", 7
	}
	for n > 0 { // in sentences of 6 to 27 words, with a comma behind one word of 16 or 8
		length := min(n, 6+r.Below(22))
		n -= length
		for i := range length {
			random := r.Uint64()
			rank := m.rank(random, turn)
			start := len(dst)
			dst = append(dst, m.text[m.at[rank]:m.at[rank+1]]...)
			if i == 0 && 'a' <= dst[start] && dst[start] <= 'z' {
				dst[start] -= 'a' - 'A'
			}
			switch {
			case i == length-1:
				dst = append(dst, stop...)
			case random&commas == 0:
				dst = append(dst, comma...)
			}
			dst = append(dst, space...)
		}
	}
	return dst[:len(dst)-len(space)]
}

// rank draws a word from the high bits of a random number; the low ones, which
// hardly enter, are free for other uses.
func (m *Maker) rank(random uint64, turn int) int {
	rank := m.ranks.pick(random)
	if turn < 0 || rank < m.common || bits.OnesCount64(random&0xff0)&1 == 0 {
		return rank
	}
	// Half of the words that are not grammatical: the topic's most frequent word
	// stands turn places further down in the order of all.
	if rank += turn; rank >= m.options.Words {
		rank -= m.options.Words - m.common
	}
	return rank
}
