package shingle

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// naiveMissed counts, over all ways to choose the values that differ, those that leave no
// band whole, by inclusion and exclusion in whole numbers.
func naiveMissed(bands, rows, size, differ int) float64 {
	sum := new(big.Int)
	for i := 0; i <= bands && size-i*rows >= differ; i++ {
		term := new(big.Int).Binomial(int64(bands), int64(i))
		term.Mul(term, new(big.Int).Binomial(int64(size-i*rows), int64(differ)))
		if i%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	p, _ := new(big.Rat).SetFrac(sum, new(big.Int).Binomial(int64(size), int64(differ))).Float64()
	return p
}

func TestMissed(t *testing.T) {
	for _, q := range [][4]int{{1, 1, 1, 1}, {2, 2, 4, 2}, {3, 2, 7, 3}, {14, 8, 128, 25}, {20, 5, 100, 30}, {16, 8, 128, 0}, {9, 14, 128, 12}, {50, 4, 256, 120}} {
		want := naiveMissed(q[0], q[1], q[2], q[3])
		if got := missed(q[0], q[1], q[2], q[3]); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
}

// What a design promises, for all sizes and thresholds: the recall, bands that fit, and
// certainty where more bands than values that differ.
func TestDesign(t *testing.T) {
	for _, o := range []MinHashOptions{{}, {Bits: 1, Size: 512}, {Bits: 4}, {Size: 1}, {Size: 77, Bits: 8}, {Size: 1025}} {
		m := mustMinHash(t, o)
		for _, threshold := range []float64{.05, .5, .8, .95, 1} {
			for _, recall := range []float64{.5, .99} {
				d, err := m.Design(similarity.JoinOptions{Threshold: threshold, Recall: recall})
				if err != nil {
					t.Errorf("%s at %v: %v", m, threshold, err)
					continue
				}
				if d.Bands < 1 || d.Rows < 1 || d.Bands*d.Rows > m.size || d.ByScore(threshold) < recall {
					t.Errorf("%s at %v: %s finds %v, want %v", m, threshold, d, d.ByScore(threshold), recall)
				}
				if d.Bands > 1 {
					d.Bands--
					if d.ByScore(threshold) >= recall {
						t.Errorf("%s at %v: %s would do", m, threshold, d)
					}
				}
				if d.ByScore(1) != 1 || d.ByScore(0) > d.ByScore(.5)+1e-12 || d.ByScore(.5) > d.ByScore(.9)+1e-12 {
					t.Errorf("%s: the curve of %s falls", m, d)
				}
			}
		}
	}
	m := mustMinHash(t, MinHashOptions{Size: 65536})
	if _, err := m.Design(similarity.JoinOptions{Threshold: 1e-5, Recall: .99}); err == nil {
		t.Error("no error for a recall out of reach")
	}
	// 128 values, score at least .9: at most 12 differ, so 13 bands are certain to find.
	d := LSHDesign{Banding{13, 9}, 128, 32}
	if d.ByScore(.9) != 1 || d.ByScore(.89) == 1 {
		t.Errorf("%s finds %v at .9 and %v at .89, want 1 and less", d, d.ByScore(.9), d.ByScore(.89))
	}
}

// Of pairs of each resemblance, and of each score, as many share a band as the design says,
// within five standard errors.
func TestRecallOfBands(t *testing.T) {
	pairs := 3000
	if testing.Short() {
		pairs = 600
	}
	for _, o := range []MinHashOptions{{}, {Scheme: KPerm, Size: 64}, {Bits: 1, Size: 256}, {Bits: 4}} {
		m := mustMinHash(t, o)
		d, err := m.Design(similarity.JoinOptions{Threshold: .7, Recall: .9})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []float64{.4, .6, .7, .8} {
			rng := rand.New(rand.NewPCG(uint64(100*r), 42))
			found, byScore, byResemblance, varScore := 0.0, 0.0, 0.0, 0.0
			for range pairs {
				fa, fb, exact := overlapping(rng, 300, r)
				// Each pair has shingles of its own, which stand for hash functions of its own.
				a, b := m.SketchFeatures(fa), m.SketchFeatures(fb)
				if share(d, a, b) {
					found++
				}
				p := d.ByScore(m.Score(a, b))
				if m.Score(a, b) == 0 {
					p = 0
				}
				byScore += p
				varScore += p * (1 - p)
				byResemblance += d.ByResemblance(exact)
			}
			n := float64(pairs)
			p := byResemblance / n
			if bound := 5 * math.Sqrt(n*p*(1-p)+1); math.Abs(found-byResemblance) > bound {
				t.Errorf("%s at resemblance %v: %v of %d found, want %.0f ± %.0f", m, r, found, pairs, byResemblance, bound)
			}
			if bound := 5 * math.Sqrt(varScore+1); math.Abs(found-byScore) > bound {
				t.Errorf("%s at resemblance %v: %v of %d found, by their scores %.0f ± %.0f", m, r, found, pairs, byScore, bound)
			}
		}
	}
}

// share reports whether two signatures agree in all values of a band, value by value.
func share(d LSHDesign, a, b Signature) bool {
	for band := range d.Bands {
		same := true
		for bit := band * d.Rows * d.Bits; bit < (band+1)*d.Rows*d.Bits; bit++ {
			same = same && (a[bit/64]^b[bit/64])>>(bit%64)&1 == 0
		}
		if same {
			return true
		}
	}
	return false
}

// signatures returns those of a collection with near and equal neighbours, some empty.
func signatures(rng *rand.Rand, m *MinHash, n int) []Signature {
	var sigs []Signature
	var sets [][]feature.Feature
	for i := range n {
		switch k := rng.IntN(8); {
		case k == 0 || i == 0:
			sets = append(sets, nil)
		case k < 4:
			sets = append(sets, randomFeatures(rng, 1+rng.IntN(200), 1<<30, 64, 0))
		case k < 5:
			sets = append(sets, sets[rng.IntN(i)])
		default:
			set := slices.Clone(sets[rng.IntN(i)])
			for k := range set {
				if rng.IntN(10) == 0 {
					set[k].Hash = rng.Uint64()
				}
			}
			sets = append(sets, set)
		}
		sigs = append(sigs, m.SketchFeatures(sets[i]))
	}
	return sigs
}

// A join by bands finds exactly the pairs that share one and score the threshold.
func TestJoinByBands(t *testing.T) {
	ctx := context.Background()
	for _, o := range []MinHashOptions{{}, {Bits: 1, Size: 200}, {Scheme: ICWS, Size: 24}, {Size: 1}} {
		m := mustMinHash(t, o)
		n := 300
		if o.Scheme == ICWS {
			n = 100
		}
		sigs := signatures(rand.New(rand.NewPCG(1, 43)), m, n)
		for _, threshold := range []float64{.3, .5, .8, 1} {
			jo := similarity.JoinOptions{Threshold: threshold, Recall: .8}
			d, err := m.Design(jo)
			if err != nil {
				t.Fatal(err)
			}
			score := func(a, b Signature) float64 {
				if len(a) == 0 || len(b) == 0 || !share(d, a, b) {
					return 0
				}
				return m.Score(a, b)
			}
			for _, b := range [][]Signature{nil, sigs[n/3:]} {
				a := sigs
				if b != nil {
					a = sigs[:n/3]
				}
				for _, jo.Workers = range []int{1, 3} {
					got, st := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
						return m.Join(ctx, a, b, jo, emit)
					})
					if want := bruteForce(a, b, threshold, false, score); !slices.Equal(got, want) {
						t.Errorf("%s at %v, self %t: %s", m, threshold, b == nil, difference(got, want))
					}
					if st.Recall != d.ByScore(threshold) || st.Design != d.String() {
						t.Errorf("%s at %v: statistics %+v of %s", m, threshold, st, d)
					}
				}
			}
		}
	}
}

