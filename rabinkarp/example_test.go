package rabinkarp_test

import (
	"fmt"

	"github.com/alike-go/alike/rabinkarp"
)

const (
	original = "The quality of mercy is not strained. It droppeth as the gentle rain from heaven upon the place beneath."
	quoting  = "As the poet says, the gentle rain from heaven upon the place beneath is twice blest."
)

func ExampleNewWinnow() {
	m, err := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, passage := range m.Explain(original, quoting).Evidence {
		fmt.Printf("%q\n", passage.Text)
	}
	// Output:
	// " the gentle rain from heaven upon the place beneath"
}

func ExampleManber_Containment() {
	m, err := rabinkarp.NewManber(rabinkarp.ManberOptions{Window: 12, Keep: 1, Overlap: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	part, whole := m.Sketch("the gentle rain from heaven"), m.Sketch(original)
	fmt.Println("part in whole:", m.Containment(part, whole))
	fmt.Println("whole in part below 1/2:", m.Containment(whole, part) < .5)
	// Output:
	// part in whole: 1
	// whole in part below 1/2: true
}

func ExampleManber_String() {
	m, err := rabinkarp.NewManber(rabinkarp.ManberOptions{Window: 50, Keep: 8, Hash: rabinkarp.Sif})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)
	// Output:
	// manber:window=50,keep=8,hash=sif
}
