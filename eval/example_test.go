package eval_test

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// A comparison run takes documents, the truth about them, and methods.
func ExampleRun() {
	set := &datasets.Set{Name: "headlines"}
	for cluster, texts := range [][]string{
		{"storm closes schools in the north", "storm closes the schools in the north"},
		{"mayor opens new bridge", "mayor opens a new bridge today"},
		{"team wins cup after extra time", "team wins the cup after extra time"},
		{"bank cuts rates again", "bank again cuts its rates"},
	} {
		for _, text := range texts {
			set.Docs = append(set.Docs, datasets.Doc{ID: text, Text: text})
			set.Clusters = append(set.Clusters, cluster)
		}
	}
	m, err := shingle.New(shingle.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	methods := []similarity.Method{similarity.Hide(m)}
	records, err := eval.Run(context.Background(), set, methods, eval.Config{Repeat: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range records {
		fmt.Printf("%s on %s: %d of %d pairs of %d documents are alike, F1 %.2f, AP %.2f\n",
			r.Method, r.Dataset, r.Positives, r.Pairs, r.Docs, r.F1, r.AP)
	}
	// Output:
	// shingle on headlines: 2 of 6 pairs of 4 documents are alike, F1 1.00, AP 1.00
}

func ExampleAveragePrecision() {
	// The first and the third of four pairs are alike: (1/1 + 2/3) / 2.
	pairs := []eval.Scored{
		{Score: .9, Alike: true}, {Score: .8}, {Score: .7, Alike: true}, {Score: .6},
	}
	fmt.Printf("%.4f\n", eval.AveragePrecision(pairs))
	// Output: 0.8333
}

func ExampleAUC() {
	// Three of the four pairs of an alike and another pair are in the right order.
	pairs := []eval.Scored{
		{Score: .9, Alike: true}, {Score: .8}, {Score: .7, Alike: true}, {Score: .6},
	}
	fmt.Println(eval.AUC(pairs))
	// Output: 0.75
}
