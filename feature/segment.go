package feature

import "unicode/utf8"

// A Segmenter gets folded text in pieces of at most segmentLen bytes.
const segmentLen = 1 << 15

// segmentCut returns where to end the next piece of folded text for a segmenter, or 0
// where more text is needed to tell. It depends on nothing but the text from the end of
// the piece before: behind the last space of the first segmentLen bytes, else
// behind their last rune that is neither letter, number nor mark, else at the
// last start of a rune.
func segmentCut(buf []byte, final bool) int {
	if len(buf) <= segmentLen {
		if final {
			return len(buf)
		}
		return 0
	}
	for n := segmentLen; n > 0; n-- {
		if buf[n-1] == ' ' {
			return n
		}
	}
	for n := segmentLen; n > 0; {
		r, size := utf8.DecodeLastRune(buf[:n])
		if classOf(r)&(clAlnum|clMark|clSpace) == 0 {
			return n
		}
		n -= size
	}
	n := segmentLen
	for n > 1 && !utf8.RuneStart(buf[n]) {
		n--
	}
	return n
}

// cutSegments appends the places of the segmenter's words that hold a letter or a
// number, and returns how many bytes are dealt with.
func (x *Extractor) cutSegments(spans []span, buf []byte, final bool) ([]span, int) {
	from := 0
	for from < len(buf) {
		n := segmentCut(buf[from:], final)
		if n == 0 {
			break
		}
		piece := buf[from : from+n]
		x.o.Segmenter.Segment(piece, func(start, end int) {
			if start < 0 || end > len(piece) || start >= end {
				return // a segmenter's slip, which must not become a panic
			}
			for i := start; i < end; {
				r, size := utf8.DecodeRune(piece[i:end])
				if classOf(r)&clAlnum != 0 {
					spans = append(spans, span{Start: uint32(from + start), End: uint32(from + end)})
					return
				}
				i += size
			}
		})
		from += n
	}
	return spans, from
}
