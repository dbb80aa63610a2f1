package datasets_test

import (
	"fmt"

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
