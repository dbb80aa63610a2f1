package eval

import (
	"slices"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// A speed is measured over rounds of at least minRound, so that the clock's and
// the scheduler's grain do not show, and no text or pair is left out of a round.
const minRound = 20 * time.Millisecond

// sketchSpeed returns the median speed of sketching the used documents, from
// text, one after another on one goroutine, in 10^6 bytes of text a second.
func sketchSpeed(set *datasets.Set, used []int, m similarity.Method, repeat int) float64 {
	var texts []string
	bytes := 0
	for i, d := range set.Docs {
		if used[i] >= 0 {
			texts = append(texts, d.Text)
			bytes += len(d.Text)
		}
	}
	perSecond := rate(repeat, func() {
		c := m.NewCollection()
		for _, t := range texts {
			c.Add(t)
		}
	})
	return perSecond * float64(bytes) / 1e6
}

// scoreSpeed returns the median number of pairs scored a second on one goroutine.
func scoreSpeed(c similarity.Collection, used []int, pairs []datasets.Pair, repeat int) float64 {
	sum := 0.0
	perSecond := rate(repeat, func() {
		for _, p := range pairs {
			sum += c.Score(used[p.A], used[p.B])
		}
	})
	if sum < 0 {
		panic("eval: negative scores") // uses the sum, so that no score is optimised away
	}
	return perSecond * float64(len(pairs))
}

// rate returns the median over repeat rounds of how often a second f runs, after
// one run to warm up.
func rate(repeat int, f func()) float64 {
	f()
	rates := make([]float64, repeat)
	for i := range rates {
		n := 0
		start := time.Now()
		for time.Since(start) < minRound {
			f()
			n++
		}
		rates[i] = float64(n) / time.Since(start).Seconds()
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}
