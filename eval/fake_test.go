package eval

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// words is a method as simple as can be: the set of words that are at least min
// letters long; Jaccard's coefficient. It can learn to leave out words.
type words struct {
	min   int
	steps float64 // > 0: scores are rounded down to so many steps, so that there are ties
	learn bool
	drop  map[string]bool // not nil: learnt
}

var (
	_ similarity.Sketcher[[]string] = (*words)(nil)
	_ similarity.Blanker[[]string]  = (*words)(nil)
	_ similarity.Fitter[*words]     = (*words)(nil)
)

func hidden(w words) similarity.Method { return similarity.Hide(&w) }

func (w *words) Sketch(text string) []string {
	f := slices.DeleteFunc(strings.Fields(text), func(s string) bool { return w.drop[s] })
	slices.Sort(f)
	return slices.Compact(f)
}

func (w *words) Score(a, b []string) float64 {
	n := 0
	for _, s := range a {
		if _, ok := slices.BinarySearch(b, s); ok {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	j := float64(n) / float64(len(a)+len(b)-n)
	if w.steps > 0 {
		j = float64(int(j*w.steps)) / w.steps
	}
	return j
}

func (w *words) String() string {
	s := fmt.Sprintf("words:min=%d,steps=%v", w.min, w.steps)
	if w.drop != nil {
		s += ",fit=x"
	}
	return s
}
func (w *words) Settings() string      { return w.String() }
func (w *words) Empty(s []string) bool { return len(s) == 0 }
func (w *words) Blank(s []string) bool { return len(s) < w.min }
func (w *words) Bytes(s []string) int  { return len(strings.Join(s, "")) }

func (w *words) AppendSketch(dst []byte, s []string) []byte {
	text := strings.Join(s, " ")
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

func (w *words) DecodeSketch([]byte) ([]string, int, error) { panic("not used") }

func (w *words) FitState() similarity.FitState {
	switch {
	case w.drop != nil:
		return similarity.Fitted
	case w.learn:
		return similarity.FitNone
	}
	return similarity.FitUseless
}

func (w *words) Fit(docs iter.Seq[string]) (*words, error) {
	out := *w
	out.drop = map[string]bool{}
	for d := range docs {
		if strings.Contains(d, "again") {
			out.drop["again"] = true
		}
	}
	return &out, nil
}

func (w *words) WriteFit(io.Writer) error          { panic("not used") }
func (w *words) ReadFit(io.Reader) (*words, error) { panic("not used") }

// cluttered returns a set of clusters of random sentences, some of them equal
// across clusters, some without a word, some pairs to be ignored.
func cluttered(seed uint64, clusters int) *datasets.Set {
	rng := rand.New(rand.NewPCG(seed, 9))
	s := &datasets.Set{Name: "cluttered"}
	sentence := func(from []string) string {
		out := slices.Clone(from)
		for i := range out {
			if rng.IntN(3) == 0 {
				out[i] = fmt.Sprint("w", rng.IntN(60))
			}
		}
		return strings.Join(out, " ")
	}
	for c := range clusters {
		model := make([]string, 4+rng.IntN(8))
		for i := range model {
			model[i] = fmt.Sprint("w", rng.IntN(60))
		}
		for range 1 + rng.IntN(5)*rng.IntN(2) {
			text := sentence(model)
			switch rng.IntN(20) {
			case 0:
				text = ""
			case 1:
				text = "the same again"
			}
			s.Docs = append(s.Docs, datasets.Doc{ID: fmt.Sprint(len(s.Docs)), Text: text})
			s.Clusters = append(s.Clusters, c)
		}
	}
	for range seed % 2 * uint64(len(s.Docs)) {
		s.Sources = append(s.Sources, []string{"abt", "buy", "dblp"}[rng.IntN(3)])
	}
	for range clusters {
		s.Ignore = append(s.Ignore, datasets.Pair{A: rng.IntN(len(s.Docs)), B: rng.IntN(len(s.Docs))})
	}
	return s
}

// labelled returns a set of labelled pairs with splits, some pairs sharing documents.
func labelled(seed uint64, n int) *datasets.Set {
	rng := rand.New(rand.NewPCG(seed, 10))
	from := cluttered(seed, n)
	s := &datasets.Set{Name: "labelled", Docs: from.Docs}
	for range 3 * n {
		a, b := rng.IntN(len(s.Docs)), rng.IntN(len(s.Docs))
		if rng.IntN(2) == 0 {
			b = min(a+1, len(s.Docs)-1)
		}
		p := datasets.Pair{A: a, B: b, Split: []datasets.Split{datasets.Dev, datasets.Test}[rng.IntN(2)]}
		if from.Clusters[a] == from.Clusters[b] {
			p.Label, p.Grade = 1, 1
		}
		s.Pairs = append(s.Pairs, p)
	}
	return s
}
