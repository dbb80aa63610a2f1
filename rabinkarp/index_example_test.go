package rabinkarp_test

import (
	"fmt"

	"github.com/alike-go/alike/rabinkarp"
)

// Which known documents does a text quote, and where?
func ExampleIndex() {
	m, err := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{K: 5, Window: 4})
	if err != nil {
		panic(err)
	}
	x := rabinkarp.NewIndex(m, rabinkarp.IndexOptions{})
	docs := []string{
		"It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.",
		"Call me Ishmael. Some years ago, never mind how long precisely, I thought I would sail about a little.",
	}
	for _, doc := range docs {
		if _, err := x.Add(doc); err != nil {
			panic(err)
		}
	}
	text := "She wrote that it is a TRUTH universally acknowledged, and went on to other things."
	for _, match := range x.Query(text).Matches {
		for _, p := range match.Passages {
			fmt.Printf("document %d: %q\n", match.Doc, docs[match.Doc][p.Doc.Start:p.Doc.End])
			fmt.Printf("the text:   %q\n", text[p.Text.Start:p.Text.End])
		}
	}
	// Output:
	// document 0: "It is a truth universally acknowledged, "
	// the text:   "it is a TRUTH universally acknowledged, "
}

// What do many texts have in common?
func ExampleBoilerplate() {
	m, err := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{})
	if err != nil {
		panic(err)
	}
	found, err := rabinkarp.Boilerplate(m, []string{
		"Tides rise twice a day. All rights reserved, no part may be copied.",
		"Moles dig by night. All rights reserved, no part may be copied.",
		"Iron rusts in rain. All rights reserved, no part may be copied.",
	}, 3)
	if err != nil {
		panic(err)
	}
	for _, c := range found {
		fmt.Printf("%d texts: %q\n", c.Docs, c.Text)
	}
	// Output:
	// 3 texts: ". All rights reserved, no part may be copied."
}
