package feature

import (
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// stemmer stems English words and remembers the latest results: words repeat, and
// the Snowball stemmer allocates. The cache is direct-mapped by the hash of the word, so that
// what it holds does not change any result.
type stemmer struct {
	hashes Hash // the function that the cache was filled under, and its seed
	seed   uint64
	cache  []stemmed
}

type stemmed struct{ word, stem uint64 }

const stemCache = 1 << 15

func (s *stemmer) hash(x *Extractor, word []byte, h uint64) uint64 {
	if s.cache == nil {
		s.cache = make([]stemmed, stemCache)
	}
	if s.hashes != x.o.Hash || s.seed != x.o.Seed {
		clear(s.cache)
		s.hashes, s.seed = x.o.Hash, x.o.Seed
	}
	e := &s.cache[h%stemCache]
	if e.word != h {
		*e = stemmed{h, x.sum(stem(word))}
	}
	return e.stem
}

// stem returns the stem of a word after the English Snowball stemmer (Porter 2).
func stem(word []byte) []byte {
	env := snowballstem.NewEnv(string(word))
	english.Stem(env)
	return []byte(env.Current())
}

// stemmable reports whether a token is a word in Latin letters short enough to
// be one of a language: the stemmer knows nothing of others.
func stemmable(b []byte) bool {
	if len(b) > 64 {
		return false
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r >= 0x250 && r != '’' {
			return false
		}
		i += size
	}
	return true
}
