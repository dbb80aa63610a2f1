package passages

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

func TestGatherByHand(t *testing.T) {
	//       0         1         2
	//       0123456789012345678901234567
	text := "aaaaaa bbbb cccc dddddd eeee" // 24 letters
	all := []shared{
		{7, []feature.Span{{Start: 0, End: 6}}},                        // 6
		{8, []feature.Span{{Start: 7, End: 16}}},                       // 8
		{9, []feature.Span{{Start: 3, End: 11}, {Start: 17, End: 20}}}, // 3+4+3 = 10, the best
		{10, []feature.Span{{Start: 7, End: 16}}},                      // as 8 does
		{11, []feature.Span{{Start: 16, End: 24}}},                     // 6, and white space
	}
	want := Gathered{
		// 9 leaves 3 of 7's, 4 of 8's and 3 of 11's letters.
		Sources: []Source{
			{9, 10. / 24, 10. / 24, 10. / 24, []feature.Span{{Start: 3, End: 11}, {Start: 17, End: 20}}, 0, 0},
			{8, 4. / 24, 14. / 24, 8. / 24, []feature.Span{{Start: 12, End: 16}}, 0, 0},
			{7, 3. / 24, 17. / 24, 6. / 24, []feature.Span{{Start: 0, End: 3}}, 0, 0},
			{11, 3. / 24, 20. / 24, 6. / 24, []feature.Span{{Start: 20, End: 23}}, 0, 0},
		},
		Covered: 20. / 24, Uncovered: []feature.Span{{Start: 24, End: 28}},
	}
	for _, least := range []float64{0, 3. / 24} {
		if got := gather(text, all, least); !reflect.DeepEqual(got, want) {
			t.Errorf("at least %v: %+v, want %+v", least, got, want)
		}
	}
	want.Sources, want.Covered = want.Sources[:2], 14./24
	want.Uncovered = []feature.Span{{Start: 0, End: 3}, {Start: 20, End: 28}}
	if got := gather(text, all, 0.13); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, text := range []string{"", " \n\u3000"} {
		if got := gather(text, []shared{{0, []feature.Span{{End: len(text)}}}}, 0); !reflect.DeepEqual(got, Gathered{}) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// naiveGather is gather by sets of the places that are not white space.
func naiveGather(text string, all []shared, least float64) (g Gathered) {
	left, whole := map[int]bool{}, 0.0 // bytes
	for i, r := range text {
		for k := range utf8.RuneLen(r) {
			if !unicode.IsSpace(r) {
				left[i+k] = true
				whole++
			}
		}
	}
	in := func(spans []feature.Span, set map[int]bool) (n int) {
		for _, s := range spans {
			for i := s.Start; i < s.End; i++ {
				if set[i] {
					n++
				}
			}
		}
		return n
	}
	// Only white space may lie between two places of one span.
	spansOf := func(set map[int]bool, within func(i int) bool) (out []feature.Span) {
		start, end := -1, -1
		for i, r := range text + "\x00" {
			solid := !unicode.IsSpace(r)
			switch take := i < len(text) && within(i) && (set[i] || !solid); {
			case take && solid:
				if start < 0 {
					start = i
				}
				end = i + utf8.RuneLen(r)
			case !take && start >= 0:
				out = append(out, feature.Span{Start: start, End: end})
				start = -1
			}
		}
		return out
	}
	every := map[int]bool{}
	for i := range left {
		every[i] = true
	}
	total := 0
	for {
		best, most := -1, 0
		for i := range all {
			if n := in(all[i].spans, left); n > most {
				best, most = i, n
			}
		}
		if most == 0 || float64(most)/whole < least {
			break
		}
		total += most
		added, within := map[int]bool{}, map[int]bool{}
		for _, s := range all[best].spans {
			for i := s.Start; i < s.End; i++ {
				within[i] = true
				if left[i] {
					added[i] = true
				}
			}
		}
		g.Sources = append(g.Sources, Source{
			Doc: all[best].doc, Adds: float64(most) / whole, Total: float64(total) / whole,
			Share: float64(in(all[best].spans, every)) / whole, Spans: spansOf(added, func(i int) bool { return within[i] }),
		})
		for i := range added {
			delete(left, i)
		}
	}
	if whole > 0 {
		g.Covered = float64(total) / whole
	}
	g.Uncovered = spansOf(left, func(int) bool { return true })
	return g
}

func TestGatherAsNaive(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var text string
		for range rng.IntN(60) {
			text += string([]rune("abc的é  \n")[rng.IntN(8)])
		}
		var starts []int
		for i := range text {
			starts = append(starts, i)
		}
		starts = append(starts, len(text))
		var all []shared
		for doc := range rng.IntN(12) {
			var spans []feature.Span
			for i := rng.IntN(len(starts)); i < len(starts)-1; i += 1 + rng.IntN(20) {
				j := min(i+1+rng.IntN(15), len(starts)-1)
				if s := (feature.Span{Start: starts[i], End: starts[j]}); strings.TrimSpace(text[s.Start:s.End]) != "" { // as of a passage
					spans = join(spans, s)
				}
				i = j
			}
			if len(spans) > 0 {
				all = append(all, shared{doc, spans})
			}
		}
		least := []float64{0, 0.05, 0.2}[seed%3]
		got, want := gather(text, all, least), naiveGather(text, all, least)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, %q, %v at least %v:\n%+v, want\n%+v", seed, text, all, least, got, want)
		}
	}
}
