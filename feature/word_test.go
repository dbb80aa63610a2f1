package feature

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// naiveWords cuts folded text as the documentation of Word reads, or that of Single.
func naiveWords(folded string, single bool) []string {
	var out []string
	for _, stretch := range strings.FieldsFunc(folded, func(r rune) bool { return r == ' ' }) {
		for stretch != "" {
			var units []string
			rest := stretch
			for rest != "" {
				r, size := utf8.DecodeRuneInString(rest)
				if !Unspaced(r) {
					break
				}
				for size < len(rest) {
					m, n := utf8.DecodeRuneInString(rest[size:])
					if !unicode.Is(unicode.M, m) || size+n > maxToken {
						break
					}
					size += n
				}
				units = append(units, rest[:size])
				rest = rest[size:]
			}
			if len(units) == 1 || single {
				out = append(out, units...)
			}
			for i := 1; i < len(units) && !single; i++ {
				out = append(out, units[i-1]+units[i])
			}
			end := strings.IndexFunc(rest, Unspaced)
			if end < 0 {
				end = len(rest)
			}
			stretch = rest[end:]
			for rest = rest[:end]; rest != ""; {
				head := rest
				if len(head) > maxToken {
					n := maxToken
					for !utf8.RuneStart(head[n]) {
						n--
					}
					head = head[:n]
				}
				it := words.FromString(head)
				it.Next()
				if strings.ContainsFunc(it.Value(), func(r rune) bool {
					return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r)
				}) {
					out = append(out, it.Value())
				}
				rest = rest[len(it.Value()):]
			}
		}
	}
	return out
}

// tokensOf returns the tokens that the streaming path cuts.
func tokensOf(t *testing.T, o Options, text string) []string {
	t.Helper()
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	s := newScratch()
	defer s.free()
	x.words(s, text, func(spans []span) {
		for _, sp := range spans {
			out = append(out, string(s.buf[sp.Start:sp.End]))
		}
	})
	return out
}

func checkWords(t *testing.T, f Fold, text string) {
	t.Helper()
	for _, tokens := range []Tokens{Word, Single} {
		checkTokens(t, tokens, f, text)
	}
}

func checkTokens(t *testing.T, tokens Tokens, f Fold, text string) {
	t.Helper()
	want := naiveWords(naiveFold(f, text), tokens == Single)
	got := tokensOf(t, Options{Fold: f, Tokens: tokens}, text)
	if !slices.Equal(got, want) {
		k := 0
		for k < min(len(got), len(want)) && got[k] == want[k] {
			k++
		}
		show := text
		if len(show) > 300 {
			show = show[:300] + "..."
		}
		t.Errorf("{%s} %+q: %d tokens, want %d; from %d on %+q, want %+q", f, show, len(got), len(want), k,
			got[max(0, k-2):min(len(got), k+4)], want[max(0, k-2):min(len(want), k+4)])
	}
}

func TestWords(t *testing.T) {
	for _, q := range []struct {
		text string
		want string // tokens joined by |
	}{
		{"", ""},
		{"  \t\n", ""},
		{"The cat's 3.14 U.S.A. e-mail", "the|cat's|3.14|u.s.a|e|mail"},
		{"1,000 a,b x_y __ _ a.1 1.a 3;4", "1,000|a|b|x_y|a|1|1|a|3;4"},
		{"don't 'quoted' it''s", "don't|quoted|it|s"},
		{"我爱北京", "我爱|爱北|北京"},
		{"我 爱", "我|爱"},
		{"用iPhone手机", "用|iphone|手机"},
		{"东京へ行きます", "东京|京へ|へ行|行き|きま|ます"},
		{"ｶﾀｶﾅー", "カタ|タカ|カナ|ナー"},
		{"々〆〇", "々〆|〆〇"},
		{"ไปกิน", "ไป|ปกิ|กิน"},
		{"３００元，五折", "300|元|五折"},
		{"I ❤️ NY 👩‍👩‍👧", "i|❤️|ny|👩‍👩‍👧"},
		{"\xff\xfe好\xe5", "好"},
		{"naïve café", "naïve|café"},
		{"“It’s—well—1’2…”, he said.\u00a0‘So’", "it’s|well|1’2|he|said|so"},
		{"안녕하세요 세계", "안녕하세요|세계"},
		{"1️⃣ + − ≠ €", "1️⃣"},
	} {
		if got := strings.Join(tokensOf(t, Options{}, q.text), "|"); got != q.want {
			t.Errorf("%q gives %s, want %s", q.text, got, q.want)
		}
	}
}

