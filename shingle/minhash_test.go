package shingle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/splitmix"
)

// naiveMinHash is the textbook's definition: the least value of each function.
func naiveMinHash(set []uint64, functions []func(uint64) uint64) []uint64 {
	var sig []uint64
	for _, h := range functions {
		least := uint64(math.MaxUint64)
		for _, x := range set {
			least = min(least, h(x))
		}
		sig = append(sig, least)
	}
	return sig
}

// Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, figure 3.4: it
// vouches for the definition that the schemes are held against.
func TestNaiveMinHash(t *testing.T) {
	functions := []func(uint64) uint64{
		func(x uint64) uint64 { return (x + 1) % 5 },
		func(x uint64) uint64 { return (3*x + 1) % 5 },
	}
	sets := [][]uint64{{0, 3}, {2}, {1, 3, 4}, {0, 2, 3}}
	want := [][]uint64{{1, 0}, {3, 2}, {0, 0}, {1, 0}}
	for i, s := range sets {
		if got := naiveMinHash(s, functions); !slices.Equal(got, want[i]) {
			t.Errorf("S%d: %v, want %v", i+1, got, want[i])
		}
	}
}

func hashesOf(features []feature.Feature) []uint64 {
	hs := make([]uint64, len(features))
	for i, f := range features {
		hs[i] = f.Hash
	}
	return hs
}

func TestKPermAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, size := range []int{1, 2, 7, 64, 129} {
		m := mustMinHash(t, MinHashOptions{Scheme: KPerm, Size: size, Seed: 11})
		var functions []func(uint64) uint64
		for _, c := range m.coefs {
			functions = append(functions, func(x uint64) uint64 { return c.a*mix(x, m.seed) + c.b })
		}
		for _, n := range []int{1, 2, 3, 50, 1023, 1024, 1025, 3000} {
			fs := randomFeatures(rng, n, 5*n, 64, 0)
			got := make([]uint32, size)
			unpack32(got, m.SketchFeatures(fs))
			for i, v := range naiveMinHash(hashesOf(fs), functions) {
				if got[i] != uint32(v>>(64-valueBits)) {
					t.Fatalf("size %d, %d features: value %d is %#x, want the top of %#x", size, n, i, got[i], v)
				}
			}
		}
	}
}

// naiveOPH follows the definition from the side of the empty bins: each copies
// the first full bin in its own sequence, which is all throws at it in order.
func naiveOPH(f *ophFamily, hashes []uint64) []uint32 {
	vals := make([]uint32, f.size)
	full := make([]bool, f.size)
	for _, x := range hashes {
		z := mix(x, f.seed)
		// The bin is ⌊z·size / 2⁶⁴⌋ and the value what is left of z·size.
		bin := int(float64(z) / (1 << 64) * float64(f.size))
		for bin > 0 && z < edge(bin, f.size) {
			bin--
		}
		for bin+1 < f.size && z >= edge(bin+1, f.size) {
			bin++
		}
		v := uint32(z * uint64(f.size) >> (64 - valueBits))
		if !full[bin] || v < vals[bin] {
			vals[bin], full[bin] = v, true
		}
	}
	for i := range vals {
		for round := 0; !full[i] && vals[i] == 0; round++ {
			for from := range vals {
				if full[from] && f.target(from, round) == i {
					vals[i] = vals[from] | copied
					break
				}
			}
		}
	}
	return vals
}

// edge returns the least word of a bin, ⌈bin·2⁶⁴ / size⌉.
func edge(bin, size int) uint64 {
	n := new(big.Int).Lsh(big.NewInt(int64(bin)), 64)
	n.Add(n, big.NewInt(int64(size-1)))
	return n.Div(n, big.NewInt(int64(size))).Uint64()
}

func TestOPHAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, size := range []int{1, 2, 3, 7, 64, 100, 128, 300} {
		m := mustMinHash(t, MinHashOptions{Size: size, Seed: 12})
		for _, n := range []int{1, 2, 5, 40, 400, 1025, 3000} {
			fs := randomFeatures(rng, n, 5*n, 64, 0)
			got := make([]uint32, size)
			unpack32(got, m.SketchFeatures(fs))
			if want := naiveOPH(m.oph, hashesOf(fs)); !slices.Equal(got, want) {
				t.Fatalf("size %d, %d features: values %#x, want %#x", size, n, got, want)
			}
		}
	}
}

