package clean

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkMask(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	prose := words(rng, 4000)
	var log string
	for i := range 200 {
		log += fmt.Sprintf("2024-03-05T12:%02d:%02d.123Z INFO worker-%d handled request %08x in %d ms from 10.0.0.%d\n", i/60, i%60, i%16, rng.Uint32(), i, i)
	}
	for _, c := range []struct{ name, text string }{{"prose", prose}, {"han", han(rng, 8000)}, {"log", log}} {
		b.Run("text="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				All.Apply(c.text)
			}
		})
	}
}

func BenchmarkBoilerplate(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	menu := words(rng, 60)
	var texts []string
	size := 0
	for range 1000 {
		texts = append(texts, menu+" "+words(rng, 300))
		size += len(texts[len(texts)-1])
	}
	o := Options{Boilerplate: 100, Memory: 1 << 22}
	b.Run("step=learn", func(b *testing.B) {
		b.SetBytes(int64(passes * size))
		for b.Loop() {
			learnt(b, o, texts, 1)
		}
	})
	c := learnt(b, o, texts, 1)
	b.Run("step=clean", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			for _, text := range texts {
				c.Clean(text)
			}
		}
	})
}
