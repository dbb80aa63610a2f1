package cosine

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
)

// count runs a counter over hashes in blocks.
func count(hashes []uint64, size int) (terms []uint64, tf []float64, ok bool) {
	c := newCounter(size)
	defer c.free()
	for len(hashes) > 0 {
		n := min(len(hashes), feature.BlockLen)
		c.add(hashes[:n])
		hashes = hashes[n:]
	}
	if !c.ok {
		return nil, nil, false
	}
	terms, tf = c.sorted()
	return append([]uint64(nil), terms...), append([]float64(nil), tf...), true
}

func unitFeatures(hashes []uint64) []feature.Feature {
	fs := make([]feature.Feature, len(hashes))
	for i, h := range hashes {
		fs[i] = feature.Feature{Hash: h, Weight: 1}
	}
	return fs
}

func TestCounterAgainstSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, distinct := range []int{1, 2, 100, 127, 128, 129, 1000, 20_000} {
		for _, tokens := range []int{0, 1, distinct, 4 * distinct} {
			vocabulary := make([]uint64, distinct)
			for i := range vocabulary {
				vocabulary[i] = max(rng.Uint64(), 1)
			}
			hashes := make([]uint64, tokens)
			for i := range hashes {
				hashes[i] = vocabulary[rng.IntN(distinct)]
			}
			terms, tf, ok := count(hashes, rng.IntN(10*distinct))
			wantTerms, wantTF := sum(unitFeatures(hashes))
			if !ok || !reflect.DeepEqual(terms, wantTerms) || !reflect.DeepEqual(tf, wantTF) {
				t.Fatalf("%d of %d hashes: counted (%v) otherwise than sorted", tokens, distinct, ok)
			}
		}
	}
}

// TestCounterGivesUp counts hashes that all start at few slots.
func TestCounterGivesUp(t *testing.T) {
	for _, high := range []uint64{0, 1<<56 - 1} {
		hashes := make([]uint64, 20_000)
		for i := range hashes {
			hashes[i] = high<<8 | uint64(i+1)
		}
		if _, _, ok := count(hashes, 0); ok {
			t.Errorf("crowded hashes at %#x are counted", high)
		}
		m := mustNew(t, Options{Scheme: "nnn"})
		if v := m.SketchFeatures(unitFeatures(hashes)); len(v.Terms) < 256 || v.sq < 20_000 {
			t.Errorf("crowded hashes at %#x give %d terms", high, len(v.Terms))
		}
	}
}

// TestHashes sketches with every hash family, of which some crowd the table.
func TestHashes(t *testing.T) {
	text := prose(5000)
	for h := feature.XXH3; h <= feature.Times33; h++ {
		m := mustNew(t, Options{Features: feature.Options{Hash: h}})
		want := m.vector(sum(m.Features().Append(nil, text)))
		if got := m.vector(countByMap(m.Features(), text)); !reflect.DeepEqual(got, want) {
			t.Errorf("hash %d: the sketch by map differs from that by sorting", h)
		}
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
		c.reset(1000)
		c.add(hashes)
		m.vector(c.sorted())
	})
	if got > 2 {
		t.Errorf("%v allocations beyond the extraction, want the two slices of the vector", got)
	}
}

func FuzzCounter(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1}, uint(56))
	f.Add([]byte{255, 255, 0}, uint(48))
	f.Fuzz(func(t *testing.T, data []byte, shift uint) {
		hashes := make([]uint64, len(data))
		for i, b := range data {
			hashes[i] = (uint64(b)+1)<<(shift%56) + uint64(i%3)
		}
		terms, tf, ok := count(hashes, len(data))
		if !ok {
			return
		}
		wantTerms, wantTF := sum(unitFeatures(hashes))
		if len(terms) != len(wantTerms) || len(terms) > 0 && (!reflect.DeepEqual(terms, wantTerms) || !reflect.DeepEqual(tf, wantTF)) {
			t.Fatalf("%x: counted %v %v, sorted %v %v", hashes, terms, tf, wantTerms, wantTF)
		}
	})
}
