package shingle

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
)

// naiveBag adds up the weights by hash.
func naiveBag(features []feature.Feature) map[uint64]float64 {
	bag := make(map[uint64]float64)
	for _, f := range features {
		if f.Weight > 0 {
			bag[f.Hash] += f.Weight
		}
	}
	return bag
}

func (s Set) asMap() map[uint64]float64 {
	bag := make(map[uint64]float64)
	for i, h := range s.Hashes {
		bag[h] = s.weight(i)
	}
	return bag
}

// naiveResemblance is Σmin / Σmax by the definition.
func naiveResemblance(a, b map[uint64]float64) float64 {
	var lesser, greater float64
	for h, w := range a {
		lesser += min(w, b[h])
		greater += max(w, b[h])
	}
	for h, w := range b {
		if _, ok := a[h]; !ok {
			greater += w
		}
	}
	if greater == 0 {
		return 0
	}
	return lesser / greater
}

func asSet(bag map[uint64]float64) map[uint64]float64 {
	set := make(map[uint64]float64)
	for h := range bag {
		set[h] = 1
	}
	return set
}

// checkPair compares two lists of features by all routes with the definition.
func checkPair(t *testing.T, fa, fb []feature.Feature) {
	t.Helper()
	set := &Method{}
	bag := &Method{bag: true}
	na, nb := naiveBag(fa), naiveBag(fb)
	for _, q := range []struct {
		m    *Method
		a, b map[uint64]float64
	}{{set, asSet(na), asSet(nb)}, {bag, na, nb}} {
		a, b := q.m.SketchFeatures(fa), q.m.SketchFeatures(fb)
		if !slices.IsSorted(a.Hashes) || len(a.Hashes) != len(q.a) {
			t.Fatalf("bag=%t: hashes %x of %v", q.m.bag, a.Hashes, fa)
		}
		for h, w := range a.asMap() {
			if math.Abs(w-q.a[h]) > 1e-12*w {
				t.Fatalf("bag=%t: hash %x weighs %v, want %v", q.m.bag, h, w, q.a[h])
			}
		}
		if got, want := q.m.Score(a, b), naiveResemblance(q.a, q.b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("bag=%t: resemblance %v, want %v; %v, %v", q.m.bag, got, want, fa, fb)
		}
		if got, want := b.Resemblance(a), a.Resemblance(b); got != want {
			t.Fatalf("bag=%t: resemblance %v one way, %v the other", q.m.bag, want, got)
		}
		if c, o := a.Containment(b), a.Overlap(b); max(c, b.Containment(a)) != o || c < 0 || o > 1 {
			t.Fatalf("bag=%t: containments %v and %v, overlap %v", q.m.bag, c, b.Containment(a), o)
		}
	}
}

// randomFeatures returns n features whose hashes come from the given number of
// values below 2^bits, weighted 1, in quarters, or anyhow.
func randomFeatures(rng *rand.Rand, n, values, bits, weights int) []feature.Feature {
	fs := make([]feature.Feature, n)
	for i := range fs {
		h := mix(rng.Uint64N(uint64(values))+1, 0) >> (64 - bits)
		fs[i] = feature.Feature{Hash: h, Weight: 1}
		switch weights {
		case 1:
			fs[i].Weight = float64(rng.IntN(8)) / 4
		case 2:
			fs[i].Weight = rng.ExpFloat64()
		}
	}
	return fs
}

// Sizes of every kind: empty, tiny, about the borders of the sort and of the
// intersection's ways, very unlike, of crowded hashes (few distinct upper bits).
func TestSetsAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	sizes := []int{0, 1, 2, 3, 7, 16, 33, 64, 200, 427, 3000}
	for _, na := range sizes {
		for _, nb := range sizes {
			for _, bits := range []int{64, 20, 5} {
				values := 1 + rng.IntN(2*(na+nb)+1)
				weights := rng.IntN(3)
				checkPair(t, randomFeatures(rng, na, values, bits, weights), randomFeatures(rng, nb, values, bits, weights))
			}
		}
	}
}

// A long text of few words is reduced as it is read; one of many words is not.
func TestSketchOfLongText(t *testing.T) {
	for _, distinct := range []int{3, 1000, 1 << 20} {
		var text []byte
		rng := rand.New(rand.NewPCG(7, 7))
		for range 150_000 {
			text = append(text, word(rng.IntN(distinct))...)
			text = append(text, ' ')
		}
		m := mustNew(t, Options{})
		got := m.Sketch(string(text))
		if want := m.SketchFeatures(m.Features().Append(nil, string(text))); !reflect.DeepEqual(got, want) {
			t.Errorf("%d distinct words: sketch of the text and of its features differ", distinct)
		}
		want := m.Features().AppendHashes(nil, string(text))
		slices.Sort(want)
		if want = slices.Compact(want); !slices.Equal(got.Hashes, want) {
			t.Errorf("%d distinct words: %d shingles, want %d", distinct, len(got.Hashes), len(want))
		}
	}
}

