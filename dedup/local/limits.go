package local

import (
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// limitsOf returns the values of a row that Options.Limits needs.
func (c *corpus) limitsOf(row uint32) []float64 {
	columns := c.texts.values[c.o.Keep.Fields():]
	columns = columns[:len(c.o.Limits.Fields())]
	values := make([]float64, len(columns))
	for i, v := range columns {
		values[i] = v[row]
	}
	return values
}

// unit returns the hash of a document's unit, and the values that limits and judgements
// need.
func (c *corpus) unit(text string, row *datasets.Row, number int, old bool) (dedup.Hash, []float64) {
	values := c.o.Limits.Values(row.Get)
	unit := c.o.Limits.Unit(dedup.HashText(text), values, uint64(number), old)
	if c.o.Judged != nil {
		group := c.o.Judged.Group(row.Doc.ID)
		values, unit = append(values, float64(group)), c.o.Judged.Unit(unit, group, old)
	}
	return unit, values
}

// group returns the group of a text that was judged, or -1.
func (c *corpus) group(text uint32) int32 {
	if c.o.Judged == nil {
		return -1
	}
	return int32(c.texts.values[c.fields()-1][c.texts.First[text]])
}

// groups returns the judgements on nodes, or nil.
func (c *candidates) groups() *dedup.Groups {
	if c.o.Judged == nil {
		return nil
	}
	g := &dedup.Groups{Of: make([]int32, len(c.list)), Apart: c.o.Judged.Apart}
	for node := range g.Of {
		g.Of[node] = c.group(c.text(uint32(node)))
	}
	return g
}

// judgedPairs returns the texts that were judged as the same, as pairs that are
// candidates whatever they score. It is an error if no document was judged.
func (c *corpus) judgedPairs() (pairs [][2]uint32, err error) {
	if c.o.Judged == nil {
		return nil, nil
	}
	first := map[int32]uint32{}
	for text := range uint32(c.texts.Len()) {
		g := c.group(text)
		if g < 0 {
			continue
		}
		if a, ok := first[g]; ok {
			pairs = append(pairs, [2]uint32{a, text})
		} else {
			first[g] = text
		}
	}
	if len(first) == 0 && c.texts.Len() > 0 {
		return nil, fmt.Errorf("dedup: no document has an id of those judged (%v)", c.o.Judged)
	}
	return pairs, nil
}

// counts returns the Counts of a rule on nodes, or nil if all pairs count.
func (c *candidates) counts() func(a, b uint32) bool {
	n, groups := len(c.o.Limits.Fields()), c.groups()
	if n == 0 && groups == nil {
		return nil
	}
	values := make([]float64, 0, n*len(c.list)) // by node
	for node := range uint32(len(c.list)) {
		values = append(values, c.limitsOf(c.texts.First[c.text(node)])...)
	}
	return func(a, b uint32) bool {
		if groups != nil && groups.Of[a] >= 0 && groups.Of[b] >= 0 {
			if groups.Of[a] == groups.Of[b] {
				return true // whatever the limits say
			}
			if groups.Apart(groups.Of[a], groups.Of[b]) {
				return false
			}
		}
		return c.o.Limits.Counts(values[int(a)*n:int(a+1)*n], values[int(b)*n:int(b+1)*n])
	}
}

// checkFields returns an error if a field of the limits is in no document, and
// counts the documents that lack one.
func (c *corpus) checkFields() error {
	fields := make([]bool, len(c.o.Limits.Fields()))
	if len(fields) == 0 {
		return nil
	}
	for row, text := range c.texts.Of {
		if text == none {
			continue
		}
		lacks := false
		for i, v := range c.texts.values[c.o.Keep.Fields():][:len(fields)] {
			there := v[row] != dedup.Missing
			fields[i], lacks = fields[i] || there, lacks || !there
		}
		if lacks && row >= c.oldRows {
			c.unpaired++
		}
	}
	if len(c.texts.Of) == len(c.bad) {
		return nil // there is no document at all
	}
	return c.o.Limits.Lacking(func(i int) bool { return fields[i] })
}
