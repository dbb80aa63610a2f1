package feature

import (
	"encoding/binary"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature/internal/token"
)

// A folded is the folding of one rune by itself, packed: the lowest byte is its length
// and whether it has punctuation, and its bytes are above. 0 means that it is longer than
// 7 bytes, empty, or has white space.
type folded uint64

const foldedPunct = 0x80

// simple reports whether q can be appended unchanged or as a space.
func (q folded) simple(dropPunct bool) bool {
	return q != 0 && !(dropPunct && q&foldedPunct != 0 && q&^foldedPunct&0xff != 1)
}

// singleTable has the foldings of runes under one kind of folding, in pages made on first
// use.
type singleTable [(unicode.MaxRune + 1) / 256]atomic.Pointer[[256]folded]

// There is a table for each Form, KeepCase and DropMarks. The other settings concern only
// white space and punctuation.
var singleTables [12]singleTable

func (f Fold) singles() *singleTable {
	i := int(f.Form) * 4
	if f.KeepCase {
		i++
	}
	if f.DropMarks {
		i += 2
	}
	return &singleTables[i]
}

func (t *singleTable) of(f Fold, r rune) folded {
	p := t[uint32(r)>>8].Load()
	if p == nil {
		p = t.makePage(f, r>>8)
	}
	return p[uint8(r)]
}

func (t *singleTable) makePage(f Fold, n rune) *[256]folded {
	p := new([256]folded)
	var fs foldScratch
	for i := range p {
		b := f.transform(string(n<<8|rune(i)), &fs)
		if len(b) == 0 || len(b) > 7 {
			continue
		}
		var packed [8]byte
		packed[0] = byte(len(b))
		copy(packed[1:], b)
		for k := 0; k < len(b); {
			r, size := utf8.DecodeRune(b[k:])
			if r == ' ' {
				packed[0] = 0
				break
			}
			if classOf(r)&clPunct != 0 {
				packed[0] |= foldedPunct
			}
			k += size
		}
		if packed[0] != 0 {
			p[i] = folded(binary.LittleEndian.Uint64(packed[:]))
		}
	}
	t[n].Store(p)
	return p
}

// appendSingle appends the folding of a rune.
func (f Fold) appendSingle(dst []byte, q folded, st *foldState) []byte {
	if f.DropPunct && q&foldedPunct != 0 {
		return f.space(dst, st)
	}
	dst = st.begin(dst)
	at, n := len(dst), int(q&0x7f)
	return binary.LittleEndian.AppendUint64(dst, uint64(q>>8))[:at+n]
}

// asciiEnd returns the end of the run of ASCII bytes at i.
func asciiEnd(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if load64(text[i:])&highs != 0 {
			break
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// printingEnd returns the end of the run of printing ASCII bytes, U+0020 included, at i.
func printingEnd(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		w := load64(text[i:])
		if (w+(0x80-' ')*ones)&^(w+ones)&highs != highs {
			break
		}
	}
	for i < len(text) && text[i] >= ' ' && text[i] < 0x7f {
		i++
	}
	return i
}

// asciiTables have the folding of each ASCII byte, by KeepCase and DropPunct.
var asciiTables = func() (t [2][2][128]byte) {
	for i := range 128 {
		for keep := range 2 {
			for punct := range 2 {
				c := byte(i)
				switch {
				case isWhite(c), punct == 1 && !token.IsAlnum(c):
					c = ' '
				case keep == 0 && 'A' <= c && c <= 'Z':
					c += 'a' - 'A'
				}
				t[keep][punct][i] = c
			}
		}
	}
	return t
}()

// appendASCII appends folded ASCII text, eight bytes at a time if only their case
// changes.
func (f Fold) appendASCII(dst []byte, text string, st *foldState) []byte {
	upper := uint64(highs)
	keep, punct := 0, 0
	if f.KeepCase {
		upper, keep = 0, 1
	}
	if f.DropPunct {
		punct = 1
	}
	table := &asciiTables[keep][punct]
	for i := 0; i < len(text); {
		if f.KeepCase && f.Space == KeepSpace && !f.DropPunct {
			// Only control characters change: copy the text between them.
			if end := printingEnd(text, i); end > i {
				dst, i = append(dst, text[i:end]...), end
			}
		}
		for i+8 <= len(text) {
			w := load64(text[i:])
			l := w | 0x20*ones
			letter := (l + (0x80-'a')*ones) &^ (l + (0x7f-'z')*ones) & highs
			if f.DropPunct {
				digit := (w + (0x80-'0')*ones) &^ (w + (0x7f-'9')*ones) & highs
				alnum := (letter | digit) >> 7 * 0xff
				w = w&alnum | ' '*ones&^alnum
			}
			// The white bytes, and the white bytes that are U+0020.
			white := ^(w+(0x7f-' ')*ones)&highs | (w+ones)&highs
			blank := ((w^' '*ones)+0x7f*ones)&highs ^ highs
			if white != blank {
				break
			}
			if white != 0 && f.Space != KeepSpace {
				if f.Space == DropSpace || white&(white<<8) != 0 || white&0x80 != 0 && (st.pending || !st.begun) {
					break
				}
			}
			dst = binary.LittleEndian.AppendUint64(st.begin(dst), w|letter&upper&^(w<<2)>>2)
			if white>>63 != 0 && f.Space == Collapse {
				dst = dst[:len(dst)-1]
				st.pending = true
			}
			i += 8
		}
		// The table folds the next eight bytes, or the rest.
		for end := min(i+8, len(text)); i < end; i++ {
			c := table[text[i]&0x7f]
			if c == ' ' {
				dst = f.space(dst, st)
				continue
			}
			dst = append(st.begin(dst), c)
		}
	}
	return dst
}
