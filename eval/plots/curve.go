package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/alike-go/alike/eval"
)

func (f *PrecisionRecall) shown() []Curve { return f.Curves[:min(len(f.Curves), maxMethods)] }

func (f *PrecisionRecall) warnings() []string { return tooMany(f.Heading, len(f.Curves), maxMethods) }

func (f *PrecisionRecall) labels() []string {
	var out []string
	for _, c := range f.shown() {
		out = append(out, c.Label, c.Note)
	}
	return out
}

func (f *PrecisionRecall) layout(s *style) page {
	p := s.axes(unit("recall: share of the alike pairs that are found"), unit("precision: share of the found pairs that are alike"))
	p.Add(plotter(s.drawEqualF1))
	var entries []entry
	drawn := false
	for i, curve := range f.shown() {
		points := validPoints(curve.Points)
		note := curve.Note
		thumbnail := func(c draw.Canvas) {
			y := c.Center().Y
			c.StrokeLine2(line(i), c.Min.X, y, c.Max.X, y)
			if curve.Chosen != nil {
				c.DrawGlyphNoClip(glyph(i), c.Center())
			}
		}
		if len(points) == 0 && curve.Chosen == nil {
			note, thumbnail = "no points", func(draw.Canvas) {}
		}
		entries = append(entries, entry{curve.Label, note, thumbnail})
		drawn = drawn || len(points) > 0
		p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
			x, y := p.Transforms(&c)
			var path []vg.Point
			before := c.Min.X
			for _, q := range points {
				path = append(path, vg.Point{X: before, Y: y(q.Precision)}, vg.Point{X: x(q.Recall), Y: y(q.Precision)})
				before = x(q.Recall)
			}
			if len(path) > 0 {
				c.StrokeLines(line(i), path)
			}
		}))
	}
	// Marks are drawn last: a curve must not hide another's.
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		x, y := p.Transforms(&c)
		for i, curve := range f.shown() {
			if curve.Chosen == nil || !validPoint(*curve.Chosen) {
				continue
			}
			at := vg.Point{X: x(curve.Chosen.Recall), Y: y(curve.Chosen.Precision)}
			c.DrawGlyphNoClip(glyph(i), at)
		}
	}))
	if !drawn {
		p.Add(s.note("no points"))
	}
	return s.beside(p, s.newLegend(entries))
}

func validPoint(p eval.CurvePoint) bool {
	return p.Precision >= 0 && p.Precision <= 1 && p.Recall >= 0 && p.Recall <= 1
}

func validPoints(points []eval.CurvePoint) []eval.CurvePoint {
	var out []eval.CurvePoint
	for _, p := range points {
		if validPoint(p) {
			out = append(out, p)
		}
	}
	return out
}

// drawEqualF1 draws lines of equal F1: precision = F1 * recall / (2 recall - F1).
// Their values stand outside, at the end where recall is 1.
func (s *style) drawEqualF1(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	sty := s.small
	sty.YAlign = draw.YCenter
	for i, f1 := range []float64{0.2, 0.4, 0.6, 0.8, 0.9} {
		const steps = 200
		var path []vg.Point
		from := f1 / (2 - f1) // recall where precision is 1
		for k := range steps + 1 {
			r := from + (1-from)*float64(k)/steps
			path = append(path, vg.Point{X: x(r), Y: y(f1 * r / (2*r - f1))})
		}
		c.StrokeLines(draw.LineStyle{Color: isoColor, Width: 0.8, Dashes: []vg.Length{4, 3}}, path)
		c.FillText(sty, path[steps].Add(vg.Point{X: 4}), []string{"0.2", "0.4", "0.6", "0.8", "0.9"}[i])
	}
	c.FillText(sty, vg.Point{X: c.Max.X + 4, Y: c.Max.Y}, "F1")
}
