package choose

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/similarity"
)

// proxies rank the pairs that are not alike before candidates score any: by the
// rare words of two texts, and by the words and runes that they share. A pair that
// a candidate scores high nearly always ranks high with one of the proxies.
var proxies = map[Profile][]string{
	Text: {"cosine:top=48", "minhash:size=512,bits=1", "minhash:size=512,bits=1,tokens=rune,width=5"},
	Han:  {"cosine:top=48,han=simplified", "minhash:size=512,bits=1,han=simplified", "minhash:size=512,bits=1,tokens=rune,width=1,han=simplified"},
}

// How many pairs that are not alike are drawn. The first pairs of each proxy are
// always drawn: twice as many as there are alike pairs, within these bounds,
// because a threshold that calls more pairs alike is useless. About nearSample are
// drawn from the next pairs, deeper times as many, and about farSample from the
// rest.
const (
	certainLeast = 3_000
	certainMost  = 12_000
	deeper       = 20
	nearSample   = 10_000
	farSample    = 20_000
)

// steps is the number of equal steps of [0, 1] in which scores of proxies are counted.
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

// draw appends pairs to the sample. Each weighs the inverse of the probability of
// drawing it.
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
	sketches, err := d.s.sketch(ctx, methods, d.workers)
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
	err = sketch.Rows(ctx, sketches, d.workers, nil, func() (func(int, [][]float32), func()) {
		var own []Pair
		return func(first int, rows [][]float32) {
				a := int32(first)
				for k := range rows[0] {
					b := a + 1 + int32(k)
					// The proxy that ranks a pair highest decides.
					level := 0
					for i, row := range rows {
						if s := step(row[k]); s >= cuts[i][0] {
							level = 2
						} else if s >= cuts[i][1] {
							level = max(level, 1)
						}
					}
					if p := share[level]; (p == 1 || resample.Chance(a, b, d.seed) < p) && !d.skips(a, b) {
						own = append(own, Pair{a, b, d.weight(a, b) / float32(p), false})
					}
				}
			}, func() {
				drawn = append(drawn, own...)
			}
	})
	if err != nil {
		return fmt.Errorf("choose: draw pairs: %w", err)
	}
	slices.SortFunc(drawn, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	d.s.Pairs = append(d.s.Pairs, drawn...)
	return nil
}

// count returns how many pairs that are not alike have a score of each step.
func (d *drawer) count(ctx context.Context, c similarity.Collection) ([]int64, error) {
	counts := make([]int64, steps+1)
	err := sketch.Rows(ctx, []similarity.Collection{c}, d.workers, nil, func() (func(int, [][]float32), func()) {
		own := make([]int64, steps+1)
		return func(a int, rows [][]float32) {
				for k, s := range rows[0] {
					if !d.skips(int32(a), int32(a+1+k)) {
						own[step(s)]++
					}
				}
			}, func() {
				for i, n := range own {
					counts[i] += n
				}
			}
	})
	if err != nil {
		return nil, fmt.Errorf("choose: draw pairs: %w", err)
	}
	return counts, nil
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