// naiveAgree compares value by value.
func naiveAgree(a, b []uint32, width int) int {
	n := 0
	for i := range a {
		if (a[i]^b[i])&(1<<width-1) == 0 {
			n++
		}
	}
	return n
}

func TestPackAndAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, width := range []int{1, 2, 4, 8, 16, 32} {
		for _, size := range []int{1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 130, 512, 1000} {
			m := mustMinHash(t, MinHashOptions{Size: size, Bits: width})
			for range 20 {
				u, v := make([]uint32, size), make([]uint32, size)
				for i := range u {
					u[i] = rng.Uint32N(emptyBin)
					switch v[i] = u[i]; rng.IntN(4) {
					case 0:
						v[i] = rng.Uint32N(emptyBin)
					case 1:
						v[i] ^= 1 << rng.IntN(30) // one bit apart, each lane's highest too
					}
				}
				a, b := pack(u, width), pack(v, width)
				if got, want := m.agree(a, b), naiveAgree(u, v, width); got != want {
					t.Fatalf("size %d, %d bits: %d agree, want %d", size, width, got, want)
				}
				if want := (size*width + 63) / 64 * 8; m.Bytes(a) != want {
					t.Fatalf("size %d, %d bits: %d bytes, want %d", size, width, m.Bytes(a), want)
				}
			}
		}
	}
}

func TestBytes(t *testing.T) {
	for _, q := range []struct{ size, bits, want int }{{128, 32, 512}, {128, 4, 64}, {512, 1, 64}, {128, 1, 16}} {
		m := mustMinHash(t, MinHashOptions{Size: q.size, Bits: q.bits})
		if got := m.Bytes(m.Sketch(catThe)); got != q.want {
			t.Errorf("%s: %d bytes, want %d", m, got, q.want)
		}
	}
}

// overlapping returns two lists of n features of which the share r of their
// union is in both, and that share exactly.
func overlapping(rng *rand.Rand, n int, r float64) (a, b []feature.Feature, exact float64) {
	both := int(math.Round(2 * float64(n) * r / (1 + r)))
	for i := range 2*n - both {
		f := feature.Feature{Hash: rng.Uint64(), Weight: 1}
		if i < n {
			a = append(a, f)
		}
		if i >= n-both {
			b = append(b, f)
		}
	}
	return a, b, float64(both) / float64(2*n-both)
}

// estimator is what the methods of this package have in common here.
type estimator interface {
	String() string
	score(a, b []feature.Feature) float64
}

func (m *MinHash) score(a, b []feature.Feature) float64 {
	return m.Score(m.SketchFeatures(a), m.SketchFeatures(b))
}

func (m *Bottom) score(a, b []feature.Feature) float64 {
	return m.Score(m.SketchFeatures(a), m.SketchFeatures(b))
}

// skipStatistics skips a test of a single goroutine that the race detector would
// only slow down.
func skipStatistics(t *testing.T) {
	if raceEnabled {
		t.Skip("statistics are tested without the race detector")
	}
}

// spread returns the mean error and the root of the mean square error over seeds.
func spread(a, b []feature.Feature, exact float64, seeds int, make func(seed uint64) estimator) (bias, rmse float64) {
	for seed := range seeds {
		e := make(uint64(seed)).score(a, b) - exact
		bias += e / float64(seeds)
		rmse += e * e / float64(seeds)
	}
	return bias, math.Sqrt(rmse)
}

