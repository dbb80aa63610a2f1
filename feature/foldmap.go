package feature

import (
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
// It costs what NormalizeMap does.
func (f Fold) NormalizeSpans(text string) (folded []byte, spans []Span) {
	var fs foldScratch
	st := foldState{}
	_, space := f.masks()
	join, han := f.composes(), f.hanTable()
	var due Span // of the pending space
	put := func(b []byte, sp Span) {
		for len(b) > 0 {
			r, size := utf8.DecodeRune(b)
			was, at := st.pending, len(folded)
			if classOf(r)&space != 0 {
				folded = f.space(folded, &st)
				if st.pending && !was {
					due = sp
				}
			} else {
				c := b[:size]
				if han != nil {
					c = han.append(nil, c)
				}
				folded = f.appendPlain(folded, string(c), &st)
			}
			for k := at; k < len(folded); k++ {
				if was && k == at {
					spans = append(spans, due)
				} else {
					spans = append(spans, sp)
				}
			}
			b = b[size:]
		}
	}
	keep, punct := 0, 0
	if f.KeepCase {
		keep = 1
	}
	if f.DropPunct {
		punct = 1
	}
	table := &asciiTables[keep][punct]
	folded, spans = make([]byte, 0, len(text)), make([]Span, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			end := asciiEnd(text, i+1)
			if join && end < len(text) && leadClass(text[end:])&clNoBoundary != 0 {
				end-- // a combining mark needs the character before it
			}
			from := i
			for ; i < end; i++ {
				sp := Span{i, i + 1}
				if c := table[text[i]]; c != ' ' {
					if st.pending {
						spans = append(spans, due)
					}
					folded, spans = append(st.begin(folded), c), append(spans, sp)
					continue
				}
				was, at := st.pending, len(folded)
				if folded = f.space(folded, &st); len(folded) > at {
					spans = append(spans, sp)
				} else if st.pending && !was {
					due = sp
				}
			}
			if i > from {
				continue
			}
		}
		j := i + runeLen(text[i:])
		for join && j < len(text) && leadClass(text[j:])&clNoBoundary != 0 {
			j += runeLen(text[j:])
		}
		if join && j > i+runeLen(text[i:]) && string(f.transform(text[i:j], &fs)) == text[i:j] {
			// No joining took place: rune by rune is finer.
			for i < j {
				n := runeLen(text[i:])
				put([]byte(text[i:i+n]), Span{i, i + n})
				i += n
			}
			continue
		}
		put(f.transform(text[i:j], &fs), Span{i, j})
		i = j
	}
	if f.Space == DropSpace && f.composes() {
		folded, spans = compose(folded, spans)
	}
	return folded, spans
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
