package align_test

import (
	"fmt"

	"github.com/alike-go/alike/align"
)

func Example() {
	m, err := align.New(align.Options{})
	if err != nil {
		panic(err)
	}
	a, b := m.Sketch("Levenshtein, V. I. (1966)"), m.Sketch("Levenstein V.I. (1966)")
	fmt.Printf("%.2f\n", m.Score(a, b))
	// Output: 0.88
}

func ExampleMethod_Explain() {
	m, err := align.New(align.Options{})
	if err != nil {
		panic(err)
	}
	e := m.Explain("The cat sat on the mat", "the cat sat on a mat")
	fmt.Println(e.Note)
	for _, x := range e.Evidence {
		fmt.Printf("%q %v %v\n", x.Text, x.A, x.B)
	}
	// Output:
	// 3 edits between 22 and 20 characters
	// "The cat sat on " [{0 15}] [{0 15}]
	// " mat" [{18 22}] [{16 20}]
}

func ExampleRule() {
	r, err := align.NewRule(align.RuleOptions{})
	if err != nil {
		panic(err)
	}
	a, b := r.Sketch("one two three four five"), r.Sketch("five four three two")
	fmt.Println(r.Score(a, b) >= 0.8)
	fmt.Println(r.Explain("one two three four five", "five four three two").Note)
	// Output:
	// true
	// 4 terms shared, of 5 and 4: 100.0% of the fewer; 5 and 4 terms with repeats: sizes within 20.0%
}