// Over 300 seeds the mean error lies within 4.5 standard errors of zero, and the
// root mean square error at most a fifth above the error that StdErr states
// (its own standard error is some 4 %). From below it is bounded where theory
// says it must not be smaller: not for OPH and bottom-s, which sample without
// replacement, nor for clamped estimates.
func TestStandardError(t *testing.T) {
	skipStatistics(t)
	const seeds = 300
	rng := rand.New(rand.NewPCG(6, 6))
	for _, q := range []struct {
		scheme     Scheme
		size, bits int
		n          int
		r          float64
	}{
		{OPH, 128, 32, 400, .5}, {OPH, 128, 32, 400, .8}, {OPH, 128, 32, 3000, .5}, {OPH, 256, 32, 60, .5},
		{OPH, 128, 32, 30, .8}, {OPH, 100, 4, 400, .5}, {OPH, 512, 1, 2000, .5}, {OPH, 256, 8, 40, .3},
		{KPerm, 64, 32, 200, .5}, {KPerm, 128, 32, 200, .8}, {KPerm, 128, 1, 200, .5}, {KPerm, 128, 2, 200, .8},
		{ICWS, 64, 32, 60, .5}, {ICWS, 64, 4, 60, .8},
	} {
		a, b, exact := overlapping(rng, q.n, q.r)
		bias, rmse := spread(a, b, exact, seeds, func(seed uint64) estimator {
			return mustMinHash(t, MinHashOptions{Scheme: q.scheme, Size: q.size, Bits: q.bits, Seed: seed})
		})
		se := StdErr(exact, q.size, q.bits)
		if math.Abs(bias) > 4.5*se/math.Sqrt(seeds) {
			t.Errorf("%+v, seeds 0 to %d: mean error %.4f, want 0 ± %.4f", q, seeds-1, bias, 4.5*se/math.Sqrt(seeds))
		}
		if low := .8 * se; rmse > 1.2*se || q.scheme != OPH && rmse < low {
			t.Errorf("%+v, seeds 0 to %d: root mean square error %.4f, want %.4f", q, seeds-1, rmse, se)
		}
	}
	for _, n := range []int{100, 400, 3000} {
		a, b, exact := overlapping(rng, n, .5)
		bias, rmse := spread(a, b, exact, seeds, func(seed uint64) estimator { return mustBottom(t, MinHashOptions{Seed: seed}) })
		se := StdErr(exact, 128, 32)
		if math.Abs(bias) > 4.5*se/math.Sqrt(seeds) || rmse > 1.2*se {
			t.Errorf("bottom, %d shingles, seeds 0 to %d: mean error %.4f, root mean square %.4f, want 0 and at most %.4f", n, seeds-1, bias, rmse, se)
		}
	}
}

// Sets of few elements in many bins, where nearly all values are copies, and sets
// of very unequal size, of which one has copies and the other none. The mean over
// seeds must still be the resemblance, and the error that of as many independent
// values, but for the chance that two elements of one or two share a bin. Where the
// estimate is clamped at 0 its mean lies above a small resemblance.
func TestTinySets(t *testing.T) {
	skipStatistics(t)
	const seeds = 600
	rng := rand.New(rand.NewPCG(8, 8))
	for _, q := range []struct{ na, nb, both int }{
		{1, 1, 0}, {1, 1, 1}, {1, 2, 1}, {2, 2, 1}, {5, 5, 0}, {5, 5, 1}, {5, 5, 3}, {5, 5, 4},
		{1, 1000, 1}, {5, 500, 5}, {3, 30, 3}, {20, 20, 10}, {50, 300, 40},
	} {
		var a, b []feature.Feature
		for i := range q.na + q.nb - q.both {
			f := feature.Feature{Hash: rng.Uint64(), Weight: 1}
			if i < q.na {
				a = append(a, f)
			}
			if i >= q.na-q.both {
				b = append(b, f)
			}
		}
		exact := float64(q.both) / float64(q.na+q.nb-q.both)
		for _, o := range []MinHashOptions{{}, {Bits: 4}, {Bits: 1}, {Scheme: KPerm}, {Scheme: KPerm, Bits: 1}} {
			o.Size = 256
			seeds := seeds
			if o.Scheme == KPerm {
				seeds = 150
			}
			bias, rmse := spread(a, b, exact, seeds, func(seed uint64) estimator {
				o.Seed = seed
				return mustMinHash(t, o)
			})
			se := mustMinHash(t, o).StdErr(exact)
			clamped := exact < 4*se && o.Bits != 0
			if limit := 4.5 * 1.4 * se / math.Sqrt(float64(seeds)); bias < -limit || bias > limit && !clamped {
				t.Errorf("%+v, %+v, seeds 0 to %d: mean error %.4f, want 0 ± %.4f", o, q, seeds-1, bias, limit)
			}
			if rmse > 1.4*se {
				t.Errorf("%+v, %+v, seeds 0 to %d: root mean square error %.4f, want %.4f", o, q, seeds-1, rmse, se)
			}
		}
	}
}

