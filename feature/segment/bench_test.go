package segment

import (
	"testing"

	"github.com/alike-go/alike/feature/jiebadict"
)

func BenchmarkLoad(b *testing.B) {
	content, err := jiebadict.Read(jiebadict.Words)
	if err != nil {
		b.Fatal(err)
	}
	list, err := parseList(content)
	if err != nil {
		b.Fatal(err)
	}
	m, err := loadModel()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("step=parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := parseList(content); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("step=build", func(b *testing.B) {
		for b.Loop() {
			d, err := newDict(list, nil, m)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(8*len(d.trie)), "B/trie")
		}
	})
	b.Run("step=all", func(b *testing.B) {
		for b.Loop() {
			if _, err := loadDict(nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
