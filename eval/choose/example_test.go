package choose_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
)

// Which of three methods to take for texts of which some are copies, at the greatest recall
// with a precision of .9.
func ExampleSearch() {
	set, err := datasets.Load("en")
	if err != nil {
		fmt.Println(err)
		return
	}
	goal, err := choose.ParseGoal("precision>=.9")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := choose.Options{Goal: goal, Seed: 1}
	for _, spec := range []string{"shingle:width=2", "simhash", "manber"} {
		c, err := choose.NewCandidate(spec)
		if err != nil {
			fmt.Println(err)
			return
		}
		o.Candidates = append(o.Candidates, c)
	}
	r, err := choose.Search(context.Background(), set, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Fit, r.Best.Spec, r.Best.Test.Recall > .9, r.Best.Test.Reached)
	for _, c := range r.Commands("letters.jsonl") {
		command, _, _ := strings.Cut(c, " --threshold")
		fmt.Println(command)
	}
	// Output:
	// true shingle:width=2 true true
	// alike dedup letters.jsonl -o OUT --method shingle:width=2 --features width=1 --verify sketch
}
