package main

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
)

// fieldCount counts documents that go to an index, and those that lack a field.
type fieldCount struct {
	header index.Header
	limits dedup.Limits // if none, a document lacks any field that the index keeps
	docs   int
	lack   int
	seen   []bool // by field of the limits, whether a document has it
}

// of yields docs, and counts them.
func (c *fieldCount) of(docs iter.Seq2[[]index.Doc, error]) iter.Seq2[[]index.Doc, error] {
	c.seen = make([]bool, len(c.limits.Fields()))
	return func(yield func([]index.Doc, error) bool) {
		for batch, err := range docs {
			for _, d := range batch {
				c.add(d.Fields)
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

func (c *fieldCount) add(fields []string) {
	lacks := !c.limits.Any() && slices.Contains(fields, "")
	for i, v := range c.header.Values(c.limits, fields) {
		if v == dedup.Missing {
			lacks = true
		} else {
			c.seen[i] = true
		}
	}
	c.docs++
	if lacks {
		c.lack++
	}
}

// report says how many documents lack a field. It returns an error if no document
// has a field of the limits.
func (c *fieldCount) report(stderr io.Writer) error {
	switch {
	case c.lack > 0 && c.limits.Any():
		fmt.Fprintf(stderr, "alike: documents that lack a field of the limits (%v), so they are in no pair: %d\n", c.limits, c.lack)
	case c.lack > 0:
		fmt.Fprintf(stderr, "alike: documents that lack a field of the index (%s): %d\n", strings.Join(c.header.Fields, ", "), c.lack)
	}
	if c.docs == 0 {
		return nil
	}
	return c.limits.Lacking(func(field int) bool { return c.seen[field] })
}
