package plots_test

import (
	"fmt"
	"os"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/plots"
)

func ExampleWrite() {
	dir, err := os.MkdirTemp("", "plots")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	pairs := []eval.Scored{{Score: 0.9, Alike: true}, {Score: 0.7}, {Score: 0.4, Alike: true}, {Score: 0.1}}
	threshold, _ := eval.BestF1(pairs)
	warnings, err := plots.Write(dir, &plots.PrecisionRecall{
		Heading: plots.Heading{Name: "four-pairs", Title: "Four pairs"},
		Curves:  []plots.Curve{plots.NewCurve("shingle", pairs, threshold)},
	})
	fmt.Println(warnings, err)
	files, err := os.ReadDir(dir)
	for _, f := range files {
		fmt.Println(f.Name())
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [] <nil>
	// four-pairs.png
	// four-pairs.svg
}
