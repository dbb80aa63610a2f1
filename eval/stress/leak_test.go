package stress

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets/plant"
)

// A search for the words of an item in a row finds what was planted unchanged, however
// it was wrapped, and nothing that was edited. Items that occur before they are
// planted are counted apart.
func TestLeaks(t *testing.T) {
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	calls := 0
	find := func(_ context.Context, train, items []string) ([]bool, error) {
		calls++
		all, found := bare(strings.Join(train, "|")), make([]bool, len(items))
		for i, item := range items {
			found[i] = strings.Contains(all, bare(item))
		}
		return found, nil
	}
	for _, lang := range []plant.Lang{plant.English, plant.Chinese} {
		items, train, err := Items(lang, 40, 120, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(items) != 40 || len([]rune(items[0])) > 120 {
			t.Fatalf("%d items, the first %q", len(items), items[0])
		}
		train[3] += " " + items[5] // one has leaked
		calls = 0
		records, err := Leaks(t.Context(), "made", items, train, lang, 7, find, func(float64, string) {})
		if err != nil {
			t.Fatal(err)
		}
		if calls != len(records) || len(records) != 1+len(plantings()) {
			t.Errorf("%s: %d records of %d searches", lang, len(records), calls)
		}
		for i, r := range records {
			n, found := 39, 0
			switch {
			case i == 0:
				n, found = 40, 1
			case plantings()[i-1].edit.Kind == "":
				found = 39
			}
			if r.Items != n || r.Found != found || float64(r.Share) != float64(found)/float64(n) || !(r.Low <= r.Share && r.Share <= r.High) {
				t.Errorf("%s: %+v, want %d of %d", lang, r, found, n)
			}
		}
		again, err := Leaks(t.Context(), "made", items, train, lang, 7, find, func(float64, string) {})
		if err != nil || !slices.Equal(again, records) {
			t.Errorf("%s: another result: %v, %v", lang, again, err)
		}
	}
}

// An embedded item stands within its host, all of which is there.
func TestPlant(t *testing.T) {
	host, item := "one two three four five six", "ITEM OF TEST"
	for _, p := range plantings() {
		text := p.plant(item, host)
		before, after, found := strings.Cut(text, item)
		rest := strings.Join(strings.Fields(before+" "+after), " ")
		if !found || (p.in == "") != (text == item) || p.in != "" && (rest != host || before == "" || after == "") {
			t.Errorf("%s: %q", p.name, text)
		}
	}
}
