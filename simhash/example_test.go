package simhash_test

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/simhash/hamming"
)

func Example() {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		panic(err)
	}
	a := m.Sketch("The quick brown fox jumps over the lazy dog.")
	b := m.Sketch("the lazy dog, the quick brown fox: jumps over!")
	fmt.Println(simhash.Distance(a, b), m.Score(a, b))
	// Output: 0 1
}

// Fingerprints within three bits of that of a new text.
func Example_search() {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		panic(err)
	}
	texts := []string{
		"The library opens at nine and closes at six.",
		"Tickets are sold at the door only.",
	}
	codes := hamming.NewCodes(64, len(texts))
	for _, text := range texts {
		codes.Append(hamming.Code(m.Sketch(text)))
	}
	x, err := hamming.Build(codes, 3, hamming.Options{})
	if err != nil {
		panic(err)
	}
	for _, match := range x.Search(nil, hamming.Code(m.Sketch("the library closes at six, and opens at nine")), 3) {
		fmt.Println(match.Number, match.Distance)
	}
	// Output: 0 0
}

// Words weigh what the caller says: here a hash of each word and its weight.
func ExampleSum() {
	words := []feature.Feature{
		{Hash: 0b100101, Weight: 4},
		{Hash: 0b101011, Weight: 5},
	}
	fmt.Printf("%06b\n", simhash.Sum(64, simhash.TieZero, words).Lo)
	// Output: 101011
}

// What a score is made of: the distance, and the shared words that pull most.
func ExampleMethod_Explain() {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		panic(err)
	}
	e := m.Explain("the cat and the dog", "the dog and the cat")
	fmt.Println(e.Note)
	for _, f := range e.Evidence {
		fmt.Printf("%s %.1f at %v and %v\n", f.Text, f.Weight, f.A, f.B)
	}
	// Output:
	// h=0 of 64 bits, cos about 1.00
	// the 0.4 at [{0 3} {12 15}] and [{0 3} {12 15}]
	// cat 0.2 at [{4 7}] and [{16 19}]
	// and 0.2 at [{8 11}] and [{8 11}]
	// dog 0.2 at [{16 19}] and [{4 7}]
}

// How surely pairs of texts are found within three bits of 64.
func ExampleProbWithin() {
	for _, cos := range []float64{.999, .99, .95, .8} {
		fmt.Printf("%.3f %.3f\n", cos, simhash.ProbWithin(cos, 3, 64))
	}
	// Output:
	// 0.999 0.987
	// 0.990 0.674
	// 0.950 0.101
	// 0.800 0.000
}
