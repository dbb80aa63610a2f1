// Package plots draws what a run of methods measured, as files for papers: PNG,
// 1200 pixels wide, and SVG.
//
// A [Figure] is a picture in data: its labels and numbers, without style.
// [FromRecords] makes the figures of a run, and [Write] draws them. The same
// figures give the same bytes.
//
// No number makes drawing fail. The picture leaves out a value that cannot be
// drawn, such as a speed that was not measured, and the legend says so.
//
// The commands alike eval, report and stress write pictures with it, and
// eval/stress makes figures. Pages belong to eval/report, colours and symbols
// to internal/charts.
package plots

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/alike-go/alike/internal/charts"
	"github.com/alike-go/alike/internal/durable"
)

// Figure is one picture. A Figure that another package makes shows shares in
// [0, 1] of several methods as functions of a quantity on a logarithmic axis.
type Figure struct {
	Data            string // name or path of the documents
	Name            string // what the figure shows, as part of a file's name
	Title, Subtitle string // Data stands before the title; the subtitle may be empty
	XLabel, YLabel  string
	Series          []Series

	kind   kind
	counts bool // of histograms: numbers of pairs on a logarithmic axis, not shares
}

// kind says how a figure is drawn.
type kind int

const (
	lines      kind = iota
	curves          // precision by recall, with the chosen thresholds
	scatter         // quality by price
	histograms      // scores by class, a panel for each method
)

// Series is what a figure shows of one method.
type Series struct {
	Method string  // spec of the method, which decides its colour and symbol
	Note   string  // smaller, below the method; may be empty
	Points []Point // ascending by X

	suffix       string  // of the method's name in the figure
	line         []Point // of curves, ascending by X
	alike, other []int64 // of histograms: pairs in equal steps of [0, 1]
	threshold    float64 // of histograms: marked by a line; 0 or NaN for none
}

// Point is one value. Low and High bound an interval of Y; NaN for none.
type Point struct{ X, Y, Low, High float64 }

// maxMethods is the maximum number of methods that a figure shows. More would
// make a page several metres long.
const maxMethods = 100

// Write draws every figure as DATA-NAME.png and DATA-NAME.svg in dir, which it
// creates if it is missing. Characters that a file name cannot have become '_',
// and a name in use gets a number. Each file is written aside and renamed, so
// nobody sees an incomplete file.
//
// Text is drawn with Liberation Sans, which needs no installation. It has no
// Chinese: SVG files leave such characters to the fonts of the reader, PNG
// files show their code points. Warnings name these characters, and figures
// that have more methods than a page can hold.
func Write(dir string, figures ...Figure) (warnings []string, err error) {
	// At 96 dots an inch a page of 900 points is 1200 pixels wide.
	return write(dir, 96, figures)
}

func write(dir string, dpi int, figures []Figure) (warnings []string, err error) {
	var methods []string
	for _, f := range figures {
		for _, s := range f.Series {
			methods = append(methods, s.Method)
		}
	}
	look := charts.Looks(methods)
	styles := []*style{newStyle(look, false), newStyle(look, true)}
	taken := map[string]bool{}
	for _, f := range figures {
		name := f.fileName(taken)
		if n := len(f.Series); n > maxMethods {
			warnings = append(warnings, fmt.Sprintf("figure %s shows the first %d of %d methods", name, maxMethods, n))
			f.Series = f.Series[:maxMethods]
		}
		for i, ending := range []string{".png", ".svg"} {
			data, err := styles[i].render(&f, dpi)
			if err == nil {
				err = durable.Replace(filepath.Join(dir, name+ending), data)
			}
			if err != nil {
				return warnings, fmt.Errorf("plots: %w", err)
			}
		}
	}
	return append(warnings, styles[0].warnings()...), nil
}

// odd matches what a file name must not contain.
var odd = regexp.MustCompile(`[^\pL\pN._-]`)

// fileName returns the name of a figure's files without extension, and reserves
// it. File systems may ignore case, and allow 255 bytes.
func (f *Figure) fileName(taken map[string]bool) string {
	valid := func(s string, most int) string {
		s = odd.ReplaceAllString(s, "_")
		return strings.ToValidUTF8(s[:min(len(s), most)], "")
	}
	base := cmp.Or(strings.TrimLeft(valid(filepath.Base(f.Data), 160), "."), "data") + "-" + valid(f.Name, 60)
	name := base
	for k := 2; taken[strings.ToLower(name)]; k++ {
		name = fmt.Sprintf("%s-%d", base, k)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// page is a figure or a part of it, laid out: its height and how to draw it.
type page struct {
	height vg.Length
	paint  func(draw.Canvas)
}

// render returns the file of a figure.
func (s *style) render(f *Figure, dpi int) ([]byte, error) {
	p := s.page(f)
	var c vg.CanvasWriterTo = vgsvg.New(pageWidth, p.height)
	if !s.vector {
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, p.height), vgimg.UseDPI(dpi))}
	}
	p.paint(draw.NewCanvas(c, pageWidth, p.height))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil || !s.vector {
		return b.Bytes(), err
	}
	// If the reader does not have the font that the text was measured with,
	// another one with about the same widths is used.
	const family = "font-family:Liberation Sans"
	return bytes.ReplaceAll(b.Bytes(), []byte(family+";"), []byte(family+",Arial,Helvetica,sans-serif;")), nil
}
