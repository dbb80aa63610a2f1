// Package clean removes from texts what would mislead a comparison: times,
// numbers and addresses, which differ between copies ([Mask]), and passages
// that occur in many documents, which make strangers look alike
// ([Options.Boilerplate]). Only the comparison sees the cleaned text. The
// output has the text as it was.
//
// Masks look at one text at a time. Passages are learnt from the whole
// collection first:
//
//	c, err := clean.New(clean.Options{Mask: clean.Number, Boilerplate: 100})
//	for range c.Passes() {
//		for each document { c.Learn(text) } // in any order, from any goroutines
//		err = c.Next()
//	}
//	text = c.Clean(text)
//
// The result is a function of the options and the set of learnt texts: workers,
// order and memory do not change it. Masks are applied before passages are
// looked for, so that a footer with a date in it is one passage.
//
// Packages dedup/local, dedup/sketches and beam/pipeline use it. Folding of
// case, width and punctuation belongs to package feature.
package clean

import (
	"fmt"
	"strings"
)

// defaultMemory is the default of Options.Memory.
const defaultMemory = 256 << 20

// Options configures a Cleaner. The zero value changes nothing.
type Options struct {
	// Mask says what is replaced by a token of its kind.
	Mask Mask

	// Boilerplate is the number of documents that a passage must stand in to be
	// taken out. Zero takes out none; 1 is an error. It has to be more than the
	// copies that a document may have: a text with so many copies is itself a
	// passage of many documents. Passages of 47 bytes are found (eight English
	// words or sixteen Chinese characters), and so are some shorter ones, down
	// to 32 bytes. Up to 15 bytes at either end of one stay, unless it begins or
	// ends the text; what is taken out stands in so many documents to the byte.
	Boilerplate int

	// Memory is the budget for learning passages in bytes; one half of it counts roughly,
	// the other exactly what the rough count leaves. A byte for every four bytes of text is
	// plenty. Zero means 256 MiB. It does not change the result: what
	// does not fit is an error of Next.
	Memory int64
}

// Cleaner cleans texts. Learn and Clean are safe for concurrent use, but not with Next.
type Cleaner struct {
	o        Options
	passages *passages // nil if none are looked for
}

// New returns a Cleaner, or an error that names the option out of range.
func New(o Options) (*Cleaner, error) {
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	switch {
	case o.Mask&^All != 0:
		return nil, fmt.Errorf("clean: Mask is %d, want a sum of Time, Number and URL", int(o.Mask))
	case o.Boilerplate < 0 || o.Boilerplate == 1:
		return nil, fmt.Errorf("clean: Boilerplate is %d documents, want 2 or more, or 0 for none", o.Boilerplate)
	case o.Memory < leastMemory:
		return nil, fmt.Errorf("clean: Memory is %d bytes, want %d or more", o.Memory, leastMemory)
	}
	c := &Cleaner{o: o}
	if o.Boilerplate > 0 {
		c.passages = newPassages(o.Boilerplate, o.Memory)
	}
	return c, nil
}

// String returns the settings that the result depends on, such as
// "mask=time+number,boilerplate=100", or "none".
func (c *Cleaner) String() string {
	var p []string
	if c.o.Mask != 0 {
		p = append(p, "mask="+strings.ReplaceAll(c.o.Mask.String(), ",", "+"))
	}
	if c.passages != nil {
		p = append(p, fmt.Sprintf("boilerplate=%d", c.o.Boilerplate))
	}
	if p == nil {
		return "none"
	}
	return strings.Join(p, ",")
}

// Passes returns how often all texts must be learnt, each followed by Next: twice
// for passages, else not at all.
func (c *Cleaner) Passes() int {
	if c.passages == nil {
		return 0
	}
	return passes
}

// Learn takes note of a document. It panics if all passes are over.
func (c *Cleaner) Learn(text string) {
	if c.passages == nil || c.passages.pass == passes {
		panic("clean: Learn after the last pass")
	}
	c.passages.learn(c.o.Mask.Apply(text))
}

// Next ends a pass. It returns an error if the memory is too little for what has been learnt,
// and panics if all passes are over.
func (c *Cleaner) Next() error {
	if c.passages == nil || c.passages.pass == passes {
		panic("clean: Next after the last pass")
	}
	return c.passages.next()
}

// Clean returns the text without what the options take out; each passage within it
// leaves a line break. A text that would have no letter and no digit left, because it is
// nothing but passages of many documents, only has its masks applied: it is compared by
// them. A text in which there is nothing to do is returned as it is, without
// a copy. It panics before the last pass is over.
func (c *Cleaner) Clean(text string) string {
	text = c.o.Mask.Apply(text)
	if c.passages == nil {
		return text
	}
	if c.passages.pass < passes {
		panic("clean: Clean before the last pass is over")
	}
	return c.passages.strip(text)
}
