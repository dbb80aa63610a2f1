package eval

import "math"

// LeastUnits is the number of effective units from which on an interval is printed and
// comparisons claim something. docs/coverage.md shows why: below it comparisons often
// call a method not worse that is worse.
const LeastUnits = 10

// EffectiveUnits returns how many units of equal size say as much as these, given
// the number of positive pairs in each: (Σn)²/Σn² (Kish, Survey Sampling 1965).
// It is 0 if there are no positive pairs.
func EffectiveUnits(positives []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, n := range positives {
		sum += n
		squares += float64(n * n)
	}
	if sum == 0 {
		return 0
	}
	return sum * sum / squares
}

// Usable reports whether intervals that rest on so many effective units hold the truth
// often enough to be printed.
func Usable(effectiveUnits float64) bool { return effectiveUnits >= LeastUnits }

// figures95 is Interval95 as figures of a record: undefined where it is not usable.
func figures95(replicates []float32, effectiveUnits float64) (low, high Figure) {
	i := undefined
	if Usable(effectiveUnits) {
		i = Interval95(replicates, effectiveUnits)
	}
	return Figure(i.Low), Figure(i.High)
}

// positives returns the number of alike pairs in each unit. No alike pair lies
// between two units.
func (r *ranking) positives(units int) []float64 {
	within := make([]float64, units)
	for _, p := range r.items {
		if p.alike && p.a == p.b {
			within[p.a]++
		}
	}
	return within
}

// withoutIntervals marks the intervals as unusable and makes them undefined, if
// the record has too few effective units. A record that is older than EffectiveUnits
// is judged by its largest unit, which bounds them from below.
func (r *Record) withoutIntervals() {
	effective := float64(r.EffectiveUnits)
	if effective == 0 {
		effective = 1 / float64(r.LargestUnit)
	}
	if r.Unusable = !Usable(effective); r.Unusable {
		for _, f := range []*Figure{&r.PrecisionLow, &r.PrecisionHigh, &r.RecallLow, &r.RecallHigh, &r.F1Low, &r.F1High, &r.APLow, &r.APHigh} {
			*f = Figure(math.NaN())
		}
	}
}
