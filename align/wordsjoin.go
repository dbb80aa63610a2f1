package align

import (
	"context"
	"slices"

	"github.com/alike-go/alike/internal/setjoin"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[WordList]   = (*Words)(nil)
	_ similarity.Searcher[WordList] = (*Words)(nil)
)

// Join finds all pairs that score at least the threshold, exactly. Every word that two
// texts do not have in common differs. So a pair is looked at only if the two, as bags of
// words, share the threshold of the longer one, by the prefixes of package setjoin.
func (m *Words) Join(ctx context.Context, a, b []WordList, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	j, o := m.join(a, b, o)
	return j.Pairs(ctx, o, emit)
}

// Search indexes the prefixes of the bags as Join does. It takes 16 bytes for each
// different word of a text.
func (m *Words) Search(ctx context.Context, texts []WordList, o similarity.JoinOptions) (similarity.Search, error) {
	j, o := m.join(texts, nil, o)
	return j.Search(ctx, o)
}

func (m *Words) join(a, b []WordList, o similarity.JoinOptions) (*setjoin.Join, similarity.JoinOptions) {
	other := b
	if b == nil {
		other = a
	}
	least := o.Threshold
	o.Threshold *= 1 - 1e-6 // more than orderWeight takes of a bag
	return &setjoin.Join{
		Kind: setjoin.OfGreater, A: wordBags(a), B: wordBags(b), Name: "align", Design: "prefixes of the rarest words",
		Score: func(i, j int) float64 {
			if s := m.Score(a[i], other[j]); s >= least {
				return s
			}
			return 0
		},
	}, o
}

// orderWeight is the weight of the order of the words in a bag. Package setjoin takes
// equal bags as one, and the same words in another order are not equal.
const orderWeight = 1e-9

// wordBags returns the bags of texts; the zero Sets for nil.
func wordBags(texts []WordList) setjoin.Sets {
	bags := make([]setjoin.Set, len(texts))
	for i, t := range texts {
		bags[i] = wordBag(t)
	}
	if texts == nil {
		return setjoin.Sets{}
	}
	return setjoin.Sets{Len: len(bags), At: func(i int) setjoin.Set { return bags[i] }}
}

func wordBag(t WordList) (out setjoin.Set) {
	if len(t) == 0 {
		return out
	}
	order := uint64(0)
	for _, w := range t {
		order = splitmix.Mix(order + splitmix.Step ^ w)
	}
	sorted := slices.Clone(t)
	slices.Sort(sorted)
	for _, w := range sorted {
		if n := len(out.Hashes); n > 0 && out.Hashes[n-1] == w {
			out.Weights[n-1]++
			continue
		}
		out.Hashes, out.Weights = append(out.Hashes, w), append(out.Weights, 1)
	}
	if at, found := slices.BinarySearch(out.Hashes, order); !found {
		out.Hashes, out.Weights = slices.Insert(out.Hashes, at, order), slices.Insert(out.Weights, at, orderWeight)
	}
	return out
}
