package feature

import (
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NormalizeMap is Normalize with a map back: offsets[i] is the byte offset in
// text of the character that byte i of the result came from, and the last entry,
// behind the result, is len(text). Characters that normalisation joins (a letter
// and its combining marks) count as one; a collapsed run of white space maps
// to its first character. It is slower than Normalize, and memory grows with the text.
func (f Fold) NormalizeMap(text string) (folded []byte, offsets []int) {
	folded, spans := f.NormalizeSpans(text)
	offsets = make([]int, len(folded)+1)
	for i, sp := range spans {
		offsets[i] = sp.Start
	}
	offsets[len(folded)] = len(text)
	return folded, offsets
}

// NormalizeSpans is Normalize with the span in text of the character that each byte
// of the result came from: folded[i:j] came from spans[i].Start to spans[j-1].End.
// It costs what NormalizeMap does. SpansAt is for a few bytes.
func (f Fold) NormalizeSpans(text string) (folded []byte, spans []Span) {
	m := f.newMapper()
	m.add(text, 0)
	if f.Space == DropSpace && f.composes() {
		return compose(m.folded, m.spans)
	}
	return m.folded, m.spans
}

// SpansAt returns the spans of NormalizeSpans for some bytes of the folded
// text, which are given in ascending order. It works in constant memory, unless
// folding drops white space.
func (f Fold) SpansAt(text string, at []int) []Span {
	out := make([]Span, 0, len(at))
	if f.Space == DropSpace && f.composes() {
		_, spans := f.NormalizeSpans(text)
		for _, i := range at {
			out = append(out, spans[i])
		}
		return out
	}
	m := mappers.Get().(*mapper)
	defer mappers.Put(m)
	m.reset(f)
	before := 0 // bytes of earlier pieces, folded
	for from := 0; len(out) < len(at); {
		n, _ := cutPiece(text[from:])
		m.folded, m.spans = m.folded[:0], m.spans[:0]
		m.add(text[from:from+n], from)
		for len(out) < len(at) && at[len(out)]-before < len(m.spans) {
			out = append(out, m.spans[at[len(out)]-before])
		}
		before += len(m.folded)
		from += n
	}
	return out
}

var mappers = sync.Pool{New: func() any { return &mapper{} }}

// mapper folds a text and says where each byte came from.
type mapper struct {
	f      Fold
	space  class // what becomes a space
	join   bool
	han    *hanTable
	single *singleTable
	ascii  *[128]byte
	st     foldState
	due    Span // of the pending space
	fs     foldScratch
	folded []byte
	spans  []Span
}

func (f Fold) newMapper() *mapper {
	m := &mapper{}
	m.reset(f)
	return m
}

func (m *mapper) reset(f Fold) {
	keep, punct := 0, 0
	if f.KeepCase {
		keep = 1
	}
	if f.DropPunct {
		punct = 1
	}
	_, m.space = f.masks()
	m.f, m.join, m.han, m.single, m.ascii = f, f.composes(), f.hanTable(), f.singles(), &asciiTables[keep][punct]
	m.st, m.due = foldState{}, Span{}
}

// add folds a piece that stands at off in the text.
func (m *mapper) add(text string, off int) {
	m.folded, m.spans = slices.Grow(m.folded, len(text)+1), slices.Grow(m.spans, len(text)+1)
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			end := asciiEnd(text, i+1)
			if m.join && end < len(text) && leadClass(text[end:])&clNoBoundary != 0 {
				end-- // a combining mark needs the character before it
			}
			from := i
			for i < end {
				if m.ascii[text[i]] == ' ' {
					m.white(Span{off + i, off + i + 1})
					i++
					continue
				}
				m.begin()
				table, folded, spans := m.ascii, m.folded, m.spans
				for ; i < end; i++ {
					c := table[text[i]&0x7f]
					if c == ' ' {
						break
					}
					folded, spans = append(folded, c), append(spans, Span{off + i, off + i + 1})
				}
				m.folded, m.spans = folded, spans
			}
			if i > from {
				continue
			}
		}
		first := i + runeLen(text[i:])
		j := first
		for m.join && j < len(text) && leadClass(text[j:])&clNoBoundary != 0 {
			j += runeLen(text[j:])
		}
		if j == first && m.han == nil {
			r, _ := utf8.DecodeRuneInString(text[i:])
			if q := m.single.of(m.f, r); q != 0 && !(m.f.DropPunct && q&foldedPunct != 0) {
				m.begin()
				for q, n := q>>8, q&0x7f; n > 0; q, n = q>>8, n-1 {
					m.folded, m.spans = append(m.folded, byte(q)), append(m.spans, Span{off + i, off + j})
				}
				i = j
				continue
			}
		}
		if j > first && string(m.f.transform(text[i:j], &m.fs)) == text[i:j] {
			// No joining took place: rune by rune is finer.
			for i < j {
				n := runeLen(text[i:])
				m.put([]byte(text[i:i+n]), Span{off + i, off + i + n})
				i += n
			}
			continue
		}
		m.put(m.f.transform(text[i:j], &m.fs), Span{off + i, off + j})
		i = j
	}
}

// begin appends the pending space before a character.
func (m *mapper) begin() {
	if m.st.pending {
		m.spans = append(m.spans, m.due)
	}
	m.folded = m.st.begin(m.folded)
}

// white appends what folding makes of white space.
func (m *mapper) white(sp Span) {
	was, n := m.st.pending, len(m.folded)
	if m.folded = m.f.space(m.folded, &m.st); len(m.folded) > n {
		m.spans = append(m.spans, sp)
	} else if m.st.pending && !was {
		m.due = sp
	}
}

// put appends transformed text, which came from a span.
func (m *mapper) put(b []byte, sp Span) {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if c := b[:size]; classOf(r)&m.space != 0 {
			m.white(sp)
		} else {
			if m.han != nil {
				c = m.han.append(nil, c)
			}
			if len(c) > 0 {
				m.begin()
			}
			m.folded = append(m.folded, c...)
			for range c {
				m.spans = append(m.spans, sp)
			}
		}
		b = b[size:]
	}
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// compose composes what stands next to each other now that white space is gone.
func compose(folded []byte, spans []Span) ([]byte, []Span) {
	if norm.NFC.IsNormal(folded) {
		return folded, spans
	}
	var out []byte
	var to []Span
	for i := 0; i < len(folded); {
		j := i + runeLenBytes(folded[i:])
		for j < len(folded) && leadClass(string(folded[j:min(j+4, len(folded))]))&clNoBoundary != 0 {
			j += runeLenBytes(folded[j:])
		}
		if norm.NFC.IsNormal(folded[i:j]) {
			out, to = append(out, folded[i:j]...), append(to, spans[i:j]...)
		} else {
			at := len(out)
			out = append(out, norm.NFC.Bytes(folded[i:j])...)
			for range out[at:] {
				to = append(to, Span{spans[i].Start, spans[j-1].End})
			}
		}
		i = j
	}
	return out, to
}

func runeLenBytes(b []byte) int {
	_, n := utf8.DecodeRune(b)
	return n
}
