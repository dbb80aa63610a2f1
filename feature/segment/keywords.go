package segment

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
)

// KeywordOptions configures Keywords. The zero value weighs as jieba does.
type KeywordOptions struct {
	// Segmenter cuts the text; nil means that of the zero Options.
	Segmenter *Segmenter

	// IDF is the table of inverse document frequencies; nil means jieba's, with its
	// median for words that it lacks, as in jieba. cppjieba takes the mean
	// ([jiebadict.Mean]).
	IDF feature.IDF

	// Stop are words that are no keywords, as they stand in the text. Nil means StopWords;
	// for none take an empty list.
	Stop []string
}

// Keyword is a word with its weight in a text.
type Keyword struct {
	Text   string
	Weight float64 // Count times the idf; jieba divides it by the number of all words counted
	Count  int
	First  int // offset in bytes of the first occurrence
}

// Keywords finds the words that characterise a text. It is immutable and safe for
// concurrent use.
type Keywords struct {
	segmenter *Segmenter
	idf       feature.IDF
	stop      map[string]bool
}

// StopWords returns the 1,534 stop words that cppjieba ships, signs and English
// words among them.
func StopWords() ([]string, error) {
	words, err := loadStop()
	return slices.Clone(words), err
}

var loadStop = sync.OnceValues(func() ([]string, error) {
	content, err := jiebadict.Read(jiebadict.StopWords)
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	return strings.Split(string(bytes.TrimSuffix(content, []byte("\n"))), "\n"), nil
})

// NewKeywords returns a finder of keywords. It fails only where embedded data is damaged.
func NewKeywords(o KeywordOptions) (*Keywords, error) {
	k := &Keywords{segmenter: o.Segmenter, idf: o.IDF, stop: make(map[string]bool)}
	var err error
	if k.segmenter == nil {
		if k.segmenter, err = New(Options{}); err != nil {
			return nil, err
		}
	}
	if k.idf == nil {
		if k.idf, err = jiebadict.IDF(jiebadict.Median); err != nil {
			return nil, err
		}
	}
	if o.Stop == nil {
		if o.Stop, err = loadStop(); err != nil {
			return nil, err
		}
	}
	for _, w := range o.Stop {
		k.stop[w] = true
	}
	return k, nil
}

// Find returns the text's words of two characters or more but for stop words, those of
// greater weight first, of equal weight the one that comes first in the text; at most top, or all
// if top is 0 or less.
func (k *Keywords) Find(text string, top int) []Keyword {
	var found []Keyword
	place := make(map[string]int)
	content := []byte(text)
	k.segmenter.Segment(content, func(start, end int) {
		if i, ok := place[string(content[start:end])]; ok {
			found[i].Count++
			return
		}
		word := text[start:end]
		if _, size := utf8.DecodeRuneInString(word); size == len(word) || k.stop[word] {
			return
		}
		place[word] = len(found)
		found = append(found, Keyword{Text: word, Count: 1, First: start})
	})
	for i := range found {
		w := &found[i]
		w.Weight = float64(w.Count) * k.idf.Value(content[w.First:w.First+len(w.Text)])
	}
	slices.SortStableFunc(found, func(a, b Keyword) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	if top > 0 && top < len(found) {
		found = slices.Clip(found[:top])
	}
	return found
}
