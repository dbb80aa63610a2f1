package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/similarity"
)

// Read adds the records in the bytes of a file: those of eval, of stress or of choose, as
// the first line says. Errors name the file. It is an error if there are none.
func (in *Input) Read(data []byte, name string) error {
	var first struct {
		Data, Kind string // only records of stress have a kind of edit
		Goal       string // of choose
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	json.Unmarshal(line, &first) // a line that is no JSON is for the reader to refuse
	switch {
	case first.Data != "" && first.Kind != "":
		records, err := stress.ReadRecords(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("report: %s: %w", name, err)
		}
		in.Stress = append(in.Stress, records...)
		return nil
	case first.Goal != "":
		choices, err := readChoices(name, data)
		in.Choices = append(in.Choices, choices...)
		return err
	}
	records, _, err := eval.ReadRecords(bytes.NewReader(data), name)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return fmt.Errorf("report: %s has no records", name)
	}
	in.Records = append(in.Records, records...)
	return nil
}

// readChoices reads what choose wrote, the records of each search together.
func readChoices(name string, data []byte) (choices [][]choose.Record, err error) {
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r choose.Record
		if err := json.Unmarshal(line, &r); err != nil || r.Goal == "" {
			return nil, fmt.Errorf("report: %s:%d: no record of a choice, want one", name, n+1)
		}
		i := len(choices) - 1
		if i < 0 || !sameSearch(choices[i][0], r) {
			choices, i = append(choices, nil), i+1
		}
		choices[i] = append(choices[i], r)
	}
	return choices, nil
}

func sameSearch(a, b choose.Record) bool {
	return a.Dataset == b.Dataset && a.Checksum == b.Checksum && a.Goal == b.Goal && a.Seed == b.Seed
}

// SCurves returns one curve for each method that states a probability. The index is
// designed for the floor, or else the threshold, of the first record that names the
// method.
func SCurves(records []eval.Record) []SCurve {
	var out []SCurve
	seen := map[string]bool{}
	for _, r := range records {
		if seen[r.Method] {
			continue
		}
		seen[r.Method] = true
		at := float64(r.Threshold)
		if r.Join != nil {
			at = float64(r.Floor)
		}
		m, err := catalog.Parse(similarity.WithoutFit(r.Method))
		if err != nil {
			continue // a method of another version has no curve here
		}
		design, found := catalog.Curve(m, at)
		if found == nil {
			continue
		}
		c := SCurve{Method: r.Method, Design: design, Threshold: at}
		for i, f := range found {
			c.Points = append(c.Points, SPoint{Score: float64(i) / float64(len(found)-1), Found: f})
		}
		out = append(out, c)
	}
	return out
}
