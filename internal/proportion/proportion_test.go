package proportion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"sort"
	"strconv"
	"testing"
)

// The published values are those of method 5 in table I of Newcombe, Statistics in
// Medicine 17 (1998).
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, .2527, .3676}, {15, 148, .0578, .1617}, {0, 20, 0, .1684}, {1, 29, .0009, .1776},
	} {
		if low, high := ClopperPearson(c.k, c.n, 0.95); math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
	// By definition k or more successes have half the error at the lower end, and k
	// or fewer at the upper one.
	for k := 0; k <= 12; k++ {
		low, high := ClopperPearson(k, 12, 0.9)
		if got := atMost(12, k-1, low); k > 0 && math.Abs(1-got-0.05) > 1e-9 {
			t.Errorf("%d of 12: %d or more have the probability %v at %v", k, k, 1-got, low)
		}
		if got := atMost(12, k, high); k < 12 && math.Abs(got-0.05) > 1e-9 {
			t.Errorf("%d of 12: %d or fewer have the probability %v at %v", k, k, got, high)
		}
	}
	if low, high := ClopperPearson(0, 0, 0.95); low != 0 || high != 1 {
		t.Errorf("without draws %v to %v", low, high)
	}
	// One-sided at 95 %, 598 draws without an error show 0.5 %, and 597 do not.
	_, fewer := ClopperPearson(0, 597, 0.9)
	if _, enough := ClopperPearson(0, 598, 0.9); fewer <= 0.005 || enough > 0.005 {
		t.Errorf("597 draws show %v, 598 draws %v", fewer, enough)
	}
}

// atMost returns the probability of k or fewer successes in n draws.
func atMost(n, k int, p float64) float64 {
	sum, choose := 0.0, 1.0
	for i := 0; i <= k; i++ {
		sum += choose * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		choose *= float64(n-i) / float64(i+1)
	}
	return sum
}

// Over all orders of a small population, the bound is below the truth at some
// draw with at most the probability allowed, and so is a false refutation.
func TestSequenceByEnumeration(t *testing.T) {
	for _, n := range []int{1, 2, 5, 12, 30} {
		for _, target := range []int{0, 1, 3, n} {
			for _, confidence := range []float64{0.5, 0.8, 0.95} {
				for k := 0; k <= n; k++ {
					s, err := NewSequence(n, target, confidence)
					if err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("%d of %d wrong, target %d, confidence %v", k, n, target, confidence)
					if p := meet(*s, k, func(s *Sequence) bool { return s.Bound() < k }); p > 1-confidence+1e-12 {
						t.Errorf("%s: a bound is too low with the probability %v", name, p)
					}
					if p := meet(*s, k, (*Sequence).Shown); k > target && p > 1-confidence+1e-12 {
						t.Errorf("%s: shown with the probability %v", name, p)
					}
					if p := meet(*s, k, (*Sequence).Refuted); k <= target && p > 1-confidence+1e-12 {
						t.Errorf("%s: refuted with the probability %v", name, p)
					}
					all := *s
					all.drawn, all.wrong = n, k
					if all.Bound() != k || all.Shown() != (k <= target) || all.Refuted() != (k > s.target) {
						t.Errorf("%s: after all draws %d, %v, %v", name, all.Bound(), all.Shown(), all.Refuted())
					}
				}
			}
		}
	}
}

// meet returns the probability that a sequence is bad at some draw while k are
// wrong.
func meet(s Sequence, k int, bad func(*Sequence) bool) float64 {
	type state struct{ drawn, wrong int }
	known := map[state]float64{}
	var from func(state) float64
	from = func(at state) float64 {
		if p, ok := known[at]; ok {
			return p
		}
		now := s
		now.drawn, now.wrong = at.drawn, at.wrong
		p := 0.0
		if bad(&now) {
			p = 1
		} else if left := s.population - at.drawn; left > 0 {
			wrong := float64(k-at.wrong) / float64(left)
			if wrong > 0 {
				p += wrong * from(state{at.drawn + 1, at.wrong + 1})
			}
			if wrong < 1 {
				p += (1 - wrong) * from(state{at.drawn + 1, at.wrong})
			}
		}
		known[at] = p
		return p
	}
	return from(state{})
}

