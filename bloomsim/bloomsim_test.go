package bloomsim

import (
	"math"
	"strings"
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
		{Bits: Auto, Score: Raw},
		{Bits: Auto, Hashes: 3, Places: Compat},
		{Bits: 1024, Hashes: 4, Score: Raw},
		{Places: Compat, Hashes: 5},
		{Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}},
		{Features: feature.Options{Top: 50}},
	} {
		m := mustNew(t, o)
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run[Filter](t, m) })
	}
}

func TestSpec(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "bloom"},
		{Options{Bits: defaultBits, Hashes: 1}, "bloom"},
		{Options{Bits: Auto}, "bloom:bits=auto"},
		{Options{Bits: 8192, Hashes: 4, Score: Raw, Places: Compat}, "bloom:bits=8192,hashes=4,score=raw,places=compat"},
		{Options{Largest: 1000}, "bloom:bits=2000"},
		{Options{Largest: 10}, "bloom:bits=64"},
		// 9.585 bits a feature and 7 hashes are the textbook values for one in a hundred.
		{Options{Expect: 1000}, "bloom:bits=9586,hashes=7"},
		{Options{Expect: 1000, FP: 0.01, Hashes: 1}, "bloom:bits=9586"},
		{Options{Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}}, "bloom:tokens=rune,width=2"},
	} {
		if got := mustNew(t, c.o).String(); got != c.want {
			t.Errorf("spec of %+v is %q, want %q", c.o, got, c.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Bits: 63}, "bloomsim: Bits is 63, want 64 to 268435456, or Auto"},
		{Options{Bits: -2}, "bloomsim: Bits is -2"},
		{Options{Bits: maxBits + 1}, "want 64 to"},
		{Options{Hashes: -1}, "bloomsim: Hashes is -1, want 1 to 32"},
		{Options{Hashes: 33}, "bloomsim: Hashes is 33"},
		{Options{Bits: 64, Expect: 5}, "want at most one"},
		{Options{Expect: 5, Largest: 5}, "want at most one"},
		{Options{Expect: -5}, "bloomsim: Expect is -5"},
		{Options{Expect: 1 << 28, FP: 1e-9}, "need 11578"},
		{Options{Expect: 5, FP: 1}, "bloomsim: FP is 1, want above 0 and below 1"},
		{Options{Expect: 5, FP: math.NaN()}, "bloomsim: FP is NaN"},
		{Options{Expect: 5, FP: -0.1}, "bloomsim: FP is -0.1"},
		{Options{FP: 0.1}, "bloomsim: FP is 0.1 without Expect"},
		{Options{Largest: -1}, "bloomsim: Largest is -1"},
		{Options{Score: 2}, "bloomsim: Score is 2, want Jaccard or Raw"},
		{Options{Places: -1}, "bloomsim: Places is -1, want Alike or Compat"},
		{Options{Features: feature.Options{MinWidth: 99}}, "bloomsim: feature: "},
	} {
		if _, err := New(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v): error %v, want one with %q", c.o, err, c.want)
		}
	}
}
