package feature

import (
	"slices"

	"github.com/alike-go/alike/internal/splitmix"
)

// words folds a text piece by piece and cuts it into words. It calls emit with
// the places of the tokens in s.buf.
func (x *Extractor) words(s *scratch, text string, emit func(spans []span)) {
	s.buf = s.buf[:0]
	var st foldState
	for {
		n, hard := cutPiece(text)
		last := n == len(text)
		hard = last || hard && x.o.Fold.Space != DropSpace
		if hard && len(s.buf) == 0 && x.o.Tokens == Word && x.o.Fold.Space != DropSpace {
			x.fastWords(s, text[:n], emit)
			if last {
				return
			}
			text, s.buf = text[n:], s.buf[:0]
			continue
		}
		s.buf = x.o.Fold.appendPiece(s.buf, text[:n], &st, &s.fold)
		text = text[n:]
		ready := s.buf
		if !last {
			ready = ready[:x.o.Fold.settled(ready)]
		}
		var done int
		if x.o.Tokens == Segmented {
			s.spans, done = x.cutSegments(s.spans[:0], ready, last)
		} else {
			s.spans, done = cutWords(s.spans[:0], ready, 0, x.o.Tokens == Single, hard)
		}
		emit(s.spans)
		if last {
			return
		}
		s.buf = s.buf[:copy(s.buf, s.buf[done:])]
	}
}

// shingle turns tokens into shingles.
func (x *Extractor) shingle(s *scratch, spans []span, yield func([]uint64)) {
	if x.single {
		x.hashes(s, spans, yield)
		return
	}
	if x.plain {
		at := len(s.tokens)
		s.tokens = slices.Grow(s.tokens, len(spans))[:at+len(spans)]
		x.sums(s, s.tokens[at:], spans)
		x.slide(s, yield)
		return
	}
	for _, sp := range spans {
		h, ok := x.token(s, s.buf[sp.Start:sp.End])
		if !ok {
			continue
		}
		if !x.merges {
			s.tokens = append(s.tokens, h)
			continue
		}
		// Phrases merge greedily from the left, so one token waits for the next.
		switch key := pairKey(s.held, h); {
		case s.held == 0:
			s.held = h
		case x.model.isPhrase(key):
			s.tokens = append(s.tokens, key)
			s.held = 0
		default:
			s.tokens = append(s.tokens, s.held)
			s.held = h
		}
	}
	x.slide(s, yield)
}

// slide hands out the shingles that end in the tokens that are new, and keeps as
// many tokens as the next shingles need.
func (x *Extractor) slide(s *scratch, yield func([]uint64)) {
	lo, hi := x.o.MinWidth, x.o.MaxWidth
	t := s.tokens
	i := min(s.count, hi-1) // the first token that is new
	s.count += len(t) - i
	// The first shingles of a text are narrower, and those of a range are many;
	// the loops below are for the rest.
	one := lo == hi && lo > 1
	for ; i < len(t) && (!one || i < lo-1); i++ {
		var acc uint64
		for w := 1; w <= min(hi, i+1); w++ {
			acc += t[i+1-w] * shinglePowers[w-1]
			switch {
			case w < lo:
			case w == 1:
				s.put(t[i], yield)
			default:
				s.put(nonZero(splitmix.Mix(acc+uint64(w)*shingleStep)), yield)
			}
		}
	}
	if i < len(t) {
		x.roll(s, t[i+1-lo:], yield)
	}
	if keep := hi - 1; len(t) > keep {
		s.tokens = t[:copy(t, t[len(t)-keep:])]
	}
}

// roll hands out the shingles of one width of t. The narrow ones are evaluated
// directly, each by itself, so that the processor works on several at a time; from
// five tokens on it pays to keep the polynomial of the shingle in the making, where
// adding a token and taking one away costs two multiplications for any width.
func (x *Extractor) roll(s *scratch, t []uint64, yield func([]uint64)) {
	w := x.o.MinWidth
	step, power := uint64(w)*shingleStep, shinglePowers[w-1]
	var acc uint64
	for _, h := range t[:w-1] {
		acc = acc*shingleM + h
	}
	for from := 0; from+w <= len(t); {
		at := len(s.out)
		n := min(len(t)-w+1-from, BlockLen-at)
		out := s.out[at : at+n]
		drop, add := t[from:from+n], t[from+w-1:from+w-1+n]
		switch w {
		case 2:
			for i := range out {
				out[i] = nonZero(splitmix.Mix(drop[i]*shingleM + add[i] + step))
			}
		case 3:
			mid := t[from+1 : from+1+n]
			for i := range out {
				out[i] = nonZero(splitmix.Mix(drop[i]*power + mid[i]*shingleM + add[i] + step))
			}
		default:
			for i := range out {
				acc = acc*shingleM + add[i]
				out[i] = nonZero(splitmix.Mix(acc + step))
				acc -= drop[i] * power
			}
		}
		s.out = s.out[:at+n]
		from += n
		if len(s.out) == BlockLen {
			s.flush(yield)
		}
	}
}

// finish hands out what waits for the end of the text: the last token where
// phrases are merged, the one shingle of a text shorter than the least width,
// and the last block.
func (x *Extractor) finish(s *scratch, yield func([]uint64)) {
	if s.held != 0 {
		s.tokens = append(s.tokens, s.held)
		s.held = 0
		x.slide(s, yield)
	}
	if 0 < s.count && s.count < x.o.MinWidth {
		s.put(shingleHash(s.tokens), yield)
	}
	s.flush(yield)
}

// token hashes a token after stop words and stemming; ok is false for a stop word.
func (x *Extractor) token(s *scratch, b []byte) (h uint64, ok bool) {
	h = x.sum(b)
	if x.stop.has(h) {
		return 0, false
	}
	if x.o.Stem != "" && stemmable(b) {
		h = s.stems.hash(x, b, h)
	}
	return h, true
}

// settled returns how much of the folded text more text cannot change. Only
// where white space is dropped may what follows compose with what is there.
func (f Fold) settled(buf []byte) int {
	if f.Space != DropSpace || !f.composes() {
		return len(buf)
	}
	return lastBoundary(buf)
}

// hashes hands out the hashes of tokens that are features as they come.
func (x *Extractor) hashes(s *scratch, spans []span, yield func([]uint64)) {
	for len(spans) > 0 {
		n := min(len(spans), BlockLen-len(s.out))
		at := len(s.out)
		s.out = s.out[:at+n]
		x.sums(s, s.out[at:], spans[:n])
		spans = spans[n:]
		if len(s.out) == BlockLen {
			s.flush(yield)
		}
	}
}
