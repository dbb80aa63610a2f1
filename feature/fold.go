package feature

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/alike-go/alike/feature/internal/token"
)

// Normalize appends the folded text to dst. It never fails: bytes that are not text count
// as white space. The text may have any size; memory beyond dst is bounded.
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

// foldState is the state of folding between pieces of one text.
type foldState struct {
	start   int  // where the folded text starts in the buffer
	begun   bool // there was something other than white space
	pending bool // a collapsed space is due before the next character
}

// foldScratch holds the buffers of the slow path.
type foldScratch struct{ a, b, joined, tail, kept []byte }

// appendPiece appends a folded piece of text that ends where cutPiece says.
func (f Fold) appendPiece(dst []byte, text string, st *foldState, fs *foldScratch) []byte {
	if f.Space == DropSpace && f.composes() {
		// Characters that white space separated may now compose: the last character and
		// its marks with the new text.
		fs.joined = f.appendRaw(fs.joined[:0], text, st, fs)
		tail := st.start + lastBoundary(dst[st.start:])
		fs.tail = append(fs.tail[:0], dst[tail:]...)
		fs.tail = norm.NFC.Append(fs.tail, fs.joined...)
		return append(dst[:tail], fs.tail...)
	}
	return f.appendRaw(dst, text, st, fs)
}

// composes reports whether folding may join characters.
func (f Fold) composes() bool { return f.Form != NoForm || f.DropMarks }

// masks returns the classes at which the fast loop must stop, and the classes that become
// a space.
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

// appendRaw appends folded text without composing it with the end of dst.
func (f Fold) appendRaw(dst []byte, text string, st *foldState, fs *foldScratch) []byte {
	if han := f.hanTable(); han != nil {
		fs.kept = f.appendKept(fs.kept[:0], text, st, fs)
		return han.append(dst, fs.kept)
	}
	return f.appendKept(dst, text, st, fs)
}

// appendKept is appendRaw without the conversion of ideographs.
func (f Fold) appendKept(dst []byte, text string, st *foldState, fs *foldScratch) []byte {
	stop, space := f.masks()
	join := clNoBoundary
	if !f.composes() {
		join = 0
	}
	single := f.singles()
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			end := asciiEnd(text, i+1)
			next := end
			if end < len(text) && leadClass(text[end:])&join != 0 {
				next-- // a combining mark needs the character before it
			}
			dst = f.appendASCII(dst, text[i:next], st)
			if i = next; i == end {
				continue
			}
		}
		// Runes that folding does not change are copied together, from from on. Each rune
		// looks at the next rune, which may combine with it.
		from := i
		if n := token.HanRun(text[i:]); n > 3 {
			i += n - 3 // the last of them may combine with what follows
		}
		r, size := decode(text, i)
		c := classOf(r)
		for {
			next := i + size
			r2, size2, c2 := rune(0), 0, class(0)
			if next < len(text) && text[next] >= utf8.RuneSelf {
				r2, size2 = decode(text, next)
				c2 = classOf(r2)
			}
			switch {
			case (c|c2)&join != 0:
				dst = f.appendPlain(dst, text[from:i], st)
				for c2&join != 0 {
					next += size2
					c2, size2 = 0, 0
					if next < len(text) && text[next] >= utf8.RuneSelf {
						r2, size2 = decode(text, next)
						c2 = classOf(r2)
					}
				}
				dst = f.appendFolded(dst, f.transform(text[i:next], fs), space, st)
				from = next
			case c&stop != 0:
				dst = f.appendPlain(dst, text[from:i], st)
				if c&clSpace != 0 || c&stop&^space == 0 {
					dst = f.space(dst, st)
				} else if q := single.of(f, r); q.simple(f.DropPunct) {
					dst = f.appendSingle(dst, q, st)
				} else {
					dst = f.appendFolded(dst, f.transform(text[i:next], fs), space, st)
				}
				from = next
			}
			i = next
			if size2 == 0 {
				break
			}
			if n := token.HanRun(text[i:]); n > 3 {
				i += n - 3
				r2, size2, c2 = hanRune, 3, hanClass
			}
			r, size, c = r2, size2, c2
		}
		dst = f.appendPlain(dst, text[from:i], st)
	}
	return dst
}

// begin appends the pending space before a character.
func (st *foldState) begin(dst []byte) []byte {
	if st.pending {
		dst = append(dst, ' ')
		st.pending = false
	}
	st.begun = true
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

// appendPlain appends text without white space that folding does not change.
func (f Fold) appendPlain(dst []byte, text string, st *foldState) []byte {
	if len(text) == 0 {
		return dst
	}
	return append(st.begin(dst), text...)
}

// appendFolded appends the result of transform, which may have white space.
func (f Fold) appendFolded(dst, b []byte, space class, st *foldState) []byte {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if classOf(r)&space != 0 {
			dst = f.space(dst, st)
		} else {
			dst = append(st.begin(dst), b[:size]...)
		}
		b = b[size:]
	}
	return dst
}

// transform takes text through all steps except ideographs, punctuation and white space.
// The result is in the memory of fs.
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
