package plots

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/alike-go/alike/internal/charts"
)

// style is what all figures of a format share.
type style struct {
	look                      map[string]int // of each method
	vector                    bool           // the reader's fonts draw what the own one lacks
	missing                   map[rune]bool  // what was spelt as code points
	face                      *opentype.Font
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
	ink, faint          = color.Gray{0x22}, color.Gray{0x66}
	gridColor, isoColor = color.Gray{0xe4}, color.Gray{0xb8}
)

func newStyle(look map[string]int, vector bool) *style {
	fonts := font.NewCache(liberation.Collection())
	of := func(size vg.Length, weight xfont.Weight, c color.Color) text.Style {
		sans := font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}
		return text.Style{Color: c, Font: font.From(sans, size), Handler: text.Plain{Fonts: fonts}}
	}
	return &style{
		look: look, vector: vector, missing: map[rune]bool{},
		title: of(16, xfont.WeightBold, ink), body: of(12, xfont.WeightNormal, ink),
		small: of(10, xfont.WeightNormal, faint), ticks: of(11, xfont.WeightNormal, ink),
		face: fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 12).Face,
	}
}

// drawMark draws a method's symbol, with a white rim that separates it from the
// lines and marks below.
func (s *style) drawMark(c draw.Canvas, method string, at vg.Point) {
	look := s.look[method]
	var outline []vg.Point
	for _, corner := range charts.Symbol(look) {
		outline = append(outline, at.Add(vg.Point{X: vg.Length(corner[0]), Y: vg.Length(corner[1])}.Scale(4.5)))
	}
	c.StrokeLines(draw.LineStyle{Color: color.White, Width: 2}, append(outline, outline[:2]...))
	c.FillPolygon(charts.Light(look), outline)
}

func (s *style) line(method string) draw.LineStyle {
	look := s.look[method]
	l := draw.LineStyle{Color: charts.Light(look), Width: 1.6}
	for _, d := range charts.Dashes(look) {
		l.Dashes = append(l.Dashes, vg.Length(d))
	}
	return l
}

// painter is a plot.Plotter made of a function.
type painter func(draw.Canvas, *plot.Plot)

func (f painter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// axes returns an empty plot with the axes, and grid lines at their ticks.
func (s *style) axes(x, y axis, xLabel, yLabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor, p.TextHandler = nil, s.body.Handler
	for _, a := range []struct {
		axis  *plot.Axis
		from  axis
		label string
	}{{&p.X, x, xLabel}, {&p.Y, y, yLabel}} {
		sides := a.axis.Tick.Label
		a.axis.Min, a.axis.Max = a.from.low, a.from.high
		for _, l := range s.wrap(a.label, s.body, plotHeight-80, 1) {
			a.axis.Label.Text = l.text
		}
		a.axis.Label.TextStyle = s.body
		a.axis.Label.TextStyle.XAlign, a.axis.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
		a.axis.Label.Padding = 4
		a.axis.Tick.Label = s.ticks
		a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign = sides.XAlign, sides.YAlign
		a.axis.Tick.Marker, a.axis.Tick.Length = a.from.ticks, 5
		a.axis.Padding = 0
	}
	grid := draw.LineStyle{Color: gridColor, Width: 0.75}
	p.Add(&plotter.Grid{Vertical: grid, Horizontal: grid})
	return p
}

// page lays a figure out below its title.
func (s *style) page(f *Figure) page {
	layout := s.chart
	if f.kind == histograms {
		layout = s.panels
	}
	body := layout(f)
	lines := append(s.wrap(f.Data+": "+f.Title, s.title, pageWidth-2*margin, 2), s.wrap(f.Subtitle, s.small, pageWidth-2*margin, 3)...)
	height := 2 * margin
	for _, l := range lines {
		height += l.height()
	}
	return page{body.height + height + margin/2, func(c draw.Canvas) {
		y := c.Max.Y - margin
		for _, l := range lines {
			y -= l.height()
			c.FillText(l.sty, vg.Point{X: c.Min.X + margin, Y: y}, l.text)
		}
		body.paint(draw.Crop(c, margin, -margin, margin, -height+margin/2))
	}}
}
