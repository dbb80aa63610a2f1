package shingle_test

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
)

// Character bigrams: 14 of 17 are in both sentences.
func Example() {
	m, err := shingle.New(shingle.Options{Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}})
	if err != nil {
		panic(err)
	}
	a, b := m.Sketch("the cat sat on the mat"), m.Sketch("the cat sat on a mat")
	fmt.Printf("%s: resemblance %.4f, containment %.4f\n", m, m.Score(a, b), m.Containment(a, b))
	fmt.Println(m.Explain("the cat sat on the mat", "the cat sat on a mat").Note)
	// Output:
	// shingle:tokens=rune,width=2: resemblance 0.8235, containment 0.9333
	// 14 of 17 shingles shared
}

func ExampleMethod_Explain() {
	m, err := shingle.New(shingle.Options{Features: feature.Options{MinWidth: 2}})
	if err != nil {
		panic(err)
	}
	for _, e := range m.Explain("The cat sat on the mat.", "A cat sat on THE sofa.").Evidence {
		fmt.Printf("%q at %v and %v\n", e.Text, e.A, e.B)
	}
	// Output:
	// "cat sat" at [{4 11}] and [{2 9}]
	// "sat on" at [{8 14}] and [{6 12}]
	// "on the" at [{12 18}] and [{10 16}]
}

// A signature of 512 single bits takes 64 bytes, whatever the length of the text.
func ExampleNewMinHash() {
	m, err := shingle.NewMinHash(shingle.MinHashOptions{Size: 512, Bits: 1})
	if err != nil {
		panic(err)
	}
	s := m.Sketch("the cat sat on the mat")
	fmt.Println(m.Bytes(s), "bytes")
	fmt.Printf("standard error at a resemblance of 0.8: %.3f\n", m.StdErr(0.8))
	// Output:
	// 64 bytes
	// standard error at a resemblance of 0.8: 0.027
}

// The signature of a whole is made of those of its parts.
func ExampleMinHash_Merge() {
	m, err := shingle.NewMinHash(shingle.MinHashOptions{})
	if err != nil {
		panic(err)
	}
	whole, err := m.Merge(m.Sketch("the cat sat"), m.Sketch("on the mat"))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Score(whole, m.Sketch("on the mat the cat sat")))
	// Output: 1
}

// Of texts of few shingles the smallest hashes are all there are, and the score is exact.
func ExampleNewBottom() {
	m, err := shingle.NewBottom(shingle.MinHashOptions{Size: 64})
	if err != nil {
		panic(err)
	}
	a, b := m.Sketch("the cat sat on the mat"), m.Sketch("the cat sat on a mat")
	fmt.Printf("%d hashes, resemblance %.4f\n", len(a), m.Score(a, b))
	// Output: 5 hashes, resemblance 0.8333
}
