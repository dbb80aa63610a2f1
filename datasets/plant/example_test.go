package plant_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
)

// One edit of one text: a tenth of the words is dropped.
func ExampleApply() {
	text := "Come to the reading room on Monday, when the new maps are shown for the first time."
	edited, did := plant.Apply(plant.NewRand(1), plant.Edit{Kind: plant.Delete, Rate: 0.12}, text, nil, plant.Auto)
	fmt.Println(len(edited) < len(text), did.Units, did.Touched)
	// Output: true 17 2
}

// Copies planted into documents of one's own.
func ExamplePlanter_Plant() {
	docs := []datasets.Doc{
		{ID: "a", Text: "The library opens at nine and closes at six."},
		{ID: "b", Text: "Tickets are sold at the door only."},
	}
	p, err := plant.New(plant.Options{
		Share:  1,
		Copies: []float64{1}, // one copy each
		Mix:    []plant.Choice{{Edit: plant.Edit{Kind: plant.Truncate, Rate: 0.3}, Weight: 1}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for d, err := range p.Plant(plant.Docs(docs)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if d.Copy > 0 {
			fmt.Println(d.ID, "is", d.Original, "after", d.Edit)
		}
	}
	// Unordered output:
	// a~1 is a after truncate:0.3
	// b~1 is b after truncate:0.3
}

// A data set of any size out of nothing, and back.
func ExampleWrite() {
	text, copies := plant.Yardstick(1)
	m, err := plant.NewMaker(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := plant.New(copies)
	if err != nil {
		fmt.Println(err)
		return
	}
	top, err := os.MkdirTemp("", "plant")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(top)
	dir := filepath.Join(top, "yardstick")
	stats, err := plant.Write(dir, p.Plant(m.Docs(0, 210)), plant.WriteOptions{
		Compress:    "zst",
		Description: "Made of " + m.String() + "; planted with " + p.String() + ".",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := datasets.Load(dir + "/planted")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(set.Docs) == stats.Documents, stats.Documents == 210+4*stats.Clusters)
	// Output: true true
}
