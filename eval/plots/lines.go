package plots

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines shows shares in [0, 1] of several methods as functions of a quantity on a
// logarithmic axis, with their intervals.
type Lines struct {
	Heading
	XLabel, YLabel string
	Lines          []Line
}

// Line is the values of one method in ascending order of X. Labels and notes of
// points are not drawn.
type Line struct {
	Label  string
	Note   string // smaller, below the label; may be empty
	Points []Mark
}

func (f *Lines) shown() []Line { return f.Lines[:min(len(f.Lines), maxMethods)] }

func (f *Lines) warnings() []string { return tooMany(f.Heading, len(f.Lines), maxMethods) }

func (f *Lines) labels() []string {
	out := []string{f.XLabel, f.YLabel}
	for _, l := range f.shown() {
		out = append(out, l.Label, l.Note)
	}
	return out
}

func (m Mark) share() bool { return showableLog(m.X) && m.Y >= 0 && m.Y <= 1 }

func (f *Lines) layout(s *style) page {
	var xs []float64
	for _, l := range f.shown() {
		for _, m := range l.Points {
			if m.share() {
				xs = append(xs, m.X)
			}
		}
	}
	one := func(label string) string { return strings.Join(wrap(label, s.body, plotHeight-80, 1), "") }
	x := logarithmic(one(f.XLabel), xs)
	p := s.axes(x, unit(one(f.YLabel)))
	var entries []entry
	for i, l := range f.shown() {
		entries = append(entries, entry{l.Label, l.Note, func(c draw.Canvas) {
			y := c.Center().Y
			c.StrokeLine2(line(i), c.Min.X, y, c.Max.X, y)
			c.DrawGlyphNoClip(glyph(i), c.Center())
		}})
	}
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		trX, trY := p.Transforms(&c)
		for i, l := range f.shown() {
			var path []vg.Point
			for _, m := range l.Points {
				if !m.share() {
					continue
				}
				at := vg.Point{X: trX(x.at(m.X)), Y: trY(m.Y)}
				path = append(path, at)
				if m.interval() && m.Low >= 0 && m.High <= 1 {
					c.StrokeLine2(draw.LineStyle{Color: glyph(i).Color, Width: 0.8}, at.X, trY(m.Low), at.X, trY(m.High))
				}
			}
			if len(path) > 1 {
				c.StrokeLines(line(i), path)
			}
			for _, at := range path {
				c.DrawGlyphNoClip(glyph(i), at)
			}
		}
	}))
	if len(xs) == 0 {
		p.Add(s.note("no values"))
	}
	return s.beside(p, s.newLegend(entries))
}
