package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// DefaultMargin is the default loss of F1 that counts as no worse.
const DefaultMargin = 0.03

// State says what a comparison has shown of a method beside another. The empty state
// claims nothing: the records' intervals are unusable, or a figure is undefined.
type State string

// The states. A method that is worse by at most the margin is NotWorse.
const (
	Better    State = "better"
	NotWorse  State = "not worse" // by more than the margin
	Worse     State = "worse"
	Undecided State = "undecided"
)

// Mark returns the symbol of a state in tables: ▲, ≈, ▼ or ?, and "" for none.
func (s State) Mark() string {
	return map[State]string{Better: "▲", NotWorse: "≈", Worse: "▼", Undecided: "?"}[s]
}

// Legend explains the marks, in English.
func Legend(margin float64) string {
	return fmt.Sprintf("F1 beside the method that is best on dev: ▲ shown better, ≈ shown no worse by more than %.3g, ▼ shown worse, "+
		"? undecided (one-sided tests at 95%%, Holm over the methods). No mark where the interval is unusable", margin)
}

// Comparison is the difference of two records in one figure.
type Comparison struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	A       string `json:"a"` // the methods
	B       string `json:"b"`
	Name    string `json:"figure"` // the figure's name in JSON records

	ValueA     Figure `json:"value_a"`
	ValueB     Figure `json:"value_b"`
	Difference Figure `json:"difference"` // B - A

	// Low and High bound the difference with 95 % confidence.
	Low  Figure `json:"low"`
	High Figure `json:"high"`

	// State says what is shown of B beside A. Margin is the loss that still counts as
	// no worse.
	State  State   `json:"state"`
	Margin float64 `json:"margin"`

	// One-sided p-values: a small one shows that B is better, not worse by more than
	// the margin, or worse. Adjust adjusts them.
	PBetter   Figure `json:"p_better"`
	PNotWorse Figure `json:"p_not_worse"`
	PWorse    Figure `json:"p_worse"`

	// Test is the source of the p-values: "bootstrap" is the paired bootstrap.
	// "intervals" are the two intervals, if the records have no paired resamples;
	// they show fewer differences. "unusable" means that nothing is claimed.
	Test string `json:"test"`
}

// Compare compares two records on the same data and split in precision, recall,
// F1 and average precision. The margin is in [0, 1).
//
// If both hold Details of the same resamples, or come from one run, p-values and
// interval are those of the resamples' differences. At R resamples no p-value is less
// than 1/(R+1), so a large family needs many. Otherwise they follow from the records'
// intervals as if the errors were normal and independent. Records of different data
// or splits are an error.
func Compare(a, b Record, margin float64) ([]Comparison, error) {
	if a.Checksum != b.Checksum || a.Split != b.Split || a.Truth != b.Truth || a.Pairs != b.Pairs {
		return nil, fmt.Errorf("eval: records of %s %s and %s %s are not of the same pairs", a.Dataset, a.Split, b.Dataset, b.Split)
	}
	da, db := a.paired(), b.paired()
	paired := da != nil && db != nil && da.Draws == db.Draws
	if !paired {
		da, db = &Details{}, &Details{}
	}
	var out []Comparison
	add := func(name string, va, vb Figure, ra, rb Floats, ia, ib Interval) {
		nan := Figure(math.NaN())
		c := Comparison{
			Dataset: a.Dataset, Split: a.Split, A: a.Method, B: b.Method, Name: name, Margin: margin,
			ValueA: va, ValueB: vb, Difference: vb - va, Low: nan, High: nan, PBetter: nan, PNotWorse: nan, PWorse: nan,
		}
		switch {
		case a.Unusable || b.Unusable:
			c.Test = "unusable"
		case paired && len(ra) == len(rb) && len(ra) > 0:
			c.Test = "bootstrap"
			c.resampled(ra, rb)
		default:
			c.Test = "intervals"
			c.apart(ia, ib)
		}
		c.decide()
		out = append(out, c)
	}
	of := func(low, high Figure) Interval { return Interval{float64(low), float64(high)} }
	add("precision", a.Precision, b.Precision, da.Precision, db.Precision, of(a.PrecisionLow, a.PrecisionHigh), of(b.PrecisionLow, b.PrecisionHigh))
	add("recall", a.Recall, b.Recall, da.Recall, db.Recall, of(a.RecallLow, a.RecallHigh), of(b.RecallLow, b.RecallHigh))
	add("f1", a.F1, b.F1, da.F1, db.F1, of(a.F1Low, a.F1High), of(b.F1Low, b.F1High))
	add("ap", a.AP, b.AP, da.AP, db.AP, of(a.APLow, a.APHigh), of(b.APLow, b.APHigh))
	return out, nil
}

