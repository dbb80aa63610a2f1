package plots

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/eval"
)

// record returns a record with figures and details.
func record(dataset, method string) eval.Record {
	return eval.Record{
		Dataset: dataset, Method: method, Split: "test", TunedOn: "dev", Truth: "pairs", Docs: 1200, Pairs: 2000, Positives: 400, Fit: true,
		Threshold: 0.5, Precision: 0.9, Recall: 0.8, F1: 0.847, F1Low: 0.8, F1High: 0.9, AP: 0.88, Spearman: eval.Figure(math.NaN()),
		BytesPerDoc: 512, SketchMBs: 120,
		Details: &eval.Details{Curve: []eval.CurvePoint{{Threshold: 0.9, Precision: 1, Recall: 0.5}}, Alike: []int64{1, 3}, Other: []int64{9, 1}},
	}
}

func namesOf(figures []Figure) []string {
	var out []string
	for _, f := range figures {
		out = append(out, f.heading().Name)
	}
	return out
}

func TestFromRecords(t *testing.T) {
	figures := FromRecords([]eval.Record{record("news", "shingle"), record("zh", "shingle"), record("news", "simhash")})
	want := []string{"news-precision-recall", "news-scores", "news-quality-bytes", "news-quality-speed", "zh-precision-recall", "zh-scores", "zh-quality-bytes", "zh-quality-speed"}
	if got := namesOf(figures); !slices.Equal(got, want) {
		t.Fatalf("figures %v, want %v", got, want)
	}
	pr := figures[0].(*PrecisionRecall)
	if len(pr.Curves) != 2 || pr.Curves[1].Label != "simhash" || pr.Curves[0].Chosen.Precision != 0.9 || pr.Curves[0].Note != "AP 0.880, F1 0.847 at 0.500" {
		t.Errorf("curves %+v", pr.Curves)
	}
	if want := "test split, 2,000 pairs (400 alike) of 1,200 documents; thresholds chosen on dev; marks show what they give"; pr.Subtitle != want || pr.Title != "news: precision and recall" {
		t.Errorf("title %q, subtitle %q, want %q", pr.Title, pr.Subtitle, want)
	}
	if h := figures[1].(*Histograms); len(h.Panels) != 2 || h.Counts || h.Panels[0].Threshold != 0.5 {
		t.Errorf("histograms %+v", h)
	}
	for i, x := range map[int]float64{2: 512, 3: 120} {
		m := figures[i].(*Scatter).Marks
		if len(m) != 2 || m[0].X != x || m[0].Y != 0.847 || m[0].Low != 0.8 || m[0].High != 0.9 {
			t.Errorf("marks %+v", m)
		}
	}
	if warnings, err := coarse().write(t.TempDir(), figures); err != nil || len(warnings) > 0 {
		t.Error(warnings, err)
	}
}

func TestFromRecordsWithout(t *testing.T) {
	nan := eval.Figure(math.NaN())
	plain := record("news", "shingle")
	plain.Details, plain.SketchMBs = nil, nan
	if got := namesOf(FromRecords([]eval.Record{plain})); !slices.Equal(got, []string{"news-quality-bytes"}) {
		t.Errorf("without details and speed: %v", got)
	}
	graded := plain
	graded.F1, graded.F1Low, graded.F1High, graded.Spearman = nan, nan, nan, 0.7
	if f := FromRecords([]eval.Record{graded})[0].(*Scatter); f.Marks[0].Y != 0.7 || !strings.HasPrefix(f.YLabel, "Spearman") {
		t.Errorf("graded: %+v", f)
	}
	unfit := record("news", "manber")
	unfit.Fit = false
	unfit.Details.Other = []int64{1e6, 3}
	f := FromRecords([]eval.Record{unfit})
	if h := f[1].(*Histograms); !h.Counts || h.Panels[0].Label != "manber (not fit)" {
		t.Errorf("a million others: %+v", h)
	}
	// A method has one place, and so one colour, in all figures of a set.
	blank := record("news", "manber")
	blank.Precision, blank.Details = nan, &eval.Details{}
	pr := FromRecords([]eval.Record{blank, record("news", "simhash")})[0].(*PrecisionRecall)
	if len(pr.Curves) != 2 || pr.Curves[0].Label != "manber" || pr.Curves[0].Chosen != nil {
		t.Errorf("a method without a curve: %+v", pr.Curves)
	}
	if got := FromRecords(nil); got != nil {
		t.Errorf("no records: %v", got)
	}
	if got := FromRecords([]eval.Record{{F1: nan, Spearman: nan, BytesPerDoc: nan, SketchMBs: nan}}); got != nil {
		t.Errorf("an empty record: %v", got)
	}
}

func TestNamesOfDataSets(t *testing.T) {
	other := record("news", "shingle")
	other.Split, other.Truth = "dev", "all"
	records := []eval.Record{record("news", "shingle"), other, record("../a/b", "x"), record("../a b", "x"), record("", "x"), record("中文", "x"), record(strings.Repeat("长", 200), "x")}
	var names []string
	figures := FromRecords(records)
	for _, n := range namesOf(figures) {
		if base, ok := strings.CutSuffix(n, "-scores"); ok {
			names = append(names, base)
		}
	}
	want := []string{"news-test-pairs", "news-dev-all", "_a_b", "_a_b-2", "data", "中文", strings.Repeat("长", 53)}
	if !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	if _, err := coarse().write(t.TempDir(), figures); err != nil {
		t.Error(err)
	}
}
