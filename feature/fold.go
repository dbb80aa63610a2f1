package feature

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize appends the folded text to dst. It never fails: what is not text
// counts as white space. The text may be of any size; beyond dst, memory is bounded.
func (f Fold) Normalize(dst []byte, text string) []byte {
	s := newScratch()
	defer s.free()
	st := foldState{start: len(dst)}
	for len(text) > 0 {
		n, _ := cutPiece(text)
		dst = f.appendPiece(dst, text[:n], &st, &s.fold)
		text = text[n:]
	}
	return dst
}

// foldState is what folding remembers between pieces of one text.
type foldState struct {
	start   int  // where the folded text starts in the buffer
	begun   bool // something other than white space has come
	pending bool // a collapsed space is due before the next character
}

// foldScratch holds the buffers of the slow path.
type foldScratch struct{ a, b, joined []byte }

const (
	pieceLen = 1 << 15 // bytes of text folded at a time, to stay in the cache
	lookBack = 1 << 12 // how far before the end of a piece a place to cut is sought
)

// cutPiece returns the length of the next piece of a text, and whether white
// space or the end of the text follows it, so that no word goes on behind it.
//
// A piece ends behind ASCII white space: U+0020, which that becomes, is a starter that
// composes with nothing, and case folding reads one rune at a time, so that
// normalisation never looks across it. Where there is none, a piece ends
// before a rune that normalisation never joins with what stands before; only where
// a run of more than lookBack bytes of combining characters leaves no
// such place is it cut inside one.
func cutPiece(text string) (n int, hard bool) {
	if len(text) <= pieceLen {
		return len(text), true
	}
	for n := pieceLen; n > pieceLen-lookBack; n-- {
		if isWhite(text[n-1]) {
			return n, true
		}
	}
	last := 0
	for n := pieceLen; n > pieceLen-lookBack; n-- {
		if !utf8.RuneStart(text[n]) {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if last == 0 {
			last = n
		}
		if r == utf8.RuneError && size == 1 || classOf(r)&clNoBoundary == 0 {
			return n, false
		}
	}
	if last == 0 {
		last = pieceLen
	}
	return last, false
}

// asciiMap says what becomes of an ASCII byte: lower[b] with case folded.
var asciiKeep, asciiLower = func() (keep, lower [256]byte) {
	for i := range 128 {
		c := byte(i)
		if c <= ' ' || c == 0x7f {
			c = ' '
		}
		keep[i], lower[i] = c, c
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return keep, lower
}()

// appendPiece appends a folded piece of text that ends where cutPiece says.
func (f Fold) appendPiece(dst []byte, text string, st *foldState, fs *foldScratch) []byte {
	if f.Space == DropSpace && f.Form != NoForm {
		// What white space kept apart may compose once it is gone.
		fs.joined = f.appendRaw(fs.joined[:0], text, st, fs)
		own := norm.NFC.Append(dst[st.start:], fs.joined...)
		if st.start == 0 {
			return own
		}
		return append(dst[:st.start], own...)
	}
	return f.appendRaw(dst, text, st, fs)
}

// masks returns the classes that the fast loop may not pass as they are, and
// those that become a space.
func (f Fold) masks() (stop, space class) {
	space = clSpace
	if f.DropPunct {
		space |= clPunct
	}
	stop = space
	if f.Form != NoForm {
		stop |= clNotNormal
	}
	if !f.KeepCase {
		stop |= clFold
	}
	if f.DropMarks {
		stop |= clNotNormal | clDrop
	}
	return stop, space
}

func (f Fold) appendRaw(dst []byte, text string, st *foldState, fs *foldScratch) []byte {
	ascii := &asciiLower
	if f.KeepCase {
		ascii = &asciiKeep
	}
	stop, space := f.masks()
	join := f.Form != NoForm || f.DropMarks
	i := 0
	for i < len(text) {
		if text[i] < utf8.RuneSelf {
			// A rune behind that composes takes the last character along.
			j := i + 1
			for j < len(text) && text[j] < utf8.RuneSelf {
				j++
			}
			end := j
			if j < len(text) && join && noBoundary(text[j:]) {
				end--
			}
			dst = f.appendASCII(dst, text[i:end], ascii, st)
			if i = end; end == j {
				continue
			}
		}
		// A stretch of runes that folding leaves alone is copied; from is its
		// start and prev the start of its last rune.
		from, prev := i, i
		for i < len(text) && text[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			c := clSpace
			if size > 1 {
				c = classOf(r)
			}
			if c&(stop|clNoBoundary) != 0 {
				break
			}
			prev = i
			i += size
		}
		if i == len(text) || text[i] < utf8.RuneSelf && !(i == from) {
			dst = f.appendPlain(dst, text[from:i], st)
			continue
		}
		// text[i] is the rune that needs work. It ends before the next rune
		// that needs none and is not joined.
		r, size := utf8.DecodeRuneInString(text[i:])
		c := classOf(r)
		if join && c&clNoBoundary != 0 && i > from {
			dst = f.appendPlain(dst, text[from:prev], st)
			from = prev
		} else {
			dst = f.appendPlain(dst, text[from:i], st)
			from = i
		}
		i += size
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			c := clSpace
			if r != utf8.RuneError {
				c = classOf(r)
			}
			if !join || c&clNoBoundary == 0 {
				break
			}
			i += size
		}
		dst = f.appendHard(dst, text[from:i], space, st, fs)
	}
	return dst
}

// noBoundary reports whether normalisation may join the first rune of text with
// what stands before it.
func noBoundary(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return classOf(r)&clNoBoundary != 0
}

func (f Fold) appendASCII(dst []byte, text string, table *[256]byte, st *foldState) []byte {
	for i := 0; i < len(text); i++ {
		c := table[text[i]]
		if c == ' ' || f.DropPunct && !isAlnum(c) {
			dst = f.space(dst, st)
			continue
		}
		if st.pending {
			dst = append(dst, ' ')
			st.pending = false
		}
		st.begun = true
		dst = append(dst, c)
	}
	return dst
}

func (f Fold) space(dst []byte, st *foldState) []byte {
	switch f.Space {
	case Collapse:
		st.pending = st.begun
	case KeepSpace:
		dst = append(dst, ' ')
	}
	return dst
}

// appendPlain appends text that folding leaves alone and that holds no white space.
func (f Fold) appendPlain(dst []byte, text string, st *foldState) []byte {
	if len(text) == 0 {
		return dst
	}
	if st.pending {
		dst = append(dst, ' ')
		st.pending = false
	}
	st.begun = true
	return append(dst, text...)
}

// appendHard appends text that needs the whole pipeline.
func (f Fold) appendHard(dst []byte, text string, space class, st *foldState, fs *foldScratch) []byte {
	for b := f.transform(text, fs); len(b) > 0; {
		r, size := utf8.DecodeRune(b)
		if classOf(r)&space != 0 {
			dst = f.space(dst, st)
		} else {
			if st.pending {
				dst = append(dst, ' ')
				st.pending = false
			}
			st.begun = true
			dst = append(dst, b[:size]...)
		}
		b = b[size:]
	}
	return dst
}

// transform runs a stretch of text through all steps but those that concern
// white space and punctuation. The result lives in fs.
func (f Fold) transform(text string, fs *foldScratch) []byte {
	a, b := fs.a[:0], fs.b[:0]
	for _, r := range text {
		if classOf(r)&clSpace != 0 {
			r = ' '
		}
		a = utf8.AppendRune(a, r)
	}
	form, normal := norm.NFKC, f.Form != NoForm
	if f.Form == NFC {
		form = norm.NFC
	}
	if normal && !form.IsNormal(a) {
		b = form.Append(b[:0], a...)
		a, b = b, a
	}
	if !f.KeepCase {
		b = b[:0]
		changed := false
		for i := 0; i < len(a); {
			r, size := utf8.DecodeRune(a[i:])
			if classOf(r)&clFold != 0 {
				b = append(b, foldRune(r)...)
				changed = true
			} else {
				b = append(b, a[i:i+size]...)
			}
			i += size
		}
		a, b = b, a
		if changed && normal && !form.IsNormal(a) {
			b = form.Append(b[:0], a...)
			a, b = b, a
		}
	}
	if f.DropMarks {
		b = norm.NFD.Append(b[:0], a...)
		a = a[:0]
		for i := 0; i < len(b); {
			p := norm.NFD.Properties(b[i:])
			size := max(p.Size(), 1)
			if !dropped(p.CCC()) {
				a = append(a, b[i:i+size]...)
			}
			i += size
		}
		b = norm.NFC.Append(b[:0], a...)
		a, b = b, a
	}
	fs.a, fs.b = a, b
	return a
}

// lastBoundary returns the start of the last rune of folded text that
// normalisation never joins with what stands before it.
func lastBoundary(b []byte) int {
	for n := len(b); n > 0 && n > len(b)-lookBack; {
		r, size := utf8.DecodeLastRune(b[:n])
		n -= size
		if classOf(r)&clNoBoundary == 0 {
			return n
		}
	}
	return len(b)
}
