package datasets

import (
	"slices"
	"unicode/utf8"
)

// Summary is what can be said of a set in a few figures.
type Summary struct {
	Name        string         `json:"name"`
	Documents   int            `json:"n_docs"`
	Bytes       int            `json:"bytes"`
	MedianRunes int            `json:"median_runes"`
	MaxRunes    int            `json:"max_runes"`
	Languages   map[string]int `json:"languages"`
	Truth       string         `json:"truth"`      // pairs, grades or clusters
	Clusters    int            `json:"n_clusters"` // of two documents or more
	Pairs       map[string]int `json:"pairs"`      // by split
	Alike       map[string]int `json:"alike"`      // the pairs that are alike, by split
	Graded      bool           `json:"graded"`
	Licence     string         `json:"licence"`
	Description string         `json:"description"`
	Checksum    string         `json:"checksum"`
	Problem     string         `json:"problem,omitempty"` // why the set cannot be read
}

// Summary returns the summary of the set.
func (s *Set) Summary() Summary {
	out := Summary{
		Name: s.Name, Documents: len(s.Docs), Languages: map[string]int{}, Truth: "pairs",
		Pairs: map[string]int{}, Alike: map[string]int{}, Graded: s.Graded,
		Licence: s.Licence, Description: s.Description, Checksum: s.Checksum(),
	}
	var lengths []int
	for _, d := range s.Docs {
		out.Bytes += len(d.Text)
		lengths = append(lengths, utf8.RuneCountInString(d.Text))
		out.Languages[d.Lang]++
	}
	slices.Sort(lengths)
	if n := len(lengths); n > 0 {
		out.MedianRunes, out.MaxRunes = lengths[n/2], lengths[n-1]
	}
	if s.Graded {
		out.Truth = "grades"
	}
	if s.Clusters != nil {
		out.Truth = "clusters"
		size := map[int]int{}
		for _, c := range s.Clusters {
			if size[c]++; size[c] == 2 {
				out.Clusters++
			}
		}
	}
	for _, p := range s.Pairs {
		out.Pairs[p.Split.String()]++
		if p.Alike() {
			out.Alike[p.Split.String()]++
		}
	}
	return out
}
