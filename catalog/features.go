package catalog

import (
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
// dictionaries.
var extras = []struct {
	key, name string
	set       func(o *feature.Options) error
	former    bool // parsed, but not offered
}{
	{key: "tokens", name: "jieba", set: jieba(segment.Precise)},
	{key: "tokens", name: "jieba-nohmm", set: jieba(segment.NoHMM)},
	{key: "tokens", name: "jieba-search", set: jieba(segment.Search)},
	{key: "tokens", name: "gojieba", set: gojieba(segment.Precise), former: true},
	{key: "tokens", name: "gojieba-nohmm", set: gojieba(segment.NoHMM), former: true},
	{key: "tokens", name: "gojieba-search", set: gojieba(segment.Search), former: true},
	{key: "weights", name: "jieba", set: table(jiebadict.Median)},
	{key: "weights", name: "jieba-mean", set: table(jiebadict.Mean)},
}

func jieba(mode segment.Mode) func(*feature.Options) error {
	return func(o *feature.Options) error {
		s, err := segment.New(segment.Options{Mode: mode})
		o.Tokens, o.Segmenter = feature.Segmented, s
		return err
	}
}

// gojieba opens the same segmenter under the name of the library that came before
// package segment.
func gojieba(mode segment.Mode) func(*feature.Options) error {
	return func(o *feature.Options) error {
		s, err := segment.New(segment.Options{Mode: mode})
		o.Tokens, o.Segmenter = feature.Segmented, former{s}
		return err
	}
}

// former has the name and the ID that the words of gojieba (a C++ library) had.
// Package segment makes the same words, so specs and headers that name gojieba stay
// readable, and fit each other. They do not pass for jieba.
type former struct{ *segment.Segmenter }

func (f former) Name() string { return "go" + f.Segmenter.Name() }

// ID has the version of gojieba instead of version 1 of the words of package
// segment. Other versions of the words must not fit old headers.
func (f former) ID() string { return "go" + strings.Replace(f.Segmenter.ID(), "@1/", "@1.4.7/", 1) }

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
			if x.key == k.Name && !x.former {
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
