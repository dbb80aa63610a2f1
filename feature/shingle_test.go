package feature

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestShingleOrder(t *testing.T) {
	x := extractor(t, Options{MinWidth: 1, MaxWidth: 3})
	tok := extractor(t, Options{}).AppendHashes(nil, "a b c d")
	var want []uint64
	for end := 1; end <= 4; end++ {
		for w := 1; w <= min(3, end); w++ {
			want = append(want, shingleHash(tok[end-w:end]))
		}
	}
	if got := x.AppendHashes(nil, "a b c d"); !slices.Equal(got, want) {
		t.Errorf("features %x, want %x", got, want)
	}
	// Boundaries and order of tokens, and the width, tell shingles apart.
	y := extractor(t, Options{MinWidth: 2})
	seen := make(map[uint64]string)
	for _, text := range []string{"ab c", "a bc", "c ab", "bc a", "ab", "abc", "a a", "a"} {
		h := y.AppendHashes(nil, text)
		if len(h) != 1 {
			t.Fatalf("%q has %d features, want 1", text, len(h))
		}
		if seen[h[0]] != "" {
			t.Errorf("%q and %q have the same feature", text, seen[h[0]])
		}
		seen[h[0]] = text
	}
}

// Blocks of any size of text and width against hashing each window by itself.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	folds := allFolds()
	for i := range 60 * rounds {
		n := rng.IntN(100)
		if i%30 == 0 {
			n = 20000
		}
		text := randomText(rng, n)
		if i%60 == 0 {
			text = strings.NewReplacer(" ", "", "\n", "", "\x00", "").Replace(text)
		}
		o := Options{Fold: folds[rng.IntN(len(folds))], Tokens: []Tokens{Rune, Byte, Overlap}[rng.IntN(3)],
			MinWidth: 1 + rng.IntN(5), Seed: rng.Uint64N(2), Hash: Hash(rng.IntN(6))}
		o.MaxWidth = o.MinWidth + rng.IntN(3)
		folded := naiveFold(o.Fold, text)
		var units []string
		if o.Tokens == Byte {
			for i := range len(folded) {
				units = append(units, folded[i:i+1])
			}
		} else {
			units = strings.Split(folded, "")
		}
		hash := func(s string) uint64 { return max(1, o.Hash.Sum([]byte(s), o.Seed)) }
		var want []uint64
		for end := 1; end <= len(units); end++ {
			for w := o.MinWidth; w <= min(o.MaxWidth, end); w++ {
				want = append(want, hash(strings.Join(units[end-w:end], "")))
			}
		}
		if 0 < len(units) && len(units) < o.MinWidth {
			want = []uint64{hash(folded)}
		}
		x := extractor(t, o)
		if got := x.AppendHashes(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%s: %d features of %d bytes, want %d, or others", x, len(got), len(text), len(want))
		}
	}
}

// Word shingles against tokens from the naive cut.
func TestWordShingles(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for i := range 60 * rounds {
		n := rng.IntN(100)
		if i%20 == 0 {
			n = 20000
		}
		text := randomText(rng, n)
		o := Options{MinWidth: 1 + rng.IntN(5), Seed: rng.Uint64N(2), Hash: Hash(rng.IntN(6))}
		o.MaxWidth = o.MinWidth + rng.IntN(3)
		if rng.IntN(2) == 0 {
			o.Tokens = Single
		}
		x := extractor(t, o)
		var tokens, want []uint64
		for _, w := range naiveWords(naiveFold(o.Fold, text), o.Tokens == Single) {
			tokens = append(tokens, max(1, o.Hash.Sum([]byte(w), o.Seed)))
		}
		for end := 1; end <= len(tokens); end++ {
			for w := o.MinWidth; w <= min(o.MaxWidth, end); w++ {
				want = append(want, shingleHash(tokens[end-w:end]))
			}
		}
		if 0 < len(tokens) && len(tokens) < o.MinWidth {
			want = []uint64{shingleHash(tokens)}
		}
		if got := x.AppendHashes(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%s: %d features of %d tokens, want %d, or others", x, len(got), len(tokens), len(want))
		}
		for _, h := range want {
			if h == 0 {
				t.Fatal("a hash is 0")
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	x := extractor(t, Options{})
	calls, total := 0, 0
	x.Blocks(strings.Repeat("so ", 5000), func(h []uint64) {
		calls++
		total += len(h)
		if len(h) == 0 || len(h) > BlockLen {
			t.Errorf("a block of %d", len(h))
		}
	})
	if total != 5000 || calls != 5 {
		t.Errorf("%d features in %d blocks, want 5000 in 5", total, calls)
	}
	x.Blocks(" ?! ", func([]uint64) { t.Error("a block of a text without tokens") })
}

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("pools lose what they hold under the race detector")
	}
	text := strings.Repeat("The quick brown fox, 我爱北京天安门。 “naïve” Ünïcode don't ", 200)
	for _, o := range []Options{{}, {MinWidth: 3}, {MinWidth: 1, MaxWidth: 2}, {Tokens: Rune, MinWidth: 2}, {Tokens: Byte, MinWidth: 5},
		{Stop: []string{"en"}, Stem: "en"}, {Fold: Fold{DropPunct: true}}, {Fold: Fold{Han: Traditional}}, {Hash: Murmur3}, {Hash: MD5}, {Seed: 3}} {
		x := extractor(t, o)
		n := 0
		if got := testing.AllocsPerRun(20, func() { x.Blocks(text, func(h []uint64) { n += len(h) }) }); got >= 1 {
			t.Errorf("%s: %v allocations a call, want none", x, got)
		}
	}
	dst := make([]Feature, 0, 1<<15)
	for w := TF; w < TableIDF; w++ {
		x := extractor(t, Options{Weights: w})
		if got := testing.AllocsPerRun(20, func() { dst = x.Append(dst[:0], text) }); got >= 1 {
			t.Errorf("%s: %v allocations a call, want none", x, got)
		}
	}
}
