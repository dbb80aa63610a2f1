package score_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/eval/spans"
	places "github.com/alike-go/alike/feature"
)

// copied returns documents of which each has the same passage, after so many
// characters of its own as its number says.
func copied(n int) (*datasets.Set, string) {
	const passage = "这是每篇文档都有的一段文字 and it goes on in English, with an accent é and 𠀀."
	set := &datasets.Set{Name: "copied"}
	for i := range n {
		own := string(rune('A' + i))
		set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint(i), Text: strings.Repeat(own, i) + passage + strings.Repeat(strings.ToLower(own), 5)})
	}
	return set, passage
}

// The passages that methods show are found where they are, in characters, for any
// number of workers.
func TestFind(t *testing.T) {
	set, passage := copied(6)
	texts := newTexts(t, set)
	pairs := [][2]int{{0, 1}, {2, 5}, {4, 3}, {2, 5}}
	length := len([]rune(passage))
	want := []spans.Passage{passageOf(0, 0, length, 1, 1, 1+length), passageOf(2, 2, 2+length, 5, 5, 5+length), passageOf(3, 3, 3+length, 4, 4, 4+length)}
	for _, spec := range []string{"substring", "lcs", "winnow:k=8,window=4", "manber:window=8,keep=2"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		find, err := score.FinderOf(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			done := 0
			found, err := texts.Find(t.Context(), pairs, find, workers, func(n int) { done = n })
			if err != nil || done != len(pairs) || !reflect.DeepEqual(found.List, want) {
				t.Errorf("%s: found %v, %v after %d pairs, want %v", spec, found.List, err, done, want)
			}
		}
	}
	failure := errors.New("failure")
	if _, err := texts.Find(t.Context(), pairs, func(a, b string) (inA, inB []places.Span, err error) { return nil, nil, failure }, 2, func(int) {}); !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
}

// A span that cuts a character has all of it.
func TestFindWholeCharacters(t *testing.T) {
	texts := newTexts(t, &datasets.Set{Name: "cut", Docs: []datasets.Doc{{ID: "a", Text: "x中文y"}, {ID: "b", Text: "中文"}}})
	found, err := texts.Find(t.Context(), [][2]int{{0, 1}}, func(a, b string) (inA, inB []places.Span, err error) {
		return []places.Span{{Start: 2, End: 5}, {Start: 3, End: 3}}, []places.Span{{Start: 1, End: 6}, {Start: 0, End: 0}}, nil
	}, 1, func(int) {})
	if want := passageOf(0, 1, 3, 1, 0, 2); err != nil || !reflect.DeepEqual(found.List[0], want) {
		t.Errorf("found %v, %v, want %v", found.List, err, want)
	}
}

// What shows words, terms or bits is refused.
func TestFinderOfRefuses(t *testing.T) {
	shows := map[string]bool{"manber": true, "winnow": true, "edit": true, "lcs": true, "substring": true}
	for _, name := range catalog.Names() {
		m, err := catalog.Parse(name)
		if err != nil {
			continue // needs keys
		}
		if _, err := score.FinderOf(m); (err == nil) != shows[name] {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// The pairs are those of the truth, and as many others.
func TestPairs(t *testing.T) {
	set, _ := copied(20)
	texts := newTexts(t, set)
	truth := score.Passages{List: []spans.Passage{passageOf(3, 0, 5, 1, 0, 5), passageOf(1, 7, 9, 3, 7, 9), passageOf(2, 0, 5, 9, 0, 5), passageOf(4, 0, 2, 4, 3, 5)}}
	for seed := range uint64(50) {
		pairs, n := texts.Pairs(truth, seed)
		seen := map[[2]int]bool{}
		for _, p := range pairs {
			if seen[p] || p[0] >= p[1] || p[0] < 0 || p[1] >= 20 {
				t.Errorf("seed %d: the pair %v", seed, p)
			}
			seen[p] = true
		}
		if n != 2 || len(pairs) != 4 || pairs[0] != [2]int{1, 3} || pairs[1] != [2]int{2, 9} {
			t.Errorf("seed %d: %v, %d of them with passages", seed, pairs, n)
		}
	}
	small := newTexts(t, &datasets.Set{Name: "two", Docs: set.Docs[:2]})
	if pairs, n := small.Pairs(score.Passages{List: []spans.Passage{passageOf(0, 0, 5, 1, 0, 5)}}, 1); n != 1 || len(pairs) != 1 {
		t.Errorf("of two documents the pairs are %v", pairs)
	}
}
