// Package ensemble combines the scores of several methods into one, with weights
// learnt from labelled pairs by logistic regression.
//
// The regression predicts from the members' scores s1, s2, ... the probability that a
// pair is alike, 1/(1+exp(-b-Σ w·s)). Its weights are not negative, so that what makes a
// member surer never makes the ensemble less sure, and so the score of a pair is a mean of the
// members' scores, Σ w·s / Σ w, which ranks pairs as the probability does and keeps the laws
// of package similarity. [Method.Probability] turns it back. Before it is trained all members
// weigh the same.
//
// The price is honest: a sketch is the sketches of all members, a score takes all their
// scores. Members with weight 0 are dropped when it is trained. What is gained is seldom worth it: of
// 76 trials on 21 sets (docs/ensemble.md) one was beyond chance better than the member one would take by
// dev, where letters and words were combined on paraphrases, and one was worse.
package ensemble

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Options configures a Method.
type Options struct {
	// Members are the methods, two or more, or one with Weights; each once. A method that
	// another process carries out cannot be one.
	Members []similarity.Method

	// Weights are what was learnt: the increase of the log-odds as a member's score goes
	// from 0 to 1, above 0. Nil means that nothing was learnt yet.
	Weights []float64

	// Bias is the log-odds of a pair that every member scores 0; it goes with Weights.
	Bias float64
}

// Method is the ensemble. It is immutable and safe for concurrent use.
type Method struct {
	members []similarity.Method
	weights []float64 // all 1 where nothing was learnt
	bias    float64
	trained bool
	groups  []group
}

// group is members that share an extractor; one that reads text is alone, with none.
type group struct {
	features *feature.Extractor
	members  []int
}

var _ similarity.Method = (*Method)(nil)

// New returns an ensemble, or an error that names the option that is out of range.
func New(o Options) (*Method, error) {
	m := &Method{members: slices.Clone(o.Members), weights: slices.Clone(o.Weights), bias: o.Bias, trained: o.Weights != nil}
	if len(m.members) == 0 || len(m.members) == 1 && !m.trained {
		return nil, fmt.Errorf("ensemble: %d members, want two or more", len(m.members))
	}
	if !m.trained {
		if m.bias != 0 {
			return nil, fmt.Errorf("ensemble: Bias is %v without Weights, want both or none", m.bias)
		}
		m.weights = slices.Repeat([]float64{1}, len(m.members))
	}
	if len(m.weights) != len(m.members) {
		return nil, fmt.Errorf("ensemble: %d weights of %d members", len(m.weights), len(m.members))
	}
	if math.IsNaN(m.bias) || math.IsInf(m.bias, 0) {
		return nil, fmt.Errorf("ensemble: Bias is %v, want a number", m.bias)
	}
	for i, w := range m.weights {
		if !(w > 0 && w <= 1e12) {
			return nil, fmt.Errorf("ensemble: weight of %s is %v, want more than 0 and at most 1e12", m.members[i], w)
		}
	}
	for i, x := range m.members {
		if strings.Contains(x.String(), "+") {
			return nil, fmt.Errorf("ensemble: member %s has a + in its spec, which parts members", x)
		}
		for _, y := range m.members[:i] {
			if x.String() == y.String() {
				return nil, fmt.Errorf("ensemble: member %s stands twice", x)
			}
		}
		if _, ok := x.NewCollection().(similarity.Remote); ok {
			return nil, fmt.Errorf("ensemble: member %s is carried out elsewhere, want methods of this program", x)
		}
		m.join(i, x.Features())
	}
	return m, nil
}

// join puts a member into the group of its features.
func (m *Method) join(i int, x *feature.Extractor) {
	if x != nil {
		for k := range m.groups {
			if g := &m.groups[k]; g.features != nil && g.features.Settings() == x.Settings() {
				g.members = append(g.members, i)
				return
			}
		}
	}
	m.groups = append(m.groups, group{x, []int{i}})
}

// Members returns the methods that are combined.
func (m *Method) Members() []similarity.Method { return slices.Clone(m.members) }

// Weights returns the weight of each member, all 1 where nothing was learnt.
func (m *Method) Weights() []float64 { return slices.Clone(m.weights) }

// Trained reports whether the weights were learnt.
func (m *Method) Trained() bool { return m.trained }

// Probability returns what the regression makes of a score: the probability, among pairs as
// frequently alike as those it was trained on, that such a pair is alike. It is NaN
// where nothing was learnt.
func (m *Method) Probability(score float64) float64 {
	if !m.trained {
		return math.NaN()
	}
	sum := 0.0
	for _, w := range m.weights {
		sum += w
	}
	return logistic(m.bias + float64(sum*score))
}

// String returns the canonical spec, such as
// "ensemble:of=shingle+winnow,weights=6.2+1.5,bias=-4". Members that learn from a corpus stand in it
// without their fits, of which there is the checksum.
func (m *Method) String() string {
	names := make([]string, len(m.members))
	for i, x := range m.members {
		names[i] = similarity.WithoutFit(x.String())
	}
	of := strings.Join(names, "+")
	if strings.ContainsAny(of, `,"`) {
		of = strconv.Quote(of)
	}
	parts := []string{"of=" + of}
	if m.trained {
		weights := make([]string, len(m.weights))
		for i, w := range m.weights {
			weights[i] = strconv.FormatFloat(w, 'f', -1, 64) // an exponent may have a +, which parts weights
		}
		parts = append(parts, "weights="+strings.Join(weights, "+"), "bias="+strconv.FormatFloat(m.bias, 'g', -1, 64))
	}
	switch m.FitState() {
	case similarity.FitNone:
		parts = append(parts, "fit=none")
	case similarity.Fitted:
		parts = append(parts, "fit="+m.fitSum())
	}
	return similarity.Spec("ensemble", parts...)
}

// Settings returns the settings of all members. The weights, which only score, are not among them.
func (m *Method) Settings() string {
	parts := make([]string, len(m.members))
	for i, x := range m.members {
		parts[i] = strconv.Quote(x.Settings())
	}
	return similarity.Spec("ensemble", parts...)
}

// Features returns the extractor that all members share, or nil where they do not.
func (m *Method) Features() *feature.Extractor {
	if len(m.groups) == 1 {
		return m.groups[0].features
	}
	return nil
}

// Unwrap returns the method itself.
func (m *Method) Unwrap() any { return m }

// Explain lists what each member says, and the evidence of the first member of the greatest weight
// that has some.
func (m *Method) Explain(a, b string) (similarity.Explanation, bool) {
	c := m.NewCollection()
	c.Add(a)
	c.Add(b)
	e := similarity.Explanation{Score: c.Score(0, 1)}
	parts := c.(*collection).parts
	var notes []string
	best := -1.0
	for i, x := range m.members {
		notes = append(notes, fmt.Sprintf("%s %.4f (weight %.4g)", x, parts[i].Score(0, 1), m.weights[i]))
		if m.weights[i] <= best {
			continue
		}
		if of, ok := x.Explain(a, b); ok && len(of.Evidence) > 0 {
			e.Evidence, best = of.Evidence, m.weights[i]
		}
	}
	e.Note = strings.Join(notes, "; ")
	if m.trained {
		e.Note += fmt.Sprintf("; probability %.4f", m.Probability(e.Score))
	}
	return e, true
}
