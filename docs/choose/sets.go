package main

import (
	"context"
	"strconv"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
)

// sets are those of the shared data folder whose truth is near-duplicates, or near enough.
var sets = []string{
	"pan-paraphrase", "zh-poems", "zh-book-versions", "reuters-reissues", "er-dblp-acm", "er-cora", "bible-chapters",
	"go-versions", "quotes-en", "en-book-versions", "zh-laws", "zh-shiji", "licences",
}

// wants is what the labels of a set call alike.
var wants = map[string]string{
	"pan-paraphrase": "versions", "zh-poems": "versions", "zh-book-versions": "versions", "reuters-reissues": "copies", "er-dblp-acm": "versions",
	"er-cora": "versions", "bible-chapters": "versions", "go-versions": "versions", "quotes-en": "versions", "en-book-versions": "versions",
	"zh-laws": "versions", "zh-shiji": "versions", "licences": "copies",
}

// reviewed are the sets that answers are tried on.
var reviewed = []string{"er-dblp-acm", "quotes-en", "go-versions", "reuters-reissues", "zh-laws", "licences"}

// Bounds on what is looked at of a set, so that the study takes less than half an hour of two idle cores.
const (
	mostBytes = 4e6
	mostDocs  = 5000
	mostPairs = 1000 // of each split, where truth is pairs
)

// corpus is what both sides of the comparison see of a set: a task with its labels, and the
// texts of both its parts without.
type corpus struct {
	name string
	task *choose.Task
	docs []datasets.Doc
	of   int // documents of the whole set

	cluster []int           // of each document, where truth is clusters
	pairs   map[[2]int]bool // labelled pairs by number of documents, the lower first, where it is pairs
}

// open loads a set and samples it: whole clusters, or labelled pairs.
func open(ctx context.Context, name string, o choose.Options) (*corpus, error) {
	set, err := datasets.Load(name)
	if err != nil {
		return nil, err
	}
	bytes := 0
	for _, d := range set.Docs {
		bytes += len(d.Text)
	}
	share := min(1, mostBytes/float64(bytes), mostDocs/float64(len(set.Docs)))
	o.MaxDocs = int(share * float64(len(set.Docs)))
	if set.Clusters == nil {
		set = fewer(set)
	}
	c := &corpus{name: name, of: len(set.Docs)}
	if c.task, err = choose.NewTask(ctx, set, o); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range []*choose.Sample{c.task.Dev, c.task.Test} {
		from, units := len(c.docs), len(c.cluster)
		for i, text := range p.Texts {
			seen[text] = true
			c.docs = append(c.docs, datasets.Doc{Text: text})
			if set.Clusters != nil {
				c.cluster = append(c.cluster, units+int(p.Unit[i])) // no cluster is in both parts
			}
		}
		if set.Clusters == nil {
			for _, q := range p.Pairs {
				c.know(from+int(q.A), from+int(q.B), q.Alike)
			}
		}
	}
	if set.Clusters == nil {
		// Labelled pairs are of few of the documents; the others are the collection too.
		for _, d := range set.Docs {
			if len(c.docs) >= mostDocs {
				break
			}
			if !seen[d.Text] {
				c.docs = append(c.docs, d)
			}
		}
	}
	for i := range c.docs {
		c.docs[i].ID = strconv.Itoa(i)
	}
	return c, nil
}

func (c *corpus) know(a, b int, alike bool) {
	if c.pairs == nil {
		c.pairs = map[[2]int]bool{}
	}
	c.pairs[[2]int{min(a, b), max(a, b)}] = alike
}

// fewer returns a set with mostPairs of the labelled pairs of each split, evenly spaced.
func fewer(set *datasets.Set) *datasets.Set {
	out := *set
	out.Pairs = nil
	var of, seen [datasets.Test + 1]int
	for _, p := range set.Pairs {
		of[p.Split]++
	}
	for _, p := range set.Pairs {
		n := seen[p.Split]
		seen[p.Split]++
		if most := min(mostPairs, of[p.Split]); n*most/of[p.Split] != (n+1)*most/of[p.Split] {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return &out
}
