package external

import (
	"math"
	"math/bits"

	"github.com/alike-go/alike/internal/intersect"
)

// scores sets out[i] to the score of pairs[i]; all are 0 where the method has failed.
func (m *Method) scores(pairs []pair, out []float64) {
	clear(out)
	p, err := m.process()
	if err != nil {
		return
	}
	if p.hello.Kind == kindScores {
		p.askScores(pairs, out)
		return
	}
	for i, q := range pairs {
		if q.a.full && q.b.full {
			out[i] = score(&p.hello, q.a, q.b)
		}
	}
}

// askScores has the process score pairs, a batch after the other under way. Each
// pair is asked for in an order that follows from the two texts, so that a process whose
// arithmetic is not quite symmetric gives the same figures whatever the order here.
func (p *process) askScores(pairs []pair, out []float64) {
	var places []int
	var ask []pair
	for i, q := range pairs {
		if !q.a.full || !q.b.full {
			continue
		}
		if x, y := q.a.kept.text, q.b.kept.text; y.Hi < x.Hi || y.Hi == x.Hi && y.Lo < x.Lo {
			q.a, q.b = q.b, q.a
		}
		places, ask = append(places, i), append(ask, q)
	}
	got := make([]float64, len(ask))
	var batches []*batch
	const most = batchPairs - 1 // one place is for the check
	for from := 0; from < len(ask); from += most {
		part := ask[from:min(len(ask), from+most)]
		b := &batch{check: -1, out: got[from : from+len(part)], done: make(chan struct{})}
		b.pairs = part
		for i, q := range part {
			if q.a != q.b {
				b.check, b.pairs = i, append(part[:len(part):len(part)], pair{q.b, q.a})
				break
			}
		}
		batches = append(batches, b)
		p.submit(b)
	}
	for _, b := range batches {
		if p.await(b) != nil {
			return
		}
	}
	for k, i := range places {
		out[i] = got[k]
	}
}

// score is the score of two sketches of features, by the kind.
func score(h *hello, a, b *Sketch) float64 {
	switch h.Kind {
	case kindMinHash:
		equal := 0
		for i, w := range a.words {
			if w == b.words[i] {
				equal++
			}
		}
		return float64(equal) / float64(len(a.words))
	case kindSimHash:
		apart := 0
		for i, w := range a.words {
			apart += bits.OnesCount64(w ^ b.words[i])
		}
		return 1 - float64(apart)/float64(h.Size)
	case kindSet:
		both := intersect.Count(a.words, b.words)
		return float64(both) / float64(len(a.words)+len(b.words)-both)
	}
	// The root of a product with itself is the number again, so that equal vectors
	// score 1 exactly.
	return max(0, min(1, dot(a, b)/math.Sqrt(float64(a.norm*b.norm))))
}

// dot returns the scalar product of two vectors; words are the indices of sparse ones. The
// conversions keep products from being fused with sums, which not every platform does.
func dot(a, b *Sketch) (sum float64) {
	if a.words == nil && b.words == nil {
		for i, v := range a.values {
			sum += float64(v * b.values[i])
		}
		return sum
	}
	index := func(s *Sketch, i int) uint64 {
		if s.words == nil {
			return uint64(i)
		}
		return s.words[i]
	}
	for i, j := 0, 0; i < len(a.values) && j < len(b.values); {
		switch x, y := index(a, i), index(b, j); {
		case x < y:
			i++
		case x > y:
			j++
		default:
			sum += float64(a.values[i] * b.values[j])
			i, j = i+1, j+1
		}
	}
	return sum
}