func word(n int) string {
	b := []byte{byte('a' + n%26)}
	for n /= 26; n > 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// For sets, with S the cosine of their 0-1 vectors, S² ≤ R ≤ S/(2−S)
// (Shrivastava and Li, In Defense of MinHash Over SimHash, AISTATS 2014).
func TestResemblanceAndCosine(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	m := mustNew(t, Options{})
	for range 2000 {
		values := 1 + rng.IntN(300)
		a := m.SketchFeatures(randomFeatures(rng, 1+rng.IntN(200), values, 64, 0))
		b := m.SketchFeatures(randomFeatures(rng, 1+rng.IntN(200), values, 64, 0))
		s := float64(a.Common(b)) / math.Sqrt(float64(len(a.Hashes))*float64(len(b.Hashes)))
		if r := m.Score(a, b); r < s*s-1e-12 || r > s/(2-s)+1e-12 {
			t.Errorf("resemblance %v, cosine %v, want within [%v, %v]", r, s, s*s, s/(2-s))
		}
	}
}

func FuzzSets(f *testing.F) {
	f.Add([]byte{}, []byte{1, 2, 3})
	f.Add([]byte("the cat sat on the mat"), []byte("the cat sat on a mat"))
	f.Fuzz(func(t *testing.T, a, b []byte) { checkPair(t, fuzzFeatures(a), fuzzFeatures(b)) })
}

// fuzzFeatures makes a feature of every two bytes: a few hashes, spread or
// crowded, and weights in eighths.
func fuzzFeatures(data []byte) []feature.Feature {
	var fs []feature.Feature
	for ; len(data) >= 2; data = data[2:] {
		h := uint64(data[0] & 0x7f)
		if data[0] >= 0x80 {
			h = mix(h, 1)
		}
		fs = append(fs, feature.Feature{Hash: h, Weight: float64(data[1]) / 8})
	}
	return fs
}

func FuzzDecode(f *testing.F) {
	set := mustNew(f, Options{})
	bag := mustNew(f, Options{Bag: true})
	sig := mustMinHash(f, MinHashOptions{Size: 5})
	bit := mustMinHash(f, MinHashOptions{Size: 70, Bits: 1})
	perm := mustMinHash(f, MinHashOptions{Size: 5, Scheme: KPerm})
	bottom := mustBottom(f, MinHashOptions{Size: 4})
	for i, text := range []string{"", catThe, hanCall} {
		f.Add(0, set.AppendSketch(nil, set.Sketch(text)))
		f.Add(1, bag.AppendSketch(nil, bag.Sketch(text)))
		f.Add(2, sig.AppendSketch(nil, sig.Sketch(text)))
		f.Add(3, bit.AppendSketch(nil, bit.Sketch(text)))
		f.Add(4, perm.AppendSketch(nil, perm.Sketch(text)))
		f.Add(5, bottom.AppendSketch(nil, bottom.Sketch(text)))
		f.Add(i, binary.AppendUvarint(nil, math.MaxUint64))
	}
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		var again []byte
		n := 0
		switch kind {
		case 0, 1:
			m := []*Method{set, bag}[kind]
			s, k, err := m.DecodeSketch(data)
			if err != nil {
				return
			}
			again, n = m.AppendSketch(nil, s), k
			if got := m.Score(s, s); !m.Empty(s) && got != 1 {
				t.Fatalf("decoded set scores %v with itself", got)
			}
		case 2, 3, 4:
			m := []*MinHash{sig, bit, perm}[kind-2]
			s, k, err := m.DecodeSketch(data)
			if err != nil {
				return
			}
			again, n = m.AppendSketch(nil, s), k
			if got := m.Score(s, s); !m.Empty(s) && got != 1 {
				t.Fatalf("decoded signature scores %v with itself", got)
			}
			if m.bits == 32 {
				if _, err := m.Merge(s, s); err != nil {
					t.Fatal(err)
				}
			}
		case 5:
			s, k, err := bottom.DecodeSketch(data)
			if err != nil {
				return
			}
			again, n = bottom.AppendSketch(nil, s), k
		default:
			return
		}
		if string(again) != string(data[:n]) {
			t.Fatalf("encoding again gives %x, want %x", again, data[:n])
		}
	})
}
