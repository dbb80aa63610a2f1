package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime/debug"
	"slices"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
)

// Curve is one thing whose time is measured as the collection grows.
type Curve struct {
	What  string
	Unit  Unit
	Sizes []int // ascending, each ten times the one before
	// Bytes is the memory that n takes, all in all.
	Bytes func(n int) float64
	// Prepare returns what is to be timed for n, and how much work one run is.
	Prepare func(n int) (run func(), work float64, err error)
}

// Point is a measured or extrapolated value of a Curve.
type Point struct {
	N            int     `json:"n"`
	Value        float64 `json:"value"`
	Extrapolated bool    `json:"extrapolated,omitempty"`
}

// Grown is a Curve with its points.
type Grown struct {
	What   string  `json:"what"`
	Unit   Unit    `json:"unit"`
	Points []Point `json:"points"`
	// Exponent is that of N in the power law that fits the measured points best, by
	// least squares of the logarithms; Last that of the last two measured.
	Exponent float64 `json:"exponent"`
	Last     float64 `json:"last"`
}

// Limits says which points are measured; the others are extrapolated.
type Limits struct {
	Seconds float64 // most that a point may be expected to take
	Bytes   float64 // most memory
	N       int     // largest collection
}

// Grow measures a curve as far as the limits let it, and goes on from there by the slope of
// the last two points measured.
func Grow(c Curve, t Timing, l Limits) (Grown, error) {
	g := Grown{What: c.What, Unit: c.Unit}
	var measured []Point
	var prepared, ran []float64 // CPU seconds
	for _, n := range c.Sizes {
		fits := n <= l.N && c.Bytes(n) <= l.Bytes
		if k := len(ran); fits && k >= 2 {
			step := float64(n) / float64(measured[k-1].N)
			expected := prepared[k-1]*step + ran[k-1]*max(step, ran[k-1]/ran[k-2])
			fits = expected <= l.Seconds
		}
		if !fits {
			break
		}
		from := cpuTime()
		run, work, err := c.Prepare(n)
		if err != nil {
			return g, fmt.Errorf("%s, N=%d: %w", c.What, n, err)
		}
		prepared = append(prepared, (cpuTime() - from).Seconds())
		ran = append(ran, t.once(run))
		measured = append(measured, Point{N: n, Value: c.Unit.value(ran[len(ran)-1], work)})
	}
	if len(measured) < 2 {
		return g, fmt.Errorf("%s: %d points measured, want two at least", c.What, len(measured))
	}
	g.Exponent, g.Last = slope(measured), slope(measured[len(measured)-2:])
	g.Points = measured
	last := measured[len(measured)-1]
	for _, n := range c.Sizes[len(measured):] {
		value := last.Value * math.Pow(float64(n)/float64(last.N), g.Last)
		g.Points = append(g.Points, Point{n, value, true})
	}
	return g, nil
}

// writeGrown measures the curves that match and writes them.
func writeGrown(w io.Writer, format string, r *Report, seed uint64, t Timing, l Limits, match *regexp.Regexp, said func(string, ...any)) error {
	var grown []Grown
	for _, group := range curveGroups {
		curves, err := group(seed)
		if err != nil {
			return err
		}
		for _, c := range curves {
			if !match.MatchString(c.What) {
				continue
			}
			said("%s", c.What)
			g, err := Grow(c, t, l)
			if err != nil {
				return err
			}
			grown = append(grown, g)
		}
		debug.FreeOSMemory()
	}
	if len(grown) == 0 {
		return fmt.Errorf("no curve matches %q", match)
	}
	if format != "json" {
		return writeGrowth(w, r, grown)
	}
	enc := json.NewEncoder(w)
	for _, g := range grown {
		if err := enc.Encode(struct {
			Grown
			Machine
			Date string `json:"date"`
		}{g, r.Machine, r.Date.Format(time.RFC3339)}); err != nil {
			return err
		}
	}
	return nil
}

// once returns the seconds of a run: the median of three samples, or the first
// alone where it takes seconds.
func (t Timing) once(run func()) float64 {
	c := &Contender{Run: run}
	n, took := t.calibrate(c, cpuTime)
	if took > 2 {
		return took
	}
	samples := make([]float64, 3)
	for i := range samples {
		samples[i] = t.seconds(c, n, cpuTime)
	}
	return spread(samples).Median
}

// slope fits a line to the logarithms of points.
func slope(points []Point) float64 {
	var x, y, xx, xy float64
	for _, p := range points {
		u, v := math.Log(float64(p.N)), math.Log(p.Value)
		x, y, xx, xy = x+u, y+v, xx+u*u, xy+u*v
	}
	n := float64(len(points))
	return (n*xy - x*y) / (n*xx - x*x)
}

// writeGrowth writes a table with a column for each size that a curve has.
func writeGrowth(w io.Writer, r *Report, grown []Grown) error {
	fmt.Fprintf(w, `    $ cd bench && %s

%s, %d CPUs, %s, commit %s, GOMAXPROCS=%d: %s.
CPU time. "≈" marks what was not measured but follows from the last two points measured.
The exponent is that of N in the power law fitted to the measured points; "at last" that of the last two.

`, r.Command, r.CPU, r.CPUs, r.Go, r.Commit, r.Procs, r.Date.Format("2 January 2006"))
	var sizes []int
	for _, g := range grown {
		for _, p := range g.Points {
			sizes = append(sizes, p.N)
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	head := []string{"what", "unit"}
	for _, n := range sizes {
		head = append(head, "N="+count(n))
	}
	table := tablewriter.NewTable(w, tablewriter.WithRenderer(renderer.NewMarkdown()), plain)
	table.Header(append(head, "exponent", "at last"))
	for _, g := range grown {
		row := make([]string, len(sizes), len(sizes)+4)
		for _, p := range g.Points {
			cell := short(p.Value)
			if p.Extrapolated {
				cell = "≈ " + cell
			}
			row[slices.Index(sizes, p.N)] = cell
		}
		row = append([]string{g.What, string(g.Unit)}, row...)
		if err := table.Append(append(row, number(g.Exponent), number(g.Last))); err != nil {
			return err
		}
	}
	return table.Render()
}

// count prints a power of ten as such.
func count(n int) string {
	if e := math.Log10(float64(n)); e == math.Trunc(e) {
		return fmt.Sprintf("10^%g", e)
	}
	return fmt.Sprint(n)
}

// short prints two or three digits of what may be very small.
func short(v float64) string {
	if v >= 0.1 {
		return number(v)
	}
	return fmt.Sprintf("%.2g", v)
}
