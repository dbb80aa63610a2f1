package segment_test

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
	"github.com/alike-go/alike/simhash"
)

func ExampleNew() {
	s, err := segment.New(segment.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte("我来到北京清华大学，写C++。")
	s.Segment(text, func(start, end int) { fmt.Println(start, end, string(text[start:end])) })
	// Output:
	// 0 3 我
	// 3 9 来到
	// 9 15 北京
	// 15 27 清华大学
	// 27 30 ，
	// 30 33 写
	// 33 36 C++
	// 36 39 。
}

// The modes differ in what they make of words that the list lacks, and of long ones.
func ExampleMode() {
	text := []byte("他来到中国科学院的杭研大厦")
	for _, mode := range []segment.Mode{segment.Precise, segment.NoHMM, segment.Search} {
		s, err := segment.New(segment.Options{Mode: mode})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v:", mode)
		s.Segment(text, func(start, end int) { fmt.Printf(" %s", text[start:end]) })
		fmt.Println()
	}
	// Output:
	// jieba: 他 来到 中国科学院 的 杭研 大厦
	// jieba-nohmm: 他 来到 中国科学院 的 杭 研 大厦
	// jieba-search: 他 来到 中国 中国科学院 科学 科学院 学院 的 杭研 大厦
}

// Words as the features of a method; in a spec that is "simhash:tokens=jieba,han=simplified".
func ExampleSegmenter() {
	s, err := segment.New(segment.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := simhash.New(simhash.Options{Features: feature.Options{
		Tokens: feature.Segmented, Segmenter: s, Fold: feature.Fold{Han: feature.Simplified},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)
	fmt.Println(m.Score(m.Sketch("我來到北京清華大學"), m.Sketch("我来到北京清华大学。")))
	// Output:
	// simhash:tokens=jieba,han=simplified
	// 1
}
