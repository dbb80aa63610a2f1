package plots

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxPanels is how many methods one figure of histograms shows.
const maxPanels = 48

var (
	alikeColor = colours[0]
	otherColor = colours[1]
)

// translucent is how a class is filled, so that the other is seen through it.
func translucent(c color.RGBA) color.Color { return color.NRGBA{c.R, c.G, c.B, 0x60} }

func (f *Histograms) shown() []Histogram { return f.Panels[:min(len(f.Panels), maxPanels)] }

func (f *Histograms) warnings() []string { return tooMany(f.Heading, len(f.Panels), maxPanels) }

func (f *Histograms) labels() []string {
	var out []string
	for _, h := range f.shown() {
		out = append(out, h.Label)
	}
	return out
}

func (f *Histograms) layout(s *style) page {
	cols, height := 3, vg.Length(190)
	switch n := len(f.shown()); {
	case n <= 1:
		cols, height = 1, 420
	case n <= 4:
		cols, height = 2, 260
	}
	rows := max(1, (len(f.shown())+cols-1)/cols)
	width := (pageWidth - 2*margin) / vg.Length(cols)
	grid := make([][]*plot.Plot, rows)
	for r := range grid {
		grid[r] = make([]*plot.Plot, cols)
	}
	for i, h := range f.shown() {
		// Axes are named at the edge of the page.
		grid[i/cols][i%cols] = f.panel(s, h, width, i%cols == 0, i+cols >= len(f.shown()))
	}
	if len(f.shown()) == 0 {
		grid[0][0] = f.panel(s, Histogram{}, width, true, true)
	}
	const key = vg.Length(26)
	return page{pageWidth, vg.Length(rows)*height + key, func(c draw.Canvas) {
		f.drawKey(s, draw.Crop(c, 0, 0, c.Max.Y-c.Min.Y-key, 0))
		tiles := draw.Tiles{Rows: rows, Cols: cols, PadX: 14, PadY: 12}
		body := draw.Crop(c, 0, 0, 0, -key)
		for r, canvases := range plot.Align(grid, tiles, body) {
			for i, canvas := range canvases {
				if grid[r][i] != nil {
					grid[r][i].Draw(canvas)
				}
			}
		}
	}}
}

// step is one interval of score with the heights of both classes.
type step struct{ from, to, alike, other float64 }

// steps returns the intervals that can be drawn, and the totals of the classes.
func (h Histogram) steps() (out []step, alike, other float64) {
	n := min(len(h.Alike), len(h.Other))
	edges := h.Edges
	if edges == nil {
		for i := range n + 1 {
			edges = append(edges, float64(i)/float64(max(1, n)))
		}
	}
	for i := range min(n, len(edges)-1) {
		if s := (step{edges[i], edges[i+1], float64(max(0, h.Alike[i])), float64(max(0, h.Other[i]))}); showable(s.from) && showable(s.to) && s.from < s.to {
			out = append(out, s)
			alike, other = alike+s.alike, other+s.other
		}
	}
	return out, alike, other
}

func (f *Histograms) panel(s *style, h Histogram, width vg.Length, left, bottom bool) *plot.Plot {
	steps, alike, other := h.steps()
	low, high, top := 0.0, 1.0, 0.0
	for i := range steps {
		if t := &steps[i]; !f.Counts {
			t.alike, t.other = 100*t.alike/max(1, alike), 100*t.other/max(1, other)
		}
		low, high = min(low, steps[i].from), max(high, steps[i].to)
		top = max(top, steps[i].alike, steps[i].other)
	}
	x := unit("score")
	if low < 0 || high > 1 {
		x = linear("score", []float64{low, high}, 0)
	}
	y := linear("pairs of the class (%)", []float64{0, top}, 1)
	if y.low = 0; y.high > 100 {
		y.high = 100
	}
	if f.Counts {
		y = logarithmic("pairs (log scale)", []float64{1, max(1, top)})
	}
	if !left {
		y.label = ""
	}
	if !bottom {
		x.label = ""
	}
	p := s.axes(x, y)
	p.Title.Text = strings.Join(wrap(h.Label, s.ticks, width-70, 3), "\n")
	p.Title.TextStyle, p.Title.Padding = s.ticks, 3
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		trX, trY := p.Transforms(&c)
		base := c.Min.Y
		outline := func(of func(step) float64) []vg.Point {
			var path []vg.Point
			for i, t := range steps {
				at := base
				if of(t) > 0 {
					at = trY(y.at(of(t)))
				}
				if i > 0 && steps[i-1].to != t.from { // a gap
					path = append(path, vg.Point{X: trX(steps[i-1].to), Y: base}, vg.Point{X: trX(t.from), Y: base})
				}
				path = append(path, vg.Point{X: trX(t.from), Y: at}, vg.Point{X: trX(t.to), Y: at})
			}
			if len(path) == 0 {
				return nil
			}
			return append(append([]vg.Point{{X: path[0].X, Y: base}}, path...), vg.Point{X: path[len(path)-1].X, Y: base})
		}
		for _, class := range []struct {
			color color.RGBA
			of    func(step) float64
			total float64
		}{{otherColor, func(t step) float64 { return t.other }, other}, {alikeColor, func(t step) float64 { return t.alike }, alike}} {
			if path := outline(class.of); path != nil && class.total > 0 {
				c.FillPolygon(translucent(class.color), path)
				c.StrokeLines(draw.LineStyle{Color: class.color, Width: 0.9}, path)
			}
		}
		if at := h.Threshold; at > x.low && at <= x.high {
			c.StrokeLine2(thresholdLine, trX(at), c.Min.Y, trX(at), c.Max.Y)
		}
	}))
	if alike+other == 0 {
		p.Add(s.note("no pairs"))
	}
	return p
}

var thresholdLine = draw.LineStyle{Color: ink, Width: 1.3, Dashes: []vg.Length{4, 3}}

// drawKey says what the colours are.
func (f *Histograms) drawKey(s *style, c draw.Canvas) {
	x, y := c.Min.X, c.Max.Y-12
	text := func(what string) {
		c.FillText(s.body, vg.Point{X: x + 26, Y: y - 1}, what)
		x += 26 + s.body.Width(what) + 24
	}
	for _, class := range []struct {
		color color.RGBA
		what  string
	}{{alikeColor, "alike"}, {otherColor, "not alike"}} {
		box := []vg.Point{{X: x, Y: y}, {X: x + 20, Y: y}, {X: x + 20, Y: y + 10}, {X: x, Y: y + 10}, {X: x, Y: y}}
		c.FillPolygon(translucent(class.color), box)
		c.StrokeLines(draw.LineStyle{Color: class.color, Width: 0.9}, box)
		text(class.what)
	}
	for _, h := range f.shown() {
		if h.Threshold != 0 && !math.IsNaN(h.Threshold) {
			c.StrokeLine2(thresholdLine, x, y+5, x+20, y+5)
			text("threshold")
			return
		}
	}
}
