package browsertest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/report"
)

// records are those of all methods on the sets inside.
var records = sync.OnceValues(func() ([]eval.Record, error) {
	methods, err := catalog.ParseAll(nil, "")
	if err != nil {
		return nil, err
	}
	var out []eval.Record
	for _, name := range datasets.Inside() {
		set, err := datasets.Load(name)
		if err != nil {
			return nil, err
		}
		made, err := eval.Run(context.Background(), set, methods, eval.Config{Seed: 1, Resamples: 1000, Repeat: 1, Details: true, Commit: "test"})
		if err != nil {
			return nil, err
		}
		out = append(out, made...)
	}
	return out, nil
})

// input is a report with every kind of chart.
func input(t *testing.T) report.Input {
	t.Helper()
	r, err := records()
	if err != nil {
		t.Fatal(err)
	}
	in := report.Input{Records: r}
	curve := report.SCurve{Method: "minhash", Design: "16 bands of 4 values", Threshold: 0.5}
	for i := range 101 {
		s := float64(i) / 100
		curve.Points = append(curve.Points, report.SPoint{Score: s, Found: 1 - math.Pow(1-math.Pow(s, 4), 16)})
	}
	in.SCurves = append(in.SCurves, curve)
	// The same data at three sizes.
	for n, docs := range []int{1000, 10_000, 100_000} {
		r := in.Records[0]
		r.Dataset, r.Docs, r.Pairs, r.Truth, r.Details = "growing", docs, int64(docs), "joined", nil
		r.Checksum = fmt.Sprint(n)
		r.Join = &eval.Join{Seconds: eval.Figure(float64(docs) / 1e4)}
		in.Records = append(in.Records, r)
	}
	return in
}