// Weighted resemblance is estimated without bias, and integer weights as copies.
func TestICWSOfWeights(t *testing.T) {
	skipStatistics(t)
	const seeds = 200
	rng := rand.New(rand.NewPCG(9, 9))
	for range 3 {
		a, b, _ := overlapping(rng, 40, .6)
		for i := range a {
			a[i].Weight = math.Exp(2 * rng.NormFloat64())
		}
		for i := range b {
			b[i].Weight = math.Exp(2 * rng.NormFloat64())
		}
		exact := naiveResemblance(naiveBag(a), naiveBag(b))
		bias, rmse := spread(a, b, exact, seeds, func(seed uint64) estimator {
			return mustMinHash(t, MinHashOptions{Scheme: ICWS, Size: 64, Seed: seed})
		})
		se := StdErr(exact, 64, 32)
		if math.Abs(bias) > 4.5*se/math.Sqrt(seeds) || rmse > 1.2*se || rmse < .8*se {
			t.Errorf("Σmin/Σmax %.3f, seeds 0 to %d: mean error %.4f, root mean square %.4f, want 0 and %.4f", exact, seeds-1, bias, rmse, se)
		}
	}
}

// naiveICWS is Ioffe's definition in the paper's terms: t = ⌊ln w / r + β⌋,
// y = exp(r(t−β)), a = c / (y·eʳ), and the element of the least a is drawn with its
// t. Only the random numbers are shared with what it is held against.
func naiveICWS(bag map[uint64]float64, base uint64) (drawn uint64, level float64) {
	least := math.Inf(1)
	for h, w := range bag {
		u := splitmix.Stream(mix(h, base))
		r := -math.Log(unit(&u)) - math.Log(unit(&u))
		c := -math.Log(unit(&u)) - math.Log(unit(&u))
		beta := unit(&u)
		t := math.Floor(math.Log(w)/r + beta)
		if a := c / (math.Exp(r*(t-beta)) * math.Exp(r)); a < least {
			least, drawn, level = a, h, t
		}
	}
	return drawn, level
}

func TestICWSAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	const size = 50
	m := mustMinHash(t, MinHashOptions{Scheme: ICWS, Size: size, Seed: 13})
	for _, n := range []int{1, 2, 3, 20, 200} {
		fs := randomFeatures(rng, n, 2*n, 64, 2)
		got := make([]uint32, size)
		unpack32(got, m.SketchFeatures(fs))
		bases := splitmix.Stream(m.seed)
		for i := range got {
			base := bases.Next()
			drawn, level := naiveICWS(naiveBag(fs), base)
			if want := uint32(mix(drawn, mix(math.Float64bits(level+0), base)) >> (64 - valueBits)); got[i] != want {
				t.Errorf("%d features: value %d is %#x, want that of %#x at %v, %#x", n, i, got[i], drawn, level, want)
			}
		}
	}
}

// Storage saved against 64-bit values at equal variance: Li and König (WWW 2010)
// claim at least 21.3 times for b = 1 at R ≥ 0.5; the others follow from the
// variances of that paper.
func TestStorageRatio(t *testing.T) {
	for _, q := range []struct {
		r    float64
		bits int
		want float64
	}{
		{.5, 1, 21.33}, {.5, 2, 19.2}, {.5, 4, 14.1}, {.5, 8, 7.94},
		{.8, 1, 28.4}, {.8, 2, 22.6}, {.8, 4, 14.8}, {.8, 8, 7.96},
	} {
		full, packed := StdErr(q.r, 100, 32), StdErr(q.r, 100, q.bits)
		got := 64 * full * full / (float64(q.bits) * packed * packed)
		if math.Abs(got-q.want) > .006*q.want {
			t.Errorf("R=%v, %d bits: saves %.2f times, want %v", q.r, q.bits, got, q.want)
		}
	}
}

// √(R(1−R)/k) rounded to four places.
func TestStdErr(t *testing.T) {
	for _, q := range []struct {
		size     int
		at5, at8 float64
	}{
		{64, .0625, .0500}, {84, .0546, .0436}, {128, .0442, .0354}, {200, .0354, .0283},
		{256, .0312, .0250}, {512, .0221, .0177}, {1024, .0156, .0125},
	} {
		if a, b := StdErr(.5, q.size, 32), StdErr(.8, q.size, 32); math.Abs(a-q.at5) > 6e-5 || math.Abs(b-q.at8) > 6e-5 {
			t.Errorf("size %d: %.5f and %.5f, want %v and %v", q.size, a, b, q.at5, q.at8)
		}
	}
}

