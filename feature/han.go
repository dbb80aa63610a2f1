package feature

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// The character tables of OpenCC; han/README.md names source and licence.
var (
	//go:embed han/TSCharacters.txt
	hanTS string
	//go:embed han/TSCharactersExt.txt
	hanTSExt string
	//go:embed han/STCharacters.txt
	hanST string
)

// hanPairs reads tables, of which an earlier one goes before a later one, into
// what each character becomes. Chains are closed: 薴 becomes 苧 and 苧 becomes 苎, so
// that both become 苎, since folding twice must be as folding once.
func hanPairs(tables ...string) map[rune]rune {
	m := make(map[rune]rune)
	for _, table := range tables {
		for line := range strings.Lines(table) {
			from, to, ok := strings.Cut(line, "\t")
			if !ok || line[0] == '#' {
				continue
			}
			r, _ := utf8.DecodeRuneInString(from)
			if _, ok := m[r]; !ok {
				m[r], _ = utf8.DecodeRuneInString(to)
			}
		}
	}
	for r, to := range m {
		for next, ok := m[to]; ok && next != to; next, ok = m[to] {
			to = next
		}
		m[r] = to
	}
	return m
}

// hanTable says what ideographs become, for U+3000 to U+9FFF, the three-byte characters
// that begin with E3 to E9, as UTF-8 with the first byte lowest and a fourth byte or 0.
type hanTable struct {
	near [0xa000 - hanNear]uint32
	far  map[rune]rune // the others
}

const hanNear = 0x3000

func newHanTable(pairs map[rune]rune) *hanTable {
	t := &hanTable{far: make(map[rune]rune)}
	set := func(r, to rune) {
		var b [utf8.UTFMax]byte
		utf8.EncodeRune(b[:], to)
		t.near[r-hanNear] = binary.LittleEndian.Uint32(b[:])
	}
	for i := range t.near {
		set(hanNear+rune(i), hanNear+rune(i))
	}
	for r, to := range pairs {
		switch {
		case r == to:
		case hanNear <= r && r < 0xa000:
			set(r, to)
		default:
			t.far[r] = to
		}
	}
	return t
}

var (
	simplified  = sync.OnceValue(func() *hanTable { return newHanTable(hanPairs(hanTSExt, hanTS)) })
	traditional = sync.OnceValue(func() *hanTable { return newHanTable(hanPairs(hanST)) })
)

// hanTable returns the table of the setting, nil where ideographs are kept.
func (f Fold) hanTable() *hanTable {
	switch f.Han {
	case Simplified:
		return simplified()
	case Traditional:
		return traditional()
	}
	return nil
}

// append appends b, which is valid UTF-8, converted.
func (t *hanTable) append(dst, b []byte) []byte {
	// Three bytes become four at most, and what is written a word at a time
	// reaches beyond its end.
	at := len(dst)
	dst = slices.Grow(dst, len(b)+len(b)/3+8)
	out := dst[:cap(dst)]
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c < utf8.RuneSelf:
			if i+8 <= len(b) {
				if w := binary.LittleEndian.Uint64(b[i:]); w&highs == 0 {
					binary.LittleEndian.PutUint64(out[at:], w)
					i, at = i+8, at+8
					continue
				}
			}
			out[at] = c
			i, at = i+1, at+1
		case 0xe3 <= c && c <= 0xe9 && i+2 < len(b):
			v := t.near[rune(c&0xf)<<12|rune(b[i+1]&0x3f)<<6|rune(b[i+2]&0x3f)-hanNear]
			binary.LittleEndian.PutUint32(out[at:], v)
			i, at = i+3, at+3
			if v>>24 != 0 {
				at++
			}
		default:
			r, size := utf8.DecodeRune(b[i:])
			if to, ok := t.far[r]; ok {
				at += utf8.EncodeRune(out[at:], to)
			} else {
				at += copy(out[at:], b[i:i+size])
			}
			i += size
		}
	}
	return dst[:at]
}
