package plots

import (
	"cmp"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// chart lays out a plot of lines and points. The legend is at the right, where
// it hides nothing.
func (s *style) chart(f *Figure) page {
	x := []scale{lines: logarithmic, curves: share, scatter: logarithmic}[f.kind]
	y := []scale{lines: share, curves: share, scatter: linear}[f.kind]
	var xs, ys []float64
	// place returns the points that the axes can show, in their units.
	place := func(points []Point) (out []Point) {
		for _, q := range points {
			if !x.shows(q.X) || !y.shows(q.Y) {
				continue
			}
			if !y.shows(q.Low) || !y.shows(q.High) {
				q.Low, q.High = q.Y, q.Y
			}
			xs, ys = append(xs, q.X), append(ys, q.Y, q.Low, q.High)
			q.X = x.at(q.X)
			out = append(out, q)
		}
		return out
	}
	series := slices.Clone(f.Series)
	for i := range series {
		d := &series[i]
		if d.Points, d.line = place(d.Points), place(d.line); f.kind == lines {
			d.line = d.Points
		}
	}
	across := x.axis(xs, 1)
	if f.kind == scatter {
		spread(series, (across.high-across.low)/90)
	}
	p := s.axes(across, y.axis(ys, 0.1), f.XLabel, f.YLabel)
	if f.kind == curves {
		s.addEqualF1(p)
	}
	p.Add(painter(func(c draw.Canvas, p *plot.Plot) { s.drawSeries(c, p, series, f.kind == curves) }))
	key := s.legend(series)
	height := max(plotHeight, key.height)
	return page{height, func(c draw.Canvas) {
		// However long the legend is, the plot keeps its shape.
		p.Draw(draw.Crop(c, 0, -legendWidth-margin, height-plotHeight, 0))
		key.paint(draw.Crop(c, c.Max.X-c.Min.X-legendWidth, 0, 0, -4))
	}}
}

// drawSeries draws intervals and lines, then marks, which no line must hide.
// The area under a line in steps is its average precision.
func (s *style) drawSeries(c draw.Canvas, p *plot.Plot, series []Series, steps bool) {
	x, y := p.Transforms(&c)
	for _, d := range series {
		line := s.line(d.Method)
		bar := draw.LineStyle{Color: line.Color, Width: 1.2}
		for _, q := range d.Points {
			if q.Low < q.High {
				c.StrokeLine2(bar, x(q.X), y(q.Low), x(q.X), y(q.High))
				c.StrokeLine2(bar, x(q.X)-3, y(q.Low), x(q.X)+3, y(q.Low))
				c.StrokeLine2(bar, x(q.X)-3, y(q.High), x(q.X)+3, y(q.High))
			}
		}
		var path []vg.Point
		before := c.Min.X
		for _, q := range d.line {
			if steps {
				path = append(path, vg.Point{X: before, Y: y(q.Y)})
				before = x(q.X)
			}
			path = append(path, vg.Point{X: x(q.X), Y: y(q.Y)})
		}
		if len(path) > 1 {
			c.StrokeLines(line, path)
		}
	}
	for _, d := range series {
		for _, q := range d.Points {
			s.drawMark(c, d.Method, vg.Point{X: x(q.X), Y: y(q.Y)})
		}
	}
}

// addEqualF1 adds lines of equal F1: precision = F1 * recall / (2 recall - F1).
// Their labels are outside the plot, at the end where recall is 1.
func (s *style) addEqualF1(p *plot.Plot) {
	values := []float64{0.2, 0.4, 0.6, 0.8, 0.9}
	for _, f1 := range values {
		l := plotter.NewFunction(func(r float64) float64 { return f1 * r / (2*r - f1) })
		l.XMin, l.XMax, l.Samples = f1/(2-f1), 1, 200 // from where precision is 1
		l.LineStyle = draw.LineStyle{Color: isoColor, Width: 0.8, Dashes: []vg.Length{4, 3}}
		p.Add(l)
	}
	p.Add(painter(func(c draw.Canvas, p *plot.Plot) {
		_, y := p.Transforms(&c)
		sty := s.small
		sty.YAlign = draw.YCenter
		for _, f1 := range values {
			c.FillText(sty, vg.Point{X: c.Max.X + 4, Y: y(f1 / (2 - f1))}, strconv.FormatFloat(f1, 'f', 1, 64))
		}
		c.FillText(sty, vg.Point{X: c.Max.X + 4, Y: c.Max.Y}, "F1")
	}))
}

// legend lists the methods with their notes.
func (s *style) legend(series []Series) page {
	const thumb, gap = vg.Length(30), vg.Length(7)
	entries := make([][]textLine, len(series))
	height := vg.Length(0)
	for i, d := range series {
		note := d.Note
		if d.line == nil && d.Points == nil {
			note = "no value"
		}
		const width = legendWidth - thumb - 8
		entries[i] = append(s.wrap(cmp.Or(d.Method+d.suffix, "-"), s.body, width, 4), s.wrap(note, s.small, width, 2)...)
		for _, l := range entries[i] {
			height += l.height()
		}
		height += gap
	}
	return page{height, func(c draw.Canvas) {
		y := c.Max.Y
		for i, d := range series {
			at := vg.Point{X: c.Min.X + thumb/2, Y: y - 7.25}
			if d.line != nil {
				c.StrokeLine2(s.line(d.Method), c.Min.X, at.Y, c.Min.X+thumb, at.Y)
			}
			if d.Points != nil {
				s.drawMark(c, d.Method, at)
			}
			for _, l := range entries[i] {
				y -= l.height()
				c.FillText(l.sty, vg.Point{X: c.Min.X + thumb + 8, Y: y + 1}, l.text)
			}
			y -= gap
		}
	}}
}

// crowd is the maximum number of marks that are moved apart.
const crowd = 6

// spread moves points apart by as little as possible: the intervals of methods
// at the same price would hide each other. A crowd of points is not moved,
// because hidden points are better than wrong ones.
func spread(series []Series, apart float64) {
	var points []*Point
	for _, d := range series {
		for i := range d.Points {
			points = append(points, &d.Points[i])
		}
	}
	slices.SortStableFunc(points, func(a, b *Point) int { return cmp.Compare(a.X, b.X) })
	type block struct{ n, mean float64 } // n neighbours around their mean
	var blocks []block
	for _, q := range points {
		b := block{1, q.X}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if b.mean-last.mean >= apart*(b.n+last.n)/2 {
				break
			}
			b = block{b.n + last.n, (b.n*b.mean + last.n*last.mean) / (b.n + last.n)}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		for k := range int(b.n) {
			if b.n <= crowd {
				points[k].X = b.mean + (float64(k)-(b.n-1)/2)*apart
			}
		}
		points = points[int(b.n):]
	}
}
