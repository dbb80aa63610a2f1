package eval

import (
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/alike-go/alike/eval/internal/resample"
)

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

	// Low and High bound the difference with 95 % confidence; null for accuracy.
	Low  Figure `json:"low"`
	High Figure `json:"high"`

	// P is the two-sided p-value of no difference. Adjusted is P until Adjust has
	// seen the whole family.
	P        Figure `json:"p"`
	Adjusted Figure `json:"p_adjusted"`

	// Test says where P comes from: "bootstrap" is the paired bootstrap, "mcnemar"
	// McNemar's test, "intervals" what the two intervals allow to say where the records
	// have no paired resamples, which finds fewer differences.
	Test string `json:"test"`

	// OnlyA and OnlyB count the pairs that one method alone judges right, for mcnemar.
	OnlyA int `json:"only_a,omitempty"`
	OnlyB int `json:"only_b,omitempty"`
}

// Noise reports whether the difference may well be chance: its adjusted p-value
// exceeds .05 or cannot be told.
func (c Comparison) Noise() bool { return !(c.Adjusted <= 0.05) }

// Compare compares two records on the same data and split in precision, recall,
// F1 and average precision, and in accuracy where both hold which pairs they judge right.
//
// Where both hold Details of the same resamples, the interval is that of the
// resamples' differences, and P twice the share of resamples on the rarer side of 0,
// both counted with one more: at R resamples no less than 2/(R+1), so a large family
// needs many. Otherwise both follow from the records' intervals as if the errors were
// normal and independent. Records of other data or another split are an error.
func Compare(a, b Record) ([]Comparison, error) {
	if a.Checksum != b.Checksum || a.Split != b.Split || a.Truth != b.Truth || a.Pairs != b.Pairs {
		return nil, fmt.Errorf("eval: records of %s %s and %s %s are not of the same pairs", a.Dataset, a.Split, b.Dataset, b.Split)
	}
	paired := a.Details != nil && b.Details != nil && a.Details.Draws == b.Details.Draws
	da, db := a.Details, b.Details
	if !paired {
		da, db = &Details{}, &Details{}
	}
	var out []Comparison
	add := func(name string, va, vb Figure, ra, rb Floats, ia, ib Interval) {
		c := Comparison{
			Dataset: a.Dataset, Split: a.Split, A: a.Method, B: b.Method, Name: name,
			ValueA: va, ValueB: vb, Difference: vb - va,
		}
		if paired && len(ra) == len(rb) && len(ra) > 0 {
			c.Test = "bootstrap"
			c.resampled(ra, rb)
		} else {
			c.Test = "intervals"
			c.apart(ia, ib)
		}
		c.Adjusted = c.P
		out = append(out, c)
	}
	of := func(low, high Figure) Interval { return Interval{float64(low), float64(high)} }
	add("precision", a.Precision, b.Precision, da.Precision, db.Precision, of(a.PrecisionLow, a.PrecisionHigh), of(b.PrecisionLow, b.PrecisionHigh))
	add("recall", a.Recall, b.Recall, da.Recall, db.Recall, of(a.RecallLow, a.RecallHigh), of(b.RecallLow, b.RecallHigh))
	add("f1", a.F1, b.F1, da.F1, db.F1, of(a.F1Low, a.F1High), of(b.F1Low, b.F1High))
	add("ap", a.AP, b.AP, da.AP, db.AP, of(a.APLow, a.APHigh), of(b.APLow, b.APHigh))
	if paired && len(da.Correct) > 0 && len(da.Correct) == len(db.Correct) {
		c := Comparison{
			Dataset: a.Dataset, Split: a.Split, A: a.Method, B: b.Method, Name: "accuracy", Test: "mcnemar",
			ValueA: a.Accuracy, ValueB: b.Accuracy, Difference: b.Accuracy - a.Accuracy,
			Low: Figure(math.NaN()), High: Figure(math.NaN()),
		}
		for i, x := range da.Correct {
			c.OnlyA += bits.OnesCount8(x &^ db.Correct[i])
			c.OnlyB += bits.OnesCount8(db.Correct[i] &^ x)
		}
		c.P = Figure(mcNemar(c.OnlyA, c.OnlyB))
		c.Adjusted = c.P
		out = append(out, c)
	}
	return out, nil
}

// resampled fills in interval and p-value from paired replicates.
func (c *Comparison) resampled(a, b Floats) {
	d := make([]float32, len(a))
	for i := range a {
		d[i] = b[i] - a[i]
	}
	c.Low, c.High = figures95(d)
	c.P = Figure(math.NaN())
	if p, defined := resample.PairedP(d); defined > 0 {
		c.P = Figure(p)
	}
}

// apart fills in interval and p-value from two intervals of independent errors.
func (c *Comparison) apart(a, b Interval) {
	z := distuv.UnitNormal.Quantile(0.975)
	se := math.Hypot(a.High-a.Low, b.High-b.Low) / (2 * z)
	d := float64(c.Difference)
	c.Low, c.High = Figure(d-float64(z*se)), Figure(d+float64(z*se))
	switch {
	case math.IsNaN(d) || math.IsNaN(se):
		c.P = Figure(math.NaN())
	case d == 0:
		c.P = 1
	default:
		c.P = Figure(2 * distuv.UnitNormal.Survival(math.Abs(d)/se))
	}
}

// Adjust adjusts the p-values of comparisons that are read together, by Holm's
// procedure within each figure.
func Adjust(comparisons []Comparison) {
	members := map[string][]int{}
	for i, c := range comparisons {
		members[c.Name] = append(members[c.Name], i)
	}
	for _, family := range members {
		p := make([]float64, len(family))
		for k, i := range family {
			p[k] = float64(comparisons[i].P)
		}
		for k, v := range Holm(p) {
			comparisons[family[k]].Adjusted = Figure(v)
		}
	}
}

// Grid compares every two methods on every data set and split, and adjusts for
// being compared together within each data set. Records that stand twice (same
// data, split and method) count by the last.
func Grid(records []Record) ([]Comparison, error) {
	var out []Comparison
	for _, same := range byData(records) {
		var family []Comparison
		for i, a := range same {
			for _, b := range same[i+1:] {
				c, err := Compare(a, b)
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

// byData groups records by data and split, in the order of their first, each
// method once.
func byData(records []Record) [][]Record {
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

// Diff compares two runs: each record of a with that of b on the same data and
// split and by the same method; where no method is in both, each method of a with
// each of b. p-values are adjusted over all. Records without a partner are left out.
func Diff(a, b []Record) ([]Comparison, error) {
	var out []Comparison
	match := func(same func(x, y Record) bool) error {
		for _, ga := range byData(a) {
			for _, gb := range byData(b) {
				if x, y := ga[0], gb[0]; x.Checksum != y.Checksum || x.Split != y.Split || x.Truth != y.Truth {
					continue
				}
				for _, x := range ga {
					for _, y := range gb {
						if !same(x, y) {
							continue
						}
						c, err := Compare(x, y)
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
	if err != nil {
		return nil, err
	}
	Adjust(out)
	return out, nil
}
