package choose

import (
	"time"

	"github.com/alike-go/alike/eval"
)

// What a speed is measured on: so many bytes of text and so many pairs, at least for
// this long.
const (
	speedBytes = 1 << 20
	speedPairs = 20_000
	speedTime  = 20 * time.Millisecond
)

// measure fills in the speeds of a candidate on one core.
func measure(t *Trial, x Ranked, s *Sample) {
	var texts []string
	bytes := 0
	step := max(1, s.Bytes()/speedBytes)
	for i := 0; i < len(s.Texts); i += step {
		texts = append(texts, s.Texts[i])
		bytes += len(s.Texts[i])
	}
	t.SketchMBs = eval.Figure(float64(bytes) / 1e6 * rate(func() {
		c := x.Method.NewCollection()
		for _, text := range texts {
			c.Add(text)
		}
	}))
	pairs := s.Pairs[:min(len(s.Pairs), speedPairs)]
	sum := 0.0
	t.PairsS = eval.Figure(float64(len(pairs)) * rate(func() {
		for _, p := range pairs {
			sum += x.Sketches.Score(int(p.A), int(p.B))
		}
	}))
	if sum < 0 {
		panic("choose: negative scores") // uses the sum, so that no score is optimised away
	}
}

// rate returns how often a second f runs.
func rate(f func()) float64 {
	f() // warms up
	n := 0
	start := time.Now()
	for n == 0 || time.Since(start) < speedTime {
		f()
		n++
	}
	return float64(n) / time.Since(start).Seconds()
}
