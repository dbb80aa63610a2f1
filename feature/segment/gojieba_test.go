package segment_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
)

// twins returns the segmenters of a mode, ours and the library's. It skips the test
// in a build without cgo.
func twins(t testing.TB, mode segment.Mode) (a, b feature.Segmenter) {
	t.Helper()
	return newSegmenter(t, segment.Options{Mode: mode}), theirs(t, mode)
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
