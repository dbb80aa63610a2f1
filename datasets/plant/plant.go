// Package plant makes labelled near-duplicates: it edits copies of documents at
// stated rates and says which are copies of which, so that a method can be
// measured on any text, at any size, and by kind and strength of edit.
//
// [Apply] does one edit. A [Planter] streams a collection of any size through,
// with copies of some of its documents shuffled in. A [Maker] makes the
// documents too, [Threads] makes mail that quotes, and [Passages] documents with
// passages of others in them. [Write] writes the result as a data set that
// datasets.Load reads, but for Passages: that is documents and a table of spans.
// Packages eval/stress and eval/surrogate, the benchmarks and the command "alike
// datasets make" use them. Nothing here knows a method.
//
// Everything is a function of options, seeds and input: the same bytes on every
// machine. (Edits ask the Unicode tables of the Go version what a letter is,
// which can differ for new characters.) A method is measured here on edits of
// our choice. Two documents of the collection may be alike by themselves. The
// labels do not say so, and a method that finds the pair is charged with an
// error. State this beside the figures, and use collections without duplicates.
package plant

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// Options says which documents get copies and what is done to these. The zero
// value is a sound default.
type Options struct {
	// Share is the probability for a document to get copies, from 0 to 1. Zero
	// means 0.2; take a negative number for no copies at all.
	Share float64
	// Copies weights the number of copies of a document that gets some: the first
	// weight is that of one copy, the second that of two, and so on. Nil means
	// 8, 4, 2, 1. A cluster is a document and its copies.
	Copies []float64
	// Mix is the edits to draw from; a copy gets one of them. Nil means
	// DefaultMix(). A copy on which the edit has no effect gets another one.
	Mix []Choice
	// Window is how far behind its original a copy can be, in documents, from 1
	// to 10^9. Distances of all orders of magnitude up to it are equally likely.
	// Copies wait in memory, but no more than 64 MiB of them: where they would be
	// more, the next ones come early. Zero means 10,000.
	Window int
	// Lang is what edits take for units, and whose marks and boilerplate they
	// add. The zero value, Auto, goes by the script of each text.
	Lang Lang
	// Seed selects the documents and the edits.
	Seed uint64
}

// DefaultMix returns the mix that Options.Mix stands for if nil: every kind of
// edit, the mixed one at 1, 5, 10 and 20 %.
func DefaultMix() []Choice {
	mix, err := ParseMix("mixed:0.01,mixed:0.05,mixed:0.1,mixed:0.2,insert:0.1,delete:0.1,substitute:0.1,move:0.2," +
		"case:0.3,width:0.3,punct:0.1,ocr:0.05,boilerplate:0.2,truncate:0.3,quote:0.5")
	if err != nil {
		panic(err)
	}
	return mix
}

// Planter plants copies into collections. It is safe for concurrent use.
type Planter struct {
	options Options
	copies  alias
	mix     alias
	waiting int // bytes of text that wait at most
}

// New returns a planter.
func New(o Options) (*Planter, error) {
	o.Share = cmp.Or(o.Share, 0.2)
	o.Window = cmp.Or(o.Window, 10_000)
	if o.Copies == nil {
		o.Copies = []float64{8, 4, 2, 1}
	}
	if o.Mix == nil {
		o.Mix = DefaultMix()
	}
	o.Copies, o.Mix = slices.Clone(o.Copies), slices.Clone(o.Mix)
	switch {
	case !(o.Share <= 1):
		return nil, fmt.Errorf("plant: Share is %v, want at most 1", o.Share)
	case o.Window < 1 || o.Window > 1_000_000_000:
		return nil, fmt.Errorf("plant: Window is %d, want 1 to 1000000000", o.Window)
	case len(o.Copies) > 1000:
		return nil, fmt.Errorf("plant: Copies has %d weights, want at most 1000", len(o.Copies))
	case o.Lang != Auto && o.Lang != English && o.Lang != Chinese:
		return nil, fmt.Errorf("plant: Lang is %q, want en, zh or nothing", o.Lang)
	}
	o.Share = max(o.Share, 0)
	p := &Planter{options: o, waiting: maxWaiting}
	var err error
	if p.copies, err = newChooser("Copies", o.Copies); err != nil {
		return nil, err
	}
	var weights []float64
	for _, c := range o.Mix {
		if err := c.check(); err != nil {
			return nil, err
		}
		weights = append(weights, c.Weight)
	}
	if p.mix, err = newChooser("Mix", weights); err != nil {
		return nil, err
	}
	return p, nil
}

// String returns all options in one line, for the README of what was planted.
func (p *Planter) String() string {
	o := p.options
	var copies []string
	for _, w := range o.Copies {
		copies = append(copies, strconv.FormatFloat(w, 'g', -1, 64))
	}
	lang := o.Lang
	if lang == Auto {
		lang = "auto"
	}
	return fmt.Sprintf("share=%v copies=%s mix=%s window=%d lang=%s seed=%d",
		o.Share, strings.Join(copies, ","), FormatMix(o.Mix), o.Window, lang, o.Seed)
}

// Document is a document of a collection with planted copies.
type Document struct {
	datasets.Doc

	// Original is the id of the document that this one is a copy of, and its own
	// id if it is none. Documents are alike if and only if this is equal.
	Original string
	// Copy is 0 for a document of the collection, or the number of the copy,
	// counted from 1. The id of a copy is Original, "~" and this number.
	Copy int
	// Copies is the number of copies of the original, 0 for a document alone.
	Copies int
	// Edit and Record say what made the copy of the original. Record.Touched is 0
	// if none of the edits tried had an effect: then the texts are equal.
	Edit   Edit
	Record Record
	// Answers is the id of the message that this one quotes, see Threads. It is
	// empty for other documents.
	Answers string
	// Passages is what the document took from others, in the order of its text, see
	// Passages. It is nil for other documents.
	Passages []Passage
}

// checkID returns an error for an id that cannot stand in a data set with copies.
func checkID(id string) error {
	if id == "" || strings.ContainsAny(id, "\t\r\n") {
		return fmt.Errorf("plant: the id %q is empty or holds a tab or a line break", id)
	}
	if at := strings.LastIndexByte(id, '~'); at >= 0 && at < len(id)-1 && strings.Trim(id[at+1:], "0123456789") == "" {
		return fmt.Errorf("plant: the id %q is as that of a copy, want no number after a \"~\" at the end", id)
	}
	return nil
}

// Docs yields documents that are in memory, such as those of a datasets.Set.
func Docs(docs []datasets.Doc) iter.Seq2[datasets.Doc, error] {
	return func(yield func(datasets.Doc, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}
