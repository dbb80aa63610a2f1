package main

import (
	"math"
	"math/rand/v2"
)

// textbook holds 128 hash functions a*x+b of 64 bits.
type textbook struct{ a, b [minhashValues]uint64 }

func newTextbook() *textbook {
	t := &textbook{}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range t.a {
		t.a[i], t.b[i] = r.Uint64()|1, r.Uint64()
	}
	return t
}

// sketch takes the least value of each function.
func (t *textbook) sketch(hashes []uint64) []uint64 {
	least := unset()
	for _, x := range hashes {
		for i := range least {
			if h := t.a[i]*x + t.b[i]; h < least[i] {
				least[i] = h
			}
		}
	}
	return least[:]
}

// double makes the functions of two hashes: h1 + i*h2.
func (t *textbook) double(hashes []uint64) []uint64 {
	least := unset()
	for _, x := range hashes {
		h, step := t.a[0]*x+t.b[0], t.a[1]*x+t.b[1]
		for i := range least {
			if h < least[i] {
				least[i] = h
			}
			h += step
		}
	}
	return least[:]
}

func unset() (least [minhashValues]uint64) {
	for i := range least {
		least[i] = math.MaxUint64
	}
	return least
}

// eachShingle calls push with each window of three words of a text of ASCII: lower case,
// without punctuation, one space between words. It is the cutting that a user
// of the rivals has to write, written as fast as a plain loop over bytes gets.
func eachShingle(doc string, push func([]byte)) {
	text := make([]byte, 0, len(doc))
	var starts [3]int // of the last three words, the oldest first
	words := 0
	inWord := false
	end := func() {
		if inWord {
			inWord = false
			if words++; words >= 3 {
				push(text[starts[0]:])
			}
			text = append(text, ' ')
		}
	}
	for i := range len(doc) {
		c := doc[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			if !inWord {
				inWord = true
				starts = [3]int{starts[1], starts[2], len(text)}
			}
			text = append(text, c)
			continue
		}
		end()
	}
	end()
}
