package stress

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func methods(t testing.TB) []similarity.Method {
	t.Helper()
	s, err := shingle.New(shingle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := simhash.New(simhash.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := cosine.New(cosine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return []similarity.Method{similarity.Hide(s), similarity.Hide(h), similarity.Hide(c)}
}

func generated(t testing.TB, lang plant.Lang, n, characters int) []string {
	t.Helper()
	docs, err := Generated(lang, n, characters, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if utf8.RuneCountInString(d) < characters {
			t.Fatalf("a document of %d characters, want at least %d", utf8.RuneCountInString(d), characters)
		}
	}
	return docs
}

var small = Options{Lengths: []int{60, 200}, Kinds: []plant.Kind{plant.Mixed, plant.Move, plant.Case}, Rates: []float64{0.1, 0.6}, Docs: 60, FalsePositives: 0.01, Seed: 5}

// Every figure of a record against the plain way to come by it.
func TestRunAgainstTheDefinition(t *testing.T) {
	docs := generated(t, plant.English, 80, 220)
	ms := methods(t)
	records, err := Run(context.Background(), "made", docs, ms, small)
	if err != nil {
		t.Fatal(err)
	}
	// Three kinds, of which one cannot have the second rate.
	if want := 2 * len(ms) * 5; len(records) != want {
		t.Fatalf("%d records, want %d", len(records), want)
	}
	for _, r := range records {
		texts := cut(docs, r.Length, small.Docs, small.Seed)
		copies, of, _, err := edited(texts, r.Edit(), small)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(ms, func(m similarity.Method) bool { return similarity.WithoutFit(m.String()) == r.Method })
		m := ms[i]
		if m.FitState() == similarity.FitNone {
			if m, err = m.Fit(slices.Values(texts)); err != nil {
				t.Fatal(err)
			}
		}
		score := func(a, b string) float32 {
			c := m.NewCollection()
			c.Add(a)
			c.Add(b)
			return float32(c.Score(0, 1))
		}
		reach := func(at float32) (n int) {
			for i := range texts {
				for k := range i {
					if score(texts[i], texts[k]) >= at {
						n++
					}
				}
			}
			return n
		}
		at := float32(r.Threshold)
		if n := reach(at); float64(n) > small.FalsePositives*float64(r.Pairs) || float64(n)/float64(r.Pairs) != float64(r.FalsePositives) {
			t.Errorf("%s %d: %d of %d unrelated pairs reach %v, the record says a share of %v", r.Method, r.Length, n, r.Pairs, at, r.FalsePositives)
		}
		if below := math.Nextafter32(at, 0); below > 0 && float64(reach(below)) <= small.FalsePositives*float64(r.Pairs) {
			t.Errorf("%s %d: the threshold %v is not the least", r.Method, r.Length, at)
		}
		found := 0
		for k, c := range copies {
			if s := score(texts[of[k]], c); s >= at && s > 0 {
				found++
			}
		}
		if r.Copies != len(copies) || float64(r.Recall) != float64(found)/float64(len(copies)) {
			t.Errorf("%s %d %s: recall %v of %d copies, want %d of %d", r.Method, r.Length, r.Edit(), r.Recall, r.Copies, found, len(copies))
		}
		if !(r.RecallLow <= r.Recall && r.Recall <= r.RecallHigh && r.ThresholdLow <= r.ThresholdHigh) {
			t.Errorf("%s %d %s: recall %v (%v to %v), threshold %v to %v", r.Method, r.Length, r.Edit(), r.Recall, r.RecallLow, r.RecallHigh, r.ThresholdLow, r.ThresholdHigh)
		}
	}
}

func TestRunDoesNotDependOnWorkers(t *testing.T) {
	docs := generated(t, plant.Chinese, 70, 220)
	var want []byte
	for _, workers := range []int{1, 2, 7} {
		o := small
		o.Workers = workers
		records, err := Run(context.Background(), "made", docs, methods(t), o)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteRecords(&b, records...); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = b.Bytes()
		} else if !bytes.Equal(want, b.Bytes()) {
			t.Fatalf("%d workers give other records than one", workers)
		}
	}
	// Chinese has no capitals: no copy, and no recall of copies.
	back, err := ReadRecords(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range back {
		if none := r.Copies == 0; none != (r.Kind == plant.Case) || none != math.IsNaN(float64(r.Recall)) {
			t.Errorf("%s has %d copies and recall %v", r.Edit(), r.Copies, r.Recall)
		}
	}
	if len(Figures(back, plant.Edit{Kind: plant.Mixed, Rate: 0.1}, 60)) != 1+len(small.Kinds) {
		t.Error("want a figure by length and one for each kind")
	}
}

func TestReadRecordsIsWriteRecords(t *testing.T) {
	want := []Record{{Data: "a<b", Method: "m", Length: 5, Kind: plant.OCR, Rate: 0.1, Copies: 3, Recall: 0.5, Pairs: 7}, {Kind: plant.Move}}
	var b bytes.Buffer
	if err := WriteRecords(&b, want...); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRecords(&b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := ReadRecords(strings.NewReader("{}\n{\"length\":\"x\"}\n")); err == nil || !strings.Contains(err.Error(), "record 2") {
		t.Errorf("error %v, want record 2", err)
	}
}

// More edits are never easier to bear, and a fixed threshold reports what it lets pass.
func TestFixedThreshold(t *testing.T) {
	o := small
	o.Kinds, o.Rates, o.Threshold = []plant.Kind{plant.Substitute}, []float64{0.02, 0.2, 0.9}, 0.5
	records, err := Run(context.Background(), "made", generated(t, plant.English, 80, 220), methods(t)[:1], o)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if r.Threshold != 0.5 || r.ThresholdLow != 0.5 || r.FalsePositives > 0.01 {
			t.Errorf("%+v", r)
		}
		if i%3 > 0 && (r.Recall > records[i-1].Recall || r.Score >= records[i-1].Score) {
			t.Errorf("recall and score rise from %+v to %+v", records[i-1], r)
		}
	}
	// Of word sets with a share x replaced, (1-x)/(1+x) is common, about.
	if s := float64(records[4].Score); math.Abs(s-0.8/1.2) > 0.08 {
		t.Errorf("mean score of one word in five replaced is %v, want about 2/3", s)
	}
}

func TestBadOptions(t *testing.T) {
	docs := generated(t, plant.English, 20, 100)
	for want, o := range map[string]Options{
		"Docs":           {Docs: 3},
		"FalsePositives": {FalsePositives: 1.5},
		"Threshold":      {Threshold: math.NaN()},
		"a length":       {Lengths: []int{0}},
		"no kind":        {Kinds: []plant.Kind{plant.Move}, Rates: []float64{0.9}},
		"fewer than 10":  {Lengths: []int{100_000}},
		"Workers":        {Workers: -1},
	} {
		if _, err := Run(context.Background(), "made", docs, methods(t), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, "made", docs, methods(t), small); err == nil {
		t.Error("no error of a cancelled run")
	}
}

func TestUnrelated(t *testing.T) {
	docs := []string{"the cat sat on the mat", "we all scream for ice cream", "the cat sat on a mat", "a dog"}
	got, err := Unrelated(context.Background(), docs, methods(t)[0], 0.5)
	if err != nil || !slices.Equal(got, []string{docs[0], docs[1], docs[3]}) {
		t.Errorf("%q, %v", got, err)
	}
}
