package plots

import (
	"fmt"
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// style is what all figures share.
type style struct {
	handler                   handler
	title, body, small, ticks text.Style
}

// The measures of a page in points; 900 are 1200 pixels.
const (
	pageWidth   = vg.Length(900)
	plotHeight  = vg.Length(540)
	margin      = vg.Length(18)
	legendWidth = vg.Length(250)
)

var (
	ink       = color.Gray{0x22}
	faint     = color.Gray{0x66}
	gridColor = color.Gray{0xe4}
	isoColor  = color.Gray{0xb8}
	white     = color.White
)

// colours are those of Okabe and Ito (2008), which colour-blind readers can tell
// apart, but for yellow, which is too pale for lines on white. Brown stands in.
var colours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x00, 0x00, 0x00, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x8c, 0x51, 0x0a, 0xff},
}

var dashes = [][]vg.Length{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}}

// glyph returns the mark of method i: the first 64 all differ.
func glyph(i int) draw.GlyphStyle {
	n := len(colours)
	return draw.GlyphStyle{Color: colours[i%n], Radius: 4.5, Shape: shapes[(i+i/n)%len(shapes)]}
}

// line returns the line of method i: the first 32 all differ.
func line(i int) draw.LineStyle {
	n := len(colours)
	return draw.LineStyle{Color: colours[i%n], Width: 1.6, Dashes: dashes[i/n%len(dashes)]}
}

func sans(weight xfont.Weight) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}
}

func newStyle(f *fonts, boxes bool) *style {
	h := handler{text.Plain{Fonts: f.base}, f, boxes}
	of := func(size vg.Length, weight xfont.Weight, c color.Color) text.Style {
		return text.Style{Color: c, Font: font.From(sans(weight), size), Handler: h}
	}
	return &style{
		handler: h,
		title:   of(16, xfont.WeightBold, ink), body: of(12, xfont.WeightNormal, ink),
		small: of(10, xfont.WeightNormal, faint), ticks: of(11, xfont.WeightNormal, ink),
	}
}

// plotter is a plot.Plotter made of a function.
type plotter func(draw.Canvas, *plot.Plot)

func (f plotter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// axes returns an empty plot with the axes, and grid lines at their ticks.
func (s *style) axes(x, y axis) *plot.Plot {
	p := plot.New()
	p.BackgroundColor, p.TextHandler = nil, s.handler
	for _, a := range []struct {
		axis *plot.Axis
		from axis
	}{{&p.X, x}, {&p.Y, y}} {
		sides := a.axis.Tick.Label
		a.axis.Min, a.axis.Max = a.from.low, a.from.high
		a.axis.Label.Text, a.axis.Label.TextStyle = a.from.label, s.body
		a.axis.Label.TextStyle.XAlign, a.axis.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
		a.axis.Label.Padding = 4
		a.axis.Tick.Label = s.ticks
		a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign = sides.XAlign, sides.YAlign
		a.axis.Tick.Marker, a.axis.Tick.Length = a.from.ticks, 5
		a.axis.Padding = 0
	}
	grid := draw.LineStyle{Color: gridColor, Width: 0.75}
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		trX, trY := p.Transforms(&c)
		for _, t := range x.ticks {
			if at := trX(t.Value); !t.IsMinor() && c.ContainsX(at) {
				c.StrokeLine2(grid, at, c.Min.Y, at, c.Max.Y)
			}
		}
		for _, t := range y.ticks {
			if at := trY(t.Value); !t.IsMinor() && c.ContainsY(at) {
				c.StrokeLine2(grid, c.Min.X, at, c.Max.X, at)
			}
		}
	}))
	return p
}

// withHeading lays a figure out below its title.
func (s *style) withHeading(f Figure) page {
	h, body := f.heading(), f.layout(s)
	type row struct {
		text string
		sty  text.Style
	}
	var rows []row
	for _, l := range wrap(h.Title, s.title, body.width-2*margin, 2) {
		rows = append(rows, row{l, s.title})
	}
	for _, l := range wrap(h.Subtitle, s.small, body.width-2*margin, 3) {
		rows = append(rows, row{l, s.small})
	}
	height := 2 * margin
	for _, r := range rows {
		height += 1.3 * r.sty.Font.Size
	}
	return page{body.width, body.height + height + margin/2, func(c draw.Canvas) {
		y := c.Max.Y - margin
		for _, r := range rows {
			y -= 1.3 * r.sty.Font.Size
			c.FillText(r.sty, vg.Point{X: c.Min.X + margin, Y: y}, r.text)
		}
		body.paint(draw.Crop(c, margin, -margin, margin, -height+margin/2))
	}}
}

// note writes in the middle of a plot what is to be said where nothing is drawn.
func (s *style) note(what string) plot.Plotter {
	return plotter(func(c draw.Canvas, _ *plot.Plot) {
		sty := s.body
		sty.Color, sty.XAlign, sty.YAlign = faint, draw.XCenter, draw.YCenter
		c.FillText(sty, c.Center(), what)
	})
}

// tooMany warns of the methods that a figure has no room for.
func tooMany(h Heading, n, most int) []string {
	if n <= most {
		return nil
	}
	return []string{fmt.Sprintf("figure %s shows the first %d of %d methods", h.Name, most, n)}
}
