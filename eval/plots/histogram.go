package plots

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/alike-go/alike/internal/charts"
)

var thresholdLine = &plotter.Line{LineStyle: draw.LineStyle{Color: ink, Width: 1.3, Dashes: []vg.Length{4, 3}}}

// area returns the area of a class; class 0 is alike. It is transparent, so the
// other class shows through.
func area(class int, outline ...plotter.XY) *plotter.Polygon {
	c := charts.Light(class)
	return &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: color.NRGBA{c.R, c.G, c.B, 0x60}, LineStyle: draw.LineStyle{Color: c, Width: 0.9}}
}

// panels lays out a histogram for each series. Axes are named at the edge of
// the page.
func (s *style) panels(f *Figure) page {
	const keyHeight = vg.Length(26)
	n := len(f.Series)
	cols := min(3, int(math.Ceil(math.Sqrt(float64(n)))))
	rows, height := (n+cols-1)/cols, []vg.Length{420, 260, 190}[cols-1]
	var grid [][]*plot.Plot
	for r := range rows {
		grid = append(grid, make([]*plot.Plot, cols))
		for i := r * cols; i < min(n, (r+1)*cols); i++ {
			grid[r][i%cols] = s.panel(f, &f.Series[i], (pageWidth-2*margin)/vg.Length(cols), i%cols == 0, i+cols >= n)
		}
	}
	keys := 2
	if slices.ContainsFunc(f.Series, func(h Series) bool { return h.hasThreshold() }) {
		keys = 3
	}
	return page{vg.Length(rows)*height + keyHeight, func(c draw.Canvas) {
		s.drawKey(c, keys)
		tiles := draw.Tiles{Rows: rows, Cols: cols, PadX: 14, PadY: 12}
		for r, canvases := range plot.Align(grid, tiles, draw.Crop(c, 0, 0, 0, -keyHeight)) {
			for i, canvas := range canvases {
				if grid[r][i] != nil {
					grid[r][i].Draw(canvas)
				}
			}
		}
	}}
}

// panel returns the histogram of a series: shares of each class, or numbers of
// pairs.
func (s *style) panel(f *Figure, h *Series, width vg.Length, left, bottom bool) *plot.Plot {
	scales, top := [2]float64{1, 1}, 0.0
	for class, counts := range [][]int64{h.alike, h.other} {
		if !f.counts {
			scales[class] = 100 / max(1, total(counts))
		}
		top = max(top, scales[class]*float64(slices.Max(slices.Concat(counts, []int64{0}))))
	}
	upwards, xLabel, yLabel := linear, "", ""
	y := linear.axis([]float64{0, top}, 1)
	if y.low = 0; y.high > 100 {
		y.high = 100
	}
	if f.counts {
		upwards = logarithmic
		y = logarithmic.axis([]float64{1, top}, 1)
	}
	if bottom {
		xLabel = f.XLabel
	}
	if left {
		yLabel = f.YLabel
	}
	p := s.axes(share.axis(nil, 0), y, xLabel, yLabel)
	for i, l := range s.wrap(h.Method+h.suffix, s.ticks, width-70, 3) {
		p.Title.Text += strings.Repeat("\n", min(i, 1)) + l.text
	}
	p.Title.TextStyle, p.Title.Padding = s.ticks, 3
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	for class, counts := range [][]int64{h.other, h.alike} {
		outline := plotter.XYs{{X: 0, Y: y.low}}
		for i, n := range counts {
			at := y.low
			if v := scales[1-class] * float64(n); v > 0 {
				at = upwards.at(v)
			}
			step := 1 / float64(len(counts))
			outline = append(outline, plotter.XY{X: float64(i) * step, Y: at}, plotter.XY{X: float64(i+1) * step, Y: at})
		}
		p.Add(painter(area(1-class, append(outline, plotter.XY{X: 1, Y: y.low})...).Plot))
	}
	if h.hasThreshold() {
		l := *thresholdLine
		l.XYs = plotter.XYs{{X: h.threshold, Y: y.low}, {X: h.threshold, Y: y.high}}
		p.Add(painter(l.Plot))
	}
	return p
}

func total(counts []int64) (sum float64) {
	for _, n := range counts {
		sum += float64(max(0, n))
	}
	return sum
}

func (s *Series) hasThreshold() bool { return s.threshold > 0 && s.threshold <= 1 }

// drawKey says what the colours are.
func (s *style) drawKey(c draw.Canvas, keys int) {
	x, y := c.Min.X, c.Max.Y-12
	for i, what := range []string{"alike", "not alike", "threshold"}[:keys] {
		sign := []plot.Thumbnailer{area(0), area(1), thresholdLine}[i]
		sign.Thumbnail(&draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + 20, Y: y + 10}}})
		c.FillText(s.body, vg.Point{X: x + 26, Y: y - 1}, what)
		x += 26 + s.body.Width(what) + 24
	}
}
