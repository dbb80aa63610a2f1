package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// A tile is the unit of work of a scan: its columns stay in the cache while its
// rows pass over them.
const (
	tileRows    = 128
	tileColumns = 1024
)

// A scan holds ten times as many pairs that are not alike as pairs that are, within
// these bounds. Further pairs are only counted: there precision is below a tenth,
// and they hardly change any figure.
const (
	keepLeast = 200_000
	keepMost  = 1_000_000
)

func keepLimit(positives int) int { return max(keepLeast, min(keepMost, 10*positives)) }

// scan is the result of scoring all pairs of a part.
type scan struct {
	ranking *ranking
	forest  datasets.Forest // the closure of pairs that score at least the threshold
	floor   float64         // pairs that are not alike are held from this score on; 0 if all above 0 are
	skipped int64           // pairs that count neither as hits nor as errors
	at      Confusion
}

// scanAll scores all pairs of the part's documents. The result does not depend on
// the number of workers.
func scanAll(ctx context.Context, c similarity.Collection, p *Part, threshold float64, workers int, progress func(share float64)) (*scan, error) {
	t := p.clusters
	n := len(p.Docs)
	positives := make([]float32, t.positives())
	var tiles [][2]int // first row, first column
	for row := 0; row < n; row += tileRows {
		for col := row / tileColumns * tileColumns; col < n; col += tileColumns {
			tiles = append(tiles, [2]int{row, col})
		}
	}
	workers = max(1, min(workers, len(tiles)))
	scanners := make([]*scanner, workers)
	for w := range scanners {
		scanners[w] = &scanner{c: c, t: t, positives: positives, threshold: threshold, keeper: newKeeper(t.keep), forest: datasets.NewForest(n)}
	}
	done := parallel.Progress(len(tiles), progress)
	parallel.For(ctx, workers, len(tiles), func(w, i int) {
		row, col := tiles[i][0], tiles[i][1]
		scanners[w].tile(row, min(n, row+tileRows), col, min(n, col+tileColumns))
		done()
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &scan{forest: scanners[0].forest}
	keepers := make([]*keeper, workers)
	for w, s := range scanners {
		keepers[w] = s.keeper
		out.skipped += s.skipped
		for i, root := range s.forest {
			out.forest.Join(i, int(root))
		}
	}
	k := merge(keepers)
	for b, n := range k.all[bucketOne+1:] {
		if n > 0 {
			return nil, fmt.Errorf("a score of about %v, want [0, 1]", bucketLow(uint32(bucketOne+1+b)))
		}
	}
	if k.floor > bucketLow(1) {
		out.floor = float64(k.floor)
	}
	out.rank(k, positives, t, scanners...)
	return out, nil
}

// rank sets the ranking and the confusion.
func (s *scan) rank(k *keeper, positives []float32, t *clustered, scanners ...*scanner) {
	s.ranking = rankScan(k, positives, t)
	for _, n := range scanners {
		s.at.TP += float64(n.tp)
		s.at.FP += float64(n.fp)
	}
	s.at.FN = float64(s.ranking.alike) - s.at.TP
	s.at.TN = float64(s.ranking.other) - s.at.FP
}

// scanner is one worker of a scan.
type scanner struct {
	c         similarity.Collection
	t         *clustered
	positives []float32 // shared: the scores of pairs within clusters, in order; NaN if skipped
	threshold float64
	keeper    *keeper
	forest    datasets.Forest
	skipped   int64
	tp, fp    int64 // pairs that score at least the threshold

	row  [tileColumns]float32
	skip []int32
}

// tile scores the pairs i < j with i in [r0, r1) and j in [c0, c1).
func (s *scanner) tile(r0, r1, c0, c1 int) {
	for i := r0; i < r1; i++ {
		from := max(c0, i+1)
		if from >= c1 {
			continue
		}
		dst := s.row[:c1-from]
		s.c.Scores(i, from, dst)
		// Documents are sorted by cluster, so the positive pairs come first.
		alike := max(0, min(c1, int(s.t.end[i]))-from)
		s.skip = s.t.skipped(i, s.skip[:0])
		for _, j := range s.skip {
			k := int(j) - from
			if k < 0 || k >= len(dst) {
				continue
			}
			s.skipped++
			if k < alike {
				dst[k] = float32(math.NaN())
			} else {
				// No keeper holds a pair of score 0, and this one must not count.
				dst[k] = 0
				s.keeper.all[0]--
			}
		}
		if alike > 0 {
			copy(s.positives[s.t.at[i]+from-i-1:], dst[:alike])
		}
		s.keeper.add(i, from+alike, dst[alike:])
		if !math.IsInf(s.threshold, 1) {
			s.join(i, from, dst, alike)
		}
	}
}

// join counts and joins the documents that score at least the threshold.
func (s *scanner) join(i, from int, dst []float32, alike int) {
	// Scores are float32, so they are compared with the least float32 that reaches
	// the threshold.
	t := float32(s.threshold)
	if float64(t) < s.threshold {
		t = math.Nextafter32(t, 2)
	}
	for k, v := range dst {
		if v >= t {
			s.forest.Join(i, from+k)
			if k < alike {
				s.tp++
			} else {
				s.fp++
			}
		}
	}
}

// rankScan ranks the pairs of a scan: one by one from the floor on, by bucket below
// it.
func rankScan(k *keeper, positives []float32, t *clustered) *ranking {
	items := make([]item, 0, len(positives)+len(k.held))
	var low []item
	for i, cluster := range t.cluster {
		for _, s := range positives[t.at[i]:t.at[i+1]] {
			p := item{s, int32(cluster), int32(cluster), true}
			switch {
			case s != s:
			case s >= k.floor:
				items = append(items, p)
			default:
				low = append(low, p)
			}
		}
	}
	for _, c := range k.held {
		items = append(items, item{c.score, int32(t.cluster[c.i]), int32(t.cluster[c.j]), false})
	}
	r := rank(items)
	slices.SortFunc(low, func(x, y item) int { return int(bucket(y.score)) - int(bucket(x.score)) })
	next := 0
	for b := int(min(bucket(k.floor), bucketOne+1)) - 1; b >= 0; b-- {
		g := tieGroup{low: bucketLow(uint32(b)), top: bucketLow(uint32(b + 1)), other: k.all[b]}
		if b == 0 {
			g.top = 0
		}
		for next < len(low) && bucket(low[next].score) == uint32(b) {
			r.items = append(r.items, low[next])
			next++
			g.alike++
		}
		if g.alike+g.other > 0 {
			g.end = len(r.items)
			r.push(g)
		}
	}
	return r
}
