package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
	"github.com/alike-go/alike/internal/settings"
)

// extras are the values of the keys tokens and weights that stand for a segmenter or an
// IDF table: package feature takes either as a value, and does not know their
// dictionaries. The jieba segmenters are pure Go. The gojieba segmenters make the
// same words and need cgo (see UseGojieba). Specs and headers from before the
// former existed name the latter, and mean them.
var extras = []struct {
	key, name string
	set       func(o *feature.Options) error
}{
	{"tokens", "jieba", jieba(segment.Precise)},
	{"tokens", "jieba-nohmm", jieba(segment.NoHMM)},
	{"tokens", "jieba-search", jieba(segment.Search)},
	{"tokens", "gojieba", gojieba(segment.Precise)},
	{"tokens", "gojieba-nohmm", gojieba(segment.NoHMM)},
	{"tokens", "gojieba-search", gojieba(segment.Search)},
	{"weights", "jieba", table(jiebadict.Median)},
	{"weights", "jieba-mean", table(jiebadict.Mean)},
}

func jieba(mode segment.Mode) func(*feature.Options) error {
	return segmented(func() (feature.Segmenter, error) { return segment.New(segment.Options{Mode: mode}) })
}

// UseGojieba lets specs name the gojieba segmenters. Call it before you parse any
// spec. They are not built in because they need cgo and add 12 MB to a program.
//
//	catalog.UseGojieba(func(m segment.Mode) (feature.Segmenter, error) {
//		return gojieba.New(m)
//	})
func UseGojieba(open func(segment.Mode) (feature.Segmenter, error)) { openGojieba = open }

var openGojieba = func(segment.Mode) (feature.Segmenter, error) {
	return nil, errors.New("this program is built without gojieba, see catalog.UseGojieba; tokens=jieba makes the same words")
}

func gojieba(mode segment.Mode) func(*feature.Options) error {
	return segmented(func() (feature.Segmenter, error) { return openGojieba(mode) })
}

func segmented(open func() (feature.Segmenter, error)) func(*feature.Options) error {
	return func(o *feature.Options) (err error) {
		o.Tokens = feature.Segmented
		o.Segmenter, err = open()
		return err
	}
}

func table(unknown jiebadict.Unknown) func(*feature.Options) error {
	return func(o *feature.Options) (err error) {
		o.Weights = feature.TableIDF
		o.IDF, err = jiebadict.IDF(unknown)
		return err
	}
}

// featureKeys are the settings of features with the extras.
var featureKeys = extended(settings.Lift(feature.Keys, func(o *feature.Options) *feature.Options { return o }))

// FeatureKeys returns the keys that every method that reads features takes.
func FeatureKeys() []Key { return featureKeys.Keys() }

// extended returns a table that takes the extras too.
func extended[O any](t settings.Table[O]) settings.Table[O] {
	t = slices.Clone(t)
	for i, k := range t {
		var more []string
		for _, x := range extras {
			if x.key == k.Name {
				more = append(more, x.name)
			}
		}
		if more == nil || k.Part == nil {
			continue
		}
		t[i].Allowed = settings.OrList(append(words(k.Allowed), more...))
		t[i].Set = func(o *O, value string) error {
			for _, x := range extras {
				if x.key == k.Name && x.name == value {
					return x.set(k.Part(o).(*feature.Options))
				}
			}
			if k.Set(o, value) != nil {
				// The error of package feature lists its own values only.
				return fmt.Errorf("want %s", t[i].Allowed)
			}
			return nil
		}
	}
	return t
}

// words splits what settings.OrList joined.
func words(list string) []string {
	return strings.Split(strings.Replace(list, " or ", ", ", 1), ", ")
}
