package plots_test

import (
	"fmt"
	"os"

	"github.com/alike-go/alike/eval/plots"
)

func ExampleWrite() {
	dir, err := os.MkdirTemp("", "plots")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	warnings, err := plots.Write(dir, plots.Figure{
		Data: "news", Name: "recall", Title: "copies that are found", XLabel: "characters of a text", YLabel: "recall",
		Series: []plots.Series{{Method: "shingle", Points: []plots.Point{{X: 50, Y: 0.8, Low: 0.7, High: 0.9}, {X: 500, Y: 0.95, Low: 0.9, High: 1}}}},
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
	// news-recall.png
	// news-recall.svg
}
