package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// A file that was cut short is completed, and records come in the order of the
// methods.
func TestRecordFile(t *testing.T) {
	set := labelled(2, 60)
	cfg := Config{Resamples: 20, Repeat: -1, Workers: 1}
	a, b, c := hidden(words{}), hidden(words{min: 1}), hidden(words{min: 2})
	name := filepath.Join(t.TempDir(), "records.jsonl")
	run := func(resume bool, methods ...similarity.Method) ([]Record, error) {
		f, err := OpenRecords(name, resume)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.Run(t.Context(), set, methods, cfg)
	}
	if _, err := run(false, a, c); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(false, a, c); err == nil || !strings.Contains(err.Error(), "has 2 records already, want --resume") {
		t.Errorf("error %v of a file that has records", err)
	}
	if err := os.Truncate(name, int64(len(whole)-9)); err != nil {
		t.Fatal(err)
	}
	records, err := run(true, a, b, c)
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for i, m := range []similarity.Method{a, b, c} {
		if want := similarity.WithoutFit(m.String()); records[i].Method != want {
			t.Errorf("record %d is of %s, want %s", i, records[i].Method, want)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if have, n, err := ReadRecords(strings.NewReader(string(data)), name); err != nil || len(have) != 3 || n != int64(len(data)) {
		t.Errorf("the file has %d records in %d of %d bytes, %v", len(have), n, len(data), err)
	}
	none, err := OpenRecords("", false)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if records, err := none.Run(t.Context(), set, []similarity.Method{a}, cfg); err != nil || len(records) != 1 {
		t.Errorf("without a file: %d records, %v", len(records), err)
	}
}
