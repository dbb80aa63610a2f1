package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
)

// collection is a set to study.
type collection struct {
	name   string
	source string // sets of one source count as one together
	want   string // what its labels call alike
	tuned  bool   // constants of package surrogate were set while looking at labels of its source
}

// collections are all sets of the shared data folder whose truth is complete,
// and made ones: "made:LANG" has planted edits, "threads:LANG" messages that
// quote. A part of a set ("NAME@PART") has other clusters than the whole
// sample.
var collections = []collection{
	{"zh-poems", "zh-poems", "versions", true},
	{"zh-book-versions", "zh-book-versions", "versions", false},
	{"reuters-reissues", "reuters-reissues", "versions", true},
	{"bible-chapters", "bible", "versions", true},
	{"bible-verses", "bible", "versions", true},
	{"go-versions", "go-versions", "versions", true},
	{"en-book-versions", "en-book-versions", "versions", false},
	{"zh-laws", "zh-laws", "versions", false},
	{"zh-shiji", "zh-shiji", "versions", false},
	{"licences", "licences", "copies", true},
	{"articles-2500", "articles-2500", "versions", false},
	{"er-cora", "er-cora", "versions", true},
	{"er-dblp-acm", "er-leipzig", "versions", true},
	{"er-abt-buy", "er-leipzig", "versions", true},
	{"er-amazon-google", "er-leipzig", "versions", true},
	{"made:en", "made", "versions", false},
	{"made:zh", "made", "versions", false},
	{"threads:en", "threads", "copies", false},
	{"threads:zh", "threads", "copies", false},
}

// Bounds on what is looked at of a set, so that the study takes minutes.
const (
	mostBytes = 1e6
	mostDocs  = 1000
	leastDocs = 150 // whatever their bytes
	madeDocs  = 600
)

// corpus is a sample of a set by whole clusters, with and without its labels.
type corpus struct {
	collection
	of     int // documents of the whole set
	docs   []datasets.Doc
	task   *choose.Task // with labels; nil where a half has none
	ignore map[[2]int]bool

	cluster []int
	replies map[[2]int]bool // messages and what they answer
}

// open loads or makes a set and samples it.
func open(ctx context.Context, c collection, o choose.Options) (*corpus, error) {
	set, replies, err := c.load()
	if err != nil {
		return nil, err
	}
	out := &corpus{collection: c, of: len(set.Docs), ignore: map[[2]int]bool{}, replies: map[[2]int]bool{}}
	_, part, _ := strings.Cut(c.name, "@")
	set, number := sample(set, part)
	out.docs, out.cluster = slices.Clone(set.Docs), set.Clusters
	for i := range out.docs {
		out.docs[i].ID = strconv.Itoa(i)
	}
	for _, p := range set.Ignore {
		out.ignore[[2]int{min(p.A, p.B), max(p.A, p.B)}] = true
	}
	for p := range replies {
		a, okA := number[p[0]]
		b, okB := number[p[1]]
		if okA && okB {
			out.replies[[2]int{min(a, b), max(a, b)}] = true
		}
	}
	if out.task, err = choose.NewTask(ctx, set, o); err != nil {
		return nil, err
	}
	return out, nil
}

// load reads or makes the set, and which messages answer which.
func (c collection) load() (set *datasets.Set, replies map[[2]int]bool, err error) {
	kind, lang, made := strings.Cut(c.name, ":")
	if !made {
		name, _, _ := strings.Cut(c.name, "@")
		set, err = datasets.Load(name)
		return set, nil, err
	}
	o := plant.MakeOptions{Lang: plant.Lang(lang), Mean: 120, Topics: 20, Seed: 3}
	set = &datasets.Set{Name: c.name}
	replies = map[[2]int]bool{}
	at, cluster := map[string]int{}, map[string]int{}
	add := func(d plant.Document) {
		i := len(set.Docs)
		at[d.ID] = i
		if _, ok := cluster[d.Original]; !ok {
			cluster[d.Original] = len(cluster)
		}
		set.Clusters = append(set.Clusters, cluster[d.Original])
		set.Docs = append(set.Docs, d.Doc)
		if d.Answers != "" {
			replies[[2]int{at[d.Answers], i}] = true
		}
	}
	if kind == "threads" {
		o.Mean = 60
		threads, err := plant.NewThreads(o, 0.2)
		if err != nil {
			return nil, nil, err
		}
		for d := range threads.Docs(madeDocs) {
			add(d)
		}
		return set, replies, nil
	}
	maker, err := plant.NewMaker(o)
	if err != nil {
		return nil, nil, err
	}
	planter, err := plant.New(plant.Options{Seed: 3})
	if err != nil {
		return nil, nil, err
	}
	for d, err := range planter.Plant(maker.Docs(0, madeDocs)) {
		if err != nil {
			return nil, nil, err
		}
		add(d)
	}
	return set, nil, nil
}

// sample takes whole clusters at random, and returns the new number of each document.
func sample(set *datasets.Set, part string) (out *datasets.Set, number map[int]int) {
	members := map[int][]int{}
	var order []int
	for i, c := range set.Clusters {
		if members[c] == nil {
			order = append(order, c)
		}
		members[c] = append(members[c], i)
	}
	seed := uint64(1)
	for _, b := range []byte(part) {
		seed = 31*seed + uint64(b)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	picked, documents, held := map[int]bool{}, 0, 0.0
	for _, c := range order {
		for _, d := range members[c] {
			held += float64(len(set.Docs[d].Text))
		}
		if documents+len(members[c]) > mostDocs || held > mostBytes && documents > leastDocs {
			break
		}
		picked[c], documents = true, documents+len(members[c])
	}
	return kit.Part(set, func(i int) bool { return picked[set.Clusters[i]] })
}

// answer says what the labels say of two documents. Nobody knows of pairs that
// the set ignores, nor of equal texts in different clusters.
func (c *corpus) answer(a, b int) surrogate.Answer {
	switch {
	case c.cluster[a] == c.cluster[b]:
		return surrogate.Yes
	case c.ignore[[2]int{min(a, b), max(a, b)}] || c.docs[a].Text == c.docs[b].Text:
		return surrogate.Skip
	}
	return surrogate.No
}
