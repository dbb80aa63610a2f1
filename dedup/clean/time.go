package clean

import (
	"regexp"
	"strings"
)

// timeForms are what a date or a time of day may look like, the first that fits. Spaces
// are bounded, so that a look at a place costs no more than a line. In them
// D is a digit, and names in braces stand for timeParts.
var timeForms = []string{
	`D{4}[-/.]D{1,2}[-/.]D{1,2}{then}`,
	`D{1,2}[-/]{month}[-/](?:D{4}|D{2})(?::{clock}|{then})`,
	`D{1,2}(?:[-/.]D{1,2}[-/.]D{4}|[-/]D{1,2}[-/]D{2}){then}`,
	`{weekday}?{month} {1,2}(?:D{4}|{day}(?:,? {1,2}D{4})?)(?:{then} D{4}|{then})`,
	`{weekday}?{day} (?i:of )?{month}(?:,? D{4})?{then}`,
	`(?:{year}|{short}) ?[年년] ?{n} ?[月월](?: ?{n} ?[日号號일])?{week}?{hanthen}`,
	`{n} ?[月월] ?{n} ?[日号號일]{week}?{hanthen}`,
	`{year} ?[年년]`,
	`{part} ?(?:{n} ?[时時点點시]{minutes}?|{clock})`,
	`{n} ?[时時点點시]{minutes}`,
	`D{1,2} ?[时時]`,
	`{clock}`,
	`星期[一二三四五六日天]`,
}

var timeParts = []string{
	"{then}", `(?:(?:T| {1,2}|, ?| at ){clock})?`,
	"{hanthen}", `(?: ?(?:{part}? ?(?:{n} ?[时時点點시]{minutes}?|{clock})))?`,
	"{clock}", `D{1,2}[:：]D{2}(?:[:：]D{2}(?:[.,]D{1,9})?)?(?: ?[AaPp]\.?[Mm]\b\.?)?(?: ?(?:Z\b|UTC\b|GMT\b|[+-]D{2}:?D{2}))?`,
	"{month}", `(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?,?`,
	"{weekday}", `(?:(?i:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?i:day)?\.?,? )`,
	"{day}", `D{1,2}(?i:st|nd|rd|th)?`,
	"{week}", `(?:[ ,，]?[(（]?(?:星期|礼拜|禮拜|周|週)[一二三四五六日天][)）]?)`,
	"{part}", `(?:上午|下午|晚上|凌晨|中午|早上|傍晚)`,
	"{minutes}", `(?: ?(?:{n} ?[分분](?: ?{n} ?[秒초])?|半|整))`,
	"{year}", `(?:D{4}|[〇○零一二三四五六七八九]{4})`,
	"{short}", `(?:D{2}|[〇○零一二三四五六七八九]{2})`,
	"{n}", `(?:D{1,2}|[〇零一二三四五六七八九十廿卅]{1,3})`,
	"D", `\p{Nd}`,
}

var timePattern = regexp.MustCompile("^(?:" + expand(strings.Join(timeForms, "|")) + ")")

// expand replaces the names of timeParts. A part names only those behind it.
func expand(form string) string {
	for i := 0; i < len(timeParts); i += 2 {
		form = strings.ReplaceAll(form, timeParts[i], timeParts[i+1])
	}
	return form
}

// longestTime bounds what a time can take in bytes.
const longestTime = 256

// timeAt returns the length of the time at a place, or 0. It does not end within digits.
// What stands before it is no digit, if it begins with one.
func timeAt(text string, at int) int {
	rest := text[at:]
	if !mayBeTime(rest) {
		return 0
	}
	m := timePattern.FindStringIndex(rest[:min(len(rest), longestTime)])
	if m == nil || digitBefore(rest, m[1]) && digitAt(rest, m[1]) {
		return 0
	}
	return m[1]
}

// mayBeTime spares most texts the pattern.
func mayBeTime(text string) bool {
	c := text[0]
	switch {
	case c >= 0x80:
		return true
	case kinds[c]&digit == 0:
		if len(text) < 5 { // May 1
			return false
		}
		// Those letters that the names of months and weekdays begin with.
		return strings.Contains("jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun", strings.ToLower(text[:3]))
	}
	n := wordDigits(text)
	if n > 4 || n+1 >= len(text) {
		return false
	}
	next := text[n+1]
	switch d := text[n]; {
	case d == '-' || d == '/' || d == '.' || d == ':':
		return next >= 0x80 || kinds[next]&(digit|timeStart) != 0
	case d == ' ':
		return next >= 0x80 || kinds[next]&timeStart != 0 && kinds[next]&digit == 0
	default:
		return d >= 0x80 || strings.IndexByte("snrtSNRT", d) >= 0
	}
}

// wordDigits returns how many ASCII digits a text begins with.
func wordDigits(text string) int {
	n := 0
	for n < len(text) && kinds[text[n]]&digit != 0 {
		n++
	}
	return n
}

// hanTime reports whether a time may begin with a character that is no digit.
func hanTime(r rune) bool {
	switch r {
	case '〇', '○', '零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '廿', '卅', '上', '下', '晚', '凌', '中', '早', '傍', '星':
		return true
	}
	return false
}
