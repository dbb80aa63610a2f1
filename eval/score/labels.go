package score

import (
	"cmp"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// Labels are labelled pairs by id, and what a join found of them. First Seen is
// told the documents, then Resolve finds them, then Found is told the pairs.
type Labels struct {
	pairs []labelled
	names map[string]int32 // the ids that occur in pairs, numbered
	docs  [2][]int32       // the document of each id, on either side of the join; -1 if there is none
	read  [2]int32         // documents seen
	at    map[[2]int32]int // the pair of two documents, in the order of the join

	// Unlabelled counts the pairs that were found and have no label.
	Unlabelled int64
}

type labelled struct {
	a, b   int32 // numbers of ids
	kind   string
	alike  bool
	a2, b2 int32 // documents, in the order of the join; -1 for one that was not seen
	found  bool
}

// ReadLabels reads a table with the columns id1, id2, label and perhaps kind.
func ReadLabels(src datasets.Source) (*Labels, error) {
	l := &Labels{names: map[string]int32{}}
	kinds := map[string]string{} // one string for each kind, not one for each pair
	err := datasets.EachLabelled(datasets.Source{Path: src.Path, Format: src.Format}, func(row datasets.Labelled) error {
		if _, ok := kinds[row.Kind]; !ok {
			kinds[strings.Clone(row.Kind)] = strings.Clone(row.Kind)
		}
		l.pairs = append(l.pairs, labelled{a: l.name(row.ID1), b: l.name(row.ID2), kind: kinds[row.Kind], alike: datasets.Pair{Label: row.Label}.Alike()})
		return nil
	})
	return l, err
}

func (l *Labels) name(id string) int32 {
	n, ok := l.names[id]
	if !ok {
		n = int32(len(l.names))
		l.names[strings.Clone(id)] = n
		l.docs[0], l.docs[1] = append(l.docs[0], -1), append(l.docs[1], -1)
	}
	return n
}

// Seen notes the next document of a side of the join, 0 or 1.
func (l *Labels) Seen(side int, id string) {
	if n, ok := l.names[id]; ok {
		l.docs[side][n] = l.read[side]
	}
	l.read[side]++
}

// Resolve finds the documents of the pairs, once all were seen. two says that the
// join has two sides.
func (l *Labels) Resolve(two bool) {
	l.at = make(map[[2]int32]int, len(l.pairs))
	for i := range l.pairs {
		p := &l.pairs[i]
		x, y := l.docs[0][p.a], l.docs[0][p.b]
		if two {
			if y = l.docs[1][p.b]; x < 0 || y < 0 {
				x, y = l.docs[0][p.b], l.docs[1][p.a]
			}
		} else {
			x, y = min(x, y), max(x, y)
		}
		if p.a2, p.b2 = x, y; x >= 0 && y >= 0 {
			l.at[[2]int32{x, y}] = i
		}
	}
}

// Found notes a pair that the join found.
func (l *Labels) Found(p similarity.Pair) {
	if i, ok := l.at[[2]int32{int32(p.A), int32(p.B)}]; ok {
		l.pairs[i].found = true
	} else {
		l.Unlabelled++
	}
}

// Kind is what was found of the pairs of one kind.
type Kind struct {
	Kind  string `json:"kind"`
	Alike bool   `json:"alike"`
	Pairs int64  `json:"n_pairs"`

	// Reach counts the pairs that score at least the threshold, Found the pairs that
	// the join found, and Missed the difference.
	Reach  int64 `json:"n_reach"`
	Found  int64 `json:"n_found"`
	Missed int64 `json:"n_missed"`

	Recall float64 `json:"recall"` // Found / Pairs
}

// rank orders kinds: pairs that are alike before the others, all of them last, and
// by name and rate before that.
func (c Kind) rank() (last int, name string, rate float64) {
	if !c.Alike {
		last = 2
	}
	if c.Kind == "all" {
		last++
	}
	name, rate = rateOf(c.Kind)
	return last, name, rate
}

// Kinds counts the pairs by kind, and those with a document that was not seen.
// score is the score of two documents in the order of the join.
func (l *Labels) Kinds(score func(a, b int) float64, threshold float64) (kinds []Kind, absent int64) {
	type key struct {
		kind  string
		alike bool
	}
	at := map[key]int{}
	for _, p := range l.pairs {
		if p.a2 < 0 || p.b2 < 0 {
			absent++
			continue
		}
		reach := score(int(p.a2), int(p.b2)) >= threshold
		for _, kind := range []string{p.kind, "all"} {
			i, ok := at[key{kind, p.alike}]
			if !ok {
				i = len(kinds)
				at[key{kind, p.alike}] = i
				kinds = append(kinds, Kind{Kind: kind, Alike: p.alike})
			}
			c := &kinds[i]
			c.Pairs++
			if reach {
				c.Reach++
			}
			if p.found {
				c.Found++
			}
		}
	}
	for i := range kinds {
		c := &kinds[i]
		c.Missed, c.Recall = c.Reach-c.Found, float64(c.Found)/float64(c.Pairs)
	}
	slices.SortFunc(kinds, func(x, y Kind) int {
		xl, xn, xr := x.rank()
		yl, yn, yr := y.rank()
		return cmp.Or(cmp.Compare(xl, yl), cmp.Compare(xn, yn), cmp.Compare(xr, yr), cmp.Compare(x.Kind, y.Kind))
	})
	return kinds, absent
}
