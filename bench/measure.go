package main

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"time"
)

// Timing says how rows are timed.
type Timing struct {
	Rounds int           // rounds of all contenders in turn, at least 1
	Least  time.Duration // least CPU time of one sample; quick runs are repeated up to it
	Most   time.Duration // the rounds of a row are fewer where they would take longer, but one at least
	Procs  int           // GOMAXPROCS while timing
}

// Spread is a median with the quartiles around it.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // lower quartile
	High   float64 `json:"high"` // upper quartile
}

// Percent is half the distance between the quartiles in percent of the median.
func (s Spread) Percent() float64 { return 50 * (s.High - s.Low) / s.Median }

// Result is a measured row.
type Result struct {
	Row    *Row
	Rounds int // done, 0 for sizes
	Ours   Spread
	Rivals []RivalResult // as in Row.Rivals
}

// RivalResult is one rival beside ours.
type RivalResult struct {
	Value Spread
	// Ratio is how many times as fast ours is, or as small: a ratio for each
	// round, so that a disturbance that lasts a round falls on both.
	Ratio Spread
}

// Measure times the contenders of a row in interleaved rounds, each round beginning with
// another one.
func Measure(row *Row, t Timing) Result {
	all := append([]Contender{row.Ours}, row.Rivals...)
	samples := make([][]float64, len(all))
	if row.Unit == ByteSize {
		for i, c := range all {
			samples[i] = []float64{c.Size}
		}
		return newResult(row, samples)
	}
	clock := cpuTime
	if row.Wall {
		clock = wallTime
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.Procs))
	repeats := make([]int, len(all))
	first := make([]float64, len(all))
	var round float64 // seconds of all contenders' samples
	for i := range all {
		n, took := t.calibrate(&all[i], clock)
		repeats[i], first[i] = n, took
		round += float64(n) * took
	}
	take := func(i int, took float64) {
		if all[i].Share > 0 && all[i].Seconds == nil {
			took /= all[i].Share
		}
		samples[i] = append(samples[i], took)
	}
	rounds := t.Rounds
	if t.Most > 0 {
		rounds = min(rounds, int(t.Most.Seconds()/round))
	}
	for round := range rounds {
		for k := range all {
			i := (round + k) % len(all)
			take(i, t.seconds(&all[i], repeats[i], clock))
		}
	}
	if rounds < 1 {
		// Where a round takes so long, warm caches are nothing.
		rounds = 1
		for i := range all {
			take(i, first[i])
		}
	}
	runtime.KeepAlive(&sink)
	res := newResult(row, samples)
	res.Rounds = rounds
	return res
}

// sink keeps the results of contenders from being optimised away.
var sink uint64

// newResult makes a result of the seconds (or sizes) of ours, samples[0], and of the rivals.
func newResult(row *Row, samples [][]float64) Result {
	res := Result{Row: row}
	for i, sample := range samples {
		values := make([]float64, len(sample))
		ratios := make([]float64, len(sample))
		for round, s := range sample {
			values[round] = s
			if row.Unit != ByteSize {
				values[round] = row.Unit.value(s, row.Work)
			}
			ratios[round] = s / samples[0][round]
		}
		if i == 0 {
			res.Ours = spread(values)
			continue
		}
		res.Rivals = append(res.Rivals, RivalResult{Value: spread(values), Ratio: spread(ratios)})
	}
	return res
}

// calibrate returns how many runs make a sample of the least time, and the seconds
// of one. The runs it does warm the caches up.
func (t Timing) calibrate(c *Contender, clock func() time.Duration) (repeats int, took float64) {
	for n := 1; ; n *= 2 {
		took := t.seconds(c, n, clock)
		if least := t.Least.Seconds(); c.Seconds != nil {
			return 1, took
		} else if took*float64(n) >= least/2 || n > 1<<30 {
			return max(1, int(math.Ceil(least/max(took, 1e-9)))), took
		}
	}
}

// seconds returns the time of one run, the mean of n. The garbage of what ran
// before is collected first; that of the run itself counts.
func (t Timing) seconds(c *Contender, n int, clock func() time.Duration) float64 {
	if c.Seconds != nil {
		return c.Seconds()
	}
	runtime.GOMAXPROCS(cmp.Or(c.Procs, t.Procs))
	runtime.GC()
	from := clock()
	for range n {
		c.Run()
	}
	return (clock() - from).Seconds() / float64(n)
}

var start = time.Now()

// wallTime returns the time by the clock on the wall.
func wallTime() time.Duration { return time.Since(start) }

// spread returns the median and the quartiles. It sorts values.
func spread(values []float64) Spread {
	slices.Sort(values)
	return Spread{quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)}
}

// quantile interpolates between the two nearest of ascending values.
func quantile(values []float64, q float64) float64 {
	at := q * float64(len(values)-1)
	i := int(at)
	if i+1 >= len(values) {
		return values[len(values)-1]
	}
	return values[i] + (at-float64(i))*(values[i+1]-values[i])
}
