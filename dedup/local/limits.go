package local

import "github.com/alike-go/alike/dedup"

// limitsOf returns the values of a row that Options.Limits needs.
func (c *corpus) limitsOf(row uint32) []float64 {
	columns := c.texts.values[c.o.Keep.Fields():]
	values := make([]float64, len(columns))
	for i, v := range columns {
		values[i] = v[row]
	}
	return values
}

// counts returns the Counts of a rule on nodes, or nil if all pairs count.
func (c *candidates) counts() func(a, b uint32) bool {
	n := len(c.o.Limits.Fields())
	if n == 0 {
		return nil
	}
	values := make([]float64, 0, n*len(c.list)) // by node
	for node := range uint32(len(c.list)) {
		values = append(values, c.limitsOf(c.texts.First[c.text(node)])...)
	}
	return func(a, b uint32) bool {
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
		for i, v := range c.texts.values[c.o.Keep.Fields():] {
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
