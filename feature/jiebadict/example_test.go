package jiebadict_test

import (
	"fmt"

	"github.com/alike-go/alike/feature/jiebadict"
)

func ExampleIDF() {
	idf, err := jiebadict.IDF(jiebadict.Median)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(idf.Value([]byte("世界")))
	fmt.Println(idf.Value([]byte("no such word")))
	// Output:
	// 4.36752940557
	// 11.9547675029
}
