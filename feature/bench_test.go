package feature_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/zeebo/xxh3"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// benchTexts returns texts of about 2.7 kB, the length of a news article, and
// longer: English-like, Chinese-like, and English with a non-ASCII character in
// every twentieth word.
func benchTexts() []struct{ name, text string } {
	english := similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), 600, 0)
	var chinese string
	for _, t := range similaritytest.Texts() {
		if t.Name == "long-han" {
			chinese = t.Text
		}
	}
	typeset := strings.Fields(english)
	for i := range typeset {
		if i%20 == 0 {
			typeset[i] = "“" + typeset[i] + "”"
		}
	}
	return []struct{ name, text string }{
		{"english", english},
		{"typeset", strings.Join(typeset, " ")},
		{"chinese", chinese},
	}
}

func BenchmarkBlocks(b *testing.B) {
	for _, o := range []feature.Options{
		{},
		{MinWidth: 3},
		{MinWidth: 1, MaxWidth: 2},
		{Tokens: feature.Rune, MinWidth: 2},
		{Tokens: feature.Byte, MinWidth: 8},
		{Stop: []string{"en"}, Stem: "en"},
	} {
		x, err := feature.New(o)
		if err != nil {
			b.Fatal(err)
		}
		for _, t := range benchTexts() {
			b.Run(fmt.Sprintf("features={%s}/text=%s", x, t.name), func(b *testing.B) {
				b.SetBytes(int64(len(t.text)))
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					n = 0
					x.Blocks(t.text, func(h []uint64) { n += len(h) })
				}
				if want := len(x.AppendHashes(nil, t.text)); n != want {
					b.Fatalf("%d features, want %d", n, want)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/feature")
			})
		}
	}
}

// BenchmarkChain is the pipeline put together from the libraries it is tested
// against: what Blocks would cost without its fast paths.
func BenchmarkChain(b *testing.B) {
	for _, t := range benchTexts() {
		b.Run("text="+t.name, func(b *testing.B) {
			b.SetBytes(int64(len(t.text)))
			b.ReportAllocs()
			sum := uint64(0)
			for b.Loop() {
				folded := norm.NFKC.Bytes(cases.Fold().Bytes(norm.NFKC.Bytes([]byte(t.text))))
				for it := words.FromBytes(folded); it.Next(); {
					sum ^= xxh3.Hash(it.Value())
				}
			}
			if sum == 0 {
				b.Fatal("no words")
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	text := benchTexts()[0].text
	for w := feature.TF; w <= feature.FitIDF; w++ {
		x, err := feature.New(feature.Options{Weights: w})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("features={%s}", x), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var f []feature.Feature
			for b.Loop() {
				f = x.Append(f[:0], text)
			}
			if len(f) == 0 {
				b.Fatal("no features")
			}
		})
	}
}

func BenchmarkNormalize(b *testing.B) {
	for _, t := range benchTexts() {
		for _, f := range []feature.Fold{{}, {DropPunct: true}, {Han: feature.Simplified}} {
			b.Run(fmt.Sprintf("fold={%s}/text=%s", f, t.name), func(b *testing.B) {
				b.SetBytes(int64(len(t.text)))
				b.ReportAllocs()
				var out []byte
				for b.Loop() {
					out = f.Normalize(out[:0], t.text)
				}
				if len(out) == 0 {
					b.Fatal("nothing left")
				}
			})
		}
	}
}

func BenchmarkHash(b *testing.B) {
	tokens := strings.Fields(benchTexts()[0].text)
	keys := make([][]byte, len(tokens))
	for i, w := range tokens {
		keys[i] = []byte(w)
	}
	for h := feature.XXH3; h <= feature.Times33; h++ {
		x, err := feature.New(feature.Options{Hash: h})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("hash={%s}", x), func(b *testing.B) {
			sum := uint64(0)
			for b.Loop() {
				for _, k := range keys {
					sum ^= h.Sum(k, 0)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/word")
			_ = sum
		})
	}
}
