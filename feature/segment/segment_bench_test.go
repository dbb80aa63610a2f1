package segment_test

import (
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature/segment"
)

// mixedText returns about 2 MB of Chinese of several kinds, in simplified and
// traditional characters, with some English in it: of the shared data sets, or where they are
// not, of the set that lies inside.
func mixedText(tb testing.TB) string {
	tb.Helper()
	names := []string{"lcqmc", "pawsx-zh", "quotes-zh", "zh-book-versions", "zh-laws", "zh-poems"}
	if datasets.Shared() == nil {
		names = []string{"zh"}
	}
	const size = 2 << 20
	var all strings.Builder
	for i, name := range names {
		set, err := datasets.Load(name)
		if err != nil {
			tb.Fatal(err)
		}
		for _, d := range set.Docs {
			if all.Len() > size*(i+1)/len(names) {
				break
			}
			all.WriteString(d.Text)
			all.WriteByte('\n')
		}
	}
	return all.String()
}

func BenchmarkSegment(b *testing.B) {
	text := []byte(mixedText(b))
	for _, mode := range modes {
		s, err := segment.New(segment.Options{Mode: mode})
		if err != nil {
			b.Fatal(err)
		}
		b.Run("tokens="+s.Name(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s.Segment(text, func(int, int) {})
			}
		})
	}
}
