package feature

import (
	"slices"

	"github.com/alike-go/alike/feature/internal/token"
)

// windows hands out the hashes of the windows of runes or bytes of a text: of each
// width, those that end in each rune or byte, in order.
func (x *Extractor) windows(s *scratch, text string, yield func([]uint64)) {
	var st foldState
	f := x.o.Fold
	for {
		n, _ := cutPiece(text)
		last := n == len(text)
		s.buf = f.appendPiece(s.buf, text[:n], &st, &s.fold)
		text = text[n:]
		ready := s.buf
		if !last {
			ready = ready[:f.settled(ready)]
		}
		var keep int // where the bytes that are still needed start
		if x.o.Tokens == Byte {
			keep = x.byteWindows(s, ready, yield)
		} else {
			keep = x.runeWindows(s, ready, yield)
		}
		if last {
			break
		}
		s.buf = s.buf[:copy(s.buf, s.buf[keep:])]
	}
	if 0 < s.count && s.count < x.o.MinWidth {
		s.put(x.sum(s.buf), yield)
	}
	s.flush(yield)
}

func (x *Extractor) byteWindows(s *scratch, buf []byte, yield func([]uint64)) int {
	n := len(buf)
	s.starts = slices.Grow(s.starts[:0], n+1)[:n+1]
	for i := range s.starts {
		s.starts[i] = uint32(i)
	}
	return x.startWindows(s, n, yield)
}

func (x *Extractor) runeWindows(s *scratch, buf []byte, yield func([]uint64)) int {
	starts := slices.Grow(s.starts[:0], len(buf)+1)[:len(buf)+1]
	n := 0
	for i, c := range buf {
		starts[n] = uint32(i)
		n += int(b2u(c&0xc0 != 0x80))
	}
	starts[n] = uint32(len(buf))
	s.starts = starts[:n+1]
	return x.startWindows(s, n, yield)
}

// startWindows hands out the windows of the n units whose starts, and the end of the
// last, stand in s.starts. It returns where the units start that are still needed.
func (x *Extractor) startWindows(s *scratch, n int, yield func([]uint64)) int {
	least, most := x.o.MinWidth, x.o.MaxWidth
	starts := s.starts
	i := min(s.count, most-1)
	s.count += n - i
	s.spans = slices.Grow(s.spans[:0], token.Batch+maxWidth)
	if least == most {
		for i = max(i, least-1); i < n; {
			spans := s.spans[:min(n-i, token.Batch)]
			from, to := starts[i+1-least:], starts[i+1:]
			for k := range spans {
				spans[k] = span{Start: from[k], End: to[k]}
			}
			x.hashes(s, spans, yield)
			i += len(spans)
		}
		return int(starts[max(0, n-most+1)])
	}
	for ; i < n; i++ {
		end := starts[i+1]
		for w := least; w <= min(most, i+1); w++ {
			s.spans = append(s.spans, span{Start: starts[i+1-w], End: end})
		}
		if len(s.spans) >= token.Batch {
			x.hashes(s, s.spans, yield)
			s.spans = s.spans[:0]
		}
	}
	x.hashes(s, s.spans, yield)
	return int(starts[max(0, n-most+1)])
}
