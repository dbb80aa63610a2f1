//go:build cgo

package segment_test

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	jieba "github.com/yanyiwu/gojieba"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
)

// openLibrary is never freed: the library frees an instance that Go holds no
// reference to, even while it cuts. It reads its own dictionaries, not ours.
var openLibrary = sync.OnceValue(func() *jieba.Jieba { return jieba.NewJieba() })

// library cuts with gojieba.
type library struct{ mode segment.Mode }

func theirs(_ testing.TB, mode segment.Mode) feature.Segmenter { return library{mode} }

func (l library) Name() string { return "go" + l.mode.String() }
func (l library) ID() string   { return l.Name() }

func (l library) Segment(text []byte, yield func(start, end int)) {
	tokenize := jieba.DefaultMode
	if l.mode == segment.Search {
		tokenize = jieba.SearchMode
	}
	line, rest := "", clean(text)
	for at := 0; at < len(text); at += len(line) + 1 {
		line, rest, _ = strings.Cut(rest, "\n")
		words := openLibrary().Tokenize(line, tokenize, l.mode != segment.NoHMM)
		// In search mode, the library gives the words of two characters in a word, then
		// the words of three, then the word itself.
		slices.SortStableFunc(words, func(a, b jieba.Word) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
		for _, w := range words {
			if line[w.Start] != ' ' {
				yield(at+w.Start, at+w.End)
			}
		}
	}
}

// clean returns the text with a line end for each tab, carriage return, NUL and byte
// that is not valid UTF-8. TestDifferences has what the library makes of them.
func clean(text []byte) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == 0 || r == '\t' || r == '\r' || r == utf8.RuneError && n == 1 {
			b.WriteByte('\n')
		} else {
			b.Write(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// TestDifferences lists texts that the library itself cuts into other words, and why.
func TestDifferences(t *testing.T) {
	s, err := segment.New(segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text, ours, theirs string
		why                string
	}{
		{"世界\xff你好", "世界/你好", "", "at a byte that no character begins with, the whole text is lost"},
		{"世界\xe4\xb8", "世界", "", "so it is at a character that the end of the text cuts short"},
		{"世界\xbd你好", "世界/你好", "世界/\xbd\xe4/\xbd\xa0/好", "a continuation byte is taken for the first of two"},
		{"世界\x00你好", "世界/你好", "世界", "the text ends at the first NUL, as strings of C do"},
		{"世界\r\n你好", "世界/你好", "世界/\r/\n/你好", "white space counts as words, and a carriage return does not separate"},
		{"你好 世界", "你好/世界", "你好/ /世界", "white space counts as words"},
	} {
		var ours []string
		for _, w := range appendSpans(nil, s, []byte(c.text)) {
			ours = append(ours, c.text[w.Start:w.End])
		}
		if got := strings.Join(ours, "/"); got != c.ours {
			t.Errorf("%q: %q, want %q", c.text, got, c.ours)
		}
		if got := strings.Join(openLibrary().Cut(c.text, true), "/"); got != c.theirs {
			t.Errorf("%q: the library makes %q of it, want %q (%s)", c.text, got, c.theirs, c.why)
		}
	}
}
