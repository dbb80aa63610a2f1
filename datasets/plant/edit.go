package plant

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is a kind of edit.
type Kind string

// The kinds of edits. What a rate r means for each is the share of the units of
// the text that the edit touches (see Lang for what a unit is).
const (
	// Insert puts new units between the old ones, r for each.
	Insert Kind = "insert"
	// Delete drops the share r of the units.
	Delete Kind = "delete"
	// Substitute replaces the share r by other units.
	Substitute Kind = "substitute"
	// Mixed does one of the three to the share r: half of the time a
	// substitution, else a deletion or an insertion.
	Mixed Kind = "mixed"
	// Move takes a block of the share r to another place, past at least as many
	// other units.
	Move Kind = "move"
	// Case writes units in capitals, in small letters or with a capital first;
	// the share is one of the units whose case can change.
	Case Kind = "case"
	// Width exchanges halfwidth and fullwidth forms of units and of marks between
	// them; the share is one of those that have another form. NFKC undoes it.
	Width Kind = "width"
	// Punct adds, drops or replaces a punctuation mark behind the share r of the
	// units.
	Punct Kind = "punct"
	// OCR misreads the share r as optical character recognition does: lookalike
	// letters and characters come first, and where they do not suffice, units
	// that lose a letter or are not legible.
	OCR Kind = "ocr"
	// Boilerplate puts a notice before the text, of r times its units.
	Boilerplate Kind = "boilerplate"
	// Truncate cuts the share r off the end.
	Truncate Kind = "truncate"
	// Quote sets the text as a quotation into another one of r times its units.
	Quote Kind = "quote"
)

// CrossPost is what Threads does to a message that is sent twice: another list in
// the header and the footer, other line breaks. Apply does not do it, and it has
// no rate.
const CrossPost Kind = "crosspost"

// Kinds returns the kinds that Apply does, in the order of their declaration.
func Kinds() []Kind {
	return []Kind{Insert, Delete, Substitute, Mixed, Move, Case, Width, Punct, OCR, Boilerplate, Truncate, Quote}
}

// most returns the largest rate of the kind.
func (k Kind) most() float64 {
	switch k {
	case Boilerplate, Quote:
		return 100
	case Move:
		return 0.5
	}
	return 1
}

// Edit is a kind of edit at a rate.
type Edit struct {
	Kind Kind
	// Rate is above 0 and at most 1; at most 0.5 for Move, and 100 for
	// Boilerplate and Quote.
	Rate float64
}

// rated reports whether the edit has a rate: CrossPost and the copies and
// re-orderings of Passages have none.
func (e Edit) rated() bool { return e.Kind != CrossPost && e.Kind != kindCopy && e.Kind != kindReorder }

// String returns the edit as ParseEdit reads it: "mixed:0.05", or "copy" without a rate.
func (e Edit) String() string {
	if !e.rated() {
		return string(e.Kind)
	}
	return string(e.Kind) + ":" + strconv.FormatFloat(e.Rate, 'g', -1, 64)
}

// check returns an error for a kind or a rate that there is not.
func (e Edit) check() error {
	if !slices.Contains(Kinds(), e.Kind) {
		return fmt.Errorf("plant: no edit is called %q, want one of %s", e.Kind, joinKinds())
	}
	if !(e.Rate > 0 && e.Rate <= e.Kind.most()) {
		return fmt.Errorf("plant: the rate of %s is %v, want above 0 and at most %v", e.Kind, e.Rate, e.Kind.most())
	}
	return nil
}

func joinKinds() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// ParseEdit reads an edit: the kind, a colon and the rate, as "mixed:0.05".
func ParseEdit(s string) (Edit, error) {
	kind, rate, ok := strings.Cut(s, ":")
	r, err := strconv.ParseFloat(rate, 64)
	if !ok || err != nil {
		return Edit{}, fmt.Errorf("plant: the edit is %q, want a kind and a rate as in mixed:0.05", s)
	}
	e := Edit{Kind(kind), r}
	return e, e.check()
}

// Choice is an edit of a mix and how often it is taken.
type Choice struct {
	Edit Edit
	// Weight is the frequency in proportion to the other weights, above 0.
	Weight float64
}

// ParseMix reads a mix of edits: edits with commas between them, each followed by
// "*" and its weight where that is not 1, as "mixed:0.05*3,move:0.2".
func ParseMix(s string) ([]Choice, error) {
	var mix []Choice
	for part := range strings.SplitSeq(s, ",") {
		name, weight, weighted := strings.Cut(strings.TrimSpace(part), "*")
		e, err := ParseEdit(name)
		if err != nil {
			return nil, err
		}
		c := Choice{Edit: e, Weight: 1}
		if weighted {
			if c.Weight, err = strconv.ParseFloat(weight, 64); err != nil {
				return nil, fmt.Errorf("plant: the weight of %s is %q, want a number above 0", name, weight)
			}
		}
		if err := c.check(); err != nil {
			return nil, err
		}
		mix = append(mix, c)
	}
	return mix, nil
}

func (c Choice) check() error {
	if !(c.Weight > 0) || math.IsInf(c.Weight, 1) {
		return fmt.Errorf("plant: the weight of %v is %v, want a number above 0", c.Edit, c.Weight)
	}
	return c.Edit.check()
}

// FormatMix returns the mix as ParseMix reads it.
func FormatMix(mix []Choice) string {
	var parts []string
	for _, c := range mix {
		s := c.Edit.String()
		if c.Weight != 1 {
			s += "*" + strconv.FormatFloat(c.Weight, 'g', -1, 64)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ",")
}

// Record says what an edit did to a text.
type Record struct {
	// Units is how many units of the text the edit could have touched: all of
	// them, but for Case and Width.
	Units int
	// Touched is how many it did touch: units deleted, replaced, moved, changed,
	// cut off or added. If it is 0, the text is as it was.
	Touched int
}

// Rate returns the share touched, 0 for a text without units.
func (r Record) Rate() float64 {
	if r.Units == 0 {
		return 0
	}
	return float64(r.Touched) / float64(r.Units)
}
