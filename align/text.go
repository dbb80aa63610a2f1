package align

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/alike-go/alike/similarity"
)

// Text is a sketch: the characters of a folded text. The zero value is the empty text.
type Text struct {
	narrow []uint8 // the characters, where all are below 256
	wide   []int32 // the characters otherwise
}

// Len returns the number of characters.
func (t Text) Len() int { return len(t.narrow) + len(t.wide) }

// String returns the text as UTF-8.
func (t Text) String() string {
	out := make([]byte, 0, t.Len())
	for _, c := range t.narrow {
		out = utf8.AppendRune(out, rune(c))
	}
	for _, c := range t.wide {
		out = utf8.AppendRune(out, c)
	}
	return string(out)
}

// newText returns the first characters, at most so many, of a text that is UTF-8.
func newText(text []byte, most int) Text {
	n := utf8.RuneCount(text)
	if n == 0 {
		return Text{}
	}
	if n > most {
		n = most
		end := 0
		for range n {
			_, size := utf8.DecodeRune(text[end:])
			end += size
		}
		text = text[:end]
	}
	for _, c := range text {
		if c >= firstWide {
			return Text{wide: decode(make([]int32, 0, n), text)}
		}
	}
	return Text{narrow: decode(make([]uint8, 0, n), text)}
}

// firstWide is the first byte of the encodings of U+0100 and, with those above it, of all that follow.
const firstWide = 0xc4

// symbol is a character, or a number that stands for one.
type symbol interface{ uint8 | int32 }

// decode appends the characters of UTF-8.
func decode[T symbol](dst []T, text []byte) []T {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c < utf8.RuneSelf:
			dst = append(dst, T(c))
			i++
		case c < 0xe0 && i+1 < len(text):
			dst = append(dst, T(int32(c&0x1f)<<6|int32(text[i+1]&0x3f)))
			i += 2
		case c < 0xf0 && i+2 < len(text):
			dst = append(dst, T(int32(c&0x0f)<<12|int32(text[i+1]&0x3f)<<6|int32(text[i+2]&0x3f)))
			i += 3
		default:
			r, size := utf8.DecodeRune(text[i:])
			dst = append(dst, T(r))
			i += size
		}
	}
	return dst
}

// appendWide appends the characters as wide ones.
func (t Text) appendWide(dst []int32) []int32 {
	for _, c := range t.narrow {
		dst = append(dst, int32(c))
	}
	return append(dst, t.wide...)
}

// AppendSketch appends the length in bytes and the text as UTF-8.
func (m *Method) AppendSketch(dst []byte, t Text) []byte {
	s := t.String()
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// DecodeSketch implements similarity.Sketcher. It refuses what is no UTF-8 and more
// characters than the method reads.
func (m *Method) DecodeSketch(src []byte) (Text, int, error) {
	size, k := binary.Uvarint(src)
	if k <= 0 || size > uint64(len(src)-k) {
		return Text{}, 0, fmt.Errorf("align: text cut short: %w", similarity.ErrFormat)
	}
	body := src[k : k+int(size)]
	if !utf8.Valid(body) {
		return Text{}, 0, fmt.Errorf("align: text is no UTF-8: %w", similarity.ErrFormat)
	}
	t := newText(body, m.o.Most+1)
	if t.Len() > m.o.Most {
		return Text{}, 0, fmt.Errorf("align: more than %d characters: %w", m.o.Most, similarity.ErrFormat)
	}
	return t, k + int(size), nil
}
