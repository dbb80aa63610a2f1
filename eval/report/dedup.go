package report

// Dedup is the outcome of a deduplication.
type Dedup struct{}

func (p *page) dedup(*Dedup) {}
