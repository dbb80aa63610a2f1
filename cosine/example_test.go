package cosine_test

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/alike-go/alike/cosine"
)

func Example() {
	m, err := cosine.New(cosine.Options{Scheme: "tf"})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := m.Sketch("the cat sat on the mat")
	b := m.Sketch("The cat sat on a mat.")
	c := m.Sketch("we all scream for ice cream")
	fmt.Printf("%.3f %.3f\n", m.Score(a, b), m.Score(a, c))
	// Output: 0.866 0.000
}

func ExampleMethod_Fit() {
	m, err := cosine.New(cosine.Options{Scheme: "ltc"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)

	// "the" is in all documents of the background and weighs nothing after the fit.
	background := []string{"the cat", "the dog", "the cat and the dog"}
	fitted, err := m.Fit(slices.Values(background))
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := "the cat", "the dog"
	fmt.Printf("%.2f before, %.2f after\n", m.Score(m.Sketch(a), m.Sketch(b)), fitted.Score(fitted.Sketch(a), fitted.Sketch(b)))

	// What was learnt can be kept.
	var file bytes.Buffer
	if err := fitted.WriteFit(&file); err != nil {
		fmt.Println(err)
		return
	}
	again, err := m.ReadFit(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Settings() == fitted.Settings())
	// Output:
	// cosine:scheme=ltc,fit=none
	// 0.50 before, 0.00 after
	// true
}

func ExampleMethod_Explain() {
	m, err := cosine.New(cosine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := m.Explain("so we all scream, so loud", "you scream so loud")
	fmt.Println(e.Note)
	for _, ev := range e.Evidence {
		fmt.Printf("%.2f %s %v %v\n", ev.Weight, ev.Text, ev.A, ev.B)
	}
	// Output:
	// 3 shared terms of 5 and 4
	// 0.32 so [{0 2} {18 20}] [{11 13}]
	// 0.19 scream [{10 16}] [{4 10}]
	// 0.19 loud [{21 25}] [{14 18}]
}
