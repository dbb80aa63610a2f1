package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/report"
)

var nan = eval.Figure(math.NaN())

// record is a record of a method whose figures are all told apart by n.
func record(dataset, method string, n int) eval.Record {
	f := func(k int) eval.Figure { return eval.Figure(float64(100*n+k)/10000 + 0.3) }
	r := eval.Record{
		Dataset: dataset, Method: method, Split: "test", TunedOn: "dev", Truth: "pairs",
		Docs: 120, Pairs: 1000, Positives: 300, Units: 60, Fit: true,
		Threshold: f(1), Precision: f(2), Recall: f(3), F1: f(4), AP: f(5), AUC: f(6), RecallP95: f(7),
		ClosureFigures: eval.ClosureFigures{ClosureF1: f(8), ARI: nan, BCubedF1: nan}, Pearson: nan, Spearman: nan,
		PrecisionLow: f(9), PrecisionHigh: f(10), RecallLow: f(11), RecallHigh: f(12), F1Low: f(13), F1High: f(14), APLow: f(15), APHigh: f(16),
		BytesPerDoc: eval.Figure(8 + 100*n), SketchMBs: eval.Figure(3 + n), PairsS: 1e6,
		Settings: method + ":all", Checksum: "c-" + dataset, Seed: 1, Resamples: 100,
		Machine: eval.Machine{Go: "go1.26", OS: "linux", Arch: "amd64", CPU: "cpu", CPUs: 2},
	}
	d := &eval.Details{Draws: "draws", Alike: make([]int64, 50), Other: make([]int64, 50)}
	for i := range 50 {
		d.Alike[i], d.Other[i] = int64(i*n), int64(5000/(i+1))
	}
	for i := range 20 {
		x := float64(i+1) / 20
		d.Curve = append(d.Curve, eval.CurvePoint{Threshold: 1 - x, Precision: 1 - x*x/float64(n+2), Recall: x})
	}
	d.Examples = []eval.Example{{
		A: "a1", B: "b1", TextA: "the quick brown fox jumps over the dog", TextB: "a quick brown fox leaps over the dog",
		Alike: true, Score: float64(r.Threshold) + 0.1*float64(n%2) - 0.05,
	}}
	r.Details = d
	return r
}

func records() []eval.Record {
	var out []eval.Record
	for _, set := range []string{"news", "诗"} {
		for n, m := range []string{"shingle", "minhash:size=64", "simhash"} {
			out = append(out, record(set, m, n+1))
		}
	}
	return out
}

func write(t *testing.T, in report.Input, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, in, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// elements returns all elements of a page by name.
func elements(t *testing.T, page string) map[string][]*html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]*html.Node{}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			out[n.Data] = append(out[n.Data], n)
		}
	}
	return out
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// chart is what the page hands to its script, as far as tests look.
type chart struct {
	Kind   string
	Series []struct {
		Label    string
		Points   [][2]float64
		At       *[2]float64
		Dot      *[2]float64
		Interval *[2]float64
		Front    bool
		Look     int
	}
	Panels []struct {
		Label        string
		Alike, Other []int64
		Threshold    *float64
	}
	Others []struct{ Label string }
	Bars   []struct {
		Label [2]string
		Value float64
	}
}

func chartsOf(t *testing.T, page string) map[string]chart {
	t.Helper()
	for _, s := range elements(t, page)["script"] {
		if attribute(s, "id") != "data" {
			continue
		}
		var data struct{ Charts map[string]chart }
		if err := json.Unmarshal([]byte(textOf(s)), &data); err != nil {
			t.Fatal(err)
		}
		return data.Charts
	}
	t.Fatal("no data in the page")
	return nil
}

