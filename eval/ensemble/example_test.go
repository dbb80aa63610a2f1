package ensemble_test

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/eval/ensemble"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

func Example() {
	words, err := shingle.New(shingle.Options{})
	if err != nil {
		panic(err)
	}
	letters, err := align.New(align.Options{})
	if err != nil {
		panic(err)
	}
	m, err := ensemble.New(ensemble.Options{Members: []similarity.Method{
		similarity.Hide[shingle.Set](words), similarity.Hide[align.Text](letters),
	}})
	if err != nil {
		panic(err)
	}
	fmt.Println(m)

	texts := []string{
		"the quick brown fox", "the quick brown fx", // a typing error
		"brown fox, the quick", // another order
		"a slow green turtle", "the quick red fax machine",
	}
	pairs := [][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 3}, {2, 4}}
	alike := []bool{true, true, false, false, false, false}
	trained, err := m.Train(context.Background(), texts, pairs, alike, 1)
	if err != nil {
		panic(err)
	}
	c := trained.NewCollection()
	for _, text := range texts {
		c.Add(text)
	}
	for _, p := range pairs {
		fmt.Println(p, trained.(*ensemble.Method).Probability(c.Score(p[0], p[1])) > 0.5)
	}
	// Output:
	// ensemble:of=shingle+edit
	// [0 1] true
	// [0 2] true
	// [0 3] false
	// [0 4] false
	// [1 3] false
	// [2 4] false
}
