//go:build cgo

package gojieba_test

import (
	"fmt"

	"github.com/alike-go/alike/feature/gojieba"
	"github.com/alike-go/alike/feature/segment"
)

func ExampleNew() {
	s, err := gojieba.New(segment.Precise)
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte("我来到北京清华大学")
	s.Segment(text, func(start, end int) { fmt.Println(start, end, string(text[start:end])) })
	// Output:
	// 0 3 我
	// 3 9 来到
	// 9 15 北京
	// 15 27 清华大学
}