// resampled fills in interval and p-values from paired replicates.
func (c *Comparison) resampled(a, b Floats) {
	d := make([]float32, len(a))
	for i := range a {
		d[i] = b[i] - a[i]
	}
	c.Low, c.High = Figure(quantile(d, 0.025)), Figure(quantile(d, 0.975))
	c.PBetter, c.PNotWorse, c.PWorse = pairedP(d, c.Margin)
}

// pairedP returns the one-sided p-values for a method that is better, not worse by
// more than the margin, and worse, from the differences of its paired replicates to
// another method's. A p-value is the share of resamples against it, with one added to
// both counts. Undefined differences do not count; it is NaN if all are undefined.
func pairedP(differences []float32, margin float64) (better, notWorse, worse Figure) {
	var defined, low, below, above int
	for _, d := range differences {
		if d != d {
			continue
		}
		defined++
		if float64(d) <= -margin {
			low++
		}
		if d <= 0 {
			below++
		}
		if d >= 0 {
			above++
		}
	}
	if defined == 0 {
		nan := Figure(math.NaN())
		return nan, nan, nan
	}
	p := func(against int) Figure { return Figure(float64(1+against) / float64(1+defined)) }
	return p(below), p(low), p(above)
}

// apart fills in interval and p-values from two intervals of independent errors.
func (c *Comparison) apart(a, b Interval) {
	z := distuv.UnitNormal.Quantile(0.975)
	se := math.Hypot(a.High-a.Low, b.High-b.Low) / (2 * z)
	d := float64(c.Difference)
	c.Low, c.High = Figure(d-float64(z*se)), Figure(d+float64(z*se))
	p := func(d float64) Figure {
		if d == 0 && se == 0 {
			return 1
		}
		return Figure(distuv.UnitNormal.Survival(d / se))
	}
	c.PBetter, c.PNotWorse, c.PWorse = p(d), p(d+c.Margin), p(-d)
}

// decide sets the state by the p-values.
func (c *Comparison) decide() { c.State = stateOf(c.PBetter, c.PNotWorse, c.PWorse) }

// stateOf returns the state that three p-values show; the empty one if they are NaN.
func stateOf(better, notWorse, worse Figure) State {
	const level = 0.05
	switch {
	case better <= level:
		return Better
	case notWorse <= level:
		return NotWorse
	case worse <= level:
		return Worse
	case notWorse != notWorse:
		return ""
	}
	return Undecided
}

// Adjust adjusts the p-values of comparisons that are read together, by Holm's
// procedure within each figure and question, and their states.
func Adjust(comparisons []Comparison) {
	members := map[string][]int{}
	for i, c := range comparisons {
		members[c.Name] = append(members[c.Name], i)
	}
	for _, family := range members {
		for _, of := range []func(*Comparison) *Figure{
			func(c *Comparison) *Figure { return &c.PBetter },
			func(c *Comparison) *Figure { return &c.PNotWorse },
			func(c *Comparison) *Figure { return &c.PWorse },
		} {
			p := make([]float64, len(family))
			for k, i := range family {
				p[k] = float64(*of(&comparisons[i]))
			}
			for k, v := range holm(p) {
				*of(&comparisons[family[k]]) = Figure(v)
			}
		}
	}
	for i := range comparisons {
		comparisons[i].decide()
	}
}

