package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/similarity"
)

// near are the sets whose truth is near-duplicates of one kind or another: editions,
// versions, reissues, copied records, quotations and paraphrases.
var near = []string{"bible-chapters", "en-book-versions", "reuters-reissues", "licences", "go-versions", "er-cora", "er-dblp-acm", "quotes-en", "pan-paraphrase",
	"zh-book-versions", "zh-laws", "zh-poems", "zh-shiji", "quotes-zh"}

// docsOfSet is how many documents of a clustered set enter, whole clusters at a time.
const docsOfSet = 1500

// lab holds what several claims measure on.
type lab struct {
	sets    map[string]*datasets.Set
	records map[[2]string]eval.Record
	stress  map[string][]stress.Record
	texts   map[string][]string

	used bool // a set, since this was last made false
}

func newLab() *lab {
	return &lab{sets: map[string]*datasets.Set{}, records: map[[2]string]eval.Record{}, stress: map[string][]stress.Record{}, texts: map[string][]string{}}
}

// set returns a data set, of large clustered ones some clusters.
func (l *lab) set(name string) *datasets.Set {
	l.used = true
	if s := l.sets[name]; s != nil {
		return s
	}
	s := kit.Must(datasets.Load(name))
	if s.Clusters != nil && len(s.Docs) > docsOfSet {
		s = fewer(s, docsOfSet)
	}
	l.sets[name] = s
	return s
}

// fewer keeps clusters of a set, in a random order, while they come to at most n documents.
func fewer(s *datasets.Set, n int) *datasets.Set {
	size := map[int]int{}
	for _, c := range s.Clusters {
		size[c]++
	}
	clusters := len(size)
	r := plant.NewRand(1)
	order := make([]int, clusters)
	for i := range order {
		k := r.Below(i + 1)
		order[i], order[k] = order[k], i
	}
	keep := map[int]bool{}
	left := n
	for _, c := range order {
		if size[c] <= left {
			keep[c] = true
			left -= size[c]
		}
	}
	out := &datasets.Set{Name: s.Name, Description: s.Description, Licence: s.Licence}
	at := make([]int, len(s.Docs))
	number := map[int]int{}
	for i, d := range s.Docs {
		at[i] = -1
		c := s.Clusters[i]
		if !keep[c] {
			continue
		}
		if _, ok := number[c]; !ok {
			number[c] = len(number)
		}
		at[i] = len(out.Docs)
		out.Docs = append(out.Docs, d)
		out.Clusters = append(out.Clusters, number[c])
	}
	move := func(pairs []datasets.Pair) (kept []datasets.Pair) {
		for _, p := range pairs {
			if at[p.A] >= 0 && at[p.B] >= 0 {
				p.A, p.B = at[p.A], at[p.B]
				kept = append(kept, p)
			}
		}
		return kept
	}
	out.Pairs, out.Ignore = move(s.Pairs), move(s.Ignore)
	return out
}

// run evaluates methods on sets, each once, and returns the records by set and spec as given.
func (l *lab) run(sets []string, specs ...string) map[[2]string]eval.Record {
	l.used = true
	for _, name := range sets {
		var todo []similarity.Method
		var names []string
		for _, spec := range specs {
			if _, ok := l.records[[2]string{name, spec}]; ok {
				continue
			}
			m := kit.Must(catalog.Parse(spec))
			todo, names = append(todo, m), append(names, spec)
		}
		if len(todo) == 0 {
			continue
		}
		set := l.set(name)
		records := kit.Must(eval.Run(context.Background(), set, todo, eval.Config{Seed: 1, Resamples: 200, Repeat: -1, Details: true}))
		for i, r := range records {
			l.records[[2]string{name, names[i]}] = r
		}
	}
	return l.records
}

// beyond compares two records of a set in a figure: +1 if b is shown better, -1 if it is
// shown worse, 0 if neither.
func beyond(a, b eval.Record, figure string) int {
	comparisons := kit.Must(eval.Compare(a, b, 0))
	i := slices.IndexFunc(comparisons, func(c eval.Comparison) bool { return c.Name == figure })
	return map[eval.State]int{eval.Better: 1, eval.Worse: -1}[comparisons[i].State]
}

