package feature

import (
	"unicode/utf8"
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
	most := x.o.MaxWidth
	for i := min(s.count, most-1); i < len(buf); i++ {
		s.count++
		for w := x.o.MinWidth; w <= min(most, i+1); w++ {
			s.put(x.sum(buf[i+1-w:i+1]), yield)
		}
	}
	return max(0, len(buf)-most+1)
}

func (x *Extractor) runeWindows(s *scratch, buf []byte, yield func([]uint64)) int {
	most := x.o.MaxWidth
	starts := s.starts[:0]
	for i := 0; i < len(buf); {
		starts = append(starts, uint32(i))
		if buf[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRune(buf[i:])
		i += size
	}
	n := len(starts)
	starts = append(starts, uint32(len(buf)))
	for i := min(s.count, most-1); i < n; i++ {
		s.count++
		end := starts[i+1]
		for w := x.o.MinWidth; w <= min(most, i+1); w++ {
			s.put(x.sum(buf[starts[i+1-w]:end]), yield)
		}
	}
	s.starts = starts
	return int(starts[max(0, n-most+1)])
}
