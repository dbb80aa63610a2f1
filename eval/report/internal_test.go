package report

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/alike-go/alike/internal/charts"
)

func TestSlope(t *testing.T) {
	if s := slope([][2]float64{{10, 3}, {100, 300}, {1000, 30000}}); math.Abs(s-2) > 1e-9 {
		t.Errorf("the exponent of a square is %v", s)
	}
}

// palette returns the colours of a theme, of the style and of methods: 0 is
// light, 1 dark.
func palette(t *testing.T, theme int) map[string][3]float64 {
	t.Helper()
	css, err := os.ReadFile("web/src/report.css")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][3]float64{}
	for i := range charts.Colours() {
		c := charts.Light(i)
		if theme == 1 {
			c = charts.Dark(i)
		}
		out[fmt.Sprint("c", i)] = [3]float64{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255}
	}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(string(css), -1) {
		var v uint32
		fmt.Sscanf(m[2+theme], "%x", &v)
		for i, c := range []uint32{v >> 16, v >> 8 & 255, v & 255} {
			rgb := out[m[1]]
			rgb[i] = float64(c) / 255
			out[m[1]] = rgb
		}
	}
	if len(out) < 16 {
		t.Fatalf("%d colours in the style", len(out))
	}
	return out
}

func linear(c [3]float64) (out [3]float64) {
	for i, v := range c {
		if v <= 0.04045 {
			out[i] = v / 12.92
		} else {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}

// contrast is that of WCAG 2.2.
func contrast(a, b [3]float64) float64 {
	l := func(c [3]float64) float64 {
		c = linear(c)
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
	}
	x, y := l(a), l(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// WCAG 2.2, level AA: 4.5 for text, 3 for what charts are made of.
func TestContrast(t *testing.T) {
	for theme, name := range []string{"light", "dark"} {
		p := palette(t, theme)
		for _, c := range []struct {
			ink, on string
			want    float64
		}{
			{"ink", "page", 4.5}, {"ink", "card", 4.5}, {"faint", "page", 4.5}, {"faint", "card", 4.5}, {"link", "page", 4.5}, {"link", "card", 4.5},
			{"mark-ink", "mark", 4.5}, {"ink", "good", 4.5},
			{"c0", "card", 3}, {"c1", "card", 3}, {"c2", "card", 3}, {"c3", "card", 3}, {"c4", "card", 3}, {"c5", "card", 3}, {"c6", "card", 3}, {"c7", "card", 3},
		} {
			if got := contrast(p[c.ink], p[c.on]); got < c.want {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %v", name, c.ink, c.on, got, c.want)
			}
		}
	}
}

// Machado, Oliveira and Fernandes (IEEE TVCG 2009), severity 1.
var blindness = map[string][3][3]float64{
	"none":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
}

// lab is CIE L*a*b* under D65.
func lab(c [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*c[0] + 0.3575761*c[1] + 0.1804375*c[2]) / 0.95047)
	y := f(0.2126729*c[0] + 0.7151522*c[1] + 0.0721750*c[2])
	z := f((0.0193339*c[0] + 0.1191920*c[1] + 0.9503041*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Every two of the eight colours differ by several times what an eye just tells apart (2.3,
// Mahy et al. 1994), for colour-blind readers too; symbols and dashes come on top.
func TestColoursAreToldApart(t *testing.T) {
	for theme, name := range []string{"light", "dark"} {
		p := palette(t, theme)
		for kind, m := range blindness {
			seen := map[string][3]float64{}
			for _, c := range []string{"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"} {
				l := linear(p[c])
				var v [3]float64
				for i := range v {
					v[i] = min(1, max(0, m[i][0]*l[0]+m[i][1]*l[1]+m[i][2]*l[2]))
				}
				seen[c] = lab(v)
			}
			for a, x := range seen {
				for b, y := range seen {
					d := math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
					if a < b && d < 9 {
						t.Errorf("%s, %s: %s and %s differ by %.1f", name, kind, a, b, d)
					}
				}
			}
		}
	}
}

// What is bundled is what the sources give.
func TestBundleIsCurrent(t *testing.T) {
	if _, err := os.Stat("web/node_modules"); err != nil {
		t.Skip("no web/node_modules; npm ci in eval/report/web makes it")
	}
	cmd := exec.Command("node", "web/build.mjs", "--check")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
