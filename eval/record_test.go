package eval

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alike-go/alike/similarity"
)

func TestRecordsSurviveWritingAndReading(t *testing.T) {
	records := run(t, labelled(2, 60), Config{Details: true, Resamples: 50}, hidden(words{}), hidden(words{steps: 3}))
	var out bytes.Buffer
	if err := WriteRecords(&out, records...); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	got, whole, err := ReadRecords(strings.NewReader(text+text[:100]), "a.jsonl")
	if err != nil || len(got) != 2 || whole != int64(len(text)) {
		t.Fatalf("%d records and %d bytes of a cut file, error %v; want 2 and %d", len(got), whole, err, len(text))
	}
	var again bytes.Buffer
	if err := WriteRecords(&again, got...); err != nil {
		t.Fatal(err)
	}
	if again.String() != text {
		t.Errorf("records changed on the way:\n%s\n%s", text, again.String())
	}
	for _, bad := range []string{"{\n", "[]\n", "{}\n", `{"dataset":"a","method":"b","details":{"f1":"AAA="}}` + "\n"} {
		if _, _, err := ReadRecords(strings.NewReader(text+bad), "a.jsonl"); err == nil || !strings.HasPrefix(err.Error(), "eval: a.jsonl:3: ") {
			t.Errorf("%q: error %v, want one of line 3", bad, err)
		}
	}
}

func TestPending(t *testing.T) {
	set := labelled(2, 60)
	cfg := Config{Resamples: 20, Repeat: -1, Workers: 1}
	a, b := hidden(words{}), hidden(words{learn: true})
	records := run(t, set, cfg, a, b)
	cfg.Workers = 2
	todo, done, err := pending(set, []similarity.Method{a, hidden(words{min: 1}), b}, cfg, records)
	if err != nil || len(todo) != 1 || todo[0].String() != "words:min=1,steps=0" || len(done) != 2 {
		t.Errorf("%v to do, %d done, error %v, want the second of three to do", todo, len(done), err)
	}
	other := labelled(2, 60)
	other.Docs[0].Text += "."
	for name, again := range map[string]func() ([]similarity.Method, []Record, error){
		"seed": func() ([]similarity.Method, []Record, error) {
			c := cfg
			c.Seed++
			return pending(set, []similarity.Method{a}, c, records)
		},
		"data": func() ([]similarity.Method, []Record, error) {
			return pending(other, []similarity.Method{a}, cfg, records)
		},
	} {
		if todo, _, err := again(); err != nil || len(todo) != 1 {
			t.Errorf("other %s: %d to do, error %v, want 1", name, len(todo), err)
		}
	}
}

// Whatever stands in a file of records, reading and comparing it ends in an
// error or a result.
func FuzzReadRecords(f *testing.F) {
	f.Add([]byte("{\"dataset\":\"a\",\"method\":\"b\"}\n{\"dataset\":\"a\",\"method\":\"c\",\"f1\":null}\n"))
	f.Add([]byte("{\"dataset\":\"a\",\"method\":\"b\",\"details\":{\"f1\":\"AACAPw==\",\"correct\":\"AA==\"}}\n" +
		"{\"dataset\":\"a\",\"method\":\"c\",\"details\":{\"f1\":\"AAAAAA==\",\"correct\":\"AAA=\"}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, whole, err := ReadRecords(bytes.NewReader(data), "fuzz")
		if whole > int64(len(data)) {
			t.Fatalf("%d bytes of %d", whole, len(data))
		}
		if err != nil {
			return
		}
		if _, err := Grid(records, DefaultMargin); err != nil {
			return
		}
		if _, err := Diff(records, records, DefaultMargin); err != nil {
			return
		}
	})
}
