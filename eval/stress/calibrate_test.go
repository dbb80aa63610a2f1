package stress

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets/plant"
)

// lowest against trying every score in turn.
func TestLowest(t *testing.T) {
	for seed := range uint64(300) {
		r := plant.NewRand(seed)
		n, values := 2+r.Below(8), 1+r.Below(6)
		drawn := make([]int, n)
		for range n {
			drawn[r.Below(n)]++
		}
		var all []pairScore
		pairs := 0
		for a := range n {
			for b := range a {
				all = append(all, pairScore{float32(r.Below(values+1)) / float32(values), int32(b), int32(a)})
				pairs += drawn[a] * drawn[b]
			}
		}
		share := float64(r.Below(100)) / 99
		top, _ := greatest(all, len(all))
		got := lowest(top, drawn, share)
		reach := func(at float32) (sum int) {
			for _, p := range all {
				if p.score >= at {
					sum += drawn[p.a] * drawn[p.b]
				}
			}
			return sum
		}
		if got <= 0 || float64(reach(got)) > share*float64(pairs) {
			t.Fatalf("seed %d: %d of %d pairs reach %v, want a share of at most %v", seed, reach(got), pairs, got, share)
		}
		if below := math.Nextafter32(got, 0); below > 0 && float64(reach(below)) <= share*float64(pairs) {
			t.Fatalf("seed %d: %v is not the least threshold", seed, got)
		}
	}
}

func TestGreatestKeepsTheGreatest(t *testing.T) {
	r := plant.NewRand(1)
	var all []pairScore
	for i := range 100 {
		all = append(all, pairScore{float32(r.Below(1000)), int32(i), 0})
	}
	top, floor := greatest(all, 10)
	over := 0
	for _, p := range all {
		if p.score > floor {
			over++
		}
	}
	if len(top) != 10 || top[9].score != floor || over > 9 {
		t.Errorf("%d scores from %v on, %d above", len(top), floor, over)
	}
}

func FuzzPiece(f *testing.F) {
	f.Add("the cat sat on the mat", 5, 9)
	f.Add("你妈妈喊你回家吃饭哦，回家罗回家罗", 3, 4)
	f.Add(strings.Repeat("x", 80), 40, 30)
	f.Add("\x7fhe c\x7fhe caatt", 5, 9)
	f.Fuzz(func(t *testing.T, s string, from, n int) {
		text := []rune(s)
		if n < 1 || from < 0 || n > len(text) || from > len(text)-n || !utf8.ValidString(s) {
			t.Skip()
		}
		got := piece(text, from, n)
		runes := []rune(got)
		if len(runes) > n || len(runes) < n/2 || !strings.Contains(s, got) {
			t.Fatalf("piece of %d characters from %d of %q is %q", n, from, s, got)
		}
		if len(runes) < n && !unicode.IsSpace(text[len([]rune(s[:strings.Index(s, got)]))+len(runes)]) && strings.Count(s, got) == 1 {
			t.Fatalf("piece of %d characters from %d of %q is %q, cut short within a word", n, from, s, got)
		}
	})
}
