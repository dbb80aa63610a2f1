package surrogate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// proxies rank the pairs of a query before any method of the committee scores one, as
// those of package choose do: by rare words, and by all words and runes. Excerpts need
// contains besides.
var proxies = map[choose.Profile][]string{
	choose.Text: {"cosine:top=48", "minhash:size=512,bits=1", "minhash:size=512,bits=1,tokens=rune,width=5"},
	choose.Han:  {"cosine:top=48,han=simplified", "minhash:size=512,bits=1,tokens=rune,width=2,punct=drop,space=drop,han=simplified"},
}

// contains tells by its score how much of the shorter text stands in the longer.
var contains = map[choose.Profile]string{
	choose.Text: "shingle:measure=overlap,width=3",
	choose.Han:  "shingle:measure=overlap,tokens=rune,width=4,punct=drop,space=drop,han=simplified",
}

// mostDiffer is the share of differing words up to which it is counted.
const mostDiffer = 0.5

// Which pairs of queries are drawn. The highest of each proxy are always drawn:
// certainPairs for each query, within mostCertain of all. About nearSample are drawn
// from the next ones, deeper times as many, and about farSample from the rest.
const (
	certainPairs = 12
	mostCertain  = 40_000
	deeper       = 20
	nearSample   = 12_000
	farSample    = 12_000
)

// Levels of pairs.
const (
	far = iota
	near
	certain
	levels
)

// scan draws pairs and scores them by the committee and word by word.
func (t *Truth) scan(ctx context.Context, labels []Label, progress func(share float64, what string)) error {
	t.answers = t.numbers(labels)
	specs := proxies[t.Profile]
	if t.Want == dedup.Excerpts {
		specs = append(slices.Clone(specs), contains[t.Profile])
	}
	var err error
	if t.Pairs, err = t.draw(ctx, specs, func(share float64) { progress(0.1+0.5*share, "pairs to judge by") }); err != nil {
		return err
	}
	progress(0.6, "scores of all pairs")
	if err := t.countWords(ctx); err != nil {
		return err
	}
	return t.convene(ctx, func(share float64) { progress(0.7+0.3*share, "scores of all pairs") })
}

// steps is the number of equal steps of [0, 1] in which scores of proxies are counted.
const steps = 1024

func step(score float32) int { return max(0, min(steps, int(score*steps))) }