// An index under adding and deleting finds what a list of signatures finds.
func TestLSH(t *testing.T) {
	for _, o := range []MinHashOptions{{}, {Bits: 1, Size: 200}} {
		m := mustMinHash(t, o)
		rng := rand.New(rand.NewPCG(4, 43))
		pool := signatures(rng, m, 200)
		x, err := NewLSH(m, LSHOptions{Threshold: .5, Recall: .9})
		if err != nil {
			t.Fatal(err)
		}
		in := make(map[int]Signature)
		for step := range 3000 {
			s := pool[rng.IntN(len(pool))]
			switch rng.IntN(3) {
			case 0:
				number := rng.IntN(len(pool))
				if _, ok := in[number]; x.Delete(number) != ok {
					t.Fatalf("step %d: delete %d is not %t", step, number, ok)
				}
				delete(in, number)
			case 1:
				if len(in) >= len(pool) {
					continue
				}
				number := x.Add(s)
				if len(s) == 0 {
					if number != -1 {
						t.Fatalf("an empty signature has the number %d", number)
					}
					continue
				}
				if _, ok := in[number]; ok || number < 0 {
					t.Fatalf("step %d: the number %d is given twice", step, number)
				}
				in[number] = s
			}
			if x.Len() != len(in) {
				t.Fatalf("step %d: %d signatures, want %d", step, x.Len(), len(in))
			}
			var want []Match
			for number, have := range in {
				if len(s) > 0 && share(x.Design(), s, have) && m.Score(s, have) >= .5 {
					want = append(want, Match{number, m.Score(s, have)})
				}
			}
			slices.SortFunc(want, func(a, b Match) int { return a.Number - b.Number })
			if got := x.Query(nil, s); !slices.Equal(got, want) {
				t.Fatalf("step %d: %v, want %v", step, got, want)
			}
		}
	}
}

func TestLSHOptions(t *testing.T) {
	m := mustMinHash(t, MinHashOptions{})
	for _, o := range []LSHOptions{{}, {Threshold: 2}, {Threshold: .5, Recall: 1}, {Threshold: .5, Banding: Banding{0, 3}}, {Threshold: .5, Banding: Banding{20, 7}}, {Threshold: .5, Banding: Banding{1 << 40, 1 << 40}}} {
		if _, err := NewLSH(m, o); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
	x, err := NewLSH(m, LSHOptions{Threshold: .5, Banding: Banding{16, 8}})
	if err != nil || x.Design().String() != "16 bands of 8 values" {
		t.Errorf("%v, %v", x.Design(), err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a signature of another size")
		}
	}()
	x.Add(Signature{1})
}

// Many equal signatures cost time and memory in proportion to their number: each query of
// one of n finds n, but what it takes beyond that does not grow.
func TestJoinOfEqualSignatures(t *testing.T) {
	m := mustMinHash(t, MinHashOptions{Size: 16})
	one := m.SketchFeatures(randomFeatures(rand.New(rand.NewPCG(5, 43)), 50, 1<<30, 64, 0))
	sigs := make([]Signature, 200_000)
	for i := range sigs {
		sigs[i] = one
	}
	n := 0
	st, err := m.Join(context.Background(), sigs, nil, similarity.JoinOptions{Threshold: .9}, func(p similarity.Pair) error {
		n++
		if p != (similarity.Pair{A: 0, B: n, Score: 1}) {
			return fmt.Errorf("pair %v", p)
		}
		if n == len(sigs)-1 {
			return errStop
		}
		return nil
	})
	if err != errStop || st.Verified != 0 {
		t.Errorf("%v after %d pairs, %+v", err, n, st)
	}
}

var errStop = fmt.Errorf("stop")
