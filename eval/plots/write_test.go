package plots

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/alike-go/alike/eval"
)

// coarse makes PNG files 150 pixels wide: quick to draw, as tests need them.
func coarse(fontDirs ...string) output { return output{fontDirs, 12} }

// valid reports what is wrong with the files of figures.
func valid(t *testing.T, dir string, width int, figures ...Figure) {
	t.Helper()
	for _, f := range figures {
		name := f.heading().Name
		data, err := os.ReadFile(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s.png: %v", name, err)
		} else if w := img.Bounds().Dx(); w != width {
			t.Errorf("%s.png is %d pixels wide, want %d", name, w, width)
		}
		data, err = os.ReadFile(filepath.Join(dir, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		dec := xml.NewDecoder(bytes.NewReader(data))
		for {
			token, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s.svg: %v", name, err)
			}
			if start, ok := token.(xml.StartElement); ok {
				for _, a := range start.Attr {
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Errorf("%s.svg: %s has %s=%q", name, start.Name.Local, a.Name.Local, a.Value)
					}
				}
			}
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2*len(figures) {
		t.Errorf("%d files for %d figures, %v", len(entries), len(figures), err)
	}
}

func someFigures() []Figure {
	rng := rand.New(rand.NewPCG(1, 2))
	pr := &PrecisionRecall{Heading: Heading{Name: "pr", Title: "news: precision and recall", Subtitle: "test split"}}
	scores := &Histograms{Heading: Heading{Name: "scores", Title: "news: scores"}}
	scatter := &Scatter{Heading: Heading{Name: "bytes", Title: "news: quality"}, XLabel: "bytes", YLabel: "F1"}
	lines := &Lines{Heading: Heading{Name: "lines", Title: "news: recall by length"}, XLabel: "characters", YLabel: "recall"}
	for i := range 5 {
		pairs := scored(rng, 300, 40)
		label := fmt.Sprintf("method:width=%d", i)
		pr.Curves = append(pr.Curves, NewCurve(label, pairs, 0.5))
		scores.Panels = append(scores.Panels, NewHistogram(label, pairs, 0.5))
		scatter.Marks = append(scatter.Marks, Mark{Label: label, X: math.Ldexp(8, i), Y: 0.8, Low: 0.7, High: 0.9})
		lines.Lines = append(lines.Lines, Line{Label: label, Points: []Mark{{X: 50, Y: 0.1 * float64(i), Low: 0, High: 0.9}, {X: 500, Y: 1, Low: 0.9, High: 1}}})
	}
	counts := *scores
	counts.Name, counts.Counts = "counts", true
	return []Figure{pr, scores, &counts, scatter, lines}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "deep")
	if warnings, err := Write(dir, someFigures()...); err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	valid(t, dir, 1200, someFigures()...)
}

func TestSameBytes(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b, b} { // the last time over files that are there
		if warnings, err := coarse().write(dir, someFigures()); err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
	}
	valid(t, b, 150, someFigures()...)
	entries, err := os.ReadDir(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		x, errX := os.ReadFile(filepath.Join(a, e.Name()))
		y, errY := os.ReadFile(filepath.Join(b, e.Name()))
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs between two runs (%v, %v)", e.Name(), errX, errY)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	of := func(names ...string) (out []Figure) {
		for _, n := range names {
			out = append(out, &Scatter{Heading: Heading{Name: n}})
		}
		return out
	}
	const wanted = "want 1 to 200 bytes of letters, digits, '-', '_' and '.', not first '.'"
	for _, tt := range []struct {
		figures []Figure
		want    string
	}{
		{of(""), `plots: Name is "", ` + wanted},
		{of("../x"), `plots: Name is "../x", ` + wanted},
		{of(".x"), `plots: Name is ".x", ` + wanted},
		{of("a\xff"), `plots: Name is "a\xff", ` + wanted},
		{of(strings.Repeat("x", 201)), "plots: Name is "},
		{of("a", "b", "A"), `plots: two figures have the name "A", want different ones`},
	} {
		dir := t.TempDir()
		_, err := coarse().write(dir, tt.figures)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%q wrote %d files", tt.want, len(entries))
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, filepath.Dir(file), "file", nil)
	if _, err := coarse().write(file, of("a")); err == nil {
		t.Error("no error where the directory is a file")
	}
	// A directory stands where the file should: nothing is left aside.
	dir := t.TempDir()
	writeFile(t, dir, "a.png/x", nil)
	if _, err := coarse().write(dir, of("a")); err == nil {
		t.Error("no error where the file is a directory")
	}
	if _, err := os.Stat(filepath.Join(dir, "a.png.new")); err == nil {
		t.Error("the file aside was left")
	}
}