func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	for _, m := range []*MinHash{
		mustMinHash(t, MinHashOptions{}), mustMinHash(t, MinHashOptions{Size: 33, Seed: 4}),
		mustMinHash(t, MinHashOptions{Size: 40, Scheme: KPerm}),
	} {
		for _, n := range []int{0, 1, 3, 50, 500} {
			for _, k := range []int{0, 1, 20, 300} {
				a, b := randomFeatures(rng, n, 2*n+1, 64, 0), randomFeatures(rng, k, 2*k+1, 64, 0)
				got, err := m.Merge(m.SketchFeatures(a), m.SketchFeatures(b))
				if err != nil {
					t.Fatal(err)
				}
				if want := m.SketchFeatures(slices.Concat(a, b)); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: merge of %d and %d shingles differs from the sketch of both", m, n, k)
				}
			}
		}
	}
	bottom := mustBottom(t, MinHashOptions{Size: 20})
	for _, n := range []int{0, 1, 15, 500} {
		a, b := randomFeatures(rng, n, 2*n+1, 64, 0), randomFeatures(rng, 30, 60, 64, 0)
		got := bottom.Merge(bottom.SketchFeatures(a), bottom.SketchFeatures(b))
		if want := bottom.SketchFeatures(slices.Concat(a, b)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: merge of %d and 30 shingles differs from the sketch of both", bottom, n)
		}
	}
	for _, o := range []MinHashOptions{{Bits: 8}, {Scheme: ICWS}} {
		m := mustMinHash(t, o)
		if _, err := m.Merge(m.Sketch(catThe), m.Sketch(catA)); err == nil {
			t.Errorf("%s: no error from Merge", m)
		}
	}
}

// Scratch space that a huge text made grow is not kept.
func TestReleaseOfHugeScratch(t *testing.T) {
	b := builders.New().(*builder)
	b.hashes = make([]uint64, mostKept+1)
	b.sorter.tmp = make([]uint64, mostKept+1)
	b.features = make([]feature.Feature, mostKept+1)
	b.release()
	if cap(b.hashes) > mostKept || cap(b.sorter.tmp) > mostKept || cap(b.features) > mostKept {
		t.Errorf("kept %d hashes, %d to sort, %d features", cap(b.hashes), cap(b.sorter.tmp), cap(b.features))
	}
	sc := mustMinHash(t, MinHashOptions{}).newScratch()
	sc.features = make([]feature.Feature, mostKept+1)
	sc.release()
	if cap(sc.features) > mostKept {
		t.Errorf("kept %d features", cap(sc.features))
	}
}

// Signatures see the set alone: neither order nor repeats.
func TestRepeatsAndOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 13))
	fs := randomFeatures(rng, 3000, 9000, 64, 0)
	twice := slices.Concat(fs, fs)
	rng.Shuffle(len(twice), func(i, j int) { twice[i], twice[j] = twice[j], twice[i] })
	for _, m := range []*MinHash{mustMinHash(t, MinHashOptions{}), mustMinHash(t, MinHashOptions{Scheme: KPerm})} {
		if !reflect.DeepEqual(m.SketchFeatures(fs), m.SketchFeatures(twice)) {
			t.Errorf("%s: order or repeats change the signature", m)
		}
	}
	bottom := mustBottom(t, MinHashOptions{})
	if !reflect.DeepEqual(bottom.SketchFeatures(fs), bottom.SketchFeatures(twice)) {
		t.Errorf("%s: order or repeats change the sketch", bottom)
	}
}

// The estimates of containment by the smallest hashes, against the exact ones.
func TestBottomContainment(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 14))
	all := randomFeatures(rng, 1500, 1<<30, 64, 0)
	a, b := all[:500], all[100:] // 400 of 500 in b
	var sum float64
	const seeds = 200
	for seed := range uint64(seeds) {
		m := mustBottom(t, MinHashOptions{Seed: seed})
		sum += m.Containment(m.SketchFeatures(a), m.SketchFeatures(b))
	}
	// Some 43 of 128 hashes are a's, so one estimate errs by √(.8·.2/43) = .061.
	if mean := sum / seeds; math.Abs(mean-.8) > 4.5*.061/math.Sqrt(seeds) {
		t.Errorf("mean containment %.4f over %d seeds, want .8", mean, seeds)
	}
}
