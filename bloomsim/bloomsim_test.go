package bloomsim

import (
	"fmt"
	"math"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func mustNew(t testing.TB, o Options) *Method {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLaws(t *testing.T) {
	for _, o := range []Options{
		{},
		{Bits: 100},
		{Bits: 64, Hashes: 4},
		{Bits: Auto},
		{Bits: Auto, Hashes: 3, Places: Compat},
		{Bits: 1024, Hashes: 4, Score: Raw},
		{Places: Compat, Hashes: 5},
		{Bits: 4000, Hashes: 2},
		{Expect: 500},
		RuleOfThumb(1000),
		{Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}},
		{Features: feature.Options{Top: 50}},
	} {
		m := mustNew(t, o)
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run[Filter](t, m) })
	}
}

// The expected counts were computed apart from this package, from the formula
// of Swamidass and Baldi.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		x    int
		want float64
	}{{0, 0}, {300, 88.7502}, {512, 177.4457}, {1024, math.Inf(1)}} {
		t.Run(fmt.Sprint(c.x), func(t *testing.T) {
			if got := count(c.x, 1024, 4); got != c.want && math.Abs(got-c.want) > 5e-5 {
				t.Errorf("count is %v, want %v", got, c.want)
			}
		})
	}
}
