package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// scale says which values an axis can show, and how far apart.
type scale int

const (
	share scale = iota // [0, 1]
	linear
	logarithmic
)

// Beyond these numbers ranges run into the limits of float64.
const least, greatest = 1e-9, 1e15

// shows reports whether the axis can show a value. It cannot show NaN.
func (s scale) shows(v float64) bool {
	switch s {
	case share:
		return v >= 0 && v <= 1
	case logarithmic:
		return v >= least && v <= greatest
	}
	return math.Abs(v) <= greatest
}

// at returns the position of a value on the axis. The library puts the label of
// its own logarithmic axes far to the right and labels decades only: an axis
// from 200 to 800 would have no number. So an axis here is linear in the
// logarithm.
func (s scale) at(v float64) float64 {
	if s == logarithmic {
		return math.Log10(v)
	}
	return v
}

// axis is the range of an axis and its ticks, as scale.at places them.
type axis struct {
	low, high float64
	ticks     plot.ConstantTicks
}

// axis returns an axis around the values that it can show, at least as long as
// span: a number on a linear axis, decades on a logarithmic one.
func (s scale) axis(values []float64, span float64) axis {
	if s == share {
		return linearAxis(0, 1, 0.1, 2)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if s.shows(v) {
			low, high = min(low, s.at(v)), max(high, s.at(v))
		}
	}
	if low > high {
		low, high = 0, 1
	}
	shares := low >= 0 && high <= 1
	// Values that differ in their last bits only would get ticks that do not.
	pad := max(0.06*(high-low), (span-(high-low))/2, 1e-6*max(math.Abs(low), math.Abs(high)))
	low, high = low-pad, high+pad
	if s == logarithmic {
		return logarithmicAxis(low, high)
	}
	if shares {
		low, high = max(0, low), min(1, high)
	}
	// The step is the least of 1, 2 and 5 times a power of ten with at most six
	// steps.
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, m := range []float64{2, 2.5, 2} {
		if step < (high-low)/6 {
			step *= m
		}
	}
	return linearAxis(math.Floor(low/step+1e-6)*step, math.Ceil(high/step-1e-6)*step, step, 1)
}

// linearAxis returns an axis with a tick at every step. Only some ticks have a
// label, at equal distances.
func linearAxis(low, high, step, every float64) axis {
	a := axis{low: low, high: high}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-6)))
	for k := math.Round(low / step); k <= math.Round(high/step); k++ {
		t := plot.Tick{Value: k * step}
		if math.Mod(k, every) == 0 {
			t.Label = strconv.FormatFloat(t.Value, 'f', digits, 64)
		}
		a.ticks = append(a.ticks, t)
	}
	return a
}

// logarithmicAxis labels 1, 2 and 5 of each decade if there are few decades,
// and only the decades otherwise.
func logarithmicAxis(low, high float64) axis {
	a := axis{low: low, high: high}
	decades := high - low
	every := 1 + int(decades/8)
	for k := int(math.Floor(low)); k <= int(math.Ceil(high)); k++ {
		for m := 1; m < 10; m++ {
			t := plot.Tick{Value: float64(k) + math.Log10(float64(m))}
			labelled := m == 1 && k%every == 0 || decades <= 3.5 && (m == 2 || m == 5)
			if t.Value < low || t.Value > high || decades > 8 && !labelled {
				continue
			}
			if labelled {
				t.Label = short(float64(m) * math.Pow10(k))
			}
			a.ticks = append(a.ticks, t)
		}
	}
	return a
}

// short returns a number of at most three digits with the letter of its thousands.
func short(v float64) string {
	letters := ""
	for _, l := range []string{"k", "M", "G", "T"} {
		if v < 999.5 {
			break
		}
		v, letters = v/1000, l
	}
	return fmt.Sprintf("%.3g%s", v, letters)
}