// draw draws pairs of queries with all other sampled documents. An answered pair comes in
// besides where it is not drawn, and stands for none.
func (t *Truth) draw(ctx context.Context, specs []string, progress func(share float64)) ([]Pair, error) {
	var sketches []similarity.Collection
	for _, spec := range specs {
		c, err := choose.NewCandidate(spec)
		if err != nil {
			return nil, fmt.Errorf("surrogate: %w", err)
		}
		s, err := t.sketch(ctx, t.Docs, t.Docs, c)
		if err != nil {
			return nil, err
		}
		sketches = append(sketches, s)
	}
	queries, weight := t.queries()
	cuts, chances, err := t.levels(ctx, sketches, queries)
	if err != nil {
		return nil, err
	}
	var out []Pair
	err = sketch.Against(ctx, sketches, queries, t.workers, progress, func() (func(int, [][]float32), func()) {
		var own []Pair
		return func(q int, rows [][]float32) {
				for d := range rows[0][:t.sampled] {
					// A pair of two queries is drawn once, by the lower one.
					if d == q || d < q && weight[d] > 0 {
						continue
					}
					a, b := int32(min(d, q)), int32(max(d, q))
					p := chances[levelOf(cuts, rows, d)]
					var by [2]float32
					if resample.Chance(a, b, t.seed) < p {
						by = [2]float32{weight[a] / float32(p), weight[b] / float32(p)}
					} else if _, ok := t.answers[[2]int32{a, b}]; !ok {
						continue
					}
					own = append(own, Pair{A: a, B: b, Weight: by[0] + by[1], by: by, chance: float32(p)})
				}
			}, func() {
				out = append(out, own...)
			}
	})
	for key := range t.answers {
		if int(key[1]) >= t.sampled || weight[key[0]] == 0 && weight[key[1]] == 0 {
			out = append(out, Pair{A: key[0], B: key[1]})
		}
	}
	slices.SortFunc(out, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return out, err
}

func levelOf(cuts [][levels]int, rows [][]float32, d int) int {
	level := far
	for k, row := range rows {
		switch s := step(row[d]); {
		case s >= cuts[k][certain]:
			return certain
		case s >= cuts[k][near]:
			level = near
		}
	}
	return level
}

// levelQueries is how many queries are enough to tell where levels begin.
const levelQueries = 400

// levels returns for each proxy the steps from which on its levels begin, and the
// probability of drawing a pair of each level.
func (t *Truth) levels(ctx context.Context, sketches []similarity.Collection, queries []int32) (cuts [][levels]int, chances [levels]float64, err error) {
	some := make([]int32, 0, levelQueries)
	for i := range min(len(queries), levelQueries) {
		some = append(some, queries[i*len(queries)/min(len(queries), levelQueries)])
	}
	counts := make([][steps + 1]int64, len(sketches))
	err = sketch.Against(ctx, sketches, some, t.workers, nil, func() (func(int, [][]float32), func()) {
		own := make([][steps + 1]int64, len(sketches))
		return func(q int, rows [][]float32) {
				for k, row := range rows {
					for d, v := range row[:t.sampled] {
						if d != q {
							own[k][step(v)]++
						}
					}
				}
			}, func() {
				for k := range own {
					for s, n := range own[k] {
						counts[k][s] += n
					}
				}
			}
	})
	share := float64(len(some)) / float64(len(queries))
	sure := int64(float64(min(certainPairs*len(queries), mostCertain)) * share)
	nearby := 0.0
	cuts = make([][levels]int, len(sketches))
	for k := range cuts {
		cuts[k][certain], cuts[k][near] = cutAt(counts[k][:], sure), cutAt(counts[k][:], deeper*sure)
		for _, n := range counts[k][cuts[k][near]:cuts[k][certain]] {
			nearby += float64(n) / share
		}
	}
	all := float64(len(queries)) * float64(t.sampled-1)
	chances = [levels]float64{min(1, farSample/all), min(1, nearSample/max(1, nearby)), 1}
	chances[near] = max(chances[far], chances[near])
	return cuts, chances, err
}

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

// readWords fills in the words of the documents.
func (t *Truth) readWords(ctx context.Context) {
	t.words = make([]align.WordList, len(t.Docs))
	t.sorted = make([]align.WordList, len(t.Docs))
	parallel.For(ctx, t.workers, len(t.Docs), func(_, i int) {
		t.words[i] = words.Sketch(t.Docs[i].Text)
		t.sorted[i] = slices.Clone(t.words[i])
		slices.Sort(t.sorted[i])
	})
}

// countWords fills in what share of the words of each pair differ.
func (t *Truth) countWords(ctx context.Context) error {
	parallel.For(ctx, t.workers, len(t.Pairs), func(_, i int) {
		p := &t.Pairs[i]
		p.Differ = t.differ(p.A, p.B, mostDiffer)
	})
	t.words, t.sorted = nil, nil // of no more use, and as large as the texts
	return ctx.Err()
}

// words counts the words that differ.
var words = func() *align.Words {
	m, err := align.NewWords(align.WordsOptions{})
	if err != nil {
		panic(err.Error()) // the options are constant
	}
	return m
}()

// differ returns the share of words that differ, 1 where it is more than most. Words
// that only one text has must differ, which rules out nearly all pairs.
func (t *Truth) differ(a, b int32, most float64) float64 {
	x, y := t.sorted[a], t.sorted[b]
	n := max(len(x), len(y))
	if n == 0 || float64(n-min(len(x), len(y))) > most*float64(n) {
		return 1
	}
	common := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			common++
			i++
			j++
		}
	}
	if float64(n-common) > most*float64(n) {
		return 1
	}
	if share, ok := words.Differ(t.words[a], t.words[b], most); ok {
		return share
	}
	return 1
}
