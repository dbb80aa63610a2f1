package feature

import (
	"fmt"
	"testing"
)

// distinct returns the set of the features of a text.
func distinct(t *testing.T, o Options, text string) map[uint64]int {
	t.Helper()
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	set := make(map[uint64]int)
	for _, h := range x.AppendHashes(nil, text) {
		set[h]++
	}
	return set
}

// The IR book's example of 4-word shingles (Manning, Raghavan, Schütze, section
// 19.6): five positions, three distinct, two of them twice.
func TestRose(t *testing.T) {
	set := distinct(t, Options{MinWidth: 4}, "a rose is a rose is a rose")
	counts := make(map[int]int)
	for _, n := range set {
		counts[n]++
	}
	if len(set) != 3 || counts[2] != 2 || counts[1] != 1 {
		t.Errorf("counts %v, want two shingles twice and one once", set)
	}
}

// Set sizes and overlaps worked out apart from this code, by listing the shingles.
func TestShingleSets(t *testing.T) {
	const (
		a  = "the cat sat on the mat"
		b  = "the cat sat on a mat"
		c  = "we all scream for ice cream"
		ma = "你妈妈喊你回家吃饭哦,回家罗回家罗"
		mb = "你妈妈叫你回家吃饭啦,回家罗回家罗"
	)
	for _, q := range []struct {
		o             Options
		a, b          string
		shared, union int
	}{
		{Options{Tokens: Rune, MinWidth: 2}, a, b, 14, 17},
		{Options{Tokens: Rune, MinWidth: 2}, a, c, 3, 33},
		{Options{Tokens: Rune, MinWidth: 3}, a, b, 14, 20},
		{Options{Tokens: Rune, MinWidth: 3}, a, c, 1, 38},
		{Options{Tokens: Rune, MinWidth: 4}, a, b, 13, 22},
		{Options{Tokens: Rune, MinWidth: 4}, a, c, 0, 40},
		{Options{Tokens: Byte, MinWidth: 4}, a, b, 13, 22},
		{Options{Tokens: Overlap}, a, a, 15, 15}, // the distinct bigrams of the .NET analyser
		{Options{}, a, b, 5, 6},
		{Options{MinWidth: 2}, a, b, 3, 7},
		{Options{MinWidth: 3}, a, b, 2, 6},
		{Options{MinWidth: 1, MaxWidth: 2}, a, b, 5 + 3, 6 + 7},
		{Options{Tokens: Rune}, ma, mb, 8, 12},
		{Options{Tokens: Rune, MinWidth: 2}, ma, mb, 9, 17},
		{Options{Tokens: Rune, MinWidth: 3}, ma, mb, 8, 20},
	} {
		t.Run(fmt.Sprintf("%v/%d-%d", q.o.Tokens, q.o.MinWidth, q.o.MaxWidth), func(t *testing.T) {
			x, y := distinct(t, q.o, q.a), distinct(t, q.o, q.b)
			shared := 0
			for h := range x {
				if y[h] > 0 {
					shared++
				}
			}
			if union := len(x) + len(y) - shared; shared != q.shared || union != q.union {
				t.Errorf("%q and %q share %d of %d, want %d of %d", q.a, q.b, shared, union, q.shared, q.union)
			}
		})
	}
}

// The text of the tests of 1e0ng/simhash with the fingerprint that it gives there:
// letters and digits only, four-rune windows, MD5, a bit is 1 where more than
// half of the windows have it.
func TestWindowsOf1e0ng(t *testing.T) {
	set := distinct(t, Options{Tokens: Rune, MinWidth: 4, Hash: MD5, Fold: Fold{DropPunct: true, Space: DropSpace}},
		"How are you? I AM fine. Thanks. And you?")
	var got uint64
	for b := range 64 {
		balance := 0
		for h, n := range set {
			if h>>b&1 == 1 {
				balance += n
			} else {
				balance -= n
			}
		}
		if balance > 0 {
			got |= 1 << b
		}
	}
	if want := uint64(13831624873712969754); got != want {
		t.Errorf("fingerprint %d, want %d", got, want)
	}
}
