package align

import "sync"

// scratch holds the buffers of one sketching or scoring.
type scratch struct {
	folded       []byte
	narrow, wide masks           // of characters below 256, and of numbered ones
	letters      alphabet[int32] // numbers the symbols of wide
	vocabulary   alphabet[uint64]
	wideA, wideB []int32
	wideC        []int32
	counts       []int
	border       []uint8
	automaton    automaton
}

// masks has a mask for each symbol: words for patterns of up to 64 symbols, strips for
// others. All are zero between uses.
type masks struct {
	words  []uint64
	strips []strip
}

// reserve makes room for masks of n symbols.
func (x *masks) reserve(n int) {
	if len(x.words) < n {
		n = max(n, 2*len(x.words))
		x.words = make([]uint64, n)
		x.strips = make([]strip, n)
	}
}

var scratches = sync.Pool{New: func() any {
	s := new(scratch)
	s.narrow.reserve(256)
	return s
}}

// keepMost is the greatest text, in characters, whose buffers wait in the pool.
const keepMost = 1 << 17

func (s *scratch) release() {
	if cap(s.folded) > 4*keepMost {
		s.folded = nil
	}
	if cap(s.border) > keepMost || cap(s.wideA) > keepMost || cap(s.wideB) > keepMost || cap(s.wideC) > keepMost || cap(s.counts) > keepMost {
		s.border, s.wideA, s.wideB, s.wideC, s.counts = nil, nil, nil, nil, nil
	}
	if len(s.wide.words) > keepMost/16 {
		s.wide, s.letters, s.vocabulary = masks{}, alphabet[int32]{}, alphabet[uint64]{}
	}
	if cap(s.automaton.states) > 2*keepMost {
		s.automaton = automaton{}
	}
	scratches.Put(s)
}
