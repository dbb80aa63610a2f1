package gojieba

import (
	"strings"
	"testing"
)

func BenchmarkSegment(b *testing.B) {
	text := []byte(strings.Repeat("小明硕士毕业于中国科学院计算所，后在日本京都大学深造。他来到了网易杭研大厦。", 100))
	for _, mode := range modes {
		b.Run("mode="+mode.String(), func(b *testing.B) {
			s := segmenter(b, mode)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Segment(text, func(int, int) {})
			}
		})
	}
}
