package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxMethods is how many methods one legend names: a page of more would be
// several metres long.
const maxMethods = 100

// entry is a method in a legend: thumbnail draws its sign in a box of one line.
type entry struct {
	label, note string
	thumbnail   func(draw.Canvas)
}

// legend is entries broken into lines. It stands beside the plot, where it can
// hide nothing.
type legend struct {
	sty           *style
	entries       []entry
	labels, notes [][]string
	height        vg.Length
}

// The measures of a legend in points.
const (
	thumbWidth = vg.Length(30)
	labelLine  = vg.Length(14.5)
	noteLine   = vg.Length(12.5)
	entryGap   = vg.Length(7)
)

func (s *style) newLegend(entries []entry) *legend {
	l := &legend{sty: s, entries: entries}
	for _, e := range entries {
		label := wrap(e.label, s.body, legendWidth-thumbWidth-8, 4)
		note := wrap(e.note, s.small, legendWidth-thumbWidth-8, 2)
		l.labels, l.notes = append(l.labels, label), append(l.notes, note)
		l.height += vg.Length(max(1, len(label)))*labelLine + vg.Length(len(note))*noteLine + entryGap
	}
	return l
}

func (l *legend) draw(c draw.Canvas) {
	y := c.Max.Y
	for i, e := range l.entries {
		box := c
		box.Min = vg.Point{X: c.Min.X, Y: y - labelLine}
		box.Max = vg.Point{X: c.Min.X + thumbWidth, Y: y}
		e.thumbnail(box)
		for _, part := range []struct {
			lines  []string
			sty    text.Style
			height vg.Length
		}{{l.labels[i], l.sty.body, labelLine}, {l.notes[i], l.sty.small, noteLine}} {
			for _, line := range part.lines {
				y -= part.height
				c.FillText(part.sty, vg.Point{X: c.Min.X + thumbWidth + 8, Y: y + 1}, line)
			}
		}
		if len(l.labels[i]) == 0 {
			y -= labelLine
		}
		y -= entryGap
	}
}

// beside lays out a plot with its legend at the right.
func (s *style) beside(p *plot.Plot, l *legend) page {
	height := max(plotHeight, l.height)
	return page{pageWidth, height, func(c draw.Canvas) {
		// However long the legend is, the plot keeps its shape.
		p.Draw(draw.Crop(c, 0, -legendWidth-margin, height-plotHeight, 0))
		l.draw(draw.Crop(c, c.Max.X-c.Min.X-legendWidth, 0, 0, -4))
	}}
}