// States returns what paired replicates show of each method beside the method at
// best, adjusted for being read together. The state of best is empty.
func States(replicates [][]float32, best int, margin float64) []State {
	family := make([]Comparison, len(replicates))
	nan := Figure(math.NaN())
	for i, r := range replicates {
		c := &family[i]
		if c.Margin = margin; i == best {
			c.PBetter, c.PNotWorse, c.PWorse = nan, nan, nan
		} else {
			c.resampled(replicates[best], r)
		}
	}
	Adjust(family)
	out := make([]State, len(family))
	for i, c := range family {
		out[i] = c.State
	}
	return out
}

// Standings compares the F1 of each record of one data set and split with the F1 of
// the method that is best on the split tuned on. The states of that method, of
// baselines and of records of other pairs are empty. best is -1 if no record has an
// F1 of the split tuned on.
func Standings(records []Record, margin float64) (best int, states []State) {
	best, states = -1, make([]State, len(records))
	for i, r := range records {
		if !r.Baseline && r.TunedF1 > 0 && (best < 0 || r.TunedF1 > records[best].TunedF1) {
			best = i
		}
	}
	if best < 0 {
		return best, states
	}
	var family []Comparison
	var of []int
	for i, r := range records {
		if i == best || r.Baseline {
			continue
		}
		compared, err := Compare(records[best], r, margin)
		if err != nil {
			continue // joins from different floors find different pairs
		}
		for _, c := range compared {
			if c.Name == "f1" {
				family, of = append(family, c), append(of, i)
			}
		}
	}
	Adjust(family)
	for k, c := range family {
		states[of[k]] = c.State
	}
	return best, states
}

// Grid compares every two methods on every data set and split, and adjusts the
// comparisons of each data set together. It ignores baselines. Of records with the
// same data, split and method the last counts.
func Grid(records []Record, margin float64) ([]Comparison, error) {
	var out []Comparison
	for _, same := range ByData(WithoutBaselines(records)) {
		var family []Comparison
		for i, a := range same {
			for _, b := range same[i+1:] {
				c, err := Compare(a, b, margin)
				if err != nil {
					return nil, err
				}
				family = append(family, c...)
			}
		}
		Adjust(family)
		out = append(out, family...)
	}
	return out, nil
}

// ByData groups records by data and split, in the order of their first records. Of
// records with the same method the last counts.
func ByData(records []Record) [][]Record {
	var out [][]Record
	group := map[[3]string]int{}
	place := map[[4]string]int{}
	for _, r := range records {
		data := [3]string{r.Checksum, r.Split, r.Truth}
		g, ok := group[data]
		if !ok {
			g = len(out)
			group[data] = g
			out = append(out, nil)
		}
		method := [4]string{r.Checksum, r.Split, r.Truth, r.Method}
		if at, ok := place[method]; ok {
			out[g][at] = r
			continue
		}
		place[method] = len(out[g])
		out[g] = append(out[g], r)
	}
	return out
}

// WithoutBaselines returns the records without those of baselines.
func WithoutBaselines(records []Record) []Record {
	return slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Baseline })
}

// Diff compares two runs: each record of a with the record of b for the same data,
// split and method. If no method is in both, it compares each method of a with each
// of b. p-values are adjusted over all. Diff ignores baselines and records without a
// partner. Runs without a common data set and split are an error.
func Diff(a, b []Record, margin float64) ([]Comparison, error) {
	var out []Comparison
	match := func(same func(x, y Record) bool) error {
		for _, ga := range ByData(WithoutBaselines(a)) {
			for _, gb := range ByData(WithoutBaselines(b)) {
				if x, y := ga[0], gb[0]; x.Checksum != y.Checksum || x.Split != y.Split || x.Truth != y.Truth {
					continue
				}
				for _, x := range ga {
					for _, y := range gb {
						if !same(x, y) {
							continue
						}
						c, err := Compare(x, y, margin)
						if err != nil {
							return err
						}
						out = append(out, c...)
					}
				}
			}
		}
		return nil
	}
	err := match(func(x, y Record) bool { return x.Method == y.Method })
	if err == nil && len(out) == 0 {
		err = match(func(x, y Record) bool { return true })
	}
	if err == nil && len(out) == 0 {
		err = errors.New("eval: no data set in common: the runs have no data and split that both have records of")
	}
	if err != nil {
		return nil, err
	}
	Adjust(out)
	return out, nil
}
