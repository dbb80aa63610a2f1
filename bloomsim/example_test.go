package bloomsim_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/bits-and-blooms/bloom/v3"

	"github.com/alike-go/alike/bloomsim"
)

func Example() {
	m, err := bloomsim.New(bloomsim.Options{})
	if err != nil {
		log.Fatal(err)
	}
	a := m.Sketch("The cat sat on the mat.")
	b := m.Sketch("The cat sat on a mat.")
	c := m.Sketch("We all scream for ice cream.")
	fmt.Printf("%s: %d bytes, %.2f and %.2f\n", m, m.Bytes(a), m.Score(a, b), m.Score(a, c))
	// Output: bloom: 512 bytes, 0.83 and 0.00
}

// A text is held against a filter of words that another program made.
func ExampleMethod_ReadFilter() {
	elsewhere := bloom.New(2000, 4)
	for _, word := range []string{"the", "cat", "sat", "on", "mat"} {
		elsewhere.AddString(word)
	}
	var file bytes.Buffer
	if _, err := elsewhere.WriteTo(&file); err != nil {
		log.Fatal(err)
	}

	m, err := bloomsim.New(bloomsim.Options{Bits: 2000, Hashes: 4, Places: bloomsim.Compat})
	if err != nil {
		log.Fatal(err)
	}
	theirs, err := m.ReadFilter(&file)
	if err != nil {
		log.Fatal(err)
	}
	ours, err := m.SketchKeys(m.Keys("The cat sat on a mat."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("score %.2f, contained %.2f\n", m.Score(theirs, ours), m.Containment(theirs, ours))
	// Output: score 0.83, contained 1.00
}
