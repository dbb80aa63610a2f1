package choose

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/alike-go/alike/similarity"
)

// proxies are the sketches by which pairs that are not alike are ranked before any
// is scored: the rare words of two texts, and what they share of words and of runes. A
// pair that a candidate scores high nearly always stands high with one of them.
var proxies = map[Profile][]string{
	Text: {"cosine:top=48", "minhash:size=512,bits=1", "minhash:size=512,bits=1,tokens=rune,width=5"},
	Han:  {"cosine:top=48,han=simplified", "minhash:size=512,bits=1,han=simplified", "minhash:size=512,bits=1,tokens=rune,width=1,han=simplified"},
}

// How many pairs that are not alike are drawn. For each proxy so many of the first
// are certain, twice the pairs that are alike within bounds: where more than that are called
// alike a threshold is no use. Of those that come behind, deeper times as many, nearSample are
// drawn, and of all the rest farSample.
const (
	certainLeast = 3_000
	certainMost  = 12_000
	deeper       = 20
	nearSample   = 10_000
	farSample    = 20_000
)

// steps is the number of equal steps of [0, 1] that proxies' scores are counted in.
const steps = 1024

// drawer draws the pairs of a sample that are not alike.
type drawer struct {
	s         *Sample
	positives int // alike pairs of the documents
	workers   int
	seed      uint64
	skips     func(a, b int32) bool    // a < b: alike, or to ignore
	weight    func(a, b int32) float32 // what a pair stands for by the sample of documents
}

// draw appends pairs to the sample, each with the inverse of the probability that it was
// drawn with.
func (d *drawer) draw(ctx context.Context, specs []string) error {
	var candidates []Candidate
	for _, spec := range specs {
		c, err := NewCandidate(spec)
		if err != nil {
			return err
		}
		candidates = append(candidates, c)
	}
	methods, err := fitAll(ctx, d.s, candidates, d.workers)
	if err != nil {
		return err
	}
	sketches, err := sketchAll(ctx, d.s, methods, d.workers)
	if err != nil {
		return err
	}
	var mu sync.Mutex // over what goroutines add up
	certain := min(max(2*d.positives, certainLeast), certainMost)
	cuts := make([][2]int, len(sketches)) // of each proxy: the first step that is certain, the first that is near
	for k, c := range sketches {
		counts := make([]int64, steps+1)
		err := d.rows(ctx, func() (func(a int32), func()) {
			row, own := make([]float32, c.Len()), make([]int64, steps+1)
			return func(a int32) {
					d.score(c, a, row)
					for b, v := range row[a+1:] {
						if !d.skips(a, a+1+int32(b)) {
							own[step(v)]++
						}
					}
				}, func() {
					mu.Lock()
					defer mu.Unlock()
					for i, n := range own {
						counts[i] += n
					}
				}
		})
		if err != nil {
			return err
		}
		cuts[k] = [2]int{cutAt(counts, int64(certain)), cutAt(counts, int64(certain)*deeper)}
	}

	// A pair stands where the best of its proxies puts it.
	level := func(rows [][]float32, b int32) int {
		best := 0
		for k, row := range rows {
			switch s := step(row[b]); {
			case s >= cuts[k][0]:
				return 2
			case s >= cuts[k][1]:
				best = 1
			}
		}
		return best
	}
	all := func(start func() (f func(a, b int32, level int), end func())) error {
		return d.rows(ctx, func() (func(a int32), func()) {
			f, end := start()
			rows := make([][]float32, len(sketches))
			for k, c := range sketches {
				rows[k] = make([]float32, c.Len())
			}
			return func(a int32) {
				for k, c := range sketches {
					d.score(c, a, rows[k])
				}
				for b := a + 1; int(b) < len(d.s.Texts); b++ {
					if !d.skips(a, b) {
						f(a, b, level(rows, b))
					}
				}
			}, end
		})
	}
	var counts [3]int64
	err = all(func() (func(a, b int32, level int), func()) {
		var own [3]int64
		return func(_, _ int32, level int) { own[level]++ }, func() {
			mu.Lock()
			defer mu.Unlock()
			for l, n := range own {
				counts[l] += n
			}
		}
	})
	if err != nil {
		return err
	}
	share := [3]float64{1, 1, 1}
	for l, n := range []float64{farSample, nearSample} {
		if have := float64(counts[l]); have > n {
			share[l] = n / have
		}
	}
	var drawn []Pair
	err = all(func() (func(a, b int32, level int), func()) {
		var own []Pair
		return func(a, b int32, level int) {
				if p := share[level]; p == 1 || chance(a, b, d.seed) < p {
					own = append(own, Pair{a, b, d.weight(a, b) / float32(p), false})
				}
			}, func() {
				mu.Lock()
				defer mu.Unlock()
				drawn = append(drawn, own...)
			}
	})
	slices.SortFunc(drawn, comparePairs)
	d.s.Pairs = append(d.s.Pairs, drawn...)
	return err
}

// score fills in the scores of a document and those behind it.
func (d *drawer) score(c similarity.Collection, a int32, row []float32) {
	c.Scores(int(a), int(a)+1, row[a+1:])
}

// rows calls what start returns for every document, from as many goroutines as there
// are workers, and for each of them the second function at the end.
func (d *drawer) rows(ctx context.Context, start func() (each func(a int32), end func())) error {
	var next atomic.Int32
	var wg sync.WaitGroup
	for range d.workers {
		wg.Go(func() {
			each, end := start()
			for ctx.Err() == nil {
				a := next.Add(1) - 1
				if int(a) >= len(d.s.Texts) {
					break
				}
				each(a)
			}
			end()
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("choose: draw pairs: %w", err)
	}
	return nil
}

func step(score float32) int { return max(0, min(steps, int(score*steps))) }

// cutAt returns the lowest step, above 0, from which on no more than most pairs lie.
func cutAt(counts []int64, most int64) int {
	at := len(counts)
	for sum := int64(0); at > 1; at-- {
		if sum += counts[at-1]; sum > most {
			break
		}
	}
	return at
}

func comparePairs(x, y Pair) int {
	if x.A != y.A {
		return int(x.A - y.A)
	}
	return int(x.B - y.B)
}
