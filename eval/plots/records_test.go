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
		out = append(out, f.Data+"-"+f.Name)
	}
	return out
}

func TestFromRecords(t *testing.T) {
	figures := FromRecords([]eval.Record{record("news", "shingle"), record("zh", "shingle"), record("news", "simhash")})
	want := []string{"news-precision-recall", "news-scores", "news-quality-bytes", "news-quality-speed", "zh-precision-recall", "zh-scores", "zh-quality-bytes", "zh-quality-speed"}
	if got := namesOf(figures); !slices.Equal(got, want) {
		t.Fatalf("figures %v, want %v", got, want)
	}
	pr := figures[0]
	if len(pr.Series) != 2 || pr.Series[1].Method != "simhash" || pr.Series[0].Points[0].Y != 0.9 || pr.Series[0].Note != "AP 0.880, F1 0.847 at 0.500" {
		t.Errorf("curves %+v", pr.Series)
	}
	if want := "test split, 2,000 pairs (400 alike) of 1,200 documents; thresholds chosen on dev; marks show what they give"; pr.Subtitle != want || pr.Title != "precision and recall" {
		t.Errorf("title %q, subtitle %q, want %q", pr.Title, pr.Subtitle, want)
	}
	if h := figures[1]; len(h.Series) != 2 || h.counts || h.Series[0].threshold != 0.5 {
		t.Errorf("histograms %+v", h)
	}
	for i, x := range map[int]float64{2: 512, 3: 120} {
		s := figures[i].Series
		if len(s) != 2 || s[0].Points[0] != (Point{x, 0.847, 0.8, 0.9}) {
			t.Errorf("marks %+v", s)
		}
	}
	if warnings, err := write(t.TempDir(), coarse, figures); err != nil || len(warnings) > 0 {
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
	if f := FromRecords([]eval.Record{graded})[0]; f.Series[0].Points[0].Y != 0.7 || !strings.HasPrefix(f.YLabel, "Spearman") {
		t.Errorf("graded: %+v", f)
	}
	unfit := record("news", "manber")
	unfit.Fit = false
	unfit.Details.Other = []int64{1e6, 3}
	if h := FromRecords([]eval.Record{unfit})[1]; !h.counts || h.Series[0].Method != "manber" || h.Series[0].suffix != " (not fit)" {
		t.Errorf("a million others: %+v", h)
	}
	// A method without a curve is named all the same.
	blank := record("news", "manber")
	blank.Precision, blank.Details = nan, &eval.Details{}
	pr := FromRecords([]eval.Record{blank, record("news", "simhash")})[0]
	if len(pr.Series) != 2 || pr.Series[0].Method != "manber" || pr.Series[0].Points != nil {
		t.Errorf("a method without a curve: %+v", pr.Series)
	}
	if got := FromRecords(nil); got != nil {
		t.Errorf("no records: %v", got)
	}
	if got := FromRecords([]eval.Record{{F1: nan, Spearman: nan, BytesPerDoc: nan, SketchMBs: nan}}); got != nil {
		t.Errorf("an empty record: %v", got)
	}
}

// Where a set has several splits or ways of pairing, names say which.
func TestNamesOfSplits(t *testing.T) {
	other := record("news", "shingle")
	other.Split, other.Truth = "dev", "all"
	var got []string
	for _, name := range namesOf(FromRecords([]eval.Record{record("news", "shingle"), other, record("zh", "x")})) {
		if strings.HasSuffix(name, "-scores") {
			got = append(got, name)
		}
	}
	if want := []string{"news-test-pairs-scores", "news-dev-all-scores", "zh-scores"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}
