package main

import (
	"math"
	"testing"
	"time"
)

func TestSlope(t *testing.T) {
	var points []Point
	for _, n := range []int{10, 100, 1000} {
		points = append(points, Point{N: n, Value: 3 * math.Pow(float64(n), 1.5)})
	}
	if got := slope(points); math.Abs(got-1.5) > 1e-9 {
		t.Errorf("the exponent is %g, want 1.5", got)
	}
}

func TestGrow(t *testing.T) {
	spin := func(n int) func() {
		return func() {
			for from := cpuTime(); cpuTime()-from < time.Duration(n)*time.Microsecond; {
			}
		}
	}
	var prepared []int
	c := Curve{
		What: "x", Unit: Query, Sizes: powers(2, 6), Bytes: func(n int) float64 { return float64(n) },
		Prepare: func(n int) (func(), float64, error) { prepared = append(prepared, n); return spin(n), 1, nil },
	}
	g, err := Grow(c, Timing{Least: time.Millisecond, Procs: 1}, Limits{Seconds: 60, Bytes: 1e5, N: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if len(prepared) != 3 || len(g.Points) != 5 {
		t.Fatalf("prepared %v, points %v, want 100 to 10,000 measured and 2 points more", prepared, g.Points)
	}
	// What is extrapolated lies on the line through the last two points measured.
	a, b := g.Points[1], g.Points[2]
	for i, p := range g.Points {
		if p.Extrapolated != (i > 2) {
			t.Errorf("point %v: extrapolated %v", p, p.Extrapolated)
		}
		if want := b.Value * math.Pow(b.Value/a.Value, float64(i-2)); i > 2 && math.Abs(p.Value/want-1) > 1e-9 {
			t.Errorf("extrapolated to %g at %d, want %g", p.Value, p.N, want)
		}
	}
	// Ten microseconds for each of a thousand must be seen as linear, whatever else the machine does.
	if g.Exponent < 0.5 || g.Exponent > 1.5 {
		t.Errorf("exponent %g of linear work", g.Exponent)
	}
	if _, err := Grow(c, Timing{Least: time.Millisecond, Procs: 1}, Limits{Seconds: 60, Bytes: 1e9, N: 100}); err == nil {
		t.Error("one point is taken for a curve")
	}
}
