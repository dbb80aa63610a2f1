package feature

import (
	_ "embed"
	"strings"
)

// English is the list of the Snowball project (BSD licence), Chinese that of
// cppjieba (MIT licence) without its signs and English words.
var (
	//go:embed stop/en.txt
	stopEN string
	//go:embed stop/zh.txt
	stopZH string
)

var stopLists = map[string]*string{"en": &stopEN, "zh": &stopZH}

// hashSet is a set of hashes for fast and frequent looking up: open addressing,
// a quarter full, 0 for an empty place.
type hashSet struct {
	slots []uint64
	n     int
}

func newHashSet(hashes []uint64) *hashSet {
	size := 16
	for size < 4*len(hashes) {
		size *= 2
	}
	s := &hashSet{slots: make([]uint64, size)}
	for _, h := range hashes {
		if s.has(h) {
			continue
		}
		i := s.slot(h)
		for s.slots[i] != 0 {
			i = (i + 1) & (size - 1)
		}
		s.slots[i] = h
		s.n++
	}
	return s
}

func (s *hashSet) slot(h uint64) int { return int(h*shingleM>>32) & (len(s.slots) - 1) }

func (s *hashSet) has(h uint64) bool {
	if s == nil {
		return false
	}
	for i := s.slot(h); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		if s.slots[i] == h {
			return true
		}
	}
	return false
}

// stopWords yields the words of a list, one a line; lines with # are comments.
func stopWords(list string, yield func(word string)) {
	for line := range strings.Lines(list) {
		if w := strings.TrimSpace(line); w != "" && w[0] != '#' {
			yield(w)
		}
	}
}

// makeStop hashes the words of the lists asked for, folded as texts are. Under
// Fold.KeepCase only the lower-case forms are stop words.
func (x *Extractor) makeStop() {
	if len(x.o.Stop) == 0 {
		return
	}
	var hashes []uint64
	add := func(w string) {
		hashes = append(hashes, x.sum(x.o.Fold.Normalize(nil, w)))
	}
	for _, name := range x.o.Stop {
		stopWords(*stopLists[name], func(w string) {
			add(w)
			if strings.Contains(w, "'") {
				add(strings.ReplaceAll(w, "'", "’")) // as typeset
			}
		})
	}
	x.stop = newHashSet(hashes)
}
