package bloomsim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// The expected counts were computed apart from this package, from the formula of
// Swamidass and Baldi.
func TestCount(t *testing.T) {
	m := mustNew(t, Options{Bits: 1024, Hashes: 4})
	for _, c := range []struct {
		x    int
		want float64
	}{{0, 0}, {300, 88.7502}, {512, 177.4457}, {1024, math.Inf(1)}} {
		t.Run(fmt.Sprint(c.x), func(t *testing.T) {
			f := Filter{set: *bitset.New(1024), ones: c.x, load: load(c.x, 1024)}
			if got := m.Count(f); got != c.want && math.Abs(got-c.want) > 5e-5 {
				t.Errorf("count is %v, want %v", got, c.want)
			}
			if f.Saturated() != (c.x == 1024) {
				t.Errorf("saturated is %v", f.Saturated())
			}
		})
	}
}

// naive sets the bits of one feature after another, as the definition says.
func naive(features []feature.Feature, m, k int) *bitset.BitSet {
	set := bitset.New(uint(m))
	for _, f := range features {
		if f.Weight == 0 {
			continue
		}
		x, step := spread(f.Hash)
		for i := range uint32(k) {
			at := uint64(x+i*step) % uint64(m)
			if m&(m-1) != 0 {
				at = uint64(x+i*step) * uint64(m) >> 32
			}
			set.Set(uint(at))
		}
	}
	return set
}

func checkBuild(t *testing.T, features []feature.Feature, m, k int) {
	t.Helper()
	got := mustNew(t, Options{Bits: m, Hashes: k}).SketchFeatures(features)
	want := naive(features, m, k)
	if !got.BitSet().Equal(want) || got.Ones() != int(want.Count()) {
		t.Errorf("m=%d, k=%d: filter of %d features has other bits than the naive one", m, k, len(features))
	}
}

func TestBuild(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 63, 64, 65, 700} {
		for _, m := range []int{64, 65, 100, 127, 1000, 4096} {
			for _, k := range []int{1, 2, 3, 4, 5, 8, 32} {
				features := someFeatures(rng, n)
				if n > 0 {
					features[n/2].Weight = 0
				}
				checkBuild(t, features, m, k)
			}
		}
	}
}

// hashesOf cuts data into feature hashes.
func hashesOf(data []byte) []feature.Feature {
	var out []feature.Feature
	for ; len(data) >= 8; data = data[8:] {
		out = append(out, feature.Feature{Hash: binary.LittleEndian.Uint64(data), Weight: 1})
	}
	return out
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte("eight bytes of one and of two."), uint16(64), uint8(1))
	f.Add(bytes.Repeat([]byte{0xff}, 64), uint16(100), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, bits uint16, k uint8) {
		m, h := minBits+int(bits), 1+int(k)%maxHashes
		checkBuild(t, hashesOf(data), m, h)
		checkAuto(t, hashesOf(data), h)
	})
}

// checkAuto holds the size class and the bits of a filter against the definition:
// the least class that is not too full, each class tried from scratch.
func checkAuto(t *testing.T, features []feature.Feature, k int) {
	t.Helper()
	got := mustNew(t, Options{Bits: Auto, Hashes: k}).SketchFeatures(features)
	size := autoMin
	want := naive(features, size, k)
	for size < autoMax && int(want.Count()) > size/autoFill {
		size *= 2
		want = naive(features, size, k)
	}
	if !got.BitSet().Equal(want) {
		t.Errorf("k=%d: filter of %d features has %d bits, %d set, want %d, %d set", k, len(features), got.Bits(), got.Ones(), size, want.Count())
	}
}

func TestAuto(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{0, 1, 200, 300, 1000, 5000, 130000, autoMax/autoFill + 1, 300000} {
		checkAuto(t, someFeatures(rng, n), 1)
	}
	checkAuto(t, someFeatures(rng, 3000), 7)
	same := someFeatures(rng, 1)
	for range 20 {
		same = append(same, same...)
	}
	checkAuto(t, same, 1)
}

// Folding a filter gives the filter that the smaller size would have made.
func TestFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, places := range []Places{Alike, Compat} {
		features, other := someFeatures(rng, 500), someFeatures(rng, 300)
		other = append(other, features[:200]...)
		large := mustNew(t, Options{Bits: 1 << 15, Hashes: 3, Places: places}).SketchFeatures(features)
		m := mustNew(t, Options{Bits: 1 << 12, Hashes: 3, Places: places})
		small, folded := m.SketchFeatures(other), m.SketchFeatures(features)
		ones, both := foldCount(large.set.Words(), small.set.Words())
		if want := int(folded.set.IntersectionCardinality(&small.set)); ones != folded.Ones() || both != want {
			t.Errorf("places=%s: folded filter has %d bits set, %d in both, want %d, %d", places, ones, both, folded.Ones(), want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	m := mustNew(t, Options{Bits: 100})
	good := m.AppendSketch(nil, m.Sketch("the cat sat on the mat"))
	for name, src := range map[string][]byte{
		"empty":    nil,
		"size":     append([]byte{101}, good[1:]...),
		"huge":     {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"overlong": bytes.Repeat([]byte{0xff}, 20),
		"cut":      good[:len(good)-1],
		"longer":   append([]byte{100 | 0x80, 0}, good[1:]...),
		"beyond":   append(append([]byte(nil), good[:len(good)-1]...), 0xff),
	} {
		if _, _, err := m.DecodeSketch(src); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("%s: error is %v, want ErrFormat", name, err)
		}
	}
	auto := mustNew(t, Options{Bits: Auto})
	for _, size := range []uint64{0, 64, 1500, 2 * autoMax} {
		src := append(binary.AppendUvarint(nil, size), make([]byte, size/8)...)
		if _, _, err := auto.DecodeSketch(src); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("size %d: error is %v, want ErrFormat", size, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	methods := []*Method{mustNew(f, Options{Bits: 100}), mustNew(f, Options{Bits: Auto})}
	for _, m := range methods {
		f.Add(m.AppendSketch(nil, m.Sketch("the cat sat on the mat")))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, m := range methods {
			s, n, err := m.DecodeSketch(src)
			if err != nil {
				if !errors.Is(err, similarity.ErrFormat) {
					t.Fatalf("error is %v, want ErrFormat", err)
				}
				continue
			}
			if again := m.AppendSketch(nil, s); !bytes.Equal(again, src[:n]) {
				t.Fatalf("encoding again gives %x, want %x", again, src[:n])
			}
			if got := m.Score(s, s); got != 1 && !m.Empty(s) {
				t.Fatalf("score with itself is %v", got)
			}
		}
	})
}

func TestAllocs(t *testing.T) {
	m := mustNew(t, Options{})
	features := someFeatures(rand.New(rand.NewPCG(1, 2)), 400)
	f := m.SketchFeatures(features)
	row, out := []Filter{f, f, f}, make([]float32, 3)
	for name, c := range map[string]struct {
		want float64
		run  func()
	}{
		"sketch": {1, func() { m.SketchFeatures(features) }}, // the filter itself
		"score":  {0, func() { m.Score(f, f) }},
		"row":    {0, func() { m.ScoreRow(f, row, out) }},
	} {
		if got := testing.AllocsPerRun(100, c.run); got > c.want {
			t.Errorf("%s: %v allocations, want %v", name, got, c.want)
		}
	}
}