// scored is all labelled pairs of a set, or all pairs of its documents where the truth is
// clusters. Pairs that the set leaves open and equal texts are left out.
func (l *lab) scored(name string, each func(a, b int, alike bool)) {
	set := l.set(name)
	type ids struct{ a, b int }
	skip := map[ids]bool{}
	for _, p := range set.Ignore {
		skip[ids{p.A, p.B}], skip[ids{p.B, p.A}] = true, true
	}
	one := func(a, b int, alike bool) {
		if a != b && !skip[ids{a, b}] && set.Docs[a].Text != set.Docs[b].Text {
			each(a, b, alike)
		}
	}
	if set.Clusters == nil {
		for _, p := range set.Pairs {
			one(p.A, p.B, p.Alike())
		}
		return
	}
	for a := range set.Docs {
		for b := range a {
			one(a, b, set.Clusters[a] == set.Clusters[b])
		}
	}
}

// sketch sketches the documents of a set, fitted on them where the method learns.
func (l *lab) sketch(name, spec string) similarity.Collection {
	set := l.set(name)
	texts := make([]string, len(set.Docs))
	for i, d := range set.Docs {
		texts[i] = d.Text
	}
	return sketch(spec, texts)
}

func sketch(spec string, texts []string) similarity.Collection {
	m := kit.Must(catalog.Parse(spec))
	if m.FitState() == similarity.FitNone {
		m = kit.Must(m.Fit(slices.Values(texts)))
	}
	c := m.NewCollection()
	for _, t := range texts {
		c.Add(t)
	}
	return c
}

// corpora are real unrelated texts that edits are tried on: news and statutes.
var corpora = map[string]string{"English": "reuters-reissues", "Chinese": "zh-laws"}

// unrelated returns the documents of a corpus, one of each cluster, none of them sharing
// three word trigrams in ten with another.
func (l *lab) unrelated(language string) []string {
	if t := l.texts[language]; t != nil {
		return t
	}
	set := kit.Must(datasets.Load(corpora[language]))
	seen := map[int]bool{}
	var docs []string
	for i, d := range set.Docs {
		if c := set.Clusters[i]; !seen[c] {
			seen[c] = true
			docs = append(docs, d.Text)
		}
	}
	m := kit.Must(catalog.Parse("shingle:width=3"))
	docs = kit.Must(stress.Unrelated(context.Background(), docs, m, 0.3))
	l.texts[language] = docs
	return docs
}

// languages in the order of tables.
var languages = []string{"English", "Chinese"}

// edits stresses methods by some kinds of edits at some rates and lengths, in both languages.
func (l *lab) edits(lengths []int, kinds []plant.Kind, rates []float64, specs ...string) []stress.Record {
	key := fmt.Sprint(lengths, kinds, rates, specs)
	if r := l.stress[key]; r != nil {
		return r
	}
	methods := kit.Must(catalog.ParseAll(specs, ""))
	var out []stress.Record
	for _, language := range languages {
		docs := l.unrelated(language)
		records := kit.Must(stress.Run(context.Background(), language, docs, methods, stress.Options{Lengths: lengths, Kinds: kinds, Rates: rates, Seed: 1}))
		out = append(out, records...)
	}
	l.stress[key] = out
	return out
}

// count says how many of how many, in words for a cell or a sentence.
func count(n, of int) string { return fmt.Sprintf("%d of %d", n, of) }

// verdicts.
const (
	holds      = "holds"
	fails      = "does not hold"
	partly     = "holds in part"
	pays       = "pays"
	paysNot    = "does not pay"
	paysPartly = "pays in part"
)

// verdict says whether something holds.
func verdict(ok bool) string {
	if ok {
		return holds
	}
	return fails
}

// where says that something holds for some of the cases, for all or for none.
func where(of []string, cases int) string {
	switch len(of) {
	case 0:
		return fails
	case cases:
		return holds
	}
	return partly + ": on " + strings.Join(of, ", ")
}
