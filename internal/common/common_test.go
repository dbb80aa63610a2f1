package common

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestSharedPassages(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"the cat sat on the mat", "the cat lay on the mat", "[the cat] sat [on the mat]"},
		{"nothing at all", "quite another text", "nothing at all"},
		{"白日依山尽，黄河入海流", "白日依山尽，长江入海流", "[白日依山尽]，黄河[入海流]"},
		{"our food", "its food", "our [food]"},
		{"begin one", "begin two", "[begin] one"},
		{"same", "same", "[same]"},
		{"", "x", ""},
	} {
		parts, _ := Of(c.a, c.b, false)
		got := ""
		for _, p := range parts {
			if p.Mark {
				got += "[" + p.Text + "]"
			} else {
				got += p.Text
			}
		}
		if got != c.want {
			t.Errorf("%q beside %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func marked(parts []Part) (out string) {
	for _, p := range parts {
		if p.Mark {
			out += "[" + p.Text + "]"
		} else {
			out += p.Text
		}
	}
	return out
}

func TestDifferences(t *testing.T) {
	for _, c := range [][4]string{
		{"stuck in the canal", "stuck in canal, in the canal", "stuck in the canal", "stuck in [canal, in] the canal"},
		{"stuck in the canal since, in the canal", "stuck in canal since, in the canal", "stuck in [the] canal since, in the canal", "stuck in canal since, in the canal"},
		{"a b c d", "a x c d", "a [b] c d", "a [x] c d"},
		{"白日依山尽", "白日伏山尽", "白日[依]山尽", "白日[伏]山尽"},
		{"same", "same", "same", "same"},
		{"", "x", "", "[x]"},
	} {
		x, y := Of(c[0], c[1], true)
		if marked(x) != c[2] || marked(y) != c[3] {
			t.Errorf("%q and %q: %q and %q, want %q and %q", c[0], c[1], marked(x), marked(y), c[2], c[3])
		}
	}
}

// What is not marked is a common subsequence of words, and none is longer.
func TestDifferencesAreLeast(t *testing.T) {
	var longest func(a, b []string) int
	longest = func(a, b []string) int {
		switch {
		case len(a) == 0 || len(b) == 0:
			return 0
		case a[0] == b[0]:
			return 1 + longest(a[1:], b[1:])
		}
		return max(longest(a[1:], b), longest(a, b[1:]))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	text := func() (words []string) {
		for range rng.IntN(9) {
			words = append(words, string(rune('a'+rng.IntN(3))))
		}
		return words
	}
	kept := func(parts []Part) (out []string) {
		for _, p := range parts {
			if !p.Mark {
				out = append(out, strings.Fields(p.Text)...)
			}
		}
		return out
	}
	for range 2000 {
		a, b := text(), text()
		x, y := Of(strings.Join(a, " "), strings.Join(b, " "), true)
		if inA, inB := kept(x), kept(y); !slices.Equal(inA, inB) || len(inA) != longest(a, b) {
			t.Fatalf("%q and %q: %q and %q stay, want %d words of both", a, b, inA, inB, longest(a, b))
		}
	}
}

// Marking loses nothing of a text but what is not UTF-8.
func FuzzOf(f *testing.F) {
	f.Add("the cat sat on the mat", "the cat lay\xff on the mat", true)
	f.Add("白日依山尽", "白日", false)
	f.Fuzz(func(t *testing.T, a, b string, differ bool) {
		partsA, partsB := Of(a, b, differ)
		for text, parts := range map[string][]Part{a: partsA, b: partsB} {
			got := ""
			for _, p := range parts {
				got += p.Text
			}
			clean := func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\uFFFD", "") }
			if clean(got) != clean(text) {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}
