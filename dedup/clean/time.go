package clean

import (
	"regexp"
	"strings"
)

// timeForms are what a date or a time of day may look like; the first that fits counts.
// Each has the kinds of text that it may fit, as timeKindOf tells them, so that few are tried at
// one place. Spaces are bounded, so that a look costs no more than a line. In a
// form D is a digit, and names in braces stand for timeParts.
var timeForms = []struct {
	kinds timeKind
	form  string
}{
	{dashed | wide, `D{4}[-/.]D{1,2}[-/.]D{1,2}{then}`},
	{dashed | wide, `D{1,2}[-/]{month}[-/](?:D{4}|D{2})(?::{clock}|{then})`},
	{dashed | wide, `D{1,2}(?:[-/.]D{1,2}[-/.]D{4}|[-/]D{1,2}[-/]D{2}){then}`},
	{named, `{weekday}?{month} {1,2}(?:D{4}|{day}(?:,? {1,2}D{4})?)(?:{then} D{4}|{then})`},
	{named | spaced | wide, `{weekday}?{day} (?i:of )?{month}(?:,? D{4})?{then}`},
	{wide, `(?:{year}|{short}) ?[年년] ?{n} ?[月월](?: ?{n} ?[日号號일])?{week}?{hanthen}`},
	{wide, `{n} ?[月월] ?{n} ?[日号號일]{week}?{hanthen}`},
	{wide, `{year} ?[年년]`},
	{wide, `{part} ?(?:{n} ?[时時点點시]{minutes}?|{clock})`},
	{wide, `{n} ?[时時点點시]{minutes}`},
	{wide, `D{1,2} ?[时時]`},
	{timed | wide, `{clock}`},
	{wide, `星期[一二三四五六日天]`},
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

// timeKind is a set of kinds of text, by what a time in it may begin with.
type timeKind uint8

const (
	dashed timeKind = 1 << iota // ASCII digits and one of -/.
	timed                       // ASCII digits and a colon
	spaced                      // ASCII digits and a space or a letter
	named                       // the name of a month or weekday
	wide                        // all else
)

var timePatterns = func() map[timeKind]*regexp.Regexp {
	out := make(map[timeKind]*regexp.Regexp)
	for _, k := range []timeKind{dashed, timed, spaced, named, wide} {
		var forms []string
		for _, f := range timeForms {
			if f.kinds&k != 0 {
				forms = append(forms, expand(f.form))
			}
		}
		out[k] = regexp.MustCompile("^(?:" + strings.Join(forms, "|") + ")")
	}
	return out
}()

// expand replaces the names of timeParts. A part names only those behind it.
func expand(form string) string {
	for i := 0; i < len(timeParts); i += 2 {
		form = strings.ReplaceAll(form, timeParts[i], timeParts[i+1])
	}
	return form
}

// longestTime bounds what a time can take in bytes.
const longestTime = 160

// timeAt returns the length of the time at a place, or 0. It does not end within digits.
// What stands before it is no digit, if it begins with one.
func timeAt(text string, at int) int {
	rest := text[at:]
	k := timeKindOf(rest)
	if k == 0 {
		return 0
	}
	m := timePatterns[k].FindStringIndex(rest[:min(len(rest), longestTime)])
	if m == nil || digitBefore(rest, m[1]) && digitAt(rest, m[1]) {
		return 0
	}
	return m[1]
}

// timeKindOf returns the kind of a text, or 0 if it begins with no time.
func timeKindOf(text string) timeKind {
	if text[0] >= 0x80 {
		return wide
	}
	n := asciiDigits(text)
	if n == 0 && isName(text) {
		return named
	}
	if n == 0 || n > 4 || n+1 >= len(text) {
		return 0
	}
	// What a digit or a name may begin with, for what follows a separator.
	next := kinds[text[n+1]]&(digit|timeStart) != 0 || text[n+1] >= 0x80
	switch c := text[n]; {
	case c >= 0x80 || c == ' ' && text[n+1] >= 0x80:
		return wide
	case strings.IndexByte("snrtSNRT", c) >= 0: // 1st
		return spaced
	case !next:
		return 0
	case c == '-' || c == '/' || c == '.':
		return dashed
	case c == ':':
		return timed
	case c == ' ' && kinds[text[n+1]]&digit == 0:
		return spaced
	}
	return 0
}

// isName reports whether a text begins like the name of a month or a weekday.
func isName(text string) bool {
	if len(text) < len("May 1") {
		return false
	}
	switch string([]byte{text[0] | 0x20, text[1] | 0x20, text[2] | 0x20}) {
	case "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
		"mon", "tue", "wed", "thu", "fri", "sat", "sun":
		return true
	}
	return false
}

// asciiDigits returns how many ASCII digits a text begins with.
func asciiDigits(text string) int {
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