// Every chart has the marks that its records give, where its axes say they are.
func TestChartsAreDrawn(t *testing.T) {
	in := input(t)
	b := open(t, in, report.Options{})
	count := func(selector string) int {
		return get[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
	}

	const methods = 7
	for _, set := range []string{"#set1", "#set2"} {
		for selector, want := range map[string]int{
			"-curves .series path": methods, "-curves .point path": methods, "-curves .legend li": methods,
			"-bytes .point path": methods, "-speed .point path": methods, "-scores .threshold line": methods,
		} {
			if got := count(set + selector); got != want {
				t.Errorf("%d of %s%s, want %d", got, set, selector, want)
			}
		}
		if n := count(set + "-bytes .front path"); n != 1 {
			t.Errorf("%d Pareto fronts, want one", n)
		}
	}
	for i, r := range in.Records[:2*methods] {
		set := fmt.Sprintf("#set%d", i/methods+1)
		k := i % methods
		// The chosen point lies where the ticks of the axes say.
		at := get[[2]float64](b, fmt.Sprintf(`at(%q, ".point path", %d)`, set+"-curves", k))
		if math.Abs(at[0]-float64(r.Recall)) > 0.002 || math.Abs(at[1]-float64(r.Precision)) > 0.002 {
			t.Errorf("%s on %s is drawn at recall %.4f, precision %.4f, want %.4f, %.4f", r.Method, r.Dataset, at[0], at[1], float64(r.Recall), float64(r.Precision))
		}
		// So do quality and price.
		dot := get[[2]float64](b, fmt.Sprintf(`at(%q, ".point path", %d, true)`, set+"-bytes", k))
		if math.Abs(dot[0]/float64(r.BytesPerDoc)-1) > 0.02 || math.Abs(dot[1]-float64(r.F1)) > 0.002 {
			t.Errorf("%s on %s is drawn at %.1f bytes, F1 %.4f, want %.1f, %.4f", r.Method, r.Dataset, dot[0], dot[1], float64(r.BytesPerDoc), float64(r.F1))
		}
	}
	bars := 0
	for _, r := range in.Records[:methods] {
		for _, n := range r.Details.Alike {
			if n > 0 {
				bars++
			}
		}
	}
	if got := count("#set1-scores .alike rect"); got != bars {
		t.Errorf("%d bars of pairs alike, want %d", got, bars)
	}
	if n := count("#scurves-chart .series path"); n != 1 {
		t.Errorf("%d S-curves, want one", n)
	}
	if n := count("figure[id^=growth] .series path"); n != 2 {
		t.Errorf("%d curves of growth, want those of time and of quality", n)
	}
	// No chart is empty, and none draws beyond what can be seen.
	for _, id := range get[[]string](b, `[...document.querySelectorAll("figure[data-chart]")].map((f) => f.id)`) {
		if n := count("#" + id + " .plot > svg path, #" + id + " .plot > svg rect"); n == 0 {
			t.Errorf("%s has no marks", id)
		}
		if bad := get[int](b, fmt.Sprintf(`[...document.querySelectorAll("#%s .plot path")].filter((p) => /NaN|Infinity/.test(p.getAttribute("d"))).length`, id)); bad > 0 {
			t.Errorf("%s has %d paths that are not numbers", id, bad)
		}
	}
}

// The figures that a reader sees are those of the records.
func TestTablesEqualTheRecords(t *testing.T) {
	in := input(t)
	b := open(t, in, report.Options{})
	for set := range 2 {
		rows := get[[][]string](b, fmt.Sprintf(`[...document.querySelectorAll("#set%d > .wide tbody tr")].map((r) => [...r.cells].map((c) => c.innerText))`, set+1))
		if len(rows) != 7 {
			t.Fatalf("%d rows, want 7", len(rows))
		}
		for i, row := range rows {
			r := in.Records[7*set+i]
			all := strings.Join(row, " ")
			for what, f := range map[string]eval.Figure{"threshold": r.Threshold, "precision": r.Precision, "recall": r.Recall, "F1": r.F1, "AP": r.AP, "AUC": r.AUC, "low F1": r.F1Low, "high F1": r.F1High} {
				if want := fmt.Sprintf("%.3f", float64(f)); !strings.Contains(all, want) {
					t.Errorf("row of %s on %s is %q, want %s %s in it", r.Method, r.Dataset, all, what, want)
				}
			}
			if row[0] != r.Method {
				t.Errorf("row %d is of %s, want %s", i, row[0], r.Method)
			}
		}
	}
	b.press("#set1-curves summary")
	if cells := get[int](b, `[...document.querySelectorAll("#set1-curves td")].filter((c) => c.checkVisibility()).length`); cells < 100 {
		t.Errorf("%d cells are seen once the table is opened", cells)
	}
}

// luminance is WCAG's, of a computed colour.
func luminance(b *tab, selector, property string) float64 {
	rgb := get[[]float64](b, fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).getPropertyValue(%q).match(/[\d.]+/g).slice(0, 3).map(Number)`, selector, property))
	sum := 0.0
	for i, w := range []float64{0.2126, 0.7152, 0.0722} {
		v := rgb[i] / 255
		if v <= 0.04045 {
			sum += w * v / 12.92
		} else {
			sum += w * math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return sum
}

func TestThemes(t *testing.T) {
	b := open(t, input(t), report.Options{}, media("screen", "dark"))
	dark := func(want bool) {
		t.Helper()
		ground, ink := luminance(b, "section", "background-color"), luminance(b, "body", "color")
		if (ground < 0.1) != want || (ink > 0.5) != want {
			t.Errorf("the ground has a luminance of %.2f, the ink of %.2f", ground, ink)
		}
		if contrast := (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05); contrast < 7 {
			t.Errorf("a contrast of %.1f", contrast)
		}
		line := luminance(b, "#set1-curves .series", "stroke")
		if contrast := (max(ground, line) + 0.05) / (min(ground, line) + 0.05); contrast < 3 {
			t.Errorf("a curve has a contrast of %.1f", contrast)
		}
	}
	dark(true)
	b.press(`button[data-theme=light]`)
	dark(false)
	b.press(`button[data-theme=auto]`)
	dark(true)
	b.do(media("screen", "light"))
	b.until(`matchMedia("(prefers-color-scheme: light)").matches`)
	dark(false)
	b.press(`button[data-theme=dark]`)
	dark(true)
}

func TestPhone(t *testing.T) {
	b := open(t, input(t), report.Options{}, size(375, 812, true))
	if w := get[int](b, `document.documentElement.scrollWidth`); w > 375 {
		t.Errorf("the page is %d pixels wide, want no more than the phone's 375", w)
	}
	for _, wide := range get[[]string](b, `[...document.querySelectorAll(".plot > svg")].filter((s) => s.getBoundingClientRect().right > 375).map((s) => s.closest("figure").id)`) {
		t.Errorf("%s does not fit", wide)
	}
	if small := get[float64](b, `Math.min(...[...document.querySelectorAll(".plot > svg")].map((s) => s.getBoundingClientRect().width / s.viewBox.baseVal.width))`); small < 0.95 {
		t.Errorf("a chart is drawn for another width and shrunk to %.2f", small)
	}
	if h := get[float64](b, `Math.min(...[...document.querySelectorAll("button")].map((s) => s.getBoundingClientRect().height))`); h < 24 {
		t.Errorf("a button is %.0f pixels high, want the 24 of WCAG 2.2", h)
	}
	// Turned round, charts are drawn anew.
	b.do(size(812, 375, true))
	b.until(`document.querySelector("#set1-curves .plot > svg").getBoundingClientRect().width > 600`)
}

func TestPrint(t *testing.T) {
	b := open(t, input(t), report.Options{}, media("print", "dark"))
	if l := luminance(b, "section", "background-color"); l < 0.9 {
		t.Errorf("paper has a luminance of %.2f", l)
	}
	if seen := get[bool](b, `[...document.querySelectorAll("nav, .switches")].some((e) => e.checkVisibility())`); seen {
		t.Error("buttons and links are printed")
	}
	b.do(media("", "light"))
	pdf := run(b, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
	if !strings.HasPrefix(string(pdf), "%PDF") || len(pdf) < 50_000 {
		t.Errorf("%d bytes of PDF", len(pdf))
	}
	if pages := strings.Count(string(pdf), "/Type /Page\n") + strings.Count(string(pdf), "/Type/Page/"); pages > 60 {
		t.Errorf("%d pages", pages)
	}
}

func TestChinese(t *testing.T) {
	b := open(t, input(t), report.Options{})
	b.press(`button[data-language=zh]`)
	if got := get[string](b, `document.documentElement.lang + " " + document.title`); got != "zh 文档是否相似：各方法比较" {
		t.Errorf("language and title are %q", got)
	}
	if seen := get[[]string](b, `[...document.querySelectorAll("span[lang=en]")].filter((e) => e.checkVisibility()).map((e) => e.innerText)`); len(seen) > 0 {
		t.Errorf("English is seen: %q", seen)
	}
	for selector, want := range map[string]string{
		"h1": "文档是否相似", "#overview h2": "总览", "#set1-curves .title": "精确率与召回率", "#set1-curves .plot > svg": "召回率：找到的相似对比例", "#set1-bytes .plot > svg": "每篇文档字节数",
	} {
		if got := get[string](b, fmt.Sprintf(`document.querySelector(%q).textContent`, selector)); !strings.Contains(got, want) {
			t.Errorf("%s says %.60q, want %s in it", selector, got, want)
		}
	}
	if label := get[string](b, `document.querySelector("#set1-curves .plot > svg").getAttribute("aria-label")`); label != "精确率与召回率" {
		t.Errorf("who hears the page is told %q of a chart", label)
	}
	b.press(`button[data-language=en]`)
	if seen := get[bool](b, `[...document.querySelectorAll("span[lang=zh]")].some((e) => e.checkVisibility())`); seen {
		t.Error("Chinese is seen after English was asked for")
	}
}

func TestOpensInItsLanguage(t *testing.T) {
	b := open(t, input(t), report.Options{Language: "zh", Title: "标题 <b>"})
	if got := get[string](b, `document.querySelector("h1").innerText + document.querySelector("#overview h2").innerText`); got != "标题 <b>总览" {
		t.Errorf("it opens with %q", got)
	}
}

// What texts and names say is shown, and never run or rendered.
func TestHostileText(t *testing.T) {
	in := input(t)
	evil := `</script><script>document.title="owned"</script><img src="http://example.invalid/x.png" onerror="document.title='owned'"><svg onload="document.title='owned'">`
	var r []eval.Record
	for i, x := range in.Records[:3] {
		d := *x.Details
		d.Examples = []eval.Example{{A: evil, B: evil, TextA: evil + " one two three", TextB: "one two three " + evil, Alike: true, Score: float64(i)}}
		x.Details, x.Dataset, x.Method, x.Settings = &d, evil, evil+fmt.Sprint(i), evil
		r = append(r, x)
	}
	b := open(t, report.Input{Records: r}, report.Options{})
	if title := get[string](b, `document.title`); title == "owned" {
		t.Error("a text was run")
	}
	if n := get[int](b, `document.querySelectorAll("img").length`); n > 0 {
		t.Errorf("%d pictures", n)
	}
	if text := get[string](b, `document.querySelector("#set1-curves .legend").innerText`); !strings.Contains(text, `<img src="http://example.invalid`) {
		t.Errorf("the legend says %.80q", text)
	}
}

// TestScreenshots makes the pictures of the documentation, if asked to, of a page that
// looks like any: all methods on the sets inside.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("no -screenshots")
	}
	in := input(t)
	in.Records = in.Records[:2*7]
	b := open(t, in, report.Options{})
	b.shoot("english.png", "body > header", "#set1-curves")
	b.shoot("scores.png", "#set2-scores", "#set2-speed")
	b.shoot("disagreements.png", "#set2 .pair", "#set2 .pair:nth-of-type(4)")
	b.press(`button[data-language=zh]`)
	b.shoot("chinese.png", "body > header", "#set1-curves")
	b.press(`button[data-theme=dark]`)
	b.shoot("dark.png", "#set2-curves", "#set2-bytes")
	b.press(`button[data-theme=light]`)
	b.press(`button[data-language=en]`)
	b.do(size(390, 1500, false))
	b.until(`document.querySelector("#set1-curves .plot > svg").getBoundingClientRect().width < 390`)
	b.do(chromedp.Sleep(time.Second))
	picture := run(b, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(*screenshots, "phone.png"), picture, 0o666); err != nil {
		t.Fatal(err)
	}
}
