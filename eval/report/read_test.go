package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/eval/stress"
)

// Every kind of records goes where it belongs, and trials go to the search they are of.
func TestRead(t *testing.T) {
	var evals, stresses bytes.Buffer
	if err := eval.WriteRecords(&evals, records()...); err != nil {
		t.Fatal(err)
	}
	if err := stress.WriteRecords(&stresses, stress.Record{Data: "news", Kind: "mixed"}, stress.Record{Data: "news", Kind: "ocr"}); err != nil {
		t.Fatal(err)
	}
	choices := `{"dataset":"a","goal":"f1","method":"shingle","role":"best","test":{"value":0.5}}
{"dataset":"a","goal":"f1","method":"simhash"}

{"dataset":"a","goal":"precision>=.95","method":"simhash"}
{"dataset":"b","goal":"precision>=.95","method":"simhash"}
`
	var in report.Input
	for _, data := range []string{evals.String(), stresses.String(), choices, evals.String()} {
		if err := in.Read([]byte(data), "x.jsonl"); err != nil {
			t.Fatal(err)
		}
	}
	if len(in.Records) != 2*len(records()) || len(in.Stress) != 2 {
		t.Errorf("%d records of eval and %d of stress, want %d and 2", len(in.Records), len(in.Stress), 2*len(records()))
	}
	var got []string
	for _, c := range in.Choices {
		for _, r := range c {
			got = append(got, r.Dataset+" "+r.Goal+" "+r.Spec)
		}
		got = append(got, "|")
	}
	if want := "a f1 shingle a f1 simhash | a precision>=.95 simhash | b precision>=.95 simhash |"; strings.Join(got, " ") != want {
		t.Errorf("choices are %q, want %q", got, want)
	}
	if tried := in.Choices[0]; tried[0].Test.Value != .5 || tried[1].Test != nil {
		t.Errorf("figures on test are %v and %v, want .5 and none", tried[0].Test, tried[1].Test)
	}
	for _, c := range []struct{ data, want string }{
		{"", "x.jsonl has no records"},
		{choices + "{}\n", "x.jsonl:6: no record of a choice"},
		{"no JSON\n", "x.jsonl"},
		{stresses.String() + "no JSON\n", "x.jsonl"},
	} {
		if err := in.Read([]byte(c.data), "x.jsonl"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %s", err, c.want)
		}
	}
}

// There is one curve for each method that states a probability, at its first threshold.
func TestSCurves(t *testing.T) {
	in := records()
	in = append(in, record("news", "minhash:size=0", 1), record("news", "of another version", 1))
	joined := record("news", "minhash:size=32", 1)
	joined.Join, joined.Floor = &eval.Join{}, .9
	got := report.SCurves(append(in, joined))
	if len(got) != 2 {
		t.Fatalf("%d curves, want 2", len(got))
	}
	for i, want := range []struct {
		method string
		at     float64
	}{{"minhash:size=64", float64(in[1].Threshold)}, {"minhash:size=32", .9}} {
		c := got[i]
		if c.Method != want.method || c.Threshold != want.at || !strings.Contains(c.Design, "bands of") || len(c.Points) != 101 {
			t.Errorf("%s at %v, %s, %d points, want %s at %v", c.Method, c.Threshold, c.Design, len(c.Points), want.method, want.at)
		}
		if first, last := c.Points[0], c.Points[100]; first != (report.SPoint{}) || last.Score != 1 || last.Found < .999 {
			t.Errorf("%s goes from %v to %v", c.Method, first, last)
		}
	}
}
