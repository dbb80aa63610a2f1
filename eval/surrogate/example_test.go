package surrogate_test

import (
	"context"
	"fmt"
	"log"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
)

// Documents without labels, a reader who is asked, and a search.
func Example() {
	set, err := datasets.Load("zh")
	if err != nil {
		log.Fatal(err)
	}
	truth, err := surrogate.Build(context.Background(), set.Name, set.Docs[:300], nil, surrogate.Options{})
	if err != nil {
		log.Fatal(err)
	}
	labels, err := truth.Review(context.Background(), 5, func(q surrogate.Question) (surrogate.Answer, error) {
		return surrogate.Stop, nil // a reader looks at q.A.Text and q.B.Text, and says Yes or No
	})
	if err != nil {
		log.Fatal(err)
	}
	candidate, err := choose.NewCandidate("shingle:han=simplified")
	if err != nil {
		log.Fatal(err)
	}
	found, err := choose.SearchTask(context.Background(), truth.Task(), choose.Options{
		Candidates: []choose.Candidate{candidate}, NoSpeed: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(labels), "answers;", found.Best.Spec, "is fit:", found.Fit)
	// Output: 0 answers; shingle:han=simplified is fit: true
}
