package bloomsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// Whatever the family of the feature hash, filters fill as if places were drawn at
// random: m(1 - e^-t) bits, t = kn/m, with the variance of the occupancy problem,
// m e^-t (1 - (1+t) e^-t).
func TestPlaces(t *testing.T) {
	text := similaritytest.Prose(rand.New(rand.NewPCG(27, 28)), 8000, 0)
	for _, hash := range []feature.Hash{feature.XXH3, feature.Murmur3, feature.FNV1a, feature.MD5, feature.Lookup3, feature.Times33} {
		for _, o := range []Options{{Bits: 4096}, {Bits: 4000}, {Bits: 8192, Hashes: 4}, {Bits: 8000, Hashes: 4}, {Places: Compat}} {
			o.Features = feature.Options{Hash: hash}
			m := mustNew(t, o)
			t.Run(m.String(), func(t *testing.T) {
				distinct := map[uint64]bool{}
				for _, h := range m.Features().AppendHashes(nil, text) {
					distinct[h] = true
				}
				bits := float64(m.o.Bits)
				load := float64(len(distinct)*m.o.Hashes) / bits
				mean := bits * (1 - math.Exp(-load))
				deviation := math.Sqrt(bits * math.Exp(-load) * (1 - (1+load)*math.Exp(-load)))
				if got := float64(m.Sketch(text).Ones()); math.Abs(got-mean) > 4*deviation {
					t.Errorf("%d words set %v bits, want %.0f ± %.0f", len(distinct), got, mean, deviation)
				}
			})
		}
	}
}

func TestNames(t *testing.T) {
	for want, got := range map[string]fmt.Stringer{"jaccard": Jaccard, "raw": Raw, "alike": Alike, "compat": Compat, "7": Score(7), "-1": Places(-1)} {
		if got.String() != want {
			t.Errorf("%#v is named %q, want %q", got, got, want)
		}
	}
}

// A filter sized by a false positive rate has that rate: of features that are not in
// it, so many have all their bits set. Double hashing alone makes it a little
// greater (Kirsch and Mitzenmacher, ESA 2006).
func TestFalsePositives(t *testing.T) {
	for _, o := range []Options{{Expect: 1000}, {Expect: 1000, Places: Compat}, {Expect: 5000, FP: .05}, {Expect: 300, FP: .002}} {
		o.Score = Raw
		m := mustNew(t, o)
		t.Run(m.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(29, 30))
			full := m.SketchFeatures(someFeatures(rng, o.Expect))
			const probes = 20_000
			hits := 0.0
			for range probes {
				if m.Containment(m.SketchFeatures(someFeatures(rng, 1)), full) == 1 {
					hits++
				}
			}
			rate := o.FP
			if rate == 0 {
				rate = defaultFP
			}
			// The fill of one filter varies too, by less than a tenth of the rate.
			if limit := .15*rate*probes + 4*math.Sqrt(rate*probes); math.Abs(hits-rate*probes) > limit {
				t.Errorf("seed 29: %v of %d features not in it are found, want %.0f ± %.0f", hits, probes, rate*probes, limit)
			}
		})
	}
}
