package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/gojieba"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
)

// segmenters are the values of the key tokens that stand for a Segmenter. Those of
// jieba are pure Go; those of gojieba, which make the same words, need cgo. Specs and
// headers from before the former were there name the latter, and mean them.
var segmenters = []struct {
	name string
	open func() (feature.Segmenter, error)
}{
	{"jieba", jieba(segment.Precise)},
	{"jieba-nohmm", jieba(segment.NoHMM)},
	{"jieba-search", jieba(segment.Search)},
	{"gojieba", func() (feature.Segmenter, error) { return gojieba.New(segment.Precise) }},
	{"gojieba-nohmm", func() (feature.Segmenter, error) { return gojieba.New(segment.NoHMM) }},
	{"gojieba-search", func() (feature.Segmenter, error) { return gojieba.New(segment.Search) }},
}

func jieba(mode segment.Mode) func() (feature.Segmenter, error) {
	return func() (feature.Segmenter, error) { return segment.New(segment.Options{Mode: mode}) }
}

// tables are the values of the key weights that stand for an IDF table.
var tables = []struct {
	name string
	open func() (feature.IDF, error)
}{
	{"jieba", func() (feature.IDF, error) { return jiebadict.IDF(jiebadict.Median) }},
	{"jieba-mean", func() (feature.IDF, error) { return jiebadict.IDF(jiebadict.Mean) }},
}

// FeatureKeys returns the keys that every method that reads features takes.
func FeatureKeys() []Key {
	var out []Key
	for _, k := range feature.Keys {
		doc := Key{Name: k.Name, Default: k.Default, Allowed: k.Values, Doc: k.Doc, Feature: true}
		var more []string
		switch k.Name {
		case "tokens":
			for _, s := range segmenters {
				more = append(more, s.name)
			}
		case "weights":
			for _, t := range tables {
				more = append(more, t.name)
			}
		}
		if more != nil {
			doc.Allowed = orList(append(strings.Split(strings.Replace(doc.Allowed, " or ", ", ", 1), ", "), more...))
		}
		out = append(out, doc)
	}
	return out
}

// setFeature sets one feature key.
func setFeature(o *feature.Options, name, value string) error {
	switch name {
	case "tokens":
		for _, s := range segmenters {
			if s.name != value {
				continue
			}
			seg, err := s.open()
			if err != nil {
				return err
			}
			o.Tokens, o.Segmenter = feature.Segmented, seg
			return nil
		}
		o.Segmenter = nil
	case "weights":
		for _, t := range tables {
			if t.name != value {
				continue
			}
			idf, err := t.open()
			if err != nil {
				return err
			}
			o.Weights, o.IDF = feature.TableIDF, idf
			return nil
		}
		o.IDF = nil
	}
	for _, k := range feature.Keys {
		if k.Name != name {
			continue
		}
		if err := k.Set(o, value); err != nil {
			if name == "tokens" || name == "weights" {
				// The feature package does not know the values that stand for a
				// segmenter or a table.
				i := slices.IndexFunc(FeatureKeys(), func(f Key) bool { return f.Name == name })
				return fmt.Errorf("want %s", FeatureKeys()[i].Allowed)
			}
			return err
		}
		return nil
	}
	return fmt.Errorf("catalog: no feature key %q", name)
}

// featureKeys are the keys of a method that reads features, but for those left out.
func featureKeys[O any](field func(*O) *feature.Options, without ...string) []key[O] {
	var out []key[O]
	for _, k := range FeatureKeys() {
		if slices.Contains(without, k.Name) {
			continue
		}
		out = append(out, key[O]{k, func(o *O, v string) error { return setFeature(field(o), k.Name, v) }})
	}
	return out
}

// ownWeights makes the keys that weigh features the method's own: a method whose
// scheme weighs takes them where its spec names them, and not from settings for
// the features of a whole run.
func ownWeights[O any](keys []key[O]) []key[O] {
	for i := range keys {
		switch keys[i].Name {
		case "weights", "levels", "top":
			keys[i].Feature = false
		}
	}
	return keys
}
