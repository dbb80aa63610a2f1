package align_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// firstRunes returns the first n characters of a text.
func firstRunes(s string, n int) string { return string([]rune(s)[:n]) }

// han moves letters to Chinese characters, so that lengths and likeness stay.
func han(s string) string {
	out := []rune(s)
	for i, r := range out {
		out[i] = 0x4e00 + r*7
	}
	return string(out)
}

// Two different texts of the same language: nothing at their ends is alike.
func BenchmarkScore(b *testing.B) {
	x := similaritytest.Prose(rand.New(rand.NewPCG(1, 2)), 1500, .9)
	y := similaritytest.Prose(rand.New(rand.NewPCG(3, 4)), 1500, .9)
	for _, measure := range []align.Measure{align.Edit, align.Subsequence, align.Substring} {
		m, err := align.New(align.Options{Measure: measure})
		if err != nil {
			b.Fatal(err)
		}
		for _, script := range []string{"latin", "han"} {
			for _, size := range []int{15, 60, 250, 2000} {
				b.Run(fmt.Sprintf("measure=%s/script=%s/size=%d", measure, script, size), func(b *testing.B) {
					s, t := firstRunes(x, size), firstRunes(y, size)
					if script == "han" {
						s, t = han(s), han(t)
					}
					p, q := m.Sketch(s), m.Sketch(t)
					for b.Loop() {
						m.Score(p, q)
					}
				})
			}
		}
	}
}

// One title against many, and all pairs of many: of which few are alike.
func BenchmarkTitles(b *testing.B) {
	text := []rune(similaritytest.Prose(rand.New(rand.NewPCG(5, 6)), 40_000, .2))
	m, err := align.New(align.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var titles []align.Text
	for i := range 2000 {
		at := i * (len(text) - 100) / 2000
		titles = append(titles, m.Sketch(string(text[at:at+40+i%40])))
	}
	b.Run("do=row", func(b *testing.B) {
		dst := make([]float32, len(titles))
		for b.Loop() {
			m.ScoreRow(titles[0], titles, dst)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(titles)), "ns/pair")
	})
	for _, threshold := range []float64{.6, .8, .9} {
		b.Run(fmt.Sprintf("do=join/threshold=%v", threshold), func(b *testing.B) {
			for b.Loop() {
				_, err := m.Join(b.Context(), titles, nil, similarity.JoinOptions{Threshold: threshold, Workers: 1}, func(similarity.Pair) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(titles)*(len(titles)-1)/2), "ns/pair")
		})
	}
}
