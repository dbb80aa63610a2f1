package passages_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
	"github.com/alike-go/alike/rabinkarp"
)

// printer is what winnow and manber have.
type printer interface {
	Fingerprints(text string) []feature.Located
	Sketch(text string) rabinkarp.Sketch
	String() string
}

func manber(t *testing.T, o rabinkarp.ManberOptions) *rabinkarp.Manber {
	m, err := rabinkarp.NewManber(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func winnow(t *testing.T, o rabinkarp.WinnowOptions) *rabinkarp.Winnow {
	m, err := rabinkarp.NewWinnow(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// printsOf returns what Prints gathers for each query.
func printsOf(t *testing.T, m printer, o passages.PrintOptions, queries, sources []string, skip func(query, source int) bool) (all []passages.Gathered) {
	t.Helper()
	o.Dir = t.TempDir()
	p, err := passages.NewPrints(m, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, q := range queries {
		if err := p.AddQuery(q); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range sources {
		if err := p.Add(p.Match(m.Sketch(s), func(query int) bool { return skip != nil && skip(query, i) })); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Each(t.Context(), func(g passages.Gathered) error { all = append(all, g); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// madePassages returns made documents, each with the sources before it, and the
// numbers of those that have sources.
func madePassages(t *testing.T, lang plant.Lang, n uint64, seed uint64) (texts []string, takers []int) {
	t.Helper()
	p, err := plant.NewPassages(plant.MakeOptions{Lang: lang, Mean: 300, Seed: seed}, 0.5, nil)
	if err != nil {
		t.Fatal(err)
	}
	for d := range p.Docs(n) {
		if len(d.Passages) > 0 {
			takers = append(takers, len(texts))
		}
		texts = append(texts, d.Text)
	}
	return texts, takers
}

// The interval of a sampled share holds the share of the windows of the query that
// the source has, for 95 % of the sources, of collections that nothing was
// chosen by.
func TestPrintsIntervals(t *testing.T) {
	for _, lang := range []plant.Lang{plant.English, plant.Chinese} {
		for _, o := range []rabinkarp.ManberOptions{{}, {Overlap: true}, {Keep: 6}, {Window: 50, Keep: 5}, {Window: 50, Keep: 3, Overlap: true}} {
			m := manber(t, o)
			o = m.Options()
			held, above, below, n, width := 0, 0, 0, 0, 0.0
			for seed := range uint64(2) {
				texts, takers := madePassages(t, lang, 120, 1000+seed)
				var queries []string
				for _, i := range takers {
					queries = append(queries, texts[i])
				}
				own := func(query, source int) bool { return takers[query] == source }
				for _, g := range printsOf(t, m, passages.PrintOptions{MinShare: 0.01}, queries, texts, own) {
					windows := windowsOf(o.Fold, o.Window, queries[g.Doc])
					for _, s := range g.Sources {
						has, both := windowsOf(o.Fold, o.Window, texts[s.Doc]), 0
						for w := range windows {
							if has[w] {
								both++
							}
						}
						share := float64(both) / float64(len(windows))
						n++
						width += s.High - s.Low
						switch {
						case share < s.Low:
							below++
						case share > s.High:
							above++
						default:
							held++
						}
					}
				}
			}
			name := fmt.Sprint(lang, " ", m)
			t.Logf("%s: %d of %d held, %d below, %d above, width %.3f", name, held, n, below, above, width/float64(n))
			if n < 50 || float64(held) < 0.95*float64(n) {
				t.Errorf("%s: the interval holds the share of %d of %d sources", name, held, n)
			}
		}
	}
}

// windowsOf returns the different windows of a folded text.
func windowsOf(fold feature.Fold, width int, text string) map[string]bool {
	out := map[string]bool{}
	folded := string(fold.Normalize(nil, text))
	for i := 0; i+width <= len(folded); i++ {
		out[folded[i:i+width]] = true
	}
	return out
}

// Sources are those of a naive greedy choice over sets of fingerprints, and spans are
// those of their places, also where a query repeats itself.
func TestPrintsAsNaive(t *testing.T) {
	for _, m := range []printer{winnow(t, rabinkarp.WinnowOptions{}), winnow(t, rabinkarp.WinnowOptions{K: 20, Window: 30}), manber(t, rabinkarp.ManberOptions{Keep: 3})} {
		_, sample := m.(*rabinkarp.Manber)
		several := 0
		for _, lang := range []plant.Lang{plant.English, plant.Chinese} {
			texts, takers := madePassages(t, lang, 40, 7)
			var queries []string
			for n, i := range takers {
				q := texts[i]
				if n%2 == 0 {
					q += " " + q[:len(q)/3] + q[len(q)/2:]
				}
				queries = append(queries, strings.ToValidUTF8(q, ""))
			}
			o := passages.PrintOptions{MinLength: 60, MinShare: 0.02}
			for _, g := range printsOf(t, m, o, queries, texts, func(query, source int) bool { return takers[query] == source }) {
				query := queries[g.Doc]
				prints := m.Fingerprints(query)
				different := map[uint64]bool{}
				for _, l := range prints {
					different[l.Hash] = true
				}
				parts, has := map[int][]feature.Span{}, map[int]map[uint64]bool{} // by source: places, and fingerprints
				for i, text := range texts {
					all, source := map[uint64]bool{}, false
					for _, l := range m.Fingerprints(text) {
						all[l.Hash] = i != takers[g.Doc]
					}
					of, long := map[uint64]bool{}, []feature.Span(nil)
					for from, to := 0, 0; from < len(prints); from = to + 1 {
						for to = from; to < len(prints) && all[prints[to].Hash]; to++ {
						}
						if to == from {
							continue
						}
						enough := utf8.RuneCountInString(query[prints[from].Start:prints[to-1].End]) >= o.MinLength
						source = source || enough
						if enough || sample {
							long = append(long, feature.Span{Start: from, End: to})
						}
						for _, l := range prints[from:to] {
							of[l.Hash] = of[l.Hash] || enough || sample
						}
					}
					if maps.DeleteFunc(of, func(_ uint64, in bool) bool { return !in }); source {
						has[i], parts[i] = of, long
					}
				}
				covered := map[uint64]bool{}
				done := make([]bool, len(prints)) // places
				named := make([]bool, len(query)) // bytes in spans
				for rank := 0; ; rank++ {
					best, most := -1, 0
					for i := range texts {
						n := 0
						for k := range has[i] {
							if !covered[k] {
								n++
							}
						}
						if n > most {
							best, most = i, n
						}
					}
					if best < 0 || float64(most)/float64(len(different)) < o.MinShare {
						if rank != len(g.Sources) {
							t.Fatalf("%v, %s, query %d: %d sources, want %d", m, lang, g.Doc, len(g.Sources), rank)
						}
						break
					}
					if rank == len(g.Sources) {
						t.Fatalf("%v, %s, query %d: %d sources, want more", m, lang, g.Doc, rank)
					}
					s := g.Sources[rank]
					want, got := make([]bool, len(query)), make([]bool, len(query))
					for _, part := range parts[best] {
						for i := part.Start; i < part.End; i++ {
							if done[i] {
								continue
							}
							from := prints[i].Start
							if i > part.Start && !done[i-1] {
								from = prints[i-1].Start
							}
							fill(want, feature.Span{Start: from, End: prints[i].End})
						}
					}
					for _, part := range parts[best] {
						fill(done, part)
					}
					for _, u := range s.Spans {
						fill(got, u)
						fill(named, u)
					}
					for i := range query {
						if space := query[i] == ' ' || query[i] == '\n'; want[i] != got[i] && !space {
							t.Fatalf("%v, %s, query %d: source %d has %v, wrong at byte %d", m, lang, g.Doc, best, s.Spans, i)
						}
					}
					for k := range has[best] {
						covered[k] = true
					}
					n := float64(len(different))
					if s.Doc != best || s.Adds != float64(most)/n || s.Share != float64(len(has[best]))/n || s.Total != float64(len(covered))/n {
						t.Errorf("%v, %s, query %d: source %+v, want %d, which adds %d of %v", m, lang, g.Doc, s, best, most, n)
					}
				}
				rest := make([]bool, len(query))
				for _, u := range g.Uncovered {
					fill(rest, u)
				}
				for i := range query {
					if space := query[i] == ' ' || query[i] == '\n'; rest[i] == named[i] && !space {
						t.Fatalf("%v, %s, query %d: byte %d is covered %v, uncovered %v", m, lang, g.Doc, i, named[i], rest[i])
					}
				}
				if len(g.Sources) > 1 {
					several++
				}
			}
		}
		if several < 10 {
			t.Errorf("%v: %d queries have several sources", m, several)
		}
	}
}

// fill marks a span.
func fill(marks []bool, s feature.Span) {
	for i := s.Start; i < s.End; i++ {
		marks[i] = true
	}
}

// Of a text that stands in a query and a document, winnow covers all but the ends,
// and what is uncovered is the rest.
func TestPrintsWinnow(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		random := func(n int) string {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte('a' + rng.IntN(26))
			}
			return string(b)
		}
		o := rabinkarp.WinnowOptions{K: 5 + rng.IntN(20), Window: 1 + rng.IntN(30)}
		least := 20 + rng.IntN(80)
		end := o.K + o.Window
		common := random(least + 2*end)
		before := random(rng.IntN(300))
		all := printsOf(t, winnow(t, o), passages.PrintOptions{MinLength: least}, []string{before + common + random(rng.IntN(300))}, []string{random(500), random(rng.IntN(300)) + common + random(rng.IntN(300))}, nil)
		g := all[0]
		from, to := len(before)+end, len(before)+len(common)-end
		if len(g.Sources) != 1 || g.Sources[0].Doc != 1 || len(g.Sources[0].Spans) != 1 {
			t.Fatalf("seed %d: %+v", seed, g)
		}
		span := g.Sources[0].Spans[0]
		if span.Start > from || span.End < to {
			t.Errorf("seed %d: span %v, want %d to %d", seed, span, from, to)
		}
		for _, u := range g.Uncovered {
			if u.Start < span.End && span.Start < u.End {
				t.Errorf("seed %d: %v is covered, and %v not", seed, span, u)
			}
		}
	}
}
