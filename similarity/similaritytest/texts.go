package similaritytest

import (
	"math/rand/v2"
	"strings"
)

// Text is one test text with the name of its kind.
type Text struct{ Name, Text string }

// Texts returns texts of every kind that the laws are checked on: none, tiny,
// degenerate, damaged, near-duplicates, Chinese, mixed, long. The same on every call.
func Texts() []Text {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	return []Text{
		{"none", ""},
		{"spaces", " \t\r\n  "},
		{"nul", strings.Repeat("\x00", 100)},
		{"invalid", "\xff\xfe\xfd"},
		{"one-byte", "a"},
		{"one-rune", "你"},
		{"punctuation", "?!... -- ;"},
		{"repeated-letter", strings.Repeat("a", 5000)},
		{"repeated-word", strings.Repeat("so ", 2000)},
		{"repeated-han", strings.Repeat("好", 3000)},
		{"cat-the", "the cat sat on the mat"},
		{"cat-a", "The cat sat on a mat."},
		{"scream", "we all scream for ice cream"},
		{"han-call", "你妈妈喊你回家吃饭哦,回家罗回家罗"},
		{"han-shout", "你妈妈叫你回家吃饭啦,回家罗回家罗"},
		{"mixed", "我用 iPhone 15 在 GitHub 上看 README.md，价格￥5,999 元！ça va? ﬁne ＡＢＣ"},
		{"thai-kana", "ภาษาไทย 東京へ行きます カタカナ ﾊﾝｶｸ"},
		{"marks", "e\u0301 ȩ̂ Ångström \u0301\u0302 ZWJ 👩‍👩‍👧 ﷺ"},
		{"damaged", "good text \xff\xfe with \xc3( broken bytes\x00 and a NUL 好\xe5\xa5"},
		{"noise", string(noise)},
		{"long", Prose(rng, 3000, 0)},
		{"long-edited", Prose(rand.New(rand.NewPCG(3, 4)), 3000, 0.05)},
		{"long-han", han(rng, 4000)},
		{"no-spaces", strings.Repeat("abcdefghij", 700)},
	}
}

// Prose returns n words of English-like text with Zipf frequencies; a share of
// edit of the words is replaced. Two calls with other generators and the same
// small edit rate give near-duplicates, since the base text is fixed.
func Prose(rng *rand.Rand, n int, edit float64) string {
	base := rand.New(rand.NewPCG(11, 12))
	zipf := rand.NewZipf(base, 1.1, 3, 20000)
	var b strings.Builder
	for i := range n {
		w := zipf.Uint64()
		if rng.Float64() < edit {
			w = 20001 + rng.Uint64N(1000)
		}
		if i > 0 {
			if i%17 == 0 {
				b.WriteString(". ")
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(word(w))
	}
	return b.String()
}

// word spells a number in syllables, so that different numbers give different words.
func word(n uint64) string {
	const c, v = "bcdfghjklmnprstvwz", "aeiou"
	var b []byte
	for {
		b = append(b, c[n%18], v[n/18%5])
		n /= 90
		if n == 0 {
			return string(b)
		}
	}
}

func han(rng *rand.Rand, n int) string {
	zipf := rand.NewZipf(rng, 1.1, 5, 5000)
	var b strings.Builder
	for i := range n {
		b.WriteRune(rune(0x4e00 + zipf.Uint64()))
		if i%23 == 22 {
			b.WriteString("，")
		}
	}
	return b.String()
}
