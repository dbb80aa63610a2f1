package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// axis is the range of an axis and its ticks, in logarithms where it is
// logarithmic: the library puts the label of its own logarithmic axes where their
// range has its arithmetic mean, far to the right, and narrows the plot for it. Its
// ticks may panic on odd ranges, and label decades only, which leaves an axis from
// 200 to 800 without a number.
type axis struct {
	label     string
	low, high float64
	log       bool
	ticks     plot.ConstantTicks
}

// at returns where on the axis a value stands.
func (a axis) at(v float64) float64 {
	if a.log {
		return math.Log10(v)
	}
	return v
}

// A figure shows numbers up to greatest, on a logarithmic axis from least: beyond,
// ranges run into the limits of float64.
const least, greatest = 1e-9, 1e15

func showable(v float64) bool    { return math.Abs(v) <= greatest } // false for NaN
func showableLog(v float64) bool { return v >= least && v <= greatest }

// unit returns the axis of a figure that is a share.
func unit(label string) axis {
	a := axis{label: label, high: 1}
	for i := range 11 {
		t := plot.Tick{Value: float64(i) / 10}
		if i%2 == 0 {
			t.Label = strconv.FormatFloat(t.Value, 'f', 1, 64)
		}
		a.ticks = append(a.ticks, t)
	}
	return a
}

// linear returns an axis around the values, at least as long as span; its ends are ticks.
func linear(label string, values []float64, span float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if showable(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	shares := low >= 0 && high <= 1
	// Values that differ in their last bits only would get ticks that do not.
	pad := max(0.06*(high-low), (span-(high-low))/2, 1e-6*max(math.Abs(low), math.Abs(high)))
	low, high = low-pad, high+pad
	if shares {
		low, high = max(0, low), min(1, high)
	}
	step := niceStep((high - low) / 6)
	from, to := math.Floor(low/step+1e-6), math.Ceil(high/step-1e-6)
	a := axis{label: label, low: from * step, high: to * step}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-6)))
	for k := from; k <= to; k++ {
		a.ticks = append(a.ticks, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step, 'f', digits, 64)})
	}
	return a
}

// niceStep returns the least of 1, 2 and 5 times a power of ten that is not
// below the step.
func niceStep(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= step {
			return m * power
		}
	}
	return 10 * power
}

// logarithmic returns an axis around the values that are above 0; it spans at
// least a decade.
func logarithmic(label string, values []float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if showableLog(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 1, 10
	}
	low, high = math.Log10(low), math.Log10(high)
	pad := max(0.06*(high-low), (1-(high-low))/2)
	a := axis{label: label, low: low - pad, high: high + pad, log: true}
	decades := a.high - a.low
	every := 1 + int(decades/8)
	for k := int(math.Floor(a.low)); k <= int(math.Ceil(a.high)); k++ {
		for m := 1; m < 10; m++ {
			t := plot.Tick{Value: float64(k) + math.Log10(float64(m))}
			if t.Value < a.low || t.Value > a.high {
				continue
			}
			switch {
			case m == 1 && k%every == 0, decades <= 3.5 && (m == 2 || m == 5):
				t.Label = short(float64(m) * math.Pow10(k))
			case decades > 8:
				continue
			}
			a.ticks = append(a.ticks, t)
		}
	}
	return a
}

// short returns a number of at most three digits with the letter of its thousands.
func short(v float64) string {
	for _, u := range []struct {
		size   float64
		letter string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= 0.9995*u.size {
			return fmt.Sprintf("%.3g%s", v/u.size, u.letter)
		}
	}
	return fmt.Sprintf("%.3g", v)
}
