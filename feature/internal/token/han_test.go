package token

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// naiveHanRun decodes rune by rune.
func naiveHanRun(text string) (n int) {
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if r < 0x4e00 || r > 0x9fff {
			break
		}
		n += size
	}
	return n
}

func checkHanRun(t *testing.T, text string) {
	t.Helper()
	want := naiveHanRun(text)
	if got := HanRun(text); got != want {
		t.Fatalf("run of %d bytes, want %d, at the start of %q", got, want, text)
	}
	if got := hanRunGo(text); got != want {
		t.Fatalf("run of %d bytes in Go, want %d, at the start of %q", got, want, text)
	}
}

// Runs of any length end in every kind of way, at the end of the text or before it.
func TestHanRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	ends := []string{"", "a", " ", "，", "。", "㐀", "\u4dff", "\ua000", "é", "한", "𠀀", "\xe4", "\xe4\xb8", "\xe5\xa5a", "\xe5a\xa5", "\x80", "\xff", "\xe4\xb7\xbf"}
	for n := range 80 {
		for _, end := range ends {
			for _, rest := range []string{"", "我", strings.Repeat("我", 30), strings.Repeat("a", 40)} {
				var b strings.Builder
				for range n {
					b.WriteRune(rune(0x4e00 + rng.IntN(0x5200)))
				}
				checkHanRun(t, b.String()+end+rest)
			}
		}
	}
	for r := rune(0x3000); r < 0xb000; r++ {
		checkHanRun(t, "我"+string(r)+strings.Repeat("我", 12))
	}
}

func FuzzHanRun(f *testing.F) {
	f.Add("我爱北京天安门天安门上太阳升我爱北京天安门天安门上太阳升，")
	f.Fuzz(func(t *testing.T, text string) {
		checkHanRun(t, text)
		checkHanRun(t, "一丁七"+text)
	})
}
