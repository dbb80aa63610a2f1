package eval

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Spread is the median of a speed or time over repetitions, with the extremes.
type Spread struct {
	Median Figure `json:"median"`
	Min    Figure `json:"min"`
	Max    Figure `json:"max"`
}

// Speed is what a method costs on one core; null where a method has no such step.
type Speed struct {
	FitS      *Spread `json:"fit_s"`        // seconds to learn from the tuning split's documents
	ExtractMB *Spread `json:"extract_mb_s"` // text to features, 10^6 bytes of text a second
	ReduceMB  *Spread `json:"reduce_mb_s"`  // features to sketch, in bytes of the text they came from
	SketchMB  *Spread `json:"sketch_mb_s"`  // text to sketch, both steps together
	SketchS   *Spread `json:"sketch_docs_s"`
	PairsS    *Spread `json:"pairs_s"`     // scores of the pairs as they come
	RowPairsS *Spread `json:"row_pairs_s"` // scores of one document against many in a row
}

// Bounds on what a speed is measured over: a round lasts at least minRound, so
// that the grain of the clock and the scheduler does not show, and takes all of a
// sample that is spread evenly over the documents or pairs.
const (
	minRound   = 20 * time.Millisecond
	speedBytes = 2 << 20
	speedPairs = 100_000
	speedRows  = 16
	speedRow   = 4096

	// A process that scores pairs may take a millisecond for each.
	speedRemotePairs = 2000
	speedRemoteRow   = 128
)

// repeatFit is the length of a fit that is not repeated.
const repeatFit = time.Second

// stopwatch measures the speeds of the methods of one run.
type stopwatch struct {
	repeat  int
	texts   []string
	bytes   int
	extract map[string]*Spread // by settings of the extractor
}

func newStopwatch(set *datasets.Set, p *Part, repeat int) *stopwatch {
	w := &stopwatch{repeat: repeat, extract: map[string]*Spread{}}
	total := 0
	for _, d := range p.Docs {
		total += len(set.Docs[d].Text)
	}
	step := max(1, (total+speedBytes-1)/speedBytes)
	for i := 0; i < len(p.Docs); i += step {
		text := set.Docs[p.Docs[i]].Text
		w.texts = append(w.texts, text)
		w.bytes += len(text)
	}
	return w
}

func (w *stopwatch) measure(m similarity.Method, c similarity.Collection, p *Part, seed uint64) *Speed {
	s := &Speed{}
	if x := m.Features(); x != nil {
		key := x.Settings()
		if w.extract[key] == nil {
			w.extract[key] = w.extraction(x)
		}
		s.ExtractMB = w.extract[key]
		s.ReduceMB = w.reduction(m, x)
	}
	sketch := rates(w.repeat, func() {
		c := m.NewCollection()
		for _, t := range w.texts {
			c.Add(t)
		}
		c.Err() // a failure shows when the run looks for it
	})
	s.SketchMB = spread(sketch, float64(w.bytes)/1e6)
	s.SketchS = spread(sketch, float64(len(w.texts)))
	s.PairsS = w.pairs(c, p, seed)
	s.RowPairsS = w.rows(c)
	return s
}

func (w *stopwatch) extraction(x *feature.Extractor) *Spread {
	var buf []feature.Feature
	return spread(rates(w.repeat, func() {
		for _, t := range w.texts {
			buf = x.Append(buf[:0], t)
		}
	}), float64(w.bytes)/1e6)
}

func (w *stopwatch) reduction(m similarity.Method, x *feature.Extractor) *Spread {
	features := make([][]feature.Feature, len(w.texts))
	for i, t := range w.texts {
		features[i] = x.Append(nil, t)
	}
	return spread(rates(w.repeat, func() {
		c := m.NewCollection()
		for _, f := range features {
			c.AddFeatures(f)
		}
	}), float64(w.bytes)/1e6)
}

func (w *stopwatch) pairs(c similarity.Collection, p *Part, seed uint64) *Spread {
	var pairs [][2]int
	if n := len(p.Docs); p.clusters != nil {
		rng := rand.New(rand.NewPCG(seed, 2))
		for range min(speedPairs, n*n/2) {
			pairs = append(pairs, [2]int{rng.IntN(n), rng.IntN(n)})
		}
	} else {
		step := (len(p.Pairs) + speedPairs - 1) / speedPairs
		for i := 0; i < len(p.Pairs); i += step {
			pairs = append(pairs, [2]int{p.Pairs[i].A, p.Pairs[i].B})
		}
	}
	if r, ok := c.(similarity.Remote); ok {
		pairs = pairs[:min(len(pairs), speedRemotePairs)]
		dst := make([]float32, len(pairs))
		return spread(rates(w.repeat, func() { r.ScorePairs(pairs, dst) }), float64(len(pairs)))
	}
	sum := 0.0
	r := rates(w.repeat, func() {
		for _, q := range pairs {
			sum += c.Score(q[0], q[1])
		}
	})
	if sum < 0 {
		panic("eval: negative scores") // uses the sum, so that no score is optimised away
	}
	return spread(r, float64(len(pairs)))
}

func (w *stopwatch) rows(c similarity.Collection) *Spread {
	most := speedRow
	if _, ok := c.(similarity.Remote); ok {
		most = speedRemoteRow
	}
	dst := make([]float32, min(c.Len(), most))
	step := max(1, c.Len()/speedRows)
	rows := 0
	r := rates(w.repeat, func() {
		rows = 0
		for i := 0; i < c.Len() && rows < speedRows; i += step {
			c.Scores(i, 0, dst)
			rows++
		}
	})
	return spread(r, float64(rows*len(dst)))
}

// rates returns how often a second f runs, in each of repeat rounds, after one
// run to warm up.
func rates(repeat int, f func()) []float64 {
	f()
	out := make([]float64, repeat)
	for i := range out {
		n := 0
		start := time.Now()
		for n == 0 || time.Since(start) < minRound {
			f()
			n++
		}
		out[i] = float64(n) / time.Since(start).Seconds()
	}
	return out
}

// spread summarises values, each times the scale.
func spread(values []float64, scale float64) *Spread {
	v := slices.Clone(values)
	slices.Sort(v)
	at := func(i int) Figure { return Figure(v[i] * scale) }
	return &Spread{Median: at(len(v) / 2), Min: at(0), Max: at(len(v) - 1)}
}