func TestNumbersEqualTheRecords(t *testing.T) {
	in := records()
	page := write(t, report.Input{Records: in}, report.Options{})
	charts := chartsOf(t, page)
	near := func(what string, got float64, want eval.Figure) {
		t.Helper()
		if math.Abs(got-float64(want)) > 0.00005 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	for i, r := range in {
		set, k := fmt.Sprintf("set%d", i/3+1), i%3
		curve := charts[set+"-curves"].Series[k]
		if curve.Label != r.Method || len(curve.Points) != len(r.Details.Curve)+1 {
			t.Fatalf("curve %d of %s is of %s with %d points", k, set, curve.Label, len(curve.Points))
		}
		for j, q := range r.Details.Curve {
			near("recall", curve.Points[j+1][0], eval.Figure(q.Recall))
			near("precision", curve.Points[j+1][1], eval.Figure(q.Precision))
		}
		near("recall chosen", curve.At[0], r.Recall)
		near("precision chosen", curve.At[1], r.Precision)
		panel := charts[set+"-scores"].Panels[k]
		if !slices.Equal(panel.Alike, r.Details.Alike) || !slices.Equal(panel.Other, r.Details.Other) {
			t.Errorf("scores of %s differ from the record's", r.Method)
		}
		near("threshold", *panel.Threshold, r.Threshold)
		for name, price := range map[string]eval.Figure{"bytes": r.BytesPerDoc, "speed": r.SketchMBs} {
			dot := charts[set+"-"+name].Series[k]
			near(name, dot.Dot[0], price)
			near("F1", dot.Dot[1], r.F1)
			near("low", dot.Interval[0], r.F1Low)
			near("high", dot.Interval[1], r.F1High)
		}
		for _, f := range []eval.Figure{r.Threshold, r.Precision, r.Recall, r.F1, r.AP, r.AUC, r.RecallP95, r.ClosureF1} {
			if want := fmt.Sprintf(">%.3f", float64(f)); !strings.Contains(page, want) {
				t.Errorf("no cell begins with %s of %s on %s", want[1:], r.Method, r.Dataset)
			}
		}
		if want := fmt.Sprintf("<small>%.3f – %.3f</small>", float64(r.F1Low), float64(r.F1High)); !strings.Contains(page, want) {
			t.Errorf("no interval %s", want)
		}
	}
}

// Speeds stand above their extremes, and an estimate beside its error.
func TestSpreadsAndEstimates(t *testing.T) {
	r := record("news", "minhash", 1)
	r.SketchMBs = 12.5
	r.Speed = &eval.Speed{SketchMB: &eval.Spread{Median: 12.5, Min: 11, Max: 13.5}}
	r.Estimate = &eval.Estimate{Reference: "shingle", Bias: -0.0123, RMSE: 0.0456}
	page := write(t, report.Input{Records: []eval.Record{r}}, report.Options{})
	for _, want := range []string{">12.5<small>11.0 – 13.5</small><", ">-0.012<", ">0.046<"} {
		if !strings.Contains(page, want) {
			t.Errorf("no cell %s", want)
		}
	}
}

// The page says what both splits have in common.
func TestSharedTextsAreTold(t *testing.T) {
	all := records()
	const said = "1,234 texts in common"
	if page := write(t, report.Input{Records: all}, report.Options{}); strings.Contains(page, "texts in common") {
		t.Error("the page tells of shared texts where there are none")
	}
	for i := range all {
		all[i].Shared = 1234
	}
	if page := write(t, report.Input{Records: all}, report.Options{}); !strings.Contains(page, said+".") {
		t.Errorf("the page does not say %q", said)
	}
	for i := range all {
		all[i].StrictSplits = true
	}
	if page := write(t, report.Input{Records: all}, report.Options{}); !strings.Contains(page, said+", which were left out") {
		t.Errorf("the page does not say that %q were left out", said)
	}
}

// A chart without a table shuts out who cannot see it.
func TestEveryChartHasATable(t *testing.T) {
	page := write(t, report.Input{Records: records(), SCurves: curves()}, report.Options{})
	figures := elements(t, page)["figure"]
	if len(figures) != len(chartsOf(t, page)) || len(figures) != 9 {
		t.Errorf("%d figures, %d charts, want 9", len(figures), len(chartsOf(t, page)))
	}
	for _, f := range figures {
		cells := 0
		for n := range f.Descendants() {
			if n.Type == html.ElementNode && n.Data == "td" {
				cells++
			}
		}
		if cells < 3 {
			t.Errorf("figure %s has a table of %d cells", attribute(f, "id"), cells)
		}
	}
}

func curves() []report.SCurve {
	c := report.SCurve{Method: "minhash", Design: "2 bands of 3 values", Threshold: 0.5}
	for i := range 101 {
		s := float64(i) / 100
		c.Points = append(c.Points, report.SPoint{Score: s, Found: 1 - math.Pow(1-s*s*s, 2)})
	}
	return []report.SCurve{c}
}

// Whatever a document or a name says, it is text.
func TestTextIsEscaped(t *testing.T) {
	evil := `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'&{{.}}<!--` + "\u2028\x00\xff"
	in := records()[:3]
	for i := range in {
		in[i].Dataset, in[i].Method = evil, evil+fmt.Sprint(i)
		in[i].Settings, in[i].Checksum, in[i].Machine.CPU = evil, evil, evil
		x := &in[i].Details.Examples[0]
		x.A, x.B, x.TextA, x.TextB = evil, evil, evil+" one two three", evil+" one two three"
	}
	page := write(t, report.Input{Records: in, SCurves: []report.SCurve{{Method: evil, Design: evil}}}, report.Options{Title: evil})
	all := elements(t, page)
	if n := len(all["script"]); n != 2 {
		t.Errorf("%d script elements, want 2", n)
	}
	if n := len(all["img"]); n != 0 {
		t.Errorf("%d img elements, want none", n)
	}
	if title := textOf(all["title"][0]); !strings.HasPrefix(title, `</script><script>alert(1)`) {
		t.Errorf("the title is %q", title)
	}
	if len(chartsOf(t, page)) != 5 {
		t.Errorf("%d charts can be read from the data", len(chartsOf(t, page)))
	}
}

// Nothing in the page names a place elsewhere to load from.
func TestPageIsSelfContained(t *testing.T) {
	page := write(t, report.Input{Records: records()}, report.Options{})
	for _, nodes := range elements(t, page) {
		for _, n := range nodes {
			for _, key := range []string{"src", "href", "srcset", "data", "action", "poster"} {
				if v := attribute(n, key); v != "" && !strings.HasPrefix(v, "#") && !strings.HasPrefix(v, "data:") {
					t.Errorf("%s of %s is %q", key, n.Data, v)
				}
			}
		}
	}
	if m := regexp.MustCompile(`url\([^)]*\)|@import`).FindString(textOf(elements(t, page)["style"][0])); m != "" {
		t.Errorf("the style has %s", m)
	}
}

func TestSameBytes(t *testing.T) {
	in := report.Input{Records: records(), SCurves: curves()}
	if a, b := write(t, in, report.Options{}), write(t, in, report.Options{}); a != b {
		t.Error("two pages of the same input differ")
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		in   report.Input
		o    report.Options
		want string
	}{
		"nothing":  {want: "nothing to report"},
		"language": {in: report.Input{Records: records()}, o: report.Options{Language: "fr"}, want: "want en or zh"},
	} {
		err := report.Write(&bytes.Buffer{}, c.in, c.o)
		if err == nil || !strings.HasPrefix(err.Error(), "report: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Records without details, without speeds, without anything still make a page.
func TestBareRecords(t *testing.T) {
	in := records()
	for i := range in {
		in[i].Details = nil
		in[i].SketchMBs, in[i].F1Low, in[i].F1High = nan, nan, nan
	}
	if charts := chartsOf(t, write(t, report.Input{Records: in}, report.Options{})); len(charts) != 2 {
		t.Errorf("%d charts, want those of bytes alone", len(charts))
	}
	write(t, report.Input{Records: []eval.Record{{Dataset: "d", Method: "m", F1: nan, Spearman: nan}}}, report.Options{})
}

// As large as reports get: 8 sets, 10 methods, curves of 200 points.
func TestPageOfManyMethodsIsSmall(t *testing.T) {
	var in []eval.Record
	long := strings.Repeat("Some words of a text that is as long as a passage. ", 24)
	for set := range 8 {
		for m := range 10 {
			r := record(fmt.Sprintf("set-%d", set), fmt.Sprintf("method:key=%d", m), m+1)
			r.Details.Curve = nil
			for i := range 200 {
				x := float64(i+1) / 200
				r.Details.Curve = append(r.Details.Curve, eval.CurvePoint{Threshold: 1 - x, Precision: 1 - x*x/float64(m+2), Recall: x})
			}
			r.Details.Examples = nil
			for k := range 12 {
				r.Details.Examples = append(r.Details.Examples, eval.Example{A: fmt.Sprint("a", k), B: "b", TextA: long, TextB: long + "end", Alike: m%2 == 0, Score: 0.9})
			}
			in = append(in, r)
		}
	}
	page := write(t, report.Input{Records: in}, report.Options{})
	t.Logf("%d bytes", len(page))
	if len(page) > 5_000_000 {
		t.Errorf("%d bytes, want 5 MB at most", len(page))
	}
}

func TestChoice(t *testing.T) {
	var c []choose.Record
	for i, role := range []string{"", "front", "best", "cheaper", "front, cheaper", ""} {
		f := eval.Figure(0.5 + float64(i)/20)
		r := choose.Record{Dataset: "news", Goal: "precision>=.95", Fit: true, All: 0.1, Role: role}
		r.Trial = choose.Trial{Spec: fmt.Sprint("m", i), Threshold: f, Dev: choose.Quality{Value: f}, State: eval.NotWorse, BytesPerDoc: eval.Figure(8 * (i + 1)), Nominal: float64(i + 1)}
		if role != "" {
			r.Test = &choose.Quality{Value: f, Low: f - 0.1, High: f + 0.1, Precision: 0.96, Recall: f, F1: f / 2}
		}
		c = append(c, r)
	}
	page := write(t, report.Input{Choices: [][]choose.Record{c}}, report.Options{})
	charts := chartsOf(t, page)
	for _, id := range []string{"choice1-bytes", "choice1-time"} {
		var got []string
		for _, s := range charts[id].Series {
			got = append(got, fmt.Sprintf("%s %v %.2f", s.Label, s.Front, s.Dot[1]))
		}
		if want := []string{"m2 false 0.60", "m4 true 0.70", "m1 true 0.55", "m3 false 0.65"}; !slices.Equal(got, want) {
			t.Errorf("%s shows %q, want %q", id, got, want)
		}
		if len(charts[id].Others) != 2 {
			t.Errorf("%s shows %d others", id, len(charts[id].Others))
		}
	}
	if want := "Of 6 candidates take m2 from a score of 0.600 on."; !strings.Contains(page, want) {
		t.Errorf("the page does not say: %s", want)
	}
	for i := range c {
		c[i].Fit = false
	}
	page = write(t, report.Input{Choices: [][]choose.Record{c}}, report.Options{})
	if want := "None of 6 candidates is fit for these documents: calling every pair alike has 0.100."; !strings.Contains(page, want) {
		t.Errorf("the page does not say: %s", want)
	}
}

// The same data at several sizes makes a group each, and a curve through all.
func TestGrowth(t *testing.T) {
	var in []eval.Record
	for _, docs := range []int{4000, 1000, 2000} {
		for n, m := range []string{"linear", "quadratic"} {
			r := record("news", m, n+1)
			r.Docs, r.Truth, r.Details = docs, "joined", nil
			r.Join = &eval.Join{Seconds: eval.Figure(math.Pow(float64(docs)/1000, float64(n+1)))}
			in = append(in, r)
		}
	}
	page := write(t, report.Input{Records: in}, report.Options{})
	charts := chartsOf(t, page)
	for n, s := range charts["growth1-time"].Series {
		if len(s.Points) != 3 || s.Points[0] != [2]float64{1000, 1} || s.Points[2][0] != 4000 {
			t.Errorf("points of %s are %v", s.Label, s.Points)
		}
		if want := fmt.Sprintf(">%d.00<", n+1); !strings.Contains(page, want) {
			t.Errorf("no exponent %s", want)
		}
	}
	if _, ok := charts["set3-bytes"]; !ok || len(charts["growth1-quality"].Series) != 2 {
		t.Error("a size or its quality is missing")
	}
}

// A list of pairs shows both texts with what they share marked, as text and not
// as HTML, and says how many pairs it leaves out.
func TestPairsPage(t *testing.T) {
	list := &report.Pairs{Found: "shingle ≥ 0.5"}
	list.Add(report.Pair{ID1: "<b>1", ID2: "2", Text1: "the cat <script>sat</script> down", Text2: "the cat slept", Score: 0.5})
	for range 1000 {
		list.Add(report.Pair{ID1: "3", ID2: "4", Text1: "one", Text2: "another", Score: math.NaN()})
	}
	var b bytes.Buffer
	if err := report.Write(&b, report.Input{Pairs: list}, report.Options{}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		"<b>&lt;b&gt;1</b>", "<mark>the cat</mark>", "&lt;script&gt;sat&lt;/script&gt;", "Score 0.5000.", "Pairs: 1,001. shingle ≥ 0.5",
		"The first 1,000 of 1,001 pairs.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	if n := strings.Count(page, "<article"); n != 1000 || strings.Contains(page, "Score NaN") {
		t.Errorf("%d pairs on the page, want 1000 and no NaN", n)
	}
}
