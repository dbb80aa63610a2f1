package ensemble

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/alike-go/alike/similarity"
)

// Train returns the ensemble with weights learnt from pairs of texts, of which alike says whether
// they are alike. Members whose weight comes out as 0 are left out; where none tells alike from
// other, all stay and weigh the same. Members that learn from a corpus must have been fitted. Weights have
// six digits, so that they can be read and copied. The result does not depend on workers;
// zero means one.
func (m *Method) Train(ctx context.Context, texts []string, pairs [][2]int, alike []bool, workers int) (similarity.Method, error) {
	if len(pairs) != len(alike) {
		return nil, fmt.Errorf("ensemble: %d pairs and %d labels", len(pairs), len(alike))
	}
	both := [2]bool{}
	for _, a := range alike {
		if a {
			both[1] = true
		} else {
			both[0] = true
		}
	}
	if !both[0] || !both[1] {
		return nil, errors.New("ensemble: train: want pairs that are alike and pairs that are not")
	}
	s := sample{len(m.members), make([]float32, len(m.members)*len(pairs)), alike}
	c, err := m.collect(ctx, texts, workers)
	if err != nil {
		return nil, err
	}
	if err := c.score(ctx, pairs, s.scores, workers); err != nil {
		return nil, err
	}
	weights, bias := s.regress()
	var o Options
	for i, w := range weights {
		if w = round(w); w > 0 {
			o.Members, o.Weights = append(o.Members, m.members[i]), append(o.Weights, w)
		}
	}
	o.Bias = round(bias)
	if o.Members == nil {
		o.Members = m.members
		for range m.members {
			o.Weights = append(o.Weights, 1)
		}
	}
	return New(o)
}

// round keeps six significant digits.
func round(x float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return out
}

// collect sketches texts. Workers take contiguous ranges.
func (m *Method) collect(ctx context.Context, texts []string, workers int) (*collection, error) {
	const chunk = 64
	parts := make([]similarity.Collection, (len(texts)+chunk-1)/chunk)
	err := inParallel(ctx, workers, len(parts), func(n int) {
		parts[n] = m.NewCollection()
		for _, t := range texts[n*chunk : min(len(texts), (n+1)*chunk)] {
			parts[n].Add(t)
		}
	})
	if err != nil {
		return nil, err
	}
	c := m.NewCollection()
	for _, p := range parts {
		c.Append(p)
	}
	return c.(*collection), nil
}

// score sets a row of dst to the scores of each pair. Pairs of one document with neighbouring ones
// are scored by rows.
func (c *collection) score(ctx context.Context, pairs [][2]int, dst []float32, workers int) error {
	var starts []int // of runs
	for i, p := range pairs {
		if i == 0 || i-starts[len(starts)-1] >= 4096 || pairs[i-1] != [2]int{p[0], p[1] - 1} {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(pairs))
	return inParallel(ctx, workers, len(starts)-1, func(n int) {
		from, to := starts[n], starts[n+1]
		row := make([]float32, to-from)
		for k, p := range c.parts {
			p.Scores(pairs[from][0], pairs[from][1], row)
			for i, v := range row {
				dst[(from+i)*len(c.parts)+k] = v
			}
		}
	})
}

// inParallel calls do(0) to do(n-1), or fewer and returns the error of the context.
func inParallel(ctx context.Context, workers, n int, do func(int)) error {
	work := make(chan int)
	var wg sync.WaitGroup
	for range max(1, workers) {
		wg.Go(func() {
			for i := range work {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wg.Wait()
	return ctx.Err()
}
