package eval

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/alike-go/alike/datasets"
	sketching "github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/similarity"
)

// Join says what the method's own join cost and missed. It finds the pairs if there
// are too many documents to score every pair.
type Join struct {
	Design string `json:"design"` // the algorithm and its settings

	// Recall is the probability that the join states for finding a pair that scores
	// the floor: 1 for an exact join.
	Recall Figure `json:"recall"`

	Candidates int64 `json:"n_candidates"` // pairs that the index proposed
	Verified   int64 `json:"n_verified"`   // pairs whose sketches were compared
	Found      int64 `json:"n_found"`      // pairs that score at least the floor

	// Reach counts the positive pairs that score at least the floor when they are
	// scored one by one. Missed counts those that the join did not find; an exact join
	// misses none. The other two fields are the same at the threshold.
	Reach           int64 `json:"n_reach"`
	Missed          int64 `json:"n_missed"`
	ReachThreshold  int64 `json:"n_reach_threshold"`
	MissedThreshold int64 `json:"n_missed_threshold"`

	// Exact counts all pairs that score at least the floor, alike or not, by scoring
	// every pair; the join found Found of them. Null if not requested.
	Exact *int64 `json:"n_exact"`

	// Seconds is how long the join took with so many workers; null if speed was not
	// measured.
	Seconds Figure `json:"seconds"`
	Workers int    `json:"workers"`
}

// scanJoined is scanAll by the method's join. It ignores pairs that score less than
// the floor. A pair that the join misses counts as one of them. Positive pairs among
// them come last, at score 0.
func scanJoined(ctx context.Context, c similarity.Collection, p *Part, floor, threshold float64, cfg Config, progress func(share float64)) (*scan, *Join, error) {
	t := p.clusters
	n := len(p.Docs)
	s := &scanner{t: t, positives: make([]float32, t.positives()), threshold: threshold, keeper: newKeeper(t.keep), forest: datasets.NewForest(n)}
	others := int64(n)*int64(n-1)/2 - int64(len(s.positives))
	for i := range n {
		s.skip = t.skipped(i, s.skip[:0])
		for _, j := range s.skip {
			s.skipped++
			if j < t.end[i] {
				s.positives[t.at[i]+int(j)-i-1] = float32(math.NaN())
			} else {
				others--
			}
		}
	}
	start := time.Now()
	o := similarity.JoinOptions{Threshold: floor, Recall: cfg.Recall, Workers: cfg.Workers, Progress: progress}
	st, err := c.Join(ctx, nil, o, func(q similarity.Pair) error {
		if !(q.Score >= floor && q.Score <= 1) {
			return fmt.Errorf("a score of %v in a join from %v on", q.Score, floor)
		}
		if s.found(q.A, q.B, float32(q.Score)) {
			others--
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	j := &Join{
		Design: st.Design, Recall: Figure(st.Recall), Candidates: st.Candidates, Verified: st.Verified, Found: st.Pairs,
		Seconds: Figure(math.NaN()),
	}
	if cfg.Repeat > 0 {
		j.Seconds, j.Workers = Figure(time.Since(start).Seconds()), cfg.Workers
	}
	if !math.IsInf(threshold, 1) {
		err = j.check(ctx, c, p, s.positives, floor, threshold, cfg)
	}
	k := merge([]*keeper{s.keeper})
	k.all[0] += others // all that were not found
	out := &scan{forest: s.forest, skipped: s.skipped, floor: max(floor, float64(k.floor))}
	out.rank(k, s.positives, t, s)
	return out, j, err
}

// found takes a pair of a join, and reports whether it counts as not alike.
func (s *scanner) found(i, j int, score float32) (other bool) {
	alike := j < int(s.t.end[i])
	if alike {
		at := &s.positives[s.t.at[i]+j-i-1]
		if *at != *at {
			return false
		}
		*at = score
	} else {
		if s.t.skips(i, j) {
			return false
		}
		s.row[0] = score
		s.keeper.add(i, j, s.row[:1])
	}
	if float64(score) >= s.threshold {
		s.forest.Join(i, j)
		if alike {
			s.tp++
		} else {
			s.fp++
		}
	}
	return !alike
}

// check counts what the join should have found: the positive pairs, and all pairs if
// Config.Exact is set.
func (j *Join) check(ctx context.Context, c similarity.Collection, p *Part, found []float32, floor, threshold float64, cfg Config) error {
	scores, err := scorePositives(ctx, c, p, cfg.Workers)
	if err != nil {
		return err
	}
	for i, s := range scores {
		if s < floor || s != s {
			continue
		}
		missed := int64(0)
		if found[i] == 0 {
			missed = 1
		}
		j.Reach++
		j.Missed += missed
		// Thresholds are compared with scores as float32, as everywhere here.
		if float64(float32(s)) >= threshold {
			j.ReachThreshold++
			j.MissedThreshold += missed
		}
	}
	if !cfg.Exact {
		return nil
	}
	n, err := countPairs(ctx, c, floor, cfg.Workers)
	j.Exact = &n
	return err
}

// countPairs scores all pairs and counts those of at least the floor.
func countPairs(ctx context.Context, c similarity.Collection, floor float64, workers int) (n int64, err error) {
	err = sketching.Rows(ctx, []similarity.Collection{c}, workers, nil, func() (func(int, [][]float32), func()) {
		own := int64(0)
		return func(i int, rows [][]float32) {
				for k, s := range rows[0] {
					// A float32 may round up to the floor; the score itself decides.
					if float64(s) > floor || float64(s) == floor && c.Score(i, i+1+k) >= floor {
						own++
					}
				}
			}, func() {
				n += own
			}
	})
	return n, err
}
