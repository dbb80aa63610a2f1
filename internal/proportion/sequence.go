package proportion

import (
	"fmt"
	"math"
	"sort"
)

// Sequence follows a uniform sample without replacement from a finite population,
// and bounds from above how many of the population are wrong. The bound is valid
// after every draw at once: whoever stops when it is low enough is misled with at
// most the probability 1 - confidence.
//
// It is a test martingale (Waudby-Smith and Ramdas, "Confidence sequences for
// sampling without replacement", NeurIPS 2020, section 2): the ratio of the
// likelihood of the draws under a prior to that under K wrong ones. By Ville's
// inequality it reaches 1/(1-confidence) with at most that probability while K
// are wrong. The prior is fixed before the first draw. It has the weight sound on
// none wrong, because nothing else needs as few draws if none is, and the rest on
// a few shares of the target.
type Sequence struct {
	population, target int
	limit              float64 // of evidence
	fewer, more        []weighted
	drawn, wrong       int
}

// weighted is a number of wrong ones and its weight in a prior.
type weighted struct {
	wrong  int
	weight float64
}

// sound is the weight of none wrong. In a large population 628 draws without an
// error show 0.5 % at 95 %; 598 do if their number is fixed beforehand. With the
// weight 0.5, it is about 35 more, and a tenth fewer if one is wrong.
const sound = 0.75

// NewSequence returns a sequence without draws. It is to show that at most target
// of a population are wrong, with a confidence in (0, 1). The target only decides
// for which bound draws are saved; any bound is valid.
func NewSequence(population, target int, confidence float64) (*Sequence, error) {
	switch {
	case population < 0 || target < 0:
		return nil, fmt.Errorf("proportion: target %d of a population of %d, want 0 or more", target, population)
	case !(confidence > 0 && confidence < 1):
		return nil, fmt.Errorf("proportion: confidence is %v, want more than 0 and less than 1", confidence)
	}
	s := &Sequence{population: population, target: min(target, population), limit: -math.Log1p(-confidence)}
	s.fewer = []weighted{{0, sound}}
	for _, share := range shares {
		s.fewer = append(s.fewer, weighted{int(share * float64(target+1)), (1 - sound) / float64(len(shares))})
	}
	for factor := 2; factor <= 32; factor *= 2 {
		s.more = append(s.more, weighted{min(population, factor*(target+1)), 0.2})
	}
	return s, nil
}

// shares are the shares of the target that the prior expects if some are wrong.
var shares = []float64{0.125, 0.25, 0.5}

// Add notes a draw.
func (s *Sequence) Add(wrong bool) {
	s.drawn++
	if wrong {
		s.wrong++
	}
}

// likelihood returns the logarithm of the probability of the draws if k of the
// population are wrong, but for a term that does not depend on k.
func (s *Sequence) likelihood(k int) float64 {
	good := s.population - k
	if k < s.wrong || good < s.drawn-s.wrong {
		return math.Inf(-1)
	}
	sum := 0.0
	for i := range s.wrong {
		sum += math.Log(float64(k - i))
	}
	for i := range s.drawn - s.wrong {
		sum += math.Log(float64(good - i))
	}
	return sum
}

// against reports whether the draws refute that k are wrong, in favour of a prior.
func (s *Sequence) against(k int, prior []weighted) bool {
	null := s.likelihood(k)
	sum := 0.0
	for _, p := range prior {
		sum += float64(p.weight * math.Exp(s.likelihood(p.wrong)-null))
	}
	return math.Log(sum) >= s.limit
}

// refutes reports whether k or more wrong ones are refuted. The likelihood rises
// up to the share that was drawn, and falls behind it. So if k is refuted, more
// than k are as well.
func (s *Sequence) refutes(k int) bool {
	switch good := s.drawn - s.wrong; {
	case k <= s.wrong:
		return false
	case good > s.population-k:
		return true
	}
	n := 0
	for n < len(s.fewer) && s.fewer[n].wrong < k {
		n++
	}
	return s.against(k, s.fewer[:n])
}

// Bound returns how many of the population are wrong at most, with the confidence.
func (s *Sequence) Bound() int {
	return s.wrong + sort.Search(s.population-s.wrong, func(i int) bool { return s.refutes(s.wrong + i + 1) })
}

// Shown reports whether at most the target are wrong, with the confidence.
func (s *Sequence) Shown() bool { return s.target == s.population || s.refutes(s.target+1) }

// Refuted reports whether more than the target are wrong, with the confidence.
func (s *Sequence) Refuted() bool {
	switch good := s.drawn - s.wrong; {
	case s.wrong > s.target:
		return true
	case good > s.population-s.target-1:
		return false
	}
	return s.against(s.target, s.more)
}

// Left returns how many more draws show the target if none of them is wrong. It
// returns all that are left if none does.
func (s *Sequence) Left() int {
	shown := func(n int) bool {
		then := *s
		then.drawn += n
		return then.Shown()
	}
	most := 1
	for most < s.population-s.drawn && !shown(most) {
		most *= 2
	}
	return sort.Search(min(most, s.population-s.drawn), shown)
}

// Drawn returns the number of draws and how many of them are wrong.
func (s *Sequence) Drawn() (drawn, wrong int) { return s.drawn, s.wrong }
