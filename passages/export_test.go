package passages

// Folded returns the folded text with its runs made short.
func (p *Prepared) Folded() string { return string(p.folded) }

// Uncut returns where a span of Folded stood before runs were made short.
func (p *Prepared) Uncut(start, end int) (int, int) { return uncut(p.cuts, start, end) }
