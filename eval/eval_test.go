package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

func run(t *testing.T, set *datasets.Set, cfg Config, methods ...similarity.Method) []Record {
	t.Helper()
	if cfg.Repeat == 0 {
		cfg.Repeat = -1
	}
	r, err := Run(context.Background(), set, methods, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func graded() *datasets.Set {
	s := labelled(4, 240)
	s.Graded, s.AlikeFrom = true, 4
	for i := range s.Pairs {
		p := &s.Pairs[i]
		p.Grade = 5*p.Label - float64(i%3)*p.Label/2
	}
	return s
}

// Two runs with different numbers of workers give the same bytes.
func TestRecordsDoNotDependOnWorkers(t *testing.T) {
	sampled := cluttered(8, 240)
	sampled.Pairs = labelled(8, 240).Pairs
	for _, set := range []*datasets.Set{cluttered(7, 240), labelled(7, 240), graded(), sampled} {
		cfg := Config{Seed: 3, Details: true, Resamples: 100, Reference: func(m similarity.Method) similarity.Method {
			if strings.Contains(m.String(), "steps=0") {
				return nil
			}
			return hidden(words{min: 3})
		}}
		if set == sampled {
			cfg.Pairs = "sampled"
		}
		var first []byte
		for _, workers := range []int{1, 2, 7} {
			cfg.Workers = workers
			records := run(t, set, cfg, hidden(words{min: 3}), hidden(words{steps: 4}), hidden(words{learn: true}))
			var out bytes.Buffer
			if err := WriteRecords(&out, records...); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = out.Bytes()
			} else if !bytes.Equal(first, out.Bytes()) {
				t.Fatalf("%s: records of %d workers differ:\n%s\n%s", set.Name, workers, first, out.Bytes())
			}
		}
		for _, name := range []string{
			"dataset", "method", "split", "n_docs", "n_pairs", "threshold", "precision", "recall", "f1", "accuracy", "ap", "auc",
			"recall_p95", "closure_f1", "ari", "bcubed_f1", "pearson", "spearman", "precision_low", "precision_high", "recall_low",
			"recall_high", "f1_low", "f1_high", "ap_low", "ap_high", "bytes_per_doc", "sketch_mb_s", "pairs_s", "no_feature_docs", "fit",
		} {
			line, _, _ := bytes.Cut(first, []byte("\n"))
			var object map[string]any
			if err := json.Unmarshal(line, &object); err != nil {
				t.Fatal(err)
			}
			v, ok := object[name]
			if !ok {
				t.Errorf("%s: no %s in %s", set.Name, name, line)
			}
			if want := name == "sketch_mb_s" || name == "pairs_s" ||
				(name == "ari" || name == "bcubed_f1") && !strings.Contains(string(line), `"truth":"all"`) ||
				(name == "pearson" || name == "spearman") && !set.Graded; (v == nil) != want {
				t.Errorf("%s: %s is %v, want null %v", set.Name, name, v, want)
			}
		}
	}
}

// The figures of a record are those of the pairs, the threshold that of the
// other split.
func TestRunAgainstPairByPair(t *testing.T) {
	set := labelled(5, 80)
	r := run(t, set, Config{Seed: 1}, hidden(words{}))[0]
	m := hidden(words{}).NewCollection()
	for _, d := range set.Docs {
		m.Add(d.Text)
	}
	scored := map[datasets.Split][]Scored{}
	for _, p := range set.Pairs {
		scored[p.Split] = append(scored[p.Split], Scored{Score: m.Score(p.A, p.B), Alike: p.Alike()})
	}
	threshold, _ := BestF1(scored[datasets.Dev])
	test := scored[datasets.Test]
	c := Count(test, threshold)
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"threshold", float64(r.Threshold), threshold},
		{"precision", float64(r.Precision), c.Precision()},
		{"recall", float64(r.Recall), c.Recall()},
		{"F1", float64(r.F1), c.F1()},
		{"accuracy", float64(r.Accuracy), c.Accuracy()},
		{"AP", float64(r.AP), AveragePrecision(test)},
		{"AUC", float64(r.AUC), AUC(test)},
		{"recall at .95", float64(r.RecallP95), rankScored(test).recallAt(.95)},
	} {
		if f.got != f.want {
			t.Errorf("%s is %v, want %v", f.name, f.got, f.want)
		}
	}
	var equal int64
	for _, p := range set.Pairs {
		if p.Split == datasets.Test && p.Alike() && set.Docs[p.A].Text == set.Docs[p.B].Text {
			equal++
		}
	}
	if r.Equal != equal || !(r.LargestUnit > 0 && r.LargestUnit <= 1) {
		t.Errorf("%d pairs of equal texts, largest unit %v, want %d and a share", r.Equal, r.LargestUnit, equal)
	}
	if r.Split != "test" || r.TunedOn != "dev" || r.Truth != "pairs" || int(r.Pairs) != len(test) {
		t.Errorf("%d pairs of %s (%s), tuned on %s; want %d of test, tuned on dev", r.Pairs, r.Split, r.Truth, r.TunedOn, len(test))
	}
	if !(r.F1Low <= r.F1 && r.F1 <= r.F1High && r.APLow <= r.AP && r.AP <= r.APHigh) {
		t.Errorf("F1 %v in [%v, %v], AP %v in [%v, %v]", r.F1, r.F1Low, r.F1High, r.AP, r.APLow, r.APHigh)
	}
	// The other way round.
	if back := run(t, set, Config{Report: datasets.Dev}, hidden(words{}))[0]; back.Split != "dev" || back.TunedOn != "test" {
		t.Errorf("reported on %s, tuned on %s, want dev and test", back.Split, back.TunedOn)
	}
}

