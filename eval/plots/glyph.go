package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// polygon is a mark: its corners in units of the radius. It is filled, with a
// white rim that parts it from the lines and marks it lies on.
type polygon []vg.Point

var shapes = []polygon{
	regular(32, 1, 0), regular(4, 1.2, math.Pi/4), regular(3, 1.35, math.Pi/2), regular(4, 1.3, 0),
	regular(3, 1.35, -math.Pi/2), cross(0), cross(math.Pi / 4), star(),
}

// regular returns a regular polygon with a corner at the angle.
func regular(corners int, radius, angle float64) polygon {
	var p polygon
	for i := range corners {
		p = append(p, corner(radius, angle+2*math.Pi*float64(i)/float64(corners)))
	}
	return p
}

func corner(radius, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: vg.Length(radius * cos), Y: vg.Length(radius * sin)}
}

// cross returns a cross with thick arms, of which one points at the angle.
func cross(angle float64) polygon {
	var p polygon
	for i := range 4 {
		arm := angle + float64(i)*math.Pi/2
		p = append(p, corner(1.4, arm-0.3), corner(1.4, arm+0.3), corner(0.6, arm+math.Pi/4))
	}
	return p
}

func star() polygon {
	var p polygon
	for i := range 5 {
		p = append(p, corner(1.45, math.Pi/2+float64(2*i)*math.Pi/5), corner(0.6, math.Pi/2+float64(2*i+1)*math.Pi/5))
	}
	return p
}

// DrawGlyph draws the mark at the point.
func (p polygon) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	for i, q := range p {
		to := at.Add(q.Scale(sty.Radius))
		if i == 0 {
			path.Move(to)
		} else {
			path.Line(to)
		}
	}
	path.Close()
	c.SetLineStyle(draw.LineStyle{Color: white, Width: 2})
	c.Stroke(path)
	c.SetColor(sty.Color)
	c.Fill(path)
}
