package plots

import (
	"cmp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (f *Scatter) shown() []Mark { return f.Marks[:min(len(f.Marks), maxMethods)] }

func (f *Scatter) warnings() []string { return tooMany(f.Heading, len(f.Marks), maxMethods) }

func (f *Scatter) labels() []string {
	out := []string{f.XLabel, f.YLabel}
	for _, m := range f.shown() {
		out = append(out, m.Label, m.Note)
	}
	return out
}

func (m Mark) valid() bool { return showableLog(m.X) && showable(m.Y) }

func (m Mark) interval() bool { return showable(m.Low) && showable(m.High) }

func (f *Scatter) layout(s *style) page {
	var xs, ys []float64
	for _, m := range f.shown() {
		if m.valid() {
			xs, ys = append(xs, m.X), append(ys, m.Y)
			if m.interval() {
				ys = append(ys, m.Low, m.High)
			}
		}
	}
	one := func(label string) string { return strings.Join(wrap(label, s.body, plotHeight-80, 1), "") }
	x, y := logarithmic(one(f.XLabel), xs), linear(one(f.YLabel), ys, 0.1)
	p := s.axes(x, y)
	var entries []entry
	for i, m := range f.shown() {
		e := entry{m.Label, m.Note, func(c draw.Canvas) { c.DrawGlyphNoClip(glyph(i), c.Center()) }}
		if !m.valid() {
			e.note, e.thumbnail = "no value", func(draw.Canvas) {}
		}
		entries = append(entries, e)
	}
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		trX, trY := p.Transforms(&c)
		f.drawMarks(c, func(v float64) vg.Length { return trX(x.at(v)) }, trY)
	}))
	if len(xs) == 0 {
		p.Add(s.note("no values"))
	}
	return s.beside(p, s.newLegend(entries))
}

// drawMarks draws intervals, then marks.
func (f *Scatter) drawMarks(c draw.Canvas, x, y func(float64) vg.Length) {
	var order []int
	for i, m := range f.shown() {
		if m.valid() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.Marks[a].X, f.Marks[b].X) })
	var at []vg.Length
	for _, i := range order {
		at = append(at, x(f.Marks[i].X))
	}
	at = spread(at)
	for k, i := range order {
		if m := f.Marks[i]; m.interval() {
			bar := draw.LineStyle{Color: glyph(i).Color, Width: 1.2}
			c.StrokeLine2(bar, at[k], y(m.Low), at[k], y(m.High))
			for _, end := range []float64{m.Low, m.High} {
				c.StrokeLine2(bar, at[k]-3, y(end), at[k]+3, y(end))
			}
		}
	}
	for k, i := range order {
		c.DrawGlyphNoClip(glyph(i), vg.Point{X: at[k], Y: y(f.Marks[i].Y)})
	}
}

// apart is how far neighbouring intervals stand from each other, and crowd how
// many are moved for it at most.
const (
	apart = vg.Length(6)
	crowd = 6
)

// spread moves ascending positions as little as it takes to stand apart: of
// methods at the same price the intervals would hide each other. A crowd stays
// where it is, better hidden than told wrong.
func spread(at []vg.Length) []vg.Length {
	type block struct {
		from, to int
		start    vg.Length // where its first stands
	}
	var blocks []block
	for i := range at {
		b := block{i, i + 1, at[i]}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			n, m := vg.Length(last.to-last.from), vg.Length(b.to-b.from)
			if b.start-last.start >= n*apart {
				break
			}
			// The mean of what each wants: the start of one block of both.
			b = block{last.from, b.to, (last.start*n + (b.start-n*apart)*m) / (n + m)}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	out := slices.Clone(at)
	for _, b := range blocks {
		if b.to-b.from > crowd {
			continue
		}
		for i := b.from; i < b.to; i++ {
			out[i] = b.start + vg.Length(i-b.from)*apart
		}
	}
	return out
}
