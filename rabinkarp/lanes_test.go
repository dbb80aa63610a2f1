package rabinkarp

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/rabinkarp/internal/lanes"
)

// By parts the same windows are chosen as one by one, wherever parts and chosen windows end.
func TestSampleByParts(t *testing.T) {
	if !lanes.Available() {
		t.Skip("the processor has no lanes")
	}
	rng := rand.New(rand.NewPCG(1, 7))
	texts := map[string][]byte{"blank": bytes.Repeat([]byte(" "), 20_000), "prose": prose(20_000)}
	for range 20_000 {
		texts["random"] = append(texts["random"], byte(rng.Uint32()))
		texts["two letters"] = append(texts["two letters"], byte('a'+rng.IntN(2)))
	}
	for name, text := range texts {
		for _, w := range []int{1, 3, 8, 20, 50, 400} {
			for _, limit := range []uint64{1, 1 << 56, 1 << 60, 1 << 63, ^uint64(0)} {
				for _, overlap := range []bool{false, true} {
					s := newSampler(w, limit, overlap)
					// Lengths about those where another part begins.
					for _, n := range []int{w + 8*leastSteps + 6, w + 8*leastSteps + 7, 700, 3001, 8*mostSteps + w + 7, 8*mostSteps + 8*leastSteps + w + 7, 20_000} {
						for _, once := range []bool{false, true} {
							got, at, next := s.sampleLanes(nil, new(laneScratch), text[:n], once)
							got = s.sampleFrom(got, text[:n], max(at, next), once)
							want := s.sampleFrom(nil, text[:n], 0, once)
							if !slices.Equal(got, want) {
								t.Fatalf("%s, %d bytes, w=%d, limit %#x, overlap %v, once %v: %d windows, want %d",
									name, n, w, limit, overlap, once, len(got), len(want))
							}
						}
					}
				}
			}
		}
	}
}

func FuzzSampleByParts(f *testing.F) {
	f.Add([]byte("a text of some length, and again a text of some length"), uint8(5), uint8(2), true)
	f.Fuzz(func(t *testing.T, text []byte, w, keep uint8, overlap bool) {
		if len(text) == 0 {
			t.Skip()
		}
		text = bytes.Repeat(text, 1+3000/len(text))
		o := ManberOptions{Window: 1 + int(w%64), Keep: 1 + int(keep%8), Overlap: overlap}
		m := newManber(t, o)
		if got, want := m.choose(nil, new(scratch), text), naiveManber(m.o, text); !slices.Equal(got, want) {
			t.Fatalf("%+v: %d windows, want %d", o, len(got), len(want))
		}
	})
}

// BenchmarkSampleShort is BenchmarkSample on texts of which parts are short, beside
// the windows one by one.
func BenchmarkSampleShort(b *testing.B) {
	for _, size := range []int{300, 700, 2700} {
		text := prose(size)
		m := newManber(b, ManberOptions{})
		var s scratch
		var places []place
		for name, sample := range map[string]func(){
			"parts":      func() { places = m.sampler.sample(places[:0], &s, text) },
			"one-by-one": func() { places = m.sampler.sampleFrom(places[:0], text, 0, true) },
		} {
			b.Run(fmt.Sprintf("by=%s/size=%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					sample()
				}
			})
		}
	}
}
