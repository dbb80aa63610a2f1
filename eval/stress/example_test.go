package stress_test

import (
	"context"
	"fmt"
	"log"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// Sets of words bear one word in twenty replaced, and forget where a word stood.
func Example() {
	m, err := shingle.New(shingle.Options{})
	if err != nil {
		log.Fatal(err)
	}
	docs, err := stress.Generated(plant.English, 150, 500, 1)
	if err != nil {
		log.Fatal(err)
	}
	records, err := stress.Run(context.Background(), "made", docs, []similarity.Method{similarity.Hide(m)}, stress.Options{
		Lengths: []int{500},
		Kinds:   []plant.Kind{plant.Substitute, plant.Move},
		Rates:   []float64{0.05},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range records {
		fmt.Printf("%s, %s: %d of %d copies found, all equal to their originals: %t\n", r.Method, r.Edit(), int(float64(r.Recall)*float64(r.Copies)), r.Copies, r.ScoreP10 == 1)
	}
	// Output:
	// shingle, substitute:0.05: 150 of 150 copies found, all equal to their originals: false
	// shingle, move:0.05: 150 of 150 copies found, all equal to their originals: true
}
