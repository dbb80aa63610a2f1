package catalog_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// Texts of 100 MB: prose, one character repeated, NULs, invalid bytes. Each gives
// the same answer as its own copy, and the degenerate ones what the docs say.
func TestHugeTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("100 MB texts take seconds")
	}
	const size = 100 << 20
	page := similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), 20000, 0) + "\n"
	for _, c := range []struct {
		name, text string
		empty      bool
	}{
		{"prose", strings.Repeat(page, size/len(page)), false},
		{"one-character", strings.Repeat("a", size), false},
		{"one-han", strings.Repeat("好", size/3), false},
		{"nul", strings.Repeat("\x00", size), true},
		{"invalid", strings.Repeat("\xff", size), true},
	} {
		for _, name := range catalog.Names() {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				m, err := catalog.Parse(name)
				if err != nil {
					t.Fatal(err)
				}
				s := m.NewCollection()
				s.Add(c.text)
				s.Add("the cat sat on the mat, and a dog ran past it")
				if s.Empty(0) != c.empty {
					t.Errorf("empty is %t, want %t", s.Empty(0), c.empty)
				}
				want := 1.0
				if c.empty {
					want = 0
				}
				if got := s.Score(0, 0); got != want {
					t.Errorf("score with itself %v, want %v", got, want)
				}
				if sim, ok := similarity.As[*simhash.Method](m); ok && !c.empty {
					if f := sim.Sketch(c.text); f.Lo == ^uint64(0) || f.Lo == 0 {
						t.Errorf("fingerprint %x", f)
					}
				}
			})
		}
	}
}
