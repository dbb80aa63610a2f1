//go:build cgo

package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/yanyiwu/gojieba"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
	"github.com/alike-go/alike/simhash"
)

// chineseRows need cgo, since the rival does.
var chineseRows = []Builder{
	{Area: "chinese/cut, HMM", Build: chineseCut("chinese/cut, HMM", segment.Precise, func(x *gojieba.Jieba, text string) []string { return x.Cut(text, true) })},
	{Area: "chinese/cut, no HMM", Build: chineseCut("chinese/cut, no HMM", segment.NoHMM, func(x *gojieba.Jieba, text string) []string { return x.Cut(text, false) })},
	{Area: "chinese/cut for search", Build: chineseCut("chinese/cut for search", segment.Search, func(x *gojieba.Jieba, text string) []string { return x.CutForSearch(text, true) })},
	{Area: "chinese/simhash of words", Build: chineseSimhash},
}

const gojiebaRival = "yanyiwu/gojieba (C++)"

var sharedJieba = sync.OnceValue(func() *gojieba.Jieba { return gojieba.NewJieba() })

// chineseTexts are the documents of the Chinese set inside package datasets.
var chineseTexts = sync.OnceValues(func() ([]string, error) {
	set, err := datasets.Load("zh")
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, doc := range set.Docs {
		texts = append(texts, doc.Text)
	}
	return texts, nil
})

func chineseCut(area string, mode segment.Mode, cut func(*gojieba.Jieba, string) []string) func(*Input) (*Row, error) {
	return func(*Input) (*Row, error) {
		texts, err := chineseTexts()
		if err != nil {
			return nil, err
		}
		s, err := segment.New(segment.Options{Mode: mode})
		if err != nil {
			return nil, err
		}
		rival := sharedJieba()
		size := 0
		for i, text := range texts {
			size += len(text)
			var ours []string
			s.Segment([]byte(text), func(start, end int) { ours = append(ours, text[start:end]) })
			theirs := cut(rival, text)
			// In a search both give the same words, in an order of their own.
			for _, words := range []*[]string{&ours, &theirs} {
				*words = slices.DeleteFunc(*words, func(w string) bool { return strings.IndexFunc(w, unicode.IsLetter) < 0 })
				if mode == segment.Search {
					slices.Sort(*words)
				}
			}
			if !slices.Equal(ours, theirs) {
				return nil, fmt.Errorf("document %d has %d words by ours, %d by %s, or others", i, len(ours), len(theirs), gojiebaRival)
			}
		}
		bytes := make([][]byte, len(texts))
		for i, text := range texts {
			bytes[i] = []byte(text)
		}
		return &Row{
			Area: area, Unit: MBs, Work: float64(size),
			Ours: Contender{Name: s.Name(), Run: func() {
				for _, text := range bytes {
					s.Segment(text, func(start, end int) { sink += uint64(end) })
				}
			}},
			Rivals: []Contender{{Name: gojiebaRival, Run: func() {
				for _, text := range texts {
					sink += uint64(len(cut(rival, text)))
				}
			}}},
			Bounds: []Bound{{Rival: gojiebaRival, Floor: 1.5, Goal: 3}},
		}, nil
	}
}

// chineseSimhash goes from text to fingerprint: by ours, and by gojieba's words hashed and
// counted by mfonda's method. The words of both are checked by the rows that cut.
func chineseSimhash(*Input) (*Row, error) {
	texts, err := chineseTexts()
	if err != nil {
		return nil, err
	}
	s, err := segment.New(segment.Options{})
	if err != nil {
		return nil, err
	}
	m, err := simhash.New(simhash.Options{Features: feature.Options{Tokens: feature.Segmented, Segmenter: s}})
	if err != nil {
		return nil, err
	}
	rival := sharedJieba()
	theirs := func(text string) uint64 {
		words := rival.Cut(text, true)
		set := make([]counted, len(words))
		for i, w := range words {
			set[i] = wordFeature{fnv1([]byte(w)), 1}
		}
		return signs(vote(set))
	}
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	const area = "chinese/simhash of words"
	return &Row{
		Area: area, Unit: MBs, Work: float64(size),
		Ours: Contender{Name: m.String(), Run: func() {
			for _, text := range texts {
				sink += m.Sketch(text).Lo
			}
		}},
		Rivals: []Contender{{Name: "gojieba and mfonda's method", Run: func() {
			for _, text := range texts {
				sink += theirs(text)
			}
		}}},
		Bounds: []Bound{{Rival: "gojieba and mfonda's method", Floor: 1.5, Goal: 3}},
	}, nil
}
