package choose

import (
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
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
// alike a threshold is no use. Of those that come behind, deeper times as many, about nearSample are
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
	certain := min(max(2*d.positives, certainLeast), certainMost)
	cuts := make([][2]int, len(sketches)) // of each proxy: the first step that is certain, the first that is near
	var near, all float64                 // pairs that a proxy puts between its two, and pairs at all
	for k, c := range sketches {
		counts, err := d.count(ctx, c)
		if err != nil {
			return err
		}
		cuts[k] = [2]int{cutAt(counts, int64(certain)), cutAt(counts, int64(certain)*deeper)}
		all = 0
		for s, n := range counts {
			if s >= cuts[k][1] && s < cuts[k][0] {
				near += float64(n)
			}
			all += float64(n)
		}
	}
	share := [3]float64{min(1, farSample/max(1, all)), min(1, nearSample/max(1, near)), 1}
	share[1] = max(share[0], share[1])

	var drawn []Pair
	err = d.rows(ctx, func() (func(a int32), func()) {
		rows := make([][]float32, len(sketches))
		for k, c := range sketches {
			rows[k] = make([]float32, c.Len())
		}
		var own []Pair
		return func(a int32) {
			for k, c := range sketches {
				c.Scores(int(a), int(a)+1, rows[k][a+1:])
			}
			for b := a + 1; int(b) < len(d.s.Texts); b++ {
				// A pair stands where the best of its proxies puts it.
				level := 0
				for k, row := range rows {
					if s := step(row[b]); s >= cuts[k][0] {
						level = 2
					} else if s >= cuts[k][1] {
						level = max(level, 1)
					}
				}
				if p := share[level]; (p == 1 || chance(a, b, d.seed) < p) && !d.skips(a, b) {
					own = append(own, Pair{a, b, d.weight(a, b) / float32(p), false})
				}
			}
		}, func() { drawn = append(drawn, own...) }
	})
	slices.SortFunc(drawn, comparePairs)
	d.s.Pairs = append(d.s.Pairs, drawn...)
	return err
}

// count returns how many pairs that are not alike have a score of each step.
func (d *drawer) count(ctx context.Context, c similarity.Collection) ([]int64, error) {
	counts := make([]int64, steps+1)
	err := d.rows(ctx, func() (func(a int32), func()) {
		row, own := make([]float32, c.Len()), make([]int64, steps+1)
		return func(a int32) {
				c.Scores(int(a), int(a)+1, row[a+1:])
				for b := int(a) + 1; b < len(row); b++ {
					if !d.skips(a, int32(b)) {
						own[step(row[b])]++
					}
				}
			}, func() {
				for i, n := range own {
					counts[i] += n
				}
			}
	})
	return counts, err
}

// rows calls start for each worker. It calls the first function that start
// returns with every document, on as many goroutines as there are workers, and
// in the end the second functions one after the other.
func (d *drawer) rows(ctx context.Context, start func() (each func(a int32), end func())) error {
	workers := make([]struct {
		each func(a int32)
		end  func()
	}, d.workers)
	for w := range workers {
		workers[w].each, workers[w].end = start()
	}
	parallel.For(ctx, d.workers, len(d.s.Texts), func(w, a int) { workers[w].each(int32(a)) })
	for _, w := range workers {
		w.end()
	}
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
