package author

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// DifferModel returns the model of a method that scores the features of x, all of them
// that occur, with the other fields of m. It is an error if no model has been measured
// for such features. Shingles of one or two words have none: they hardly see the order.
// Shingles of more than five words have none: few edits change almost all of them. Tokens
// of Word are pairs of characters where a script writes no spaces, so a character stands
// in one feature more. The model allows for that in all texts.
func DifferModel(x *feature.Extractor, m similarity.DifferModel) (similarity.DifferModel, error) {
	o := x.Options()
	switch {
	case o.Tokens != feature.Word && o.Tokens != feature.Single,
		len(o.Stop) > 0, o.Stem != "", o.Phrases > 0, !x.Unit(),
		o.MinWidth < 3, o.MaxWidth > 5, o.MinWidth != o.MaxWidth:
		return m, fmt.Errorf("no model of the words that differ was measured for the features %q, want tokens=single or word and one width from 3 to 5, such as tokens=single,width=3", x.String())
	}
	m.Span = float64(o.MinWidth)
	if o.Tokens == feature.Word {
		m.Span++
	}
	return m, nil
}
