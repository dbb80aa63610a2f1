package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alike-go/alike/eval/ensemble"
	"github.com/alike-go/alike/similarity"
)

// ensembleOf are the members of an ensemble whose spec names none: words, their order,
// characters and copied passages.
const ensembleOf = "shingle+shingle:tokens=rune,width=3+cosine+winnow"

// combination is what the keys of an ensemble set.
type combination struct {
	of      string
	weights []float64
	bias    float64
}

var combinationKeys = []key[combination]{
	{Key{Name: "of", Default: strconv.Quote(ensembleOf), Allowed: "specs parted by +, quoted where one has a comma", Doc: "the members"},
		func(o *combination, v string) error { o.of = v; return nil }},
	{Key{Name: "weights", Default: "-", Allowed: "numbers above 0 parted by +, one a member", Doc: "what was learnt from labelled pairs; eval learns it on the dev split"},
		func(o *combination, v string) error {
			o.weights = nil
			for s := range strings.SplitSeq(v, "+") {
				w, err := strconv.ParseFloat(s, 64)
				if err != nil {
					return fmt.Errorf("%q, want a number", s)
				}
				o.weights = append(o.weights, w)
			}
			return nil
		}},
	{Key{Name: "bias", Default: "0", Allowed: "a number", Doc: "learnt with the weights: the log-odds of a pair that scores 0"},
		func(o *combination, v string) (err error) {
			if o.bias, err = strconv.ParseFloat(v, 64); err != nil {
				return fmt.Errorf("want a number")
			}
			return nil
		}},
	fitKey[combination](),
}

// combined is the entry of ensembles. Its members are parsed as any spec, with the
// features of the run.
var combined = entry{
	Entry{
		Name:     "ensemble",
		Summary:  "the sketches of several methods; the mean of their scores under weights of a logistic regression",
		When:     "where methods err on different pairs and labels are at hand to learn from, at the price of all its members",
		Reads:    "what its members read",
		Keys:     documented(combinationKeys),
		OnDemand: true,
	},
	func(settings []setting, member func(spec string) (similarity.Method, error)) (similarity.Method, error) {
		c := combination{of: ensembleOf}
		if err := setKeys(&c, combinationKeys, settings); err != nil {
			return nil, err
		}
		o := ensemble.Options{Weights: c.weights, Bias: c.bias}
		for spec := range strings.SplitSeq(c.of, "+") {
			if strings.HasPrefix(spec, Exec+":") {
				return nil, fmt.Errorf("of=%s: want methods of this program, not %s", c.of, Exec)
			}
			m, err := member(spec)
			if err != nil {
				return nil, err
			}
			o.Members = append(o.Members, m)
		}
		return ensemble.New(o)
	},
}
