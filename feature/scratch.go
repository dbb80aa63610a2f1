package feature

import (
	"sync"

	"github.com/alike-go/alike/feature/internal/token"
)

// scratch holds the buffers of one extraction. It is pooled, so that extracting
// allocates nothing once they have grown to their bounded size.
type scratch struct {
	fold   foldScratch
	buf    []byte // folded text: what the last piece left over, then the piece
	cut    token.Cutter
	masked []masked // characters that stand as ASCII letters in buf
	lists  token.Lists
	spans  []span   // tokens of the piece
	tokens []uint64 // hashes of tokens: those that the next shingles still need, then the piece's
	starts []uint32 // starts of the runes in buf
	out    []uint64 // features not yet handed out
	count  int      // tokens so far
	held   uint64   // the token that may yet become half of a phrase
	stems  stemmer
	counts Counter
	feats  []Feature
}

var scratchPool = sync.Pool{New: func() any {
	return &scratch{out: make([]uint64, 0, BlockLen)}
}}

func newScratch() *scratch {
	s := scratchPool.Get().(*scratch)
	s.buf, s.spans, s.tokens, s.starts, s.out = s.buf[:0], s.spans[:0], s.tokens[:0], s.starts[:0], s.out[:0]
	s.count, s.held = 0, 0
	return s
}

// free returns the scratch to the pool, unless a strange text made it large.
func (s *scratch) free() {
	s.counts.Reset()
	if cap(s.buf) <= 1<<20 && cap(s.spans) <= 1<<18 && cap(s.feats) <= 1<<18 {
		scratchPool.Put(s)
	}
}

// put adds a feature to the block in the making and hands out a full one.
func (s *scratch) put(h uint64, yield func([]uint64)) {
	s.out = append(s.out, h)
	if len(s.out) == BlockLen {
		yield(s.out)
		s.out = s.out[:0]
	}
}

func (s *scratch) flush(yield func([]uint64)) {
	if len(s.out) > 0 {
		yield(s.out)
		s.out = s.out[:0]
	}
}
