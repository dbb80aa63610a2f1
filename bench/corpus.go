package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Corpus is the text that every row works on: English-like documents whose words
// follow Zipf's law, a fifth of them in planted clusters of near-duplicates. It is
// a function of its size and seed alone.
type Corpus struct {
	Docs  []string
	Pairs []Pair // planted near-duplicates, by number of document
	Bytes int    // length of all documents together
	Sum   string // first 12 hexadecimal digits of the documents' SHA-256
}

// Pair is a document and a copy of it that Edit was done to.
type Pair struct {
	Original, Copy int
	Edit           Edit
}

// Edit is what was done to a copy.
type Edit string

const (
	Edit1  Edit = "1%"    // one word in a hundred replaced, dropped or inserted
	Edit5  Edit = "5%"    // five in a hundred
	Edit10 Edit = "10%"   // ten in a hundred
	Moved  Edit = "moved" // two blocks of the text change places
)

var edits = []Edit{Edit1, Edit5, Edit10, Moved}

const (
	vocabularySize = 50_000
	meanWords      = 400

	// With this exponent 400 words hold the 288 distinct ones that the yardsticks name.
	zipfExponent = 0.96
)

// NewCorpus makes n documents. Of every 25 five are a cluster: an original and a copy
// for each kind of edit.
func NewCorpus(n int, seed uint64) *Corpus {
	r := rand.New(rand.NewPCG(seed, 0x616c696b65))
	words := newVocabulary(r)
	c := &Corpus{}
	var texts [][]string
	add := func(text []string) int {
		texts = append(texts, text)
		return len(texts) - 1
	}
	for len(texts) < n {
		original := add(words.document(r))
		if len(texts)%25 != 1 {
			continue
		}
		for _, edit := range edits {
			if len(texts) < n {
				copied := add(words.edit(r, texts[original], edit))
				c.Pairs = append(c.Pairs, Pair{original, copied, edit})
			}
		}
	}
	sum := sha256.New()
	for _, text := range texts {
		doc := strings.Join(text, " ")
		c.Docs = append(c.Docs, doc)
		c.Bytes += len(doc)
		sum.Write([]byte(doc))
		sum.Write([]byte{0})
	}
	c.Sum = hex.EncodeToString(sum.Sum(nil))[:12]
	return c
}

// vocabulary holds words by rank and the cumulated Zipf weights to draw them by.
type vocabulary struct {
	words []string
	upTo  []float64
}

// newVocabulary makes pronounceable words, the frequent ones short as in English.
func newVocabulary(r *rand.Rand) *vocabulary {
	onsets := strings.Fields("b c d f g h l m n p r s t v w st tr ch sh th")
	vowels := strings.Fields("a e i o u a e i o ea ou")
	codas := strings.Fields("n r s t l d nd st - - - - - - - -")
	v := &vocabulary{}
	seen := map[string]bool{}
	var total float64
	for len(v.words) < vocabularySize {
		// One syllable for the first few hundred ranks, three for the rarest.
		syllables := 1 + int(math.Log10(float64(len(v.words)+1))*0.4+r.Float64()*0.6)
		var word strings.Builder
		for range syllables {
			word.WriteString(onsets[r.IntN(len(onsets))])
			word.WriteString(vowels[r.IntN(len(vowels))])
			if coda := codas[r.IntN(len(codas))]; coda != "-" {
				word.WriteString(coda)
			}
		}
		if seen[word.String()] {
			continue
		}
		seen[word.String()] = true
		v.words = append(v.words, word.String())
		total += math.Pow(float64(len(v.words)), -zipfExponent)
		v.upTo = append(v.upTo, total)
	}
	return v
}

// word draws a word by its frequency.
func (v *vocabulary) word(r *rand.Rand) string {
	i, _ := slices.BinarySearch(v.upTo, r.Float64()*v.upTo[len(v.upTo)-1])
	return v.words[min(i, len(v.words)-1)]
}

// document draws 200 to 600 words in sentences, with capitals and punctuation.
func (v *vocabulary) document(r *rand.Rand) []string {
	text := make([]string, 0, meanWords*3/2)
	for n := meanWords/2 + r.IntN(meanWords+1); len(text) < n; {
		length := min(6+r.IntN(22), n-len(text))
		for i := range length {
			word := v.word(r)
			if i == 0 || r.IntN(40) == 0 {
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			switch {
			case i == length-1:
				word += "."
			case r.IntN(14) == 0:
				word += ","
			}
			text = append(text, word)
		}
	}
	return text
}

// edit returns an edited copy.
func (v *vocabulary) edit(r *rand.Rand, text []string, edit Edit) []string {
	if edit == Moved {
		a := len(text)/5 + r.IntN(len(text)/5)
		b := len(text)/2 + r.IntN(len(text)/5)
		return slices.Concat(text[b:], text[a:b], text[:a])
	}
	share := map[Edit]float64{Edit1: 0.01, Edit5: 0.05, Edit10: 0.10}[edit]
	out := slices.Clone(text)
	for range max(1, int(share*float64(len(text)))) {
		at := r.IntN(len(out))
		switch r.IntN(4) {
		case 0:
			out = slices.Delete(out, at, at+1)
		case 1:
			out = slices.Insert(out, at, v.word(r))
		default:
			out[at] = v.word(r)
		}
	}
	return out
}
