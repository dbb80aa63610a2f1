package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// pairTruth is labelled pairs by id, and what a join found of them.
type pairTruth struct {
	pairs []truthPair
	names map[string]int32 // the ids that occur in pairs, numbered
	docs  [2][]int32       // the document of each id, in INPUT and in OLD; -1 where none was read
	read  [2]int32         // documents read
	at    map[[2]int32]int // the pair of two documents, in the order of the join
	other int64            // pairs found that are not among these
}

type truthPair struct {
	a, b   int32 // numbers of ids
	kind   string
	alike  bool
	a2, b2 int32 // documents, in the order of the join; -1 where one was not read
	found  bool
}

// readTruth reads a table with the columns id1, id2, label and perhaps kind.
func readTruth(src datasets.Source) (*pairTruth, error) {
	t := &pairTruth{names: map[string]int32{}}
	kinds := map[string]string{} // one string for each kind, not one for each pair
	err := eachRow(datasets.Source{Path: src.Path, Format: src.Format}, "id1", "id2", func(row datasets.Row, a, b string) error {
		text, _ := row.Get("label")
		label, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("pairs: %s:%d: the label is %q, want a number", row.File, row.Line, text)
		}
		kind, _ := row.Get("kind")
		if _, ok := kinds[kind]; !ok {
			kinds[strings.Clone(kind)] = strings.Clone(kind)
		}
		t.pairs = append(t.pairs, truthPair{a: t.name(a), b: t.name(b), kind: kinds[kind], alike: datasets.Pair{Label: label}.Alike()})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *pairTruth) name(id string) int32 {
	n, ok := t.names[id]
	if !ok {
		n = int32(len(t.names))
		t.names[strings.Clone(id)] = n
		t.docs[0], t.docs[1] = append(t.docs[0], -1), append(t.docs[1], -1)
	}
	return n
}

// seen returns what notes the documents of INPUT (0) or OLD (1), in order.
func (t *pairTruth) seen(side int) func(id string) {
	if t == nil {
		return nil
	}
	return func(id string) {
		if n, ok := t.names[id]; ok {
			t.docs[side][n] = t.read[side]
		}
		t.read[side]++
	}
}

// resolve finds the documents of the pairs, once all are read.
func (t *pairTruth) resolve(against bool) {
	t.at = make(map[[2]int32]int, len(t.pairs))
	for i := range t.pairs {
		p := &t.pairs[i]
		x, y := t.docs[0][p.a], t.docs[0][p.b]
		if against {
			if y = t.docs[1][p.b]; x < 0 || y < 0 {
				x, y = t.docs[0][p.b], t.docs[1][p.a]
			}
		} else {
			x, y = min(x, y), max(x, y)
		}
		if p.a2, p.b2 = x, y; x >= 0 && y >= 0 {
			t.at[[2]int32{x, y}] = i
		}
	}
}

// found notes a pair that the join found.
func (t *pairTruth) found(p similarity.Pair) {
	if i, ok := t.at[[2]int32{int32(p.A), int32(p.B)}]; ok {
		t.pairs[i].found = true
	} else {
		t.other++
	}
}

// kindFound is what was found of the pairs of one kind.
type kindFound struct {
	Kind  string `json:"kind"`
	Alike bool   `json:"alike"`
	Pairs int64  `json:"n_pairs"`

	// Reach counts the pairs that score at least the threshold, Found those of them
	// that the join found, and Missed the others.
	Reach  int64 `json:"n_reach"`
	Found  int64 `json:"n_found"`
	Missed int64 `json:"n_missed"`

	Recall float64 `json:"recall"` // Found / Pairs
}

// kinds counts by kind: the pairs that are alike, in the order of their names and
// rates, all of them, and the same of those that are not. score is that of two
// documents in the order of the join.
func (t *pairTruth) kinds(score func(a, b int) float64, threshold float64) (rows []kindFound, absent int64) {
	type key struct {
		kind  string
		other bool
	}
	count := map[key]*kindFound{}
	for _, p := range t.pairs {
		if p.a2 < 0 || p.b2 < 0 {
			absent++
			continue
		}
		for _, kind := range []string{p.kind, "all"} {
			k := key{kind, !p.alike}
			c := count[k]
			if c == nil {
				c = &kindFound{Kind: kind, Alike: p.alike}
				count[k] = c
			}
			c.Pairs++
			if score(int(p.a2), int(p.b2)) >= threshold {
				c.Reach++
			}
			if p.found {
				c.Found++
			}
		}
	}
	for _, c := range count {
		c.Missed, c.Recall = c.Reach-c.Found, float64(c.Found)/float64(c.Pairs)
		rows = append(rows, *c)
	}
	rank := func(c kindFound) (last int, name string, rate float64) {
		if !c.Alike {
			last = 2
		}
		if c.Kind == "all" {
			last++
		}
		name, text, _ := strings.Cut(c.Kind, ":")
		rate, _ = strconv.ParseFloat(text, 64)
		return last, name, rate
	}
	slices.SortFunc(rows, func(x, y kindFound) int {
		xl, xn, xr := rank(x)
		yl, yn, yr := rank(y)
		return cmp.Or(cmp.Compare(xl, yl), cmp.Compare(xn, yn), cmp.Compare(xr, yr), cmp.Compare(x.Kind, y.Kind))
	})
	return rows, absent
}

// write prints what was found of each kind.
func (t *pairTruth) write(stdout, stderr io.Writer, format string, docs, other *corpus, threshold float64) error {
	score := docs.sketches.Score
	if other != nil {
		n := docs.sketches.Len()
		docs.sketches.Append(other.sketches)
		score = func(a, b int) float64 { return docs.sketches.Score(a, n+b) }
	}
	kinds, absent := t.kinds(score, threshold)
	if err := docs.sketches.Err(); err != nil {
		return err
	}
	if absent > 0 {
		fmt.Fprintf(stderr, "alike: %d labelled pairs name a document that was not read\n", absent)
	}
	fmt.Fprintf(stderr, "alike: %d of the pairs found have no label\n", t.other)
	if format == "json" {
		return writeJSON(stdout, kinds)
	}
	var rows [][]string
	for _, k := range kinds {
		label := "alike"
		if !k.Alike {
			label = "not alike"
		}
		rows = append(rows, []string{
			k.Kind, label, fmt.Sprint(k.Pairs), fmt.Sprint(k.Reach), fmt.Sprint(k.Found), fmt.Sprint(k.Missed), fixed(k.Recall, 4),
		})
	}
	return writeTable(stdout, format, []column{
		{"kind", true}, {"label", true}, {"pairs", false}, {"reach threshold", false}, {"found", false}, {"missed", false}, {"recall", false},
	}, rows)
}
