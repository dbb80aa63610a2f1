package cosine

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
)

// addUp is what SketchFeatures does with weights that are not all 1.
func addUp(fs []feature.Feature) ([]uint64, []float64) { return feature.AddUp(fs, math.MaxFloat64) }

func unitFeatures(hashes []uint64) []feature.Feature {
	fs := make([]feature.Feature, len(hashes))
	for i, h := range hashes {
		fs[i] = feature.Feature{Hash: h, Weight: 1}
	}
	return fs
}

// Features of weight 1 are counted; the vector is that of the sums of their weights.
func TestCounterAgainstSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	m := mustNew(t, Options{Scheme: "nnn"})
	for _, distinct := range []int{1, 2, 100, 1000, 20_000} {
		for _, tokens := range []int{0, 1, 127, 128, 129, distinct, 4 * distinct} {
			vocabulary := make([]uint64, distinct)
			for i := range vocabulary {
				vocabulary[i] = rng.Uint64() >> (i % 64)
			}
			hashes := make([]uint64, tokens)
			for i := range hashes {
				hashes[i] = vocabulary[rng.IntN(distinct)]
			}
			fs := unitFeatures(hashes)
			if got, want := m.SketchFeatures(fs), m.vector(addUp(fs)); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d of %d hashes: counted otherwise than summed", tokens, distinct)
			}
			fs = append(fs, feature.Feature{Hash: 1, Weight: 0.5})
			if got, want := m.SketchFeatures(fs), m.vector(addUp(fs)); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d of %d hashes and a half: counted otherwise than summed", tokens, distinct)
			}
		}
	}
}

// TestHashes sketches with every hash family, of which some are unevenly spread.
func TestHashes(t *testing.T) {
	text := prose(5000)
	for h := feature.XXH3; h <= feature.Times33; h++ {
		m := mustNew(t, Options{Features: feature.Options{Hash: h}})
		want := m.vector(addUp(m.Features().Append(nil, text)))
		if got := m.Sketch(text); !reflect.DeepEqual(got, want) {
			t.Errorf("hash %d: the sketch differs from that by sorting", h)
		}
	}
}

func TestSketchAllocates(t *testing.T) {
	m := mustNew(t, Options{})
	hashes := m.Features().AppendHashes(nil, strings.Repeat("the cat sat on the mat ", 100))
	c := new(counter) // not from the pool, which forgets some under the race detector
	got := testing.AllocsPerRun(100, func() {
		c.Reset()
		c.Add(hashes)
		m.vector(c.sorted())
	})
	if got > 2 {
		t.Errorf("%v allocations beyond the extraction, want the two slices of the vector", got)
	}
}
