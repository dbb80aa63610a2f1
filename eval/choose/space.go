package choose

import (
	"fmt"
	"unicode"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// Candidate is a method with its settings.
type Candidate struct {
	Spec   string // canonical, before any fit
	Method similarity.Method
	cost   cost
}

// NewCandidate reads a spec.
func NewCandidate(spec string) (Candidate, error) {
	m, err := catalog.Parse(spec)
	if err != nil {
		return Candidate{}, fmt.Errorf("choose: %w", err)
	}
	return Candidate{m.String(), m, nominal(m)}, nil
}

// Profile is the kind of text that a space of candidates is made for.
type Profile string

// The profiles. Text is for everything that puts spaces between words, programs too;
// Han is for Chinese and Japanese.
const (
	Text Profile = "text"
	Han  Profile = "han"
)

// hanShare is the share of Chinese characters among letters from which on documents
// are Han.
const hanShare = 0.3

// ProfileOf returns the profile of documents: the first 4,096 bytes of each are looked at.
func ProfileOf(docs []datasets.Doc) Profile {
	letters, han := 0, 0
	for _, d := range docs {
		for _, r := range d.Text[:min(len(d.Text), 4096)] {
			if unicode.IsLetter(r) {
				letters++
				if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
					han++
				}
			}
		}
	}
	if letters > 0 && float64(han) >= hanShare*float64(letters) {
		return Han
	}
	return Text
}

// features are the features that each profile reads: single words to runs of three, runes
// and bytes from what a spelling error touches to what a phrase spans. In Chinese a
// word token is a pair of characters, and jieba cuts real words.
var features = map[Profile][]string{
	Text: {
		"width=1", "width=2", "width=3", "width=1-2",
		"tokens=rune,width=3", "tokens=rune,width=4", "tokens=rune,width=5", "tokens=rune,width=8",
		"tokens=byte,width=6", "tokens=byte,width=12",
		"width=1,stop=en,stem=en", "width=2,punct=drop,marks=drop,stem=en",
	},
	Han: {
		"width=1,han=simplified", "width=2,han=simplified",
		"tokens=rune,width=1,punct=drop,space=drop,han=simplified", "tokens=rune,width=2,punct=drop,space=drop,han=simplified",
		"tokens=rune,width=3,punct=drop,space=drop,han=simplified", "tokens=rune,width=5,punct=drop,space=drop,han=simplified",
		"tokens=rune,width=2", "tokens=rune,width=1-2,punct=drop,space=drop,han=simplified",
		"tokens=byte,width=6,han=simplified", "tokens=byte,width=12,han=simplified",
		"tokens=jieba,width=1,han=simplified", "tokens=jieba,width=2,han=simplified",
	},
}

// onFeatures are the methods that each set of features is tried with, on one
// extraction for all.
var onFeatures = []string{
	"shingle", "shingle:bag=true", "shingle:measure=overlap",
	"minhash:size=64", "minhash:size=128", "minhash:size=256", "minhash:size=128,bits=8", "minhash:size=256,bits=1", "minhash:size=512,bits=1",
	"cosine", "cosine:scheme=ltc", "cosine:scheme=tf",
	"bloom:bits=1024", "bloom:bits=4096", "bloom:bits=16384",
	"simhash", "simhash:bits=128", "simhash:weights=logtf,bits=128", "simhash:weights=idf,bits=128",
}

// onBytes are the methods that read the text itself.
var onBytes = map[Profile][]string{
	Text: {
		"manber:window=16,keep=1", "manber:window=16,keep=3", "manber:window=32,keep=2", "manber:window=32,keep=4", "manber:window=50,keep=4", "manber:window=50,keep=6",
		"winnow:k=8,window=4", "winnow:k=12,window=4", "winnow:k=12,window=16", "winnow:k=20,window=8", "winnow:k=30,window=30", "winnow:k=12,window=8,measure=overlap",
	},
	Han: {
		"manber:window=6,keep=1,han=simplified", "manber:window=9,keep=2,han=simplified", "manber:window=12,keep=3,han=simplified", "manber:window=24,keep=2,han=simplified", "manber:window=24,keep=4,han=simplified", "manber:window=48,keep=5,han=simplified",
		"winnow:k=6,window=2,han=simplified", "winnow:k=6,window=4,han=simplified", "winnow:k=12,window=6,han=simplified", "winnow:k=18,window=12,han=simplified", "winnow:k=30,window=24,han=simplified", "winnow:k=12,window=6,measure=overlap,han=simplified",
	},
}

// Space returns the candidates for a profile, always the same and in the same order:
// all methods of the catalog over all features of the profile, 240 in all.
func Space(p Profile) []Candidate {
	var out []Candidate
	add := func(spec string) {
		c, err := NewCandidate(spec)
		if err != nil {
			panic(err.Error()) // the tables above are constants
		}
		out = append(out, c)
	}
	for _, f := range features[p] {
		for _, m := range onFeatures {
			add(join(m, f))
		}
	}
	for _, m := range onBytes[p] {
		add(m)
	}
	return out
}

// join adds settings of features to a spec.
func join(method, features string) string {
	for i := range method {
		if method[i] == ':' {
			return method + "," + features
		}
	}
	return method + ":" + features
}
