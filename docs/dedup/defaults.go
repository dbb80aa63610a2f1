package main

import (
	"fmt"
	"log"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// defaultSets are the sets that the default is chosen on: all of the shared data folder
// whose truth about all pairs is known.
var defaultSets = slices.Concat(clusterSets, []string{"articles-2500"}, twoTables)

// twoTables are sets whose truth is the matches between two tables.
var twoTables = []string{"er-abt-buy", "er-amazon-google", "er-dblp-acm"}

// rules are what is tried as the default.
func rules() (args []string) {
	for t := 90; t >= 40; t -= 5 {
		args = append(args, fmt.Sprintf("--threshold 0.%02d", t))
	}
	for _, d := range []int{1, 2, 3, 4, 5, 7, 10, 15, 20, 30} {
		args = append(args, fmt.Sprintf("--differ %d%%", d))
	}
	return args
}

// measureDefaults runs every rule on both halves of every set.
func measureDefaults(l *lab) ([]record, error) {
	var out []record
	for _, name := range defaultSets {
		set, err := datasets.Load(name)
		if err != nil {
			return nil, err
		}
		log.Printf("%s, rules", name)
		dev, test := halves(set)
		for _, half := range []struct {
			name string
			set  *datasets.Set
		}{{"dev", dev}, {"test", test}} {
			for _, args := range rules() {
				r, err := l.on(half.set, record{Section: "defaults", Set: name, Variant: half.name, Method: methods[0], Args: args})
				if err != nil {
					return nil, err
				}
				out = append(out, r)
			}
		}
	}
	return out, nil
}