func TestOddFigures(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	long := strings.Repeat("a very long label, ", 500)
	labels := []string{"", long, "相似度", "<&\"'>", "\x00\xff\n", "e\u0301 \u202e \U0001f600"}
	values := []float64{nan, inf, -inf, 0, -1, 1, 0.5, 1e300, 5e-324, math.MaxFloat64}
	pr, scores, scatter := &PrecisionRecall{}, &Histograms{}, &Scatter{XLabel: long, YLabel: "相似度"}
	for _, label := range labels {
		pr.Curves = append(pr.Curves, Curve{Label: label}, Curve{Label: label, Note: label, Points: []eval.CurvePoint{{Precision: 0.5, Recall: 0.5}}, Chosen: &eval.CurvePoint{Precision: nan}})
		scores.Panels = append(scores.Panels,
			Histogram{Label: label}, Histogram{Label: label, Alike: []int64{1}}, Histogram{Label: label, Alike: []int64{1, -5, math.MaxInt64}, Other: []int64{0, 0, 0}, Threshold: nan},
			Histogram{Label: label, Edges: []float64{0.5, nan, 0.2}, Alike: make([]int64, 2), Other: []int64{3, 4}, Threshold: inf},
			Histogram{Label: label, Edges: []float64{}, Alike: []int64{1}, Other: []int64{1}}, Histogram{Label: label, Edges: []float64{-1e300, -5, 7, 8, 8, 9}, Alike: make([]int64, 5), Other: []int64{3, 4, 5, 6, 7}, Threshold: 7.5})
		for _, x := range values {
			for _, y := range values {
				scatter.Marks = append(scatter.Marks, Mark{Label: label, X: x, Y: y, Low: y, High: x})
			}
		}
	}
	for _, x := range values {
		for _, y := range values {
			pr.Curves[0].Points = append(pr.Curves[0].Points, eval.CurvePoint{Precision: x, Recall: y})
		}
	}
	scatter.Marks = scatter.Marks[:maxMethods+1]
	figures := []Figure{
		pr, scores, scatter, &Histograms{Panels: scores.Panels, Counts: true},
		&PrecisionRecall{}, &Histograms{}, &Scatter{}, &Lines{}, &Histograms{Counts: true, Panels: make([]Histogram, 1)},
		&Lines{Lines: []Line{{}, {Points: []Mark{{X: -1, Y: 0.5}, {X: nan, Y: nan}, {X: 1e300, Y: 1}}}, {Points: []Mark{{X: 3, Y: 7}, {X: 3, Y: 1, Low: -1, High: 2}}}}},
		&Scatter{Marks: []Mark{{X: 1, Y: 0, Low: nan, High: nan}}}, &Scatter{Marks: []Mark{{X: 3, Y: 1}, {X: 3, Y: 1}, {X: 3, Y: 1}}},
	}
	for i, f := range figures {
		*f.heading() = Heading{Name: fmt.Sprintf("odd-%d", i), Title: labels[i%len(labels)], Subtitle: labels[(i+1)%len(labels)]}
	}
	dir := t.TempDir()
	warnings, err := coarse().write(dir, figures)
	if err != nil {
		t.Fatal(err)
	}
	if want := "figure odd-2 shows the first 100 of 101 methods"; !strings.Contains(strings.Join(warnings, "\n"), want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	valid(t, dir, 150, figures...)
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct{ at, want []vg.Length }{
		{nil, nil},
		{[]vg.Length{10}, []vg.Length{10}},
		{[]vg.Length{10, 16, 40}, []vg.Length{10, 16, 40}},
		{[]vg.Length{10, 10}, []vg.Length{7, 13}},
		{[]vg.Length{10, 10, 10}, []vg.Length{4, 10, 16}},
		{[]vg.Length{10, 10, 16, 100}, []vg.Length{6, 12, 18, 100}},                          // each moved by 4, 2, 2: the least squares
		{[]vg.Length{1, 1, 1, 1, 1, 1, 1, 90, 90}, []vg.Length{1, 1, 1, 1, 1, 1, 1, 87, 93}}, // a crowd stays
	} {
		got := spread(tt.at)
		for i := range tt.want {
			if math.Abs(float64(got[i]-tt.want[i])) > 1e-9 {
				t.Errorf("spread(%v) = %v, want %v", tt.at, got, tt.want)
				break
			}
		}
	}
}

func FuzzScatter(f *testing.F) {
	f.Add("shingle:width=2", 440.0, 0.9, 0.8, 0.95, 8.0)
	f.Add("相似\x00", math.NaN(), 1e300, -1.0, math.Inf(1), 0.0)
	f.Fuzz(func(t *testing.T, label string, x, y, low, high, other float64) {
		figures := []Figure{
			&Scatter{Heading: Heading{Name: "a", Title: label}, XLabel: label, Marks: []Mark{{Label: label, X: x, Y: y, Low: low, High: high}, {X: other, Y: other}}},
			&Histograms{Heading: Heading{Name: "b"}, Panels: []Histogram{{Label: label, Edges: []float64{x, y, low}, Alike: []int64{int64(other), 2}, Other: []int64{1, 5}, Threshold: high}}},
			&PrecisionRecall{Heading: Heading{Name: "c"}, Curves: []Curve{{Note: label, Points: []eval.CurvePoint{{Precision: x, Recall: y}, {Precision: low, Recall: high}}}}},
		}
		dir := t.TempDir()
		if _, err := coarse().write(dir, figures); err != nil {
			t.Fatal(err)
		}
		valid(t, dir, 150, figures...)
	})
}
