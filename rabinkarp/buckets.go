package rabinkarp

import (
	"cmp"
	"slices"

	"github.com/alike-go/alike/internal/setjoin"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Bucketer[Sketch] = (*Manber)(nil)
	_ similarity.Bucketer[Sketch] = (*Winnow)(nil)
)

// The tables of Buckets.
const (
	tablePrints = iota
	tableTexts
)

// Buckets returns the layout in which a text lies in the buckets of its least
// fingerprints, mixed. Of n fingerprints it takes n - ⌈tn⌉ + 1, since a text
// that scores the threshold t shares one of these, and all n under Overlap. A
// text without a sample lies in the bucket of its checksum and size. The layout
// is exact, and promises nothing below the threshold.
func (m *method) Buckets(o similarity.JoinOptions) (similarity.Buckets[Sketch], error) {
	o, err := o.Check()
	if err != nil {
		return similarity.Buckets[Sketch]{}, err
	}
	kind, design := kindOf(m.measure), "a prefix of the fingerprints"
	if kind == setjoin.OfSmaller {
		design = "all fingerprints"
	}
	return similarity.Buckets[Sketch]{
		Tables: 2,
		Design: design,
		Recall: func(score float64) float64 {
			if score >= o.Threshold {
				return 1
			}
			return 0
		},
		Append: func(dst []similarity.Key, s Sketch) []similarity.Key {
			if s.Size == 0 {
				return dst
			}
			if len(s.Prints) == 0 {
				return append(dst, similarity.Key{Table: tableTexts, Bucket: textHash(s)})
			}
			from := len(dst)
			for _, p := range s.Prints {
				dst = append(dst, similarity.Key{Table: tablePrints, Bucket: splitmix.Mix(p)})
			}
			// Mixed, since those of sif have 30 bits, the lowest ones, and 0 for blanks.
			slices.SortFunc(dst[from:], func(x, y similarity.Key) int { return cmp.Compare(x.Bucket, y.Bucket) })
			return dst[:from+setjoin.PrefixLen(kind, o.Threshold, setOf(s))]
		},
	}, nil
}
