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

// newText returns the first characters of a text, at most so many. A byte that is no
// UTF-8 is the character U+FFFD.
func newText(text []byte, most int) Text {
	n, wide := 0, false // characters, and whether one of them is 256 or more
	for i := 0; i < len(text) && n < most; n++ {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		wide = wide || r > 0xff
		i += size
	}
	if n == 0 {
		return Text{}
	}
	if !wide {
		return Text{narrow: appendCharacters(make([]uint8, 0, n), text, n)}
	}
	return Text{wide: appendCharacters(make([]int32, 0, n), text, n)}
}

// symbol is a character, or a number that stands for one.
type symbol interface{ uint8 | int32 }

func appendCharacters[T symbol](dst []T, text []byte, n int) []T {
	for i := 0; len(dst) < n; {
		if c := text[i]; c < utf8.RuneSelf {
			dst = append(dst, T(c))
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		dst = append(dst, T(r))
		i += size
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