// Where just more than the target are wrong, few of many runs show the target.
func TestSequenceCoverage(t *testing.T) {
	const seed, runs, population, target = 7, 400, 5000, 25
	r := rand.New(rand.NewPCG(seed, 0))
	shown := 0
	for range runs {
		s, err := NewSequence(population, target, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for left, wrong := population, target+1; left > 0; left-- {
			bad := r.IntN(left) < wrong
			if bad {
				wrong--
			}
			if s.Add(bad); s.drawn%25 == 0 && s.Shown() {
				shown++
				break
			}
			if s.wrong > target {
				break
			}
		}
	}
	// 40 of 400 are allowed; the standard deviation is 6.
	if shown == 0 || shown > 40+2*6 {
		t.Errorf("seed %d: shown in %d of %d runs, want at most a tenth", seed, shown, runs)
	}
}

// The draws needed are those of the likelihood ratio by hand: (1-p)^-n times the
// weight of none is to be 20 in a large population. The prior saves nothing more
// than a fixed sample, and costs little.
func TestSequenceLeft(t *testing.T) {
	s, err := NewSequence(1e7, 5e4-1, 0.95) // so that the target plus one is 0.5 %
	if err != nil {
		t.Fatal(err)
	}
	left := s.Left()
	if alone := math.Log(20/sound) / -math.Log1p(-0.005); left < 598 || float64(left) > alone {
		t.Errorf("%d draws without an error, want 598 to %.0f", left, alone)
	}
	t.Logf("%d draws without an error", left)
	for range left - 1 {
		s.Add(false)
	}
	if s.Shown() || s.Left() != 1 {
		t.Errorf("shown by %d draws: %v, left %d", s.drawn, s.Shown(), s.Left())
	}
	before := s.Bound()
	s.Add(false)
	if !s.Shown() || s.Left() != 0 || s.Bound() > s.target || before <= s.target {
		t.Errorf("shown by %d draws: %v, bound %d", s.drawn, s.Shown(), s.Bound())
	}
	s.Add(true)
	if s.Shown() || s.Refuted() || s.Left() < 300 {
		t.Errorf("an error changes nothing: shown %v, refuted %v, left %d", s.Shown(), s.Refuted(), s.Left())
	}
	for range 100 {
		s.Add(true)
	}
	if !s.Refuted() {
		t.Error("101 errors of 700 draws are not refuted")
	}
}

func TestNewSequenceRefuses(t *testing.T) {
	for _, c := range []struct {
		population, target int
		confidence         float64
	}{{-1, 0, 0.9}, {1, -1, 0.9}, {1, 0, 0}, {1, 0, 1}, {1, 0, math.NaN()}} {
		if _, err := NewSequence(c.population, c.target, c.confidence); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	s, err := NewSequence(0, 0, 0.95)
	if err != nil || !s.Shown() || s.Left() != 0 || s.Bound() != 0 || s.Refuted() {
		t.Errorf("an empty population: %v, %+v", err, s)
	}
}

// docs/dedup/against.md says how many answers a bound takes. The columns of samples
// of fixed size are the definition: the fewest draws whose chance of so few errors
// is at most 5 %.
func TestDocumentedAnswers(t *testing.T) {
	page, err := os.ReadFile("../../docs/dedup/against.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([0-9.]+) % \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(string(page), -1)
	if len(rows) != 4 {
		t.Fatalf("the table has %d rows, want 4", len(rows))
	}
	left := func(population int, p float64, wrong int) int {
		s, err := NewSequence(population, int(p*float64(population)), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		for range wrong {
			s.Add(true)
		}
		return wrong + s.Left()
	}
	fixed := func(p float64, wrong int) int {
		return sort.Search(1e4, func(n int) bool { return n > wrong && atMost(n, wrong, p) <= 0.05 })
	}
	for _, row := range rows {
		percent, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		p := percent / 100
		want := []int{left(1e3, p, 0), left(1e4, p, 0), left(1e6, p, 0), left(1e6, p, 1), fixed(p, 0), fixed(p, 1)}
		for i, n := range want {
			if row[2+i] != strconv.Itoa(n) {
				t.Errorf("%v %%, column %d: the page says %s, want %d", percent, i+2, row[2+i], n)
			}
		}
	}
}
