//go:build cgo

package segment_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	jieba "github.com/yanyiwu/gojieba"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/gojieba"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
)

// twins returns the segmenters of a mode, ours and the library's.
func twins(t testing.TB, mode segment.Mode) (ours, theirs feature.Segmenter) {
	t.Helper()
	a, err := segment.New(segment.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	b, err := gojieba.New(mode)
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

func appendSpans(dst []feature.Span, s feature.Segmenter, text []byte) []feature.Span {
	s.Segment(text, func(start, end int) { dst = append(dst, feature.Span{Start: start, End: end}) })
	return dst
}

// TestSharedTexts cuts all Chinese texts of the shared data sets and wants the words of
// gojieba, every one.
func TestSharedTexts(t *testing.T) {
	names := datasets.Shared()
	if names == nil {
		if os.Getenv("ALIKE_REQUIRE_DATA") == "1" {
			t.Fatal("no shared data directory, and ALIKE_REQUIRE_DATA=1")
		}
		t.Skip("no shared data directory: set ALIKE_DATA to run this test")
	}
	for _, name := range names {
		if testing.Short() && name != "quotes-zh" {
			continue
		}
		set, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var docs []string
		for _, d := range set.Docs {
			if strings.HasPrefix(d.Lang, "zh") {
				docs = append(docs, d.Text)
			}
		}
		if docs == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, mode := range modes {
				ours, theirs := twins(t, mode)
				var got, want []feature.Span
				words, bytes := 0, 0
				for _, text := range docs {
					got = appendSpans(got[:0], ours, []byte(text))
					want = appendSpans(want[:0], theirs, []byte(text))
					if !slices.Equal(got, want) {
						t.Errorf("%v: %q: words %v, want %v", mode, text, got, want)
					}
					words += len(want)
					bytes += len(text)
				}
				t.Logf("%v: %d words in %d texts of %d bytes", mode, words, len(docs), bytes)
			}
		})
	}
}

// library opens gojieba itself, once. It is never freed; package gojieba says why.
func library(t testing.TB) *jieba.Jieba {
	t.Helper()
	x, err := openOnce()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

var openOnce = sync.OnceValues(func() (*jieba.Jieba, error) {
	dir, err := jiebadict.Unpack()
	if err != nil {
		return nil, err
	}
	path := func(f jiebadict.File) string { return filepath.Join(dir, f.Name) }
	return jieba.NewJieba(path(jiebadict.Words), path(jiebadict.HMM), path(jiebadict.UserWords), path(jiebadict.IDFTable), path(jiebadict.StopWords)), nil
})

// TestDifferences lists the texts of which the library itself makes other words, and
// why. Package gojieba replaces what the library cannot take before it calls it.
func TestDifferences(t *testing.T) {
	lib := library(t)
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
		if got := strings.Join(lib.Cut(c.text, true), "/"); got != c.theirs {
			t.Errorf("%q: the library makes %q of it, want %q (%s)", c.text, got, c.theirs, c.why)
		}
	}
}

func FuzzGojieba(f *testing.F) {
	for _, text := range []string{
		"", "他来到了网易杭研大厦", "a\x00b\xff", "，。 \n", "\xe4\xb8 中\u0301😀", "C++和T恤，AK47用3.14。",
		"小明硕士毕业于中国科学院计算所，后在日本京都大学深造", "男默女泪", "𠮷野家",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, mode := range modes {
			ours, theirs := twins(t, mode)
			got, want := appendSpans(nil, ours, text), appendSpans(nil, theirs, text)
			if !slices.Equal(got, want) {
				t.Fatalf("%v: %q: words %v, want %v", mode, text, got, want)
			}
		}
	})
}
