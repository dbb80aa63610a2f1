package passages

import (
	"context"

	"github.com/alike-go/alike/internal/extsort"
)

// Spill gives a finder less memory than Options allow.
func (f *Finder) Spill() {
	f.o.Memory = 1 << 20
	f.windows = extsort.New(f.o.Dir, f.o.Memory/8)
}

// Folded returns the folded text with its runs made short.
func (p *Prepared) Folded() string { return string(p.folded) }

// Uncut returns where a span of Folded stood before runs were made short.
func (p *Prepared) Uncut(start, end int) (int, int) { return uncut(p.cuts, start, end) }

// Seed returns the length of the seeds of fuzzy matches, in bytes and characters.
func Seed(o Options) (bytes, length int) {
	o.seed()
	return o.leastBytes(), o.MinLength
}

// Candidates returns the maximal passages that are long enough, hidden ones too:
// each by its places, as documents and starts in folded texts.
func (f *Finder) Candidates(ctx context.Context) ([][][2]int, error) {
	if err := f.find(ctx); err != nil {
		return nil, err
	}
	all := make([][][2]int, len(f.found.all))
	return all, f.found.eachPlace(ctx, "", func(o occurrence) error {
		all[o.of] = append(all[o.of], [2]int{int(o.doc), o.start})
		return nil
	})
}
