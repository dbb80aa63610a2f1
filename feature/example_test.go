package feature_test

import (
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
)

func Example() {
	x, err := feature.New(feature.Options{MinWidth: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x)
	text := "The cat sat, the CAT sat!"
	seen := make(map[uint64]bool)
	for _, l := range x.Locate(text) {
		fmt.Printf("%q seen before: %v\n", text[l.Start:l.End], seen[l.Hash])
		seen[l.Hash] = true
	}
	// Output:
	// width=2
	// "The cat" seen before: false
	// "cat sat" seen before: false
	// "sat, the" seen before: false
	// "the CAT" seen before: true
	// "CAT sat" seen before: true
}

func ExampleFold_Normalize() {
	fmt.Printf("%s\n", feature.Fold{}.Normalize(nil, "ＦＵＬＬ　width,\tﬁne\x00Straße "))
	fmt.Printf("%s\n", feature.Fold{DropMarks: true, DropPunct: true}.Normalize(nil, "Crème brûlée!"))
	// Output:
	// full width, fine strasse
	// creme brulee
}

func ExampleHan() {
	f := feature.Fold{Han: feature.Simplified}
	fmt.Printf("%s\n", f.Normalize(nil, "皇后的頭髮，發展之後"))
	fmt.Printf("%s\n", f.Normalize(nil, "皇后的头发，发展之后"))
	// Output:
	// 皇后的头发,发展之后
	// 皇后的头发,发展之后
}

func ExampleExtractor_Locate() {
	x, err := feature.New(feature.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "用iPhone看东京"
	for _, l := range x.Locate(text) {
		fmt.Println(text[l.Start:l.End])
	}
	// Output:
	// 用
	// iPhone
	// 看东
	// 东京
}

func ExampleExtractor_Fit() {
	x, err := feature.New(feature.Options{Weights: feature.FitIDF})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := x.Fit(slices.Values([]string{"a rose", "a cat", "a dog"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err = x.WithModel(model)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, word := range []string{"a", "rose", "bird"} {
		fmt.Printf("%s %.3f\n", word, x.Append(nil, word)[0].Weight)
	}
	// Output:
	// a 1.000
	// rose 1.693
	// bird 2.386
}
