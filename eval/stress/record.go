package stress

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/jsonl"
)

// Record is what one method does with one edit of texts of one length: one line of
// JSON. Figures that are not defined, such as of an edit without effect on any text,
// are NaN in Go and null in JSON. Shares are in [0, 1].
type Record struct {
	Data   string `json:"data"`
	Method string `json:"method"` // canonical spec, before a fit of this run
	Length int    `json:"length"` // of texts, in characters

	Kind plant.Kind `json:"kind"`
	Rate float64    `json:"rate"`

	// Touched is the mean share of a text's units that the edit did touch.
	Touched eval.Figure `json:"touched"`

	Texts  int `json:"texts"`  // unedited ones
	Copies int `json:"copies"` // of those that the edit had an effect on
	Empty  int `json:"empty"`  // unedited texts of which the method has nothing to compare

	Score    eval.Figure `json:"score"` // of copy and original, mean
	ScoreP10 eval.Figure `json:"score_p10"`
	ScoreP50 eval.Figure `json:"score_p50"`
	ScoreP90 eval.Figure `json:"score_p90"`

	// Pairs is the number of pairs of unedited texts, Unrelated their mean score and
	// FalsePositives the share of them that reaches the threshold.
	Pairs          int64       `json:"pairs"`
	Unrelated      eval.Figure `json:"unrelated"`
	FalsePositives eval.Figure `json:"false_positives"`

	// Threshold is the score from which on a pair counts as alike, with its 95 %
	// interval; above 1 where unrelated texts score 1 too often, so that nothing does.
	Threshold     eval.Figure `json:"threshold"`
	ThresholdLow  eval.Figure `json:"threshold_low"`
	ThresholdHigh eval.Figure `json:"threshold_high"`

	// Recall is the share of the copies that count as alike with their original. The
	// interval holds its own error and the threshold's; it covers at least 95 %.
	Recall     eval.Figure `json:"recall"`
	RecallLow  eval.Figure `json:"recall_low"`
	RecallHigh eval.Figure `json:"recall_high"`

	Bytes eval.Figure `json:"bytes"` // of a text's sketch in memory, mean
	Seed  uint64      `json:"seed"`

	scores []float32 // of copies and originals, ascending
}

// Edit returns kind and rate.
func (r Record) Edit() plant.Edit { return plant.Edit{Kind: r.Kind, Rate: r.Rate} }

// WriteRecords writes one object a line.
func WriteRecords(w io.Writer, records ...Record) error {
	if err := jsonl.Encode(w, records); err != nil {
		return fmt.Errorf("stress: write records: %w", err)
	}
	return nil
}

// ReadRecords reads what WriteRecords wrote. Errors name the number of the record.
func ReadRecords(r io.Reader) ([]Record, error) {
	var out []Record
	d := json.NewDecoder(r)
	for number := 1; ; number++ {
		var rec Record
		switch err := d.Decode(&rec); {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("stress: record %d: %w", number, err)
		}
		out = append(out, rec)
	}
}
