package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mask is a set of kinds of things that are replaced, each by one token. Where several
// could begin at one place, an address goes before a time and a time before a number.
// A kind is recognised by its form alone: verse 3:16 is a time of day.
type Mask int

// The kinds of things.
const (
	// Time is a date, a time of day, or both in a row, in digits of any script (full-width ones
	// too) or with English or Chinese names:
	//
	//	2024-03-05  5/3/2024  05/Mar/2024:12:33:01 +0000  Mar  5 12:33:01  Tuesday, 5th of March, 2024
	//	2024-03-05T12:33:01.123Z  9:30 a.m.  2024年3月5日  二〇二四年三月五日星期二 上午9时30分  2024년 3월 5일
	//
	// A month alone, a weekday alone in English, and spans of time (3年, two
	// days) are none.
	Time Mask = 1 << iota

	// Number is a run of digits of any script, with single points or commas between digits;
	// also what stands apart as a UUID, 0x and hexadecimal digits, or a word of eight or more
	// hexadecimal digits of which one is 0 to 9 and one is not. Digits within a word
	// count. Numbers in Chinese characters do not: they are part of too many words.
	Number

	// URL is an address that begins with http, https, ftp, ftps, ws, wss or file and "://", or
	// with "www.", up to the first character that may not stand in one as ASCII, without
	// punctuation at its end.
	URL

	All = Time | Number | URL
)

// The tokens that stand for what is masked. Each is one word to any segmenter, and
// short, so that methods that work on characters see little of it.
const (
	timeToken   = "00"
	numberToken = "0"
	urlToken    = "url"
)

var maskNames = []struct {
	name string
	mask Mask
}{{"time", Time}, {"number", Number}, {"url", URL}}

// ParseMask reads kinds with commas between them: "time,number,url". The empty text
// is the empty set.
func ParseMask(s string) (Mask, error) {
	var m Mask
next:
	for name := range strings.SplitSeq(s, ",") {
		if s == "" {
			break
		}
		for _, k := range maskNames {
			if name == k.name {
				m |= k.mask
				continue next
			}
		}
		return 0, fmt.Errorf("clean: mask %q, want time, number or url", name)
	}
	return m, nil
}

// String returns what ParseMask reads.
func (m Mask) String() string {
	var names []string
	for _, k := range maskNames {
		if m&k.mask != 0 {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, ",")
}

// Apply returns the text with the kinds of things in m replaced by their tokens. It is
// the text itself if there are none. Bytes that are no UTF-8 stay as they are.
func (m Mask) Apply(text string) string {
	var out strings.Builder
	done := 0 // what is written already
	for i := 0; i < len(text) && m != 0; {
		if kinds[text[i]] == 0 {
			i++
			continue
		}
		n, token, skip := m.at(text, i)
		if n == 0 {
			i += skip
			continue
		}
		out.WriteString(text[done:i])
		out.WriteString(token)
		i += n
		done = i
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// at returns the length of what is masked at a place and its token. If it is none, skip is
// how far on the next may begin: none does within digits, or letters.
func (m Mask) at(text string, i int) (n int, token string, skip int) {
	skip = 1
	k := kinds[text[i]]
	isDigit := k&digit != 0
	switch {
	case k&beyond != 0:
		var r rune
		r, skip = utf8.DecodeRuneInString(text[i:])
		// Tables of digits are not asked about most Chinese characters.
		isDigit = (r < '㐀' || r > '鿿') && unicode.IsDigit(r)
		if !isDigit && !hanTime(r) {
			return 0, "", skip
		}
	case !isDigit && i > 0 && kinds[text[i-1]]&(digit|letter) != 0:
		return 0, "", skip // within a word
	}
	if m&URL != 0 && k&urlStart != 0 {
		if n := urlAt(text[i:]); n > 0 {
			return n, urlToken, 0
		}
	}
	if m&Time != 0 && k&(timeStart|beyond) != 0 {
		if n := timeAt(text, i); n > 0 {
			return n, timeToken, 0
		}
	}
	if m&Number != 0 && (isDigit || k&hex != 0) {
		if n := numberAt(text, i); n > 0 {
			return n, numberToken, 0
		}
	}
	switch {
	case isDigit:
		skip += digits(text[i+skip:])
	case k&letter != 0:
		for i+skip < len(text) && kinds[text[i+skip]]&letter != 0 {
			skip++
		}
	}
	return 0, "", skip
}

// kind is what may begin with a byte.
type kind uint8

const (
	digit kind = 1 << iota
	letter
	urlStart
	timeStart
	hex
	beyond // ASCII
)

var kinds = func() (k [256]kind) {
	for c := range 128 {
		lower := strings.ToLower(string(rune(c)))
		switch {
		case c >= '0' && c <= '9':
			k[c] = digit | timeStart | hex
		case lower >= "a" && lower <= "z":
			k[c] = letter
			if strings.Contains("hfw", lower) {
				k[c] |= urlStart
			}
			if strings.Contains("jfmasondtw", lower) { // months and weekdays
				k[c] |= timeStart
			}
			if lower <= "f" {
				k[c] |= hex
			}
		}
	}
	for c := 128; c < 256; c++ {
		k[c] = beyond
	}
	return k
}()

// digits returns how many bytes of digits a text begins with.
func digits(text string) int {
	for i, r := range text {
		if !unicode.IsDigit(r) {
			return i
		}
	}
	return len(text)
}
