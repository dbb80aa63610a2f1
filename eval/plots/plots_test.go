package plots

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/internal/charts"
)

// coarse is the resolution of PNG files 150 pixels wide: quick to draw, as
// tests need them.
const coarse = 12

// valid reports what is wrong with the files of a folder.
func valid(t *testing.T, dir string, width, figures int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2*figures {
		t.Errorf("%d files for %d figures", len(entries), figures)
	}
	for _, e := range entries {
		data := read(t, dir, e.Name())
		if filepath.Ext(e.Name()) == ".png" {
			if img, err := png.Decode(bytes.NewReader(data)); err != nil {
				t.Errorf("%s: %v", e.Name(), err)
			} else if w := img.Bounds().Dx(); w != width {
				t.Errorf("%s is %d pixels wide, want %d", e.Name(), w, width)
			}
			continue
		}
		dec := xml.NewDecoder(bytes.NewReader(data))
		for {
			token, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", e.Name(), err)
			}
			if start, ok := token.(xml.StartElement); ok {
				for _, a := range start.Attr {
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Errorf("%s: %s has %s=%q", e.Name(), start.Name.Local, a.Name.Local, a.Value)
					}
				}
			}
		}
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// someFigures has one of each kind.
func someFigures() []Figure {
	out := []Figure{{Name: "lines"}, {Name: "curves", kind: curves}, {Name: "scatter", kind: scatter}, {Name: "shares", kind: histograms}, {Name: "counts", kind: histograms, counts: true}}
	for i := range out {
		f := &out[i]
		f.Data, f.Title, f.Subtitle, f.XLabel, f.YLabel = "news", f.Name, "test split", "bytes", "recall"
		for k := range 5 {
			y := 0.1 * float64(k)
			f.Series = append(f.Series, Series{
				Method: fmt.Sprintf("minhash:size=%d", 1<<k), Note: "a note", threshold: 0.3,
				Points: []Point{{0.5, y, 0, 0.9}, {1, 1, 0.9, 1}}, line: []Point{{X: 0.3, Y: 1}, {X: 0.9, Y: y}},
				alike: []int64{1, 2, 3, 100}, other: []int64{3000, 2, 1, 0},
			})
		}
	}
	return out
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "deep")
	for range 2 { // the second time over files that are there
		if warnings, err := Write(dir, someFigures()...); err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
	}
	valid(t, dir, 1200, 5)
}

func TestSameBytes(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if _, err := write(dir, coarse, someFigures()); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !bytes.Equal(read(t, a, e.Name()), read(t, b, e.Name())) {
			t.Errorf("%s differs between two runs", e.Name())
		}
	}
}

