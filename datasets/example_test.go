package datasets_test

import (
	"fmt"
	"strings"

	"github.com/alike-go/alike/datasets"
)

func ExampleLoad() {
	set, err := datasets.Load("en")
	if err != nil {
		fmt.Println(err)
		return
	}
	choose, report, _ := set.Roles()
	fmt.Println("choose thresholds on", choose, "and report on", report)
	for _, p := range set.Select(report) {
		if p.Kind == "notice-revision" {
			fmt.Println(set.Docs[p.A].ID, set.Docs[p.B].ID, p.Label)
			break
		}
	}
	// Output:
	// choose thresholds on dev and report on test
	// notice-01@1 notice-01@2 1
}

func ExampleSet_SplitByComponent() {
	set := &datasets.Set{
		Docs: []datasets.Doc{{ID: "a1"}, {ID: "a2"}, {ID: "a3"}, {ID: "b1"}, {ID: "b2"}},
		Pairs: []datasets.Pair{
			{A: 0, B: 1, Label: 1}, {A: 1, B: 2, Label: 1}, {A: 3, B: 4, Label: 1}, {A: 0, B: 3},
		},
	}
	fmt.Println(set.Components())
	for _, p := range set.SplitByComponent(1, 0.5).Pairs {
		fmt.Println(set.Docs[p.A].ID, set.Docs[p.B].ID, p.Split)
	}
	// Output:
	// [0 0 0 1 1]
	// a1 a2 test
	// a2 a3 test
	// b1 b2 dev
	// a1 b1 none
}

func ExampleOpen() {
	const lines = `{"key": 17, "title": "One", "body": "Some text."}
{"key": 18, "body": "More."}
no JSON
`
	r, err := datasets.Open(datasets.Source{
		Path: "-", Input: strings.NewReader(lines), Format: "jsonl",
		ID: "key", Text: []string{"title", "body"},
		SkipBad: 1, OnBad: func(err error) { fmt.Println(err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %d: %s %q\n", row.Line, row.Doc.ID, row.Doc.Text)
	}
	// Output:
	// line 1: 17 "One\nSome text."
	// line 2: 18 "More."
	// datasets: -:3: no JSON object: byte 2: invalid character 'o' in literal null (expecting 'u')
}
