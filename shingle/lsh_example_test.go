package shingle_test

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// What a threshold and a recall make of 128 values, and how it finds pairs that score more
// or less.
func ExampleMinHash_Design() {
	m, err := shingle.NewMinHash(shingle.MinHashOptions{})
	if err != nil {
		panic(err)
	}
	d, err := m.Design(similarity.JoinOptions{Threshold: 0.8, Recall: 0.95})
	if err != nil {
		panic(err)
	}
	fmt.Println(d)
	for tenth := 3; tenth < 10; tenth++ {
		score := float64(tenth) / 10
		fmt.Printf("%.1f: %5.1f %%\n", score, 100*d.ByScore(score))
	}
	// Output:
	// 14 bands of 8 values
	// 0.3:   0.1 %
	// 0.4:   0.7 %
	// 0.5:   4.3 %
	// 0.6:  19.3 %
	// 0.7:  57.5 %
	// 0.8:  95.9 %
	// 0.9: 100.0 %
}

// An index finds what is alike to a new text.
func ExampleLSH() {
	m, err := shingle.NewMinHash(shingle.MinHashOptions{Features: feature.Options{Tokens: feature.Rune, MinWidth: 3}})
	if err != nil {
		panic(err)
	}
	x, err := shingle.NewLSH(m, shingle.LSHOptions{Threshold: 0.5})
	if err != nil {
		panic(err)
	}
	for _, text := range []string{
		"The library opens at nine and closes at six.",
		"Tickets are sold at the door only.",
		"The library opens at ten and closes at six.",
	} {
		x.Add(m.Sketch(text))
	}
	for _, match := range x.Query(nil, m.Sketch("The library opens at nine and closes at five.")) {
		fmt.Println(match.Number)
	}
	// Output:
	// 0
	// 2
}

// All pairs of shingle sets that share half of what both have.
func ExampleMethod_Join() {
	m, err := shingle.New(shingle.Options{})
	if err != nil {
		panic(err)
	}
	var sets []shingle.Set
	for _, text := range []string{"one two three four", "two three four five", "three four", "six"} {
		sets = append(sets, m.Sketch(text))
	}
	show := func(p similarity.Pair) error { fmt.Printf("%d %d %.2f\n", p.A, p.B, p.Score); return nil }
	o := similarity.JoinOptions{Threshold: 0.5}
	if _, err := m.Join(context.Background(), sets, nil, o, show); err != nil {
		panic(err)
	}
	// Output:
	// 0 1 0.60
	// 0 2 0.50
	// 1 2 0.50
}
