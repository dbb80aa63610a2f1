package plots

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// has reports whether the font can draw a character.
func (s *style) has(r rune) bool {
	var b sfnt.Buffer
	i, err := s.face.GlyphIndex(&b, r)
	return err == nil && i != 0
}

// clean returns text as one line that every format can hold: control characters
// and invalid bytes, which SVG cannot, become spaces and replacement characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r), unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return ' '
		}
		return unicode.ReplacementChar
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// spell returns a clean text as it is drawn. In PNG files, a character that the
// font lacks is replaced with its code point.
func (s *style) spell(text string) string {
	var b strings.Builder
	for _, r := range clean(text) {
		if s.vector || s.has(r) {
			b.WriteRune(r)
			continue
		}
		s.missing[r] = true
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}

// warnings names the characters that were not drawn as they are.
func (s *style) warnings() []string {
	if len(s.missing) == 0 {
		return nil
	}
	runes := slices.Sorted(maps.Keys(s.missing))
	return []string{fmt.Sprintf("PNG files show the code points of %.20q, which their font lacks; SVG files have the characters", string(runes))}
}

// textLine is a line of text as it is drawn.
type textLine struct {
	text string
	sty  text.Style
}

// height is the distance between the base of a line and the base of the line
// above.
func (l textLine) height() vg.Length { return 1.25 * l.sty.Font.Size }

// wrap breaks text into at most so many lines of the width, after a comma or
// the like where it can. Of longer text the middle is left out: specs differ in
// their first and last settings.
func (s *style) wrap(text string, sty text.Style, width vg.Length, most int) []textLine {
	runes := []rune(s.spell(text))
	// No line holds 100 characters, and measuring them all would be slow.
	for keep := min(len(runes), 100*most); ; keep -= max(1, keep/20) {
		kept := runes
		if keep < len(runes) {
			kept = slices.Concat(runes[:keep-keep/2], []rune("…"), runes[len(runes)-keep/2:])
		}
		if lines := s.breakLines(kept, sty, width); len(lines) <= most || keep <= 1 {
			return lines
		}
	}
}

func (s *style) breakLines(runes []rune, sty text.Style, width vg.Length) []textLine {
	var lines []textLine
	for len(runes) > 0 {
		end, mayBreak := 0, 0
		for used := vg.Length(0); end < len(runes); end++ {
			wide := sty.Font.Size // of what the font lacks: most are Chinese, which are square
			if s.has(runes[end]) {
				wide = sty.Width(string(runes[end]))
			}
			if used += wide; used > width && end > 0 {
				break
			}
			if strings.ContainsRune(" ,:;/+_", runes[end]) {
				mayBreak = end + 1
			}
		}
		if end < len(runes) && mayBreak > end/3 {
			end = mayBreak
		}
		lines = append(lines, textLine{strings.TrimSpace(string(runes[:end])), sty})
		runes = runes[end:]
	}
	return lines
}
