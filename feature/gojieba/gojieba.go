// Package gojieba cuts Chinese text into words with gojieba
// (github.com/yanyiwu/gojieba, the Go binding of cppjieba), as a
// feature.Segmenter.
//
// Use package segment instead: it makes the same words in pure Go, several
// times faster and in a tenth of the memory. Package gojieba exists to compare
// the two, and for sketches that were made with it. The commands import it and
// pass it to catalog.UseGojieba.
//
// It needs cgo and a C++ compiler. Without cgo the package still compiles, and
// New returns ErrNoCgo. Package jiebadict unpacks the dictionaries, so they are
// found wherever the program runs. All segmenters of a process share one
// instance of about 140 MB, which the first New loads in half a second. It cuts
// about 5 MB/s of text.
package gojieba

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
)

// ErrNoCgo is what New returns in a program that was built without cgo.
var ErrNoCgo = errors.New("gojieba: built without cgo; install a C++ compiler and build with CGO_ENABLED=1, or use package segment (tokens=jieba), which makes the same words without")

// version is the version of the library.
const version = "1.4.7"

// Segmenter cuts text into words; New makes one. It is immutable and safe for
// concurrent use.
type Segmenter struct {
	mode segment.Mode
	// cut returns the words of a piece of valid UTF-8 without NUL.
	cut func(piece string) []feature.Span
}

var _ feature.Segmenter = (*Segmenter)(nil)

// New returns a segmenter. It is an error if the program was built without cgo
// (ErrNoCgo), the mode is unknown, or the dictionaries cannot be unpacked.
func New(mode segment.Mode) (*Segmenter, error) {
	if mode < segment.Precise || mode > segment.Search {
		return nil, fmt.Errorf("gojieba: mode is %d, want Precise (%d), NoHMM (%d) or Search (%d)", mode, segment.Precise, segment.NoHMM, segment.Search)
	}
	cut, err := cutter(mode)
	if err != nil {
		return nil, err
	}
	return &Segmenter{mode: mode, cut: cut}, nil
}

// Name returns the name in specs: "gojieba", "gojieba-nohmm" or "gojieba-search".
func (s *Segmenter) Name() string { return "go" + s.mode.String() }

// ID returns the name with the library's version and the dictionaries' checksum.
func (s *Segmenter) ID() string {
	return s.Name() + "@" + version + "/" + jiebadict.Sum(jiebadict.Words, jiebadict.HMM, jiebadict.UserWords)
}

// pieceLen is the maximum number of bytes to cut at once. The library takes a hundred
// bytes of memory for each byte of text.
const pieceLen = 64 << 10

// Segment calls yield with the byte range of each word, in ascending order.
// Punctuation counts as words. Spaces, tabs, line ends, NULs and invalid UTF-8 are
// skipped. Long text is cut in pieces at characters where the library starts again
// anyway, so the words are the same. A stretch of 64 KB without a space, a comma (，) or
// a full stop (。) may have a word split.
func (s *Segmenter) Segment(text []byte, yield func(start, end int)) {
	for at := 0; at < len(text); {
		n := pieceEnd(text[at:])
		s.segmentPiece(at, clean(text[at:at+n]), yield)
		at += n
	}
}

// gap is a run of spaces that ends a piece: the library is slow with spaces.
const gap = "        "

// segmentPiece cuts a cleaned piece that begins at the given offset of the text.
func (s *Segmenter) segmentPiece(at int, piece string, yield func(start, end int)) {
	for {
		trimmed := strings.TrimLeft(piece, " ")
		at += len(piece) - len(trimmed)
		piece = trimmed
		if piece == "" {
			return
		}
		part, _, _ := strings.Cut(piece, gap)
		last := 0
		for _, w := range s.cut(part) {
			// Trust the library's borders only within the piece.
			if w.Start < last || w.End <= w.Start || w.End > len(part) || part[w.Start] == ' ' {
				continue
			}
			yield(at+w.Start, at+w.End)
			last = w.Start
		}
		at += len(part)
		piece = piece[len(part):]
	}
}

// pieceEnd returns the length of the first piece of text: all of a short text,
// else up to the last character in reach that the library always cuts at.
func pieceEnd(text []byte) int {
	if len(text) <= pieceLen {
		return len(text)
	}
	for i := pieceLen; i > 0; i-- {
		switch text[i-1] {
		case ' ', '\t', '\n':
			return i
		case 0x8c: // the last byte of ，
			if i >= 3 && string(text[i-3:i]) == "，" {
				return i
			}
		case 0x82: // the last byte of 。
			if i >= 3 && string(text[i-3:i]) == "。" {
				return i
			}
		}
	}
	i := pieceLen
	for i > pieceLen-utf8.UTFMax && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// clean returns the text with a space for each tab, line end, NUL and byte that
// is not valid UTF-8: the library cuts its input short at a NUL, and gives nothing
// at all for invalid text. Offsets stay as they are.
func clean(text []byte) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == 0 || r == '\t' || r == '\n' || r == '\r' || r == utf8.RuneError && n == 1 {
			b.WriteByte(' ')
		} else {
			b.Write(text[i : i+n])
		}
		i += n
	}
	return b.String()
}