// What is learnt is learnt from the tuning split, and the record says so.
func TestFit(t *testing.T) {
	set := cluttered(9, 100)
	r := run(t, set, Config{}, hidden(words{learn: true}), hidden(words{}))
	if r[0].FittedOn != "dev" || r[0].Method != "words:min=0,steps=0" || r[0].Settings != "words:min=0,steps=0,fit=x" {
		t.Errorf("%s with %s fitted on %q", r[0].Method, r[0].Settings, r[0].FittedOn)
	}
	if r[1].FittedOn != "" {
		t.Errorf("fitted on %q, but it learns nothing", r[1].FittedOn)
	}
}

func TestDocumentsWithoutFeatures(t *testing.T) {
	set := cluttered(10, 200)
	short, long := hidden(words{}), hidden(words{min: 8})
	r := run(t, set, Config{Resamples: -1}, short, long)
	blank := func(m similarity.Method) (n int) {
		for _, d := range set.Docs {
			c := m.NewCollection()
			c.Add(d.Text)
			if c.Blank(0) {
				n++
			}
		}
		return n
	}
	if r[0].NoFeatureDocs == 0 || r[0].NoFeatureDocs > blank(short) || !r[0].Fit {
		t.Errorf("%d of %d documents without a word, fit %v", r[0].NoFeatureDocs, r[0].Docs, r[0].Fit)
	}
	if r[1].NoFeatureDocs <= r[1].Docs/5 || r[1].Fit {
		t.Errorf("%d of %d documents with fewer than eight words, fit %v, want not fit", r[1].NoFeatureDocs, r[1].Docs, r[1].Fit)
	}
}

