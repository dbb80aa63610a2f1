package rabinkarp

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
)

// TestSettings wants other settings for every option that a sketch depends on, and
// those of the default options to say each of them.
func TestSettings(t *testing.T) {
	seen := map[string]string{}
	add := func(name, settings string) {
		if other, ok := seen[settings]; ok {
			t.Errorf("%s and %s have the same settings %s", name, other, settings)
		}
		seen[settings] = name
	}
	cased := feature.Fold{KeepCase: true}
	for name, o := range map[string]ManberOptions{
		"manber": {}, "window": {Window: 50}, "keep": {Keep: 8}, "hash": {Hash: Sif}, "overlap": {Overlap: true},
		"anchors": {Anchors: []string{"a", "b"}}, "anchor": {Anchors: []string{"a|b"}}, "fold": {Fold: cased},
	} {
		add(name, newManber(t, o).Settings())
	}
	for name, o := range map[string]WinnowOptions{
		"winnow": {}, "k": {K: 5}, "winnow window": {Window: 4}, "robust": {Robust: true}, "winnow fold": {Fold: cased},
	} {
		add(name, newWinnow(t, o).Settings())
	}
	for _, start := range []string{"manber:window=20,keep=4,hash=mixed,anchors=,overlap=false,", "winnow:k=9,window=16,robust=false,"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(s string) bool { return strings.HasPrefix(s, start) }) {
			t.Errorf("no settings begin with %s", start)
		}
	}
}
