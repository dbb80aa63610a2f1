//go:build cgo

package gojieba

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	jieba "github.com/yanyiwu/gojieba"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
)

// instance is the one instance of the process. It is never freed, because the library
// frees an instance without a reference from Go even while it cuts.
var instance = sync.OnceValues(func() (*jieba.Jieba, error) {
	dir, err := jiebadict.Unpack()
	if err != nil {
		return nil, fmt.Errorf("gojieba: %w", err)
	}
	path := func(f jiebadict.File) string { return filepath.Join(dir, f.Name) }
	return jieba.NewJieba(path(jiebadict.Words), path(jiebadict.HMM), path(jiebadict.UserWords),
		path(jiebadict.IDFTable), path(jiebadict.StopWords)), nil
})

func cutter(mode segment.Mode) (func(string) []feature.Span, error) {
	x, err := instance()
	if err != nil {
		return nil, err
	}
	tokenize, hmm := jieba.DefaultMode, mode != segment.NoHMM
	if mode == segment.Search {
		tokenize = jieba.SearchMode
	}
	return func(piece string) []feature.Span {
		words := x.Tokenize(piece, tokenize, hmm)
		spans := make([]feature.Span, len(words))
		for i, w := range words {
			spans[i] = feature.Span{Start: w.Start, End: w.End}
		}
		if mode == segment.Search {
			// The library gives the two-character words of a word, then those of
			// three, then the word itself.
			slices.SortFunc(spans, func(a, b feature.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
		}
		return spans
	}, nil
}
