package simhash

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
)

var widths = []int{32, 64, 128}

// check compares Sum, and SumHashes for the features with weights of one, with the definition.
func check(t *testing.T, features []feature.Feature) {
	t.Helper()
	unit := make([]feature.Feature, len(features))
	for i, f := range features {
		unit[i] = feature.Feature{Hash: f.Hash, Weight: 1}
	}
	hashes := hashesOf(features)
	ones, ties, some := naive(128, features)
	unitOnes, unitTies, unitSome := naive(128, unit)
	for _, width := range widths {
		for _, tie := range []Tie{TieSalt, TieZero} {
			want := settle(width, tie, ones, ties, some)
			if got := Sum(width, tie, features); got != want {
				t.Errorf("%d features, %d bits, tie=%s: %v, want %v", len(features), width, tie, got, want)
			}
			want = settle(width, tie, unitOnes, unitTies, unitSome)
			if got := SumHashes(width, tie, hashes); got != want {
				t.Errorf("%d hashes, %d bits, tie=%s: %v, want %v", len(features), width, tie, got, want)
			}
			if got := Sum(width, tie, unit); got != want {
				t.Errorf("%d features of weight 1, %d bits, tie=%s: %v, want %v", len(features), width, tie, got, want)
			}
		}
	}
}

func TestSumAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 400,
		feature.BlockLen - 1, feature.BlockLen, feature.BlockLen + 1, 2*feature.BlockLen + 40} {
		check(t, randomFeatures(rng, n))
		// Few distinct hashes, so that counters are far from the middle or tied.
		some := randomFeatures(rng, n)
		for i := range some {
			some[i].Hash = some[i%min(n, 4)].Hash
			some[i].Weight = float64(rng.IntN(3))
		}
		check(t, some)
	}
}

func TestSumOfExtremes(t *testing.T) {
	all := func(n int, h uint64) (fs []feature.Feature) {
		for range n {
			fs = append(fs, feature.Feature{Hash: h, Weight: 1})
		}
		return fs
	}
	check(t, all(5000, ^uint64(0)))
	check(t, all(5000, 0))
	check(t, append(all(2500, 0), all(2500, ^uint64(0))...))
}

// Weights of every size agree with exact arithmetic as long as they sum within
// 2^62 units; beyond, the unit grows and only near ties may differ.
func TestSumOfExtremeWeights(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	h := func(i int) uint64 { return second(uint64(i)) }
	for _, weights := range [][]float64{
		{0}, {0, 0}, {nan}, {-1, -2}, {nan, 0, -inf},
		{5e-324}, {1e-300, 0}, {1e-9, 1e-9, 1e-9, 1e-9, 1}, {0, 1, nan, 2, -1, 3},
		{1 << 41}, {1 << 50}, {inf}, {inf, 0}, {math.MaxFloat64, 1e-9},
		{inf, 1, 2, 3}, {1 << 43, 1 << 43, 1 << 43, 1, 2}, {inf, inf, inf, 1},
		{1 << 40, 1 << 40, 1 << 41, 1 << 41, 3 << 39, 17},
	} {
		fs := make([]feature.Feature, len(weights))
		for i, w := range weights {
			fs[i] = feature.Feature{Hash: h(i), Weight: w}
		}
		check(t, fs)
	}
}

func TestShiftedUnit(t *testing.T) {
	// 40 features of the greatest weight add up to more than 64 bits hold. All are
	// whole multiples of the coarser unit, so the exact sum is the reference still.
	rng := rand.New(rand.NewPCG(5, 6))
	fs := randomFeatures(rng, 40)
	for i := range fs {
		fs[i].Weight = float64(1+rng.IntN(9)) * (1 << 40)
	}
	check(t, fs)
}