func TestWordsAgainstNaive(t *testing.T) {
	folds := allFolds()
	for _, f := range folds {
		for _, text := range odd {
			checkWords(t, f, text)
		}
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range 800 * rounds {
		checkWords(t, folds[rng.IntN(len(folds))], randomText(rng, 1+rng.IntN(80)))
	}
}

// ASCII texts around the length of a machine word and a block of the fast path.
func TestWordsASCII(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const letters = "aaabBcZz019  ..,,''::;;__--\n\x00\x7f\"$`^"
	for range 4000 * rounds {
		b := make([]byte, rng.IntN(200))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		if len(b) > 0 && rng.IntN(4) == 0 {
			copy(b[rng.IntN(len(b)):], alphabet[rng.IntN(len(alphabet))])
		}
		f := Fold{}
		switch rng.IntN(6) {
		case 0:
			f.DropPunct = true
		case 1:
			f.KeepCase = true
		case 2:
			f.Space = KeepSpace
		}
		checkWords(t, f, string(b))
	}
	for n := range 256 {
		checkWords(t, Fold{}, "a"+string([]byte{byte(n)})+"b 1"+string([]byte{byte(n)})+"2")
	}
	for n := maxToken - 80; n < maxToken+80; n++ {
		a := strings.Repeat("a", n)
		for _, tail := range []string{"", " b", ".b", ".", "'b c", "é b", ".é", "_"} {
			checkWords(t, Fold{}, "x "+a+tail)
		}
	}
}

// What the fast way takes beside ASCII, punctuation and ideographs, among what it must not.
func TestWordsFast(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	taken := []string{"’", "’", "‘", "“", "”", "–", "—", "•", "…", "\u00a0",
		"，", "。", "、", "：", "；", "（", "）", "《", "？", "　", "好", "我爱", "汉字字", strings.Repeat("长", 30)}
	letters := []string{"é", "É", "ä", "ß", "я", "Я", "Й", "ё", "İ", "ŉ", "ǰ", "ﬁ", "가", "ა", "Ꭰ", "ꭰ", "ع", "د", "σ", "Σ", "ς", "ᾳ", "Ⱥ", "ⱥ", "x́"}
	plain := []string{"a", "b", "don", "T", "1", "2", "_", "'", ".", ",", " ", " ", "\n", strings.Repeat("long", 20)}
	left := []string{"e\u0301", "\u0301", "\u200d", "\u0338", "©", "好", "א", "·", "\xe2\x80", "\xff", "\u2024", "か", "ー", "㐀", "１", "．", "〇", "\ufe00", "\U000e0100", "한", "〆"}
	folds := allFolds()
	for i := range 1500 * rounds {
		var b strings.Builder
		for range rng.IntN(120) {
			from := plain
			switch k := rng.IntN(60); {
			case k < 20:
				from = taken
			case k < 30:
				from = letters
			case k >= 60-i%3:
				from = left
			}
			b.WriteString(from[rng.IntN(len(from))])
		}
		f := Fold{}
		if i%2 == 0 {
			f = folds[rng.IntN(len(folds))]
		}
		checkWords(t, f, b.String())
	}
	// As many words as several batches hold, all with quotation marks.
	checkWords(t, Fold{}, strings.Repeat("don’t “do” ", 2000))
	checkWords(t, Fold{}, strings.Repeat("’tis‘n’t’", 2000))
	checkWords(t, Fold{}, strings.Repeat("a’", 2000))
	checkWords(t, Fold{}, strings.Repeat("长文，“字”", 2000))
}

// Texts of several pieces.
func TestWordsLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for i := range 6 * rounds {
		text := randomText(rng, 30000)
		if i%2 == 0 {
			text = strings.NewReplacer(" ", "", "\n", "", "\x00", "").Replace(text)
		}
		f := Fold{DropPunct: i%5 == 4, DropMarks: i%7 == 6}
		if i%3 == 2 {
			f.Space = DropSpace
		}
		checkWords(t, f, text)
	}
	for _, unit := range []string{"a", "好", "好\u0301", "ไ\u0e34", "a.", "1,", "é", "\u0301", "\u200d", "\U0001f469\u200d", "🇩", "я", "好 ", "好a"} {
		for _, tail := range []string{"", "x", "好"} {
			checkWords(t, Fold{}, strings.Repeat(unit, 5*pieceLen/4/len(unit)+1)+tail)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, text := range odd {
		f.Add(text, uint8(0))
	}
	folds := allFolds()
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		if len(text) > 4000 {
			t.Skip()
		}
		checkWords(t, folds[int(n)%len(folds)], text)
	})
}