func TestEstimate(t *testing.T) {
	// Errors -.1, .1 and 0, -.2: means 0 and -.1, roots of .01 and .02.
	e := newEstimate("exact", []float64{.1, .3, 1, .75}, []float64{.2, .2, 1, .95})
	if !near(float64(e.Bias), -.05) || !near(float64(e.RMSE), math.Sqrt(.015)) || e.Pairs != 4 {
		t.Errorf("bias %v, RMSE %v of %d pairs, want -.05, .1225 of 4", e.Bias, e.RMSE, e.Pairs)
	}
	if b := e.Bins[2]; b.Pairs != 2 || !near(float64(b.Bias), 0) || !near(float64(b.RMSE), .1) || b.From != .2 || b.To != .3 {
		t.Errorf("third bin %+v", b)
	}
	if b := e.Bins[9]; b.Pairs != 2 || !near(float64(b.Bias), -.1) || !near(float64(b.RMSE), math.Sqrt(.02)) {
		t.Errorf("last bin %+v", b)
	}
	// A method against itself, by way of Run: scores in fourths, rounded down.
	set := cluttered(12, 150)
	reference := func(m similarity.Method) similarity.Method { return hidden(words{}) }
	r := run(t, set, Config{Reference: reference}, hidden(words{steps: 4}), hidden(words{}))
	if r[1].Estimate != nil {
		t.Error("a method estimates itself")
	}
	if e := r[0].Estimate; e == nil || e.Reference != "words:min=0,steps=0" || e.Bias >= 0 || e.Bias < -.25 || e.RMSE > .25 {
		t.Errorf("estimate %+v", e)
	}
}

func TestSpeed(t *testing.T) {
	features, err := shingle.New(shingle.Options{Features: feature.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, cluttered(11, 60), Config{Repeat: 1, Resamples: -1}, hidden(words{learn: true}), similarity.Hide(features))
	for i, s := range []*Speed{r[0].Speed, r[1].Speed} {
		for name, v := range map[string]*Spread{"sketch": s.SketchMB, "docs": s.SketchS, "pairs": s.PairsS, "rows": s.RowPairsS} {
			if v == nil || !(v.Min > 0 && v.Min <= v.Median && v.Median <= v.Max) {
				t.Errorf("%s: speed of %s is %v", r[i].Method, name, v)
			}
		}
	}
	if s := r[0].Speed; s.FitS == nil || s.ExtractMB != nil || s.ReduceMB != nil {
		t.Errorf("speeds %+v of a method that learns and reads no features", s)
	}
	if s := r[1].Speed; s.FitS != nil || s.ExtractMB == nil || s.ReduceMB == nil {
		t.Errorf("speeds %+v of a method that learns nothing and reads features", s)
	}
	if r[0].SketchMBs != r[0].Speed.SketchMB.Median || r[0].PairsS != r[0].Speed.PairsS.Median {
		t.Error("the record's speeds are not the medians")
	}
	if !math.IsNaN(float64(r[0].F1Low)) {
		t.Errorf("interval from %v without resamples", r[0].F1Low)
	}
}

func TestRunRefuses(t *testing.T) {
	alone := &datasets.Set{Name: "alone", Docs: make([]datasets.Doc, 3), Clusters: []int{0, 1, 2}}
	for _, c := range []struct {
		set  *datasets.Set
		cfg  Config
		want string
	}{
		{cluttered(1, 50), Config{Pairs: "some"}, `eval: Pairs is "some", want all or sampled`},
		{cluttered(1, 50), Config{MaxDocs: 3}, "eval: MaxDocs is 3, want 4 or more"},
		{cluttered(1, 50), Config{Report: datasets.Train}, `eval: cluttered has no pairs in split "train", want test or dev`},
		{labelled(1, 50), Config{Report: datasets.Train}, `eval: labelled has no pairs in split "train", want test or dev`},
		{cluttered(1, 50), Config{Pairs: "sampled"}, "eval: cluttered has no labelled pairs"},
		{alone, Config{}, "eval: alone has too few clusters of at least two documents to be divided into dev and test"},
	} {
		_, err := Run(context.Background(), c.set, []similarity.Method{hidden(words{})}, c.cfg)
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, set := range []*datasets.Set{cluttered(1, 50), labelled(1, 50)} {
		if _, err := Run(ctx, set, []similarity.Method{hidden(words{})}, Config{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v after cancelling", set.Name, err)
		}
	}
}
