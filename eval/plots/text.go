package plots

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

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

// handler draws plain text, each character with the first font that has it.
type handler struct {
	text.Plain
	fonts *fonts

	// boxes draws a box for a character that no font has, where the library would
	// draw nothing; otherwise it is written as it is, for the reader's fonts.
	boxes bool
}

var _ text.Handler = handler{}

// run is a stretch of text in one font; missing says that it is in none.
type run struct {
	face    font.Face
	text    string
	missing bool
}

// boxWidth is the width of a character that no font has, in parts of the size of
// the text: most are Chinese, which are square.
const boxWidth = 1.0

func (r run) width() vg.Length {
	if r.missing {
		return vg.Length(utf8.RuneCountInString(r.text)) * boxWidth * r.face.Font.Size
	}
	return r.face.Width(r.text)
}

// drawBoxes draws a box for each character.
func (r run) drawBoxes(c vg.Canvas, at vg.Point) {
	size := r.face.Font.Size
	c.SetLineWidth(size / 16)
	c.SetLineDash(nil, 0)
	for range utf8.RuneCountInString(r.text) {
		box := vg.Rectangle{Min: at.Add(vg.Point{X: 0.1 * size}), Max: at.Add(vg.Point{X: 0.9 * size, Y: 0.75 * size})}
		c.Stroke(box.Path())
		at.X += boxWidth * size
	}
}

func (h handler) runs(line string, f font.Font) []run {
	var out []run
	for _, r := range line {
		next := h.find(r, f)
		if n := len(out); n > 0 && out[n-1].face.Face == next.face.Face && out[n-1].missing == next.missing {
			out[n-1].text += next.text
		} else {
			out = append(out, next)
		}
	}
	return out
}

// find returns the run of one character.
func (h handler) find(r rune, f font.Font) run {
	base := h.Fonts.Lookup(f, f.Size)
	if has := h.fonts.fontFor(r, base.Face); has != nil {
		return run{face: font.Face{Font: base.Font, Face: has}, text: string(r)}
	}
	return run{face: base, text: string(r), missing: true}
}

// Box returns the width of a line, and its height above and below the baseline
// in the own font, so that lines of all scripts stand equally far apart.
func (h handler) Box(line string, f font.Font) (width, height, depth vg.Length) {
	for _, r := range h.runs(line, f) {
		width += r.width()
	}
	ext := h.Extents(f)
	return width, ext.Ascent, ext.Descent
}

// Draw draws the lines at the point, aligned and turned as the style says.
func (h handler) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	lines := h.Lines(txt)
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		sin, cos := math.Sincos(sty.Rotation)
		pt.X, pt.Y = pt.Y*vg.Length(sin)+pt.X*vg.Length(cos), pt.Y*vg.Length(cos)-pt.X*vg.Length(sin)
	}
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - h.Extents(sty.Font).Ascent
	for i, line := range lines {
		width, _, _ := h.Box(line, sty.Font)
		at := pt.Add(vg.Point{X: vg.Length(sty.XAlign) * width, Y: vg.Length(len(lines)-i) * sty.Font.Size})
		for _, r := range h.runs(line, sty.Font) {
			if r.missing && h.boxes {
				r.drawBoxes(c, at)
			} else {
				c.FillString(r.face, at, r.text)
			}
			at.X += r.width()
		}
	}
}

// wrap breaks text into at most so many lines of the width, after a comma or
// the like where it can. Of longer text the middle is left out: specs differ in
// their first and last settings.
func wrap(s string, sty text.Style, width vg.Length, most int) []string {
	runes := []rune(clean(s))
	if limit := 100 * most; len(runes) > limit { // no such line is narrow enough; measuring them all would be slow
		runes = shorten(runes, limit)
	}
	for keep := len(runes); ; keep -= max(1, keep/20) {
		lines := breakLines(shorten(runes, keep), sty, width)
		if len(lines) <= most || keep <= 1 {
			return lines
		}
	}
}

// shorten keeps so many characters of the beginning and the end.
func shorten(runes []rune, keep int) []rune {
	if len(runes) <= keep {
		return runes
	}
	out := append([]rune(nil), runes[:keep-keep/2]...)
	return append(append(out, '…'), runes[len(runes)-keep/2:]...)
}

func breakLines(runes []rune, sty text.Style, width vg.Length) []string {
	var lines []string
	for len(runes) > 0 {
		end, mayBreak := 0, 0
		var used vg.Length
		for end < len(runes) {
			used += sty.Width(string(runes[end]))
			if used > width && end > 0 {
				break
			}
			end++
			if strings.ContainsRune(" ,:;/+_", runes[end-1]) {
				mayBreak = end
			}
		}
		if end < len(runes) && mayBreak > end/3 {
			end = mayBreak
		}
		lines = append(lines, strings.TrimSpace(string(runes[:end])))
		runes = runes[end:]
	}
	return lines
}