// The order of features does not matter, nor does whether a feature's weight comes in
// one piece or several.
func TestSumOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		fs := randomFeatures(rng, 1+rng.IntN(300))
		want := Sum(128, TieSalt, fs)
		rng.Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
		if got := Sum(128, TieSalt, fs); got != want {
			t.Fatalf("%d features shuffled: %v, want %v", len(fs), got, want)
		}
		var split []feature.Feature
		for _, f := range fs {
			f.Weight = math.Round(f.Weight * 1024)
			split = append(split, f)
		}
		want = Sum(128, TieSalt, split)
		for i, f := range split {
			part := math.Floor(f.Weight / 3)
			split[i].Weight -= part
			split = append(split, feature.Feature{Hash: f.Hash, Weight: part})
		}
		if got := Sum(128, TieSalt, split); got != want {
			t.Fatalf("%d features in two pieces each: %v, want %v", len(fs), got, want)
		}
	}
}

func TestSumDoesNotKeepOrChange(t *testing.T) {
	fs := randomFeatures(rand.New(rand.NewPCG(7, 8)), 2000)
	was := slices.Clone(fs)
	Sum(128, TieSalt, fs)
	hs := hashesOf(fs)
	SumHashes(128, TieSalt, hs)
	if !slices.Equal(fs, was) || !slices.Equal(hs, hashesOf(was)) {
		t.Error("the features were changed")
	}
}

func TestSumPanicsOnWidth(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for 63 bits")
		}
	}()
	Sum(63, TieSalt, nil)
}

func TestZeroSumBecomesOne(t *testing.T) {
	if got, want := SumHashes(64, TieSalt, []uint64{0}), (Fingerprint{Lo: 1}); got != want {
		t.Errorf("hash 0: %v, want %v", got, want)
	}
	if got, want := SumHashes(32, TieSalt, []uint64{0xffffffff << 32}), (Fingerprint{Lo: 1}); got != want {
		t.Errorf("32 bits of a hash with a zero lower half: %v, want %v", got, want)
	}
	// Two complementary halves tie everywhere.
	tied := []uint64{0x00ff00ff00ff00ff, 0xff00ff00ff00ff00}
	if got, want := SumHashes(64, TieZero, tied), (Fingerprint{Lo: 1}); got != want {
		t.Errorf("all tied to zero: %v, want %v", got, want)
	}
	if got, want := SumHashes(64, TieSalt, tied), (Fingerprint{Lo: salt.Lo}); got != want {
		t.Errorf("all tied: %v, want the salt %v", got, want)
	}
}

func TestSumAllocatesNothing(t *testing.T) {
	fs := randomFeatures(rand.New(rand.NewPCG(9, 9)), 3000)
	hs := hashesOf(fs)
	for _, width := range widths {
		if n := testing.AllocsPerRun(50, func() { SumHashes(width, TieSalt, hs) }); n >= 1 {
			t.Errorf("%d bits: %v allocations a list of hashes, want 0", width, n)
		}
		if n := testing.AllocsPerRun(50, func() { Sum(width, TieSalt, fs) }); n >= 1 {
			t.Errorf("%d bits: %v allocations a list of features, want 0", width, n)
		}
	}
}

// Every input bit of the second finaliser flips every output bit half of the time.
func TestSecondAvalanche(t *testing.T) {
	const samples = 4000
	rng := rand.New(rand.NewPCG(10, 11))
	var flips [64][64]int
	for range samples {
		h := rng.Uint64()
		for i := range 64 {
			d := second(h) ^ second(h^1<<i)
			for j := range 64 {
				flips[i][j] += int(d >> j & 1)
			}
		}
	}
	// Five and a half standard deviations: one of 4096 cells beyond is a 1 in 6000 event.
	limit := 5.5 * math.Sqrt(samples) / 2
	for i := range flips {
		for j, n := range flips[i] {
			if math.Abs(float64(n)-samples/2) > limit {
				t.Errorf("input bit %d flips output bit %d %d times of %d", i, j, n, samples)
			}
		}
	}
}

// FuzzSum reads features of 10 bytes each: a hash, a small weight, and its scale.
func FuzzSum(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijABCDEFGHIJ"))
	f.Add(make([]byte, 200))
	f.Fuzz(func(t *testing.T, data []byte) {
		var fs []feature.Feature
		for len(data) >= 10 && len(fs) < 200 {
			w := math.Ldexp(float64(data[8]), int(data[9])%48-24)
			fs = append(fs, feature.Feature{Hash: binary.LittleEndian.Uint64(data), Weight: w})
			data = data[10:]
		}
		check(t, fs)
	})
}
