package feature

import "github.com/alike-go/alike/feature/internal/token"

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
	most := x.o.MaxWidth
	i := min(s.count, most-1)
	s.count += len(buf) - i
	s.spans = s.spans[:0]
	for ; i < len(buf); i++ {
		for w := x.o.MinWidth; w <= min(most, i+1); w++ {
			s.spans = append(s.spans, span{Start: uint32(i + 1 - w), End: uint32(i + 1)})
		}
		if len(s.spans) >= token.Batch {
			x.hashes(s, s.spans, yield)
			s.spans = s.spans[:0]
		}
	}
	x.hashes(s, s.spans, yield)
	return max(0, len(buf)-most+1)
}

func (x *Extractor) runeWindows(s *scratch, buf []byte, yield func([]uint64)) int {
	most := x.o.MaxWidth
	starts := s.starts[:0]
	for i := 0; i < len(buf); {
		starts = append(starts, uint32(i))
		i += runeLens[buf[i]>>4]
	}
	n := len(starts)
	starts = append(starts, uint32(len(buf)))
	s.starts = starts
	i := min(s.count, most-1)
	s.count += n - i
	s.spans = s.spans[:0]
	for ; i < n; i++ {
		end := starts[i+1]
		for w := x.o.MinWidth; w <= min(most, i+1); w++ {
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

// runeLens gives the length of a rune of valid UTF-8 by the high half of its first byte.
var runeLens = [16]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4}
