package clean

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMask(t *testing.T) {
	for _, c := range []struct {
		mask     Mask
		in, want string
	}{
		{All, "", ""},
		{0, "12:30 on 2024-03-05, see https://a.cn/b", "12:30 on 2024-03-05, see https://a.cn/b"},
		{Number, "worker12 took 1,234.50 ms, 3.", "worker0 took 0 ms, 0."},
		{Number, "１２３人，共4,5组", "0人，共0组"},
		{Number, "v1.2.3..4 and 10.0.0.1:8080", "v0..0 and 0:0"},
		{Number, "id 123e4567-e89b-12d3-a456-426614174000 at 0xdeadBEEF sum 9f86d081884c", "id 0 at 0 sum 0"},
		{Number, "deadbeef 0x decade 12345678", "deadbeef 0x decade 0"},
		{Number, "第一百二十三条", "第一百二十三条"},
		{URL, "see https://example.org/a?b=1#c. And www.example.org, HTTP://X/", "see url. And url, url"},
		{URL, "见https://a.cn/b。（ftp://c.cn）", "见url。（url）"},
		{URL, "awww.x http:// www. https://.", "awww.x http:// www. https://."},
		{Time, "2024-03-05T12:33:01.123Z INFO start", "00 INFO start"},
		{Time, "127.0.0.1 - - [05/Mar/2024:12:33:01 +0000] 200", "127.0.0.1 - - [00] 200"},
		{Time, "Mar  5 12:33:01 host sshd[812]: ok", "00 host sshd[812]: ok"},
		{Time, "Tue Mar 5 12:33:01 2024", "00"},
		{Time, "on Tuesday, 5th of March, 2024 at 9:30 a.m. we met", "on 00 we met"},
		{Time, "March 2024, 5/3/2024, 5 May", "00, 00, 00"},
		{Time, "market 5, 12 marks, 1234:56, 3年, 12:5, Monday", "market 5, 12 marks, 1234:56, 3年, 12:5, Monday"},
		{Time, "发布于2024年3月5日（星期二）上午9时30分，更新", "发布于00，更新"},
		{Time, "二〇二四年三月五日，２０２４年３月５日１２：３０", "00，00"},
		{Time, "2024年度，24年3月，三月五日下午三点半，一点建议", "00度，00，00，一点建议"},
		{Time, "2024년 3월 5일 보도", "00 보도"},
		{Time | Number, "12024-03-05 2024-03-05 7", "0-0-0 00 0"},
		{All, "2024-03-05 GET https://a.cn/2024/03/05?id=7 in 12ms", "00 GET url in 0ms"},
		{All, "\xff1\xe4\xb8", "\xff0\xe4\xb8"},
	} {
		if got := c.mask.Apply(c.in); got != c.want {
			t.Errorf("%v of %q: %q, want %q", c.mask, c.in, got, c.want)
		}
	}
}

var (
	naiveURL  = regexp.MustCompile(`^(?:(?i:(?:https?|ftps?|wss?|file)://|www\.)[-A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%]*[-A-Za-z0-9_~/#@$&*+=%])`)
	naiveTime = func() *regexp.Regexp {
		var forms []string
		for _, f := range timeForms {
			forms = append(forms, expand(f.form))
		}
		return regexp.MustCompile("^(?:" + strings.Join(forms, "|") + ")")
	}()
	naiveWord   = regexp.MustCompile(`^[0-9A-Za-z]`)
	naiveUUID   = regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)
	naiveHex    = regexp.MustCompile(`^(?:0[xX][0-9a-fA-F]+|[0-9a-fA-F]{8,})`)
	naiveMixed  = regexp.MustCompile(`[0-9].*[a-zA-Z]|[a-zA-Z].*[0-9]`)
	naiveNumber = regexp.MustCompile(`^\p{Nd}+(?:[.,]\p{Nd}+)*`)
	naiveDigit  = regexp.MustCompile(`^\p{Nd}`)
)

// naiveMask tries every kind at every place.
func naiveMask(m Mask, text string) string {
	var out strings.Builder
	before := "" // the character before, as it was
	for text != "" {
		_, size := utf8.DecodeRuneInString(text)
		free := !(naiveWord.MatchString(before) && naiveWord.MatchString(text))
		digits := naiveDigit.MatchString(text)
		match := func(kind Mask, p *regexp.Regexp, condition bool) int {
			s := p.FindString(text)
			if m&kind == 0 || !condition {
				return 0
			}
			return len(s)
		}
		n, token := match(URL, naiveURL, free), urlToken
		if n == 0 {
			n, token = match(Time, naiveTime, (free || digits) && !(digits && naiveDigit.MatchString(before))), timeToken
			if r, _ := utf8.DecodeLastRuneInString(text[:n]); n > 0 && naiveDigit.MatchString(string(r)) && naiveDigit.MatchString(text[n:]) {
				n = 0
			}
		}
		for _, p := range []*regexp.Regexp{naiveUUID, naiveHex} {
			if n == 0 {
				n, token = match(Number, p, free), numberToken
				mixed := naiveMixed.MatchString(text[:n]) || p == naiveUUID
				if naiveWord.MatchString(text[n:]) || !mixed {
					n = 0
				}
			}
		}
		if n == 0 {
			n, token = match(Number, naiveNumber, digits), numberToken
		}
		if n == 0 {
			n, token = size, text[:size]
		}
		out.WriteString(token)
		_, last := utf8.DecodeLastRuneInString(text[:n])
		before = text[n-last : n]
		text = text[n:]
	}
	return out.String()
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{
		"Tue, 5th of March, 2024 at 9:30 a.m. 1,2.3 0xff 123e4567-e89b-12d3-a456-426614174000 www.a.b/c.",
		"二〇二四年三月五日（星期二）上午9时30分 ２０２４年３月５日 2024년 3월 5일 三点半",
		"05/Mar/2024:12:33:01 +0000 2024-03-05T12:33:01.5Z 1/2/03 12:30ambit",
		"a1b2c3d4e5 x12:30 12.30 9f86d081g https://a https://.", "\xff1\xe4\xb8\xe4\xba\x94",
	} {
		f.Add(s, uint8(7))
		f.Add(s, uint8(3))
		f.Add(s, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, mask uint8) {
		if len(text) > 200 {
			t.Skip()
		}
		m := Mask(mask) & All
		got, want := m.Apply(text), naiveMask(m, text)
		if got != want {
			t.Fatalf("%v of %q: %q, naive %q", m, text, got, want)
		}
		if m&Number != 0 {
			for _, token := range []string{timeToken, numberToken} {
				got = strings.ReplaceAll(got, token, "")
			}
			if strings.ContainsAny(got, "0123456789") {
				t.Fatalf("%v of %q leaves digits: %q", m, text, got)
			}
		}
	})
}

func TestParseMask(t *testing.T) {
	for m := range All + 1 {
		got, err := ParseMask(m.String())
		if err != nil || got != m {
			t.Errorf("%q: %v, %v", m, got, err)
		}
	}
	if m, err := ParseMask("url,time"); err != nil || m != Time|URL {
		t.Errorf("%v, %v", m, err)
	}
	for _, s := range []string{"times", ",", "time,", "Time", "time number"} {
		if _, err := ParseMask(s); err == nil {
			t.Errorf("%q: no error", s)
		}
	}
}
