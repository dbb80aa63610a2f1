package passages_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// gathered returns what covers the texts before number old.
func gathered(t *testing.T, o passages.Options, g passages.GatherOptions, old int, texts ...string) (all []passages.Gathered, st passages.Stats) {
	t.Helper()
	f := added(t, o, old, texts...)
	st, err := f.Gather(t.Context(), g, func(g passages.Gathered) error { all = append(all, g); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all, st
}

// mosaics returns texts of the same blocks of Chinese characters, in which no
// word is cut.
func mosaics(rng *rand.Rand, n int) (texts []string) {
	block := func(n int) (s string) {
		for range n {
			s += string([]rune("的一是不了人我在有他")[rng.IntN(10)])
		}
		return s
	}
	var blocks []string
	for range 6 {
		blocks = append(blocks, block(10+rng.IntN(20)))
	}
	for range n {
		s := block(rng.IntN(9))
		for range rng.IntN(5) {
			b := []rune(blocks[rng.IntN(len(blocks))])
			from := rng.IntN(len(b) / 2)
			s += string(b[from:from+len(b)/2]) + block(rng.IntN(4))
		}
		texts = append(texts, s)
	}
	return texts
}

// Sources are those that sets of characters give: an old document covers a character of a
// query if it has some string of the minimum length around it.
func TestGather(t *testing.T) {
	const least = 8
	sources := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		texts := mosaics(rng, 10)
		old := 1 + rng.IntN(4)
		minShare := []float64{0, 0.1}[seed%2]
		skip := func(query, source int) bool { return seed%3 == 0 && (query+source)%4 == 0 }
		all, st := gathered(t, passages.Options{MinLength: least}, passages.GatherOptions{MinShare: minShare, Skip: skip}, old, texts...)
		if len(all) != old || st.Docs != len(texts) {
			t.Fatalf("seed %d: %d queries, %+v", seed, len(all), st)
		}
		if st.Runs > 0 {
			continue // TestRuns
		}
		for query, g := range all {
			text := []rune(texts[query])
			covers := map[int]map[int]bool{} // by old document, characters of the query
			for source := old; source < len(texts); source++ {
				covers[source] = map[int]bool{}
				for i := 0; i+least <= len(text) && !skip(query, source); i++ {
					if strings.Contains(texts[source], string(text[i:i+least])) {
						for k := range least {
							covers[source][i+k] = true
						}
					}
				}
			}
			left := map[int]bool{}
			for i := range text {
				left[i] = true
			}
			spans := func(set map[int]bool) (out string) {
				for i := range text {
					if set[i] && !set[i-1] {
						out += fmt.Sprintf(" %d", i*len("的"))
					}
					if set[i] && !set[i+1] {
						out += fmt.Sprintf("-%d", (i+1)*len("的"))
					}
				}
				return out
			}
			var want, got []string
			for {
				best, adds := 0, map[int]bool{}
				for source := old; source < len(texts); source++ {
					set := map[int]bool{}
					for i := range covers[source] {
						if left[i] {
							set[i] = true
						}
					}
					if len(set) > len(adds) {
						best, adds = source, set
					}
				}
				if best == 0 || float64(len(adds))/float64(len(text)) < minShare {
					break
				}
				for i := range adds {
					delete(left, i)
				}
				of := func(n int) float64 { return float64(n) / float64(len(text)) }
				want = append(want, fmt.Sprintf("%d %.6f %.6f %.6f%s", best, of(len(adds)), of(len(text)-len(left)), of(len(covers[best])), spans(adds)))
			}
			list := func(all []feature.Span) (out string) {
				for _, s := range all {
					out += fmt.Sprintf(" %d-%d", s.Start, s.End)
				}
				return out
			}
			for _, s := range g.Sources {
				got = append(got, fmt.Sprintf("%d %.6f %.6f %.6f%s", s.Doc, s.Adds, s.Total, s.Share, list(s.Spans)))
			}
			sources += len(got)
			want, got = append(want, spans(left)), append(got, list(g.Uncovered))
			if strings.Join(got, "\n") != strings.Join(want, "\n") || g.Doc != query {
				t.Fatalf("seed %d, query %d of %q, old from %d:\n%s\nwant\n%s", seed, query, texts, old, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if sources < 300 {
		t.Errorf("%d sources, want more", sources)
	}
}

func TestGatherLimits(t *testing.T) {
	texts := slices.Repeat(many(1), 60) // one passage in 60 places
	refused := func(o passages.Options, g passages.GatherOptions, old int, want string) {
		t.Helper()
		_, err := added(t, o, old, texts...).Gather(t.Context(), g, func(passages.Gathered) error { t.Fatal("a query is reported"); return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	refused(passages.Options{}, passages.GatherOptions{}, len(texts), "want BeginOld")
	refused(passages.Options{}, passages.GatherOptions{MinShare: 1.5}, 30, "MinShare is 1.5, want 0 to 1")
	refused(passages.Options{MaxRows: 100}, passages.GatherOptions{}, 30, "share more than 100 spans")

	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := added(t, passages.Options{}, 30, texts...).Gather(ctx, passages.GatherOptions{}, func(passages.Gathered) error {
		n++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("error %v after %d queries, want that it was cancelled after one", err, n)
	}

	// A query of nothing is reported, and a copy covers all but white space.
	all, _ := gathered(t, passages.Options{}, passages.GatherOptions{}, 2, "", "\n "+texts[0]+" \n", texts[0])
	if len(all) != 2 || len(all[0].Sources) > 0 || len(all[1].Sources) != 1 || all[1].Covered != 1 || len(all[1].Uncovered) > 0 {
		t.Errorf("%+v", all)
	}
}
