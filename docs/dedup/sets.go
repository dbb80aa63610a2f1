package main

import (
	"log"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/docs/internal/kit"
)

// clusterSets are the sets of the shared data folder whose truth is clusters.
var clusterSets = []string{
	"en-book-versions", "zh-book-versions", "go-versions", "licences", "reuters-reissues",
	"zh-laws", "zh-poems", "zh-shiji", "bible-chapters", "bible-verses", "er-cora",
}

// methods are those that find candidates.
var methods = []string{"minhash:bits=8", "simhash"}

// grid is what is tried on dev, the default first. SimHash finds little that a
// low threshold would let pass unless it looks farther than three bits.
func grid(method string) (args []string) {
	trigrams := []string{"--threshold 0.8", "--threshold 0.5", "--threshold 0.3", "--threshold 0.2"}
	words := []string{"--features width=1 --threshold 0.8", "--features width=1 --threshold 0.65", "--features width=1 --threshold 0.5"}
	if args = append(append([]string{""}, trigrams...), words...); method == "simhash" {
		for _, a := range args[:len(args):len(args)] {
			args = append(args, strings.TrimSpace(a+" --distance 12"))
		}
	}
	return args
}

// measureSets runs every method on the test half of every set: as it comes, and with what
// did best on the dev half.
func measureSets(l *lab) ([]record, error) {
	var out []record
	for _, name := range clusterSets {
		set, err := datasets.Load(name)
		if err != nil {
			return nil, err
		}
		dev, test := halves(set)
		for _, m := range methods {
			log.Printf("%s, %s", name, m)
			best, most := "", -1.0
			for _, args := range grid(m) {
				r, err := l.on(dev, record{Method: m, Args: args})
				if err != nil {
					return nil, err
				}
				if r.f1() > most {
					best, most = args, r.f1()
				}
			}
			for _, v := range []struct{ name, args string }{{"default", ""}, {"tuned", best}} {
				r, err := l.on(test, record{Section: "sets", Set: name, Variant: v.name, Method: m, Args: v.args})
				if err != nil {
					return nil, err
				}
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// halves divides the clusters of a set by a hash of the id of their first document.
func halves(set *datasets.Set) (dev, test *datasets.Set) {
	side := make(map[int]bool)
	for i, d := range set.Docs {
		if _, ok := side[set.Clusters[i]]; !ok {
			side[set.Clusters[i]] = xxh3.HashString(d.ID)&1 == 0
		}
	}
	half := func(which bool) *datasets.Set {
		part, _ := kit.Part(set, func(i int) bool { return side[set.Clusters[i]] == which })
		return part
	}
	return half(true), half(false)
}