// A method has the colour of the table, in every figure of a run.
func TestColoursOfMethods(t *testing.T) {
	dir := t.TempDir()
	one := Series{Points: []Point{{1, 0.5, math.NaN(), math.NaN()}}}
	figure := func(name string, methods ...string) Figure {
		f := Figure{Name: name, kind: scatter}
		for _, m := range methods {
			one.Method = m
			f.Series = append(f.Series, one)
		}
		return f
	}
	if _, err := write(dir, coarse, []Figure{figure("all", "bloom", "simhash"), figure("one", "simhash")}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]int{"data-all.svg": {3, 6}, "data-one.svg": {6}} {
		svg := string(read(t, dir, name))
		for look := range charts.Colours() {
			c := charts.Light(look)
			has, wanted := strings.Contains(svg, fmt.Sprintf("fill:#%02X%02X%02X", c.R, c.G, c.B)), strings.Contains(fmt.Sprint(want), fmt.Sprint(look))
			if has != wanted {
				t.Errorf("%s has colour %d: %v, want %v", name, look, has, wanted)
			}
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	taken := map[string]bool{}
	long := strings.Repeat("长", 200)
	for _, c := range []struct{ data, name, want string }{
		{"news", "scores", "news-scores"}, {"News", "scores", "News-scores-2"}, {"news", "scores", "news-scores-3"},
		{"../a/b c", "x", "b_c-x"}, {"", "x", "data-x"}, {"..", "x", "data-x-2"}, {"/", "x", "_-x"}, {"a\xff", "x/y", "a_-x_y"},
		{"中文", "x", "中文-x"}, {long, "x", strings.Repeat("长", 53) + "-x"}, {"a", long, "a-" + strings.Repeat("长", 20)},
	} {
		f := Figure{Data: c.data, Name: c.name}
		if got := f.fileName(taken); got != c.want {
			t.Errorf("%q and %q give %q, want %q", c.data, c.name, got, c.want)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := write(file, coarse, someFigures()); err == nil || !strings.HasPrefix(err.Error(), "plots: ") {
		t.Errorf("where the directory is a file: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "news-lines.png", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := write(dir, coarse, someFigures()); err == nil {
		t.Error("no error where the file is a directory")
	}
}

func TestOddFigures(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	long := strings.Repeat("a very long label, ", 500)
	labels := []string{"", long, "相似度", "<&\"'>", "\x00\xff\n", "e\u0301 \u202e \U0001f600"}
	values := []float64{nan, inf, -inf, 0, -1, 1, 0.5, 1e300, 5e-324, math.MaxFloat64}
	var points []Point
	for _, x := range values {
		for _, y := range values {
			points = append(points, Point{x, y, y, x}, Point{x, 0.5, y, x}, Point{1, y, 0, x})
		}
	}
	var series []Series
	for i, label := range labels {
		series = append(series,
			Series{Method: label}, Series{Method: label, Note: label, Points: points, line: points, threshold: values[i]},
			Series{Method: label, alike: []int64{1}, threshold: nan}, Series{Method: label, alike: []int64{1, -5, math.MaxInt64}, other: []int64{0, 0, 0}, threshold: inf})
	}
	var figures []Figure
	for _, s := range [][]Series{nil, {{}}, series, {{Points: []Point{{3, 1, 1, 1}, {3, 1, 1, 1}, {3, 1, 1, 1}}}}} {
		for k := lines; k <= histograms; k++ {
			if k == histograms && s == nil {
				continue // FromRecords makes none
			}
			label := labels[len(figures)%len(labels)]
			f := Figure{Data: label, Name: "x", Title: label, Subtitle: label, XLabel: label, YLabel: label, Series: s, kind: k}
			if k == histograms {
				f.XLabel, f.YLabel = "score", "pairs" // as FromRecords labels them
				figures = append(figures, f)
				f.counts = true
			}
			figures = append(figures, f)
		}
	}
	many := Figure{Data: "many", Name: "x", Series: make([]Series, 101)}
	dir := t.TempDir()
	warnings, err := write(dir, coarse, append(figures, many))
	if err != nil {
		t.Fatal(err)
	}
	if want := "figure many-x shows the first 100 of 101 methods"; !strings.Contains(strings.Join(warnings, "\n"), want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	valid(t, dir, 150, len(figures)+1)
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct{ at, want []float64 }{
		{nil, nil},
		{[]float64{10}, []float64{10}},
		{[]float64{10, 16, 40}, []float64{10, 16, 40}},
		{[]float64{10, 10}, []float64{7, 13}},
		{[]float64{10, 10, 10}, []float64{4, 10, 16}},
		{[]float64{10, 10, 16, 100}, []float64{6, 12, 18, 100}},                          // each moved by 4, 2, 2: the least squares
		{[]float64{1, 1, 1, 1, 1, 1, 1, 90, 90}, []float64{1, 1, 1, 1, 1, 1, 1, 87, 93}}, // a crowd stays
	} {
		var series []Series
		for _, x := range tt.at {
			series = append(series, Series{Points: []Point{{X: x}}})
		}
		spread(series, 6)
		for i, want := range tt.want {
			if got := series[i].Points[0].X; math.Abs(got-want) > 1e-9 {
				t.Errorf("spread(%v) puts mark %d at %v, want %v", tt.at, i, got, want)
			}
		}
	}
}

func FuzzFigure(f *testing.F) {
	f.Add("shingle:width=2", 440.0, 0.9, 0.8, 0.95, int64(8))
	f.Add("相似\x00", math.NaN(), 1e300, -1.0, math.Inf(1), int64(-1))
	f.Fuzz(func(t *testing.T, label string, x, y, low, high float64, count int64) {
		s := Series{Method: label, Note: label, Points: []Point{{x, y, low, high}, {y, x, x, y}}, line: []Point{{X: x, Y: y}}, alike: []int64{count, 2}, other: []int64{1, 5}, threshold: high}
		var figures []Figure
		for k := lines; k <= histograms; k++ {
			figures = append(figures, Figure{Data: label, Name: label, Title: label, Series: []Series{s, {}}, kind: k, counts: count > 5})
		}
		dir := t.TempDir()
		if _, err := write(dir, coarse, figures); err != nil {
			t.Fatal(err)
		}
		valid(t, dir, 150, len(figures))
	})
}
