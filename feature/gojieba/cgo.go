//go:build cgo

package gojieba

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	jieba "github.com/yanyiwu/gojieba"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
)

// instance is the one instance of the process. It is never freed: the library
// frees an instance that Go no longer refers to even while it is cutting.
var instance = sync.OnceValues(func() (*jieba.Jieba, error) {
	dir, err := jiebadict.Unpack()
	if err != nil {
		return nil, fmt.Errorf("gojieba: %w", err)
	}
	path := func(f jiebadict.File) string { return filepath.Join(dir, f.Name) }
	return jieba.NewJieba(path(jiebadict.Words), path(jiebadict.HMM), path(jiebadict.UserWords),
		path(jiebadict.IDFTable), path(jiebadict.StopWords)), nil
})

func cutter(mode Mode) (func(string) []feature.Span, error) {
	x, err := instance()
	if err != nil {
		return nil, err
	}
	tokenize, hmm := jieba.DefaultMode, mode != NoHMM
	if mode == Search {
		tokenize = jieba.SearchMode
	}
	return func(piece string) []feature.Span {
		words := x.Tokenize(piece, tokenize, hmm)
		spans := make([]feature.Span, len(words))
		for i, w := range words {
			spans[i] = feature.Span{Start: w.Start, End: w.End}
		}
		if mode == Search {
			// The library gives the two-character words of a word, then those of
			// three, then the word itself.
			slices.SortFunc(spans, func(a, b feature.Span) int {
				if a.Start != b.Start {
					return a.Start - b.Start
				}
				return a.End - b.End
			})
		}
		return spans
	}, nil
}
