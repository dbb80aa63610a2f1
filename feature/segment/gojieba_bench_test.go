package segment_test

import (
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
	"github.com/alike-go/alike/simhash"
)

// BenchmarkBeside cuts the same text as BenchmarkSegment, by both.
func BenchmarkBeside(b *testing.B) {
	text := []byte(mixedText(b))
	for _, mode := range modes {
		ours, theirs := twins(b, mode)
		for _, s := range []feature.Segmenter{ours, theirs} {
			b.Run("tokens="+s.Name(), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					s.Segment(text, func(int, int) {})
				}
			})
		}
	}
}

// BenchmarkSimHash takes texts from end to end.
func BenchmarkSimHash(b *testing.B) {
	text := mixedText(b)
	ours, theirs := twins(b, segment.Precise)
	for _, s := range []feature.Segmenter{ours, theirs} {
		m, err := simhash.New(simhash.Options{Features: feature.Options{Tokens: feature.Segmented, Segmenter: s}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run("tokens="+s.Name(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				m.Sketch(text)
			}
		})
	}
}
