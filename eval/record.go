package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/alike-go/alike/internal/jsonl"
)

// Record is the outcome of one method on one data set: one line of JSON, from
// which tables and comparisons are made. Undefined figures are NaN in Go and null
// in JSON.
type Record struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"` // canonical spec, before a fit of this run
	Split   string `json:"split"`  // reported on
	TunedOn string `json:"tuned_on"`

	// Shared is the number of distinct texts in both splits. StrictSplits
	// reports that they were left out of the tuning split.
	Shared       int  `json:"n_shared"`
	StrictSplits bool `json:"strict_splits,omitempty"`

	// Truth says which pairs were scored: "pairs" are the set's labelled or graded
	// pairs, "sampled" pairs drawn from its clusters, "all" all pairs of documents,
	// "joined" those of all pairs that the method's join found from the floor on.
	Truth     string `json:"truth"`
	Docs      int    `json:"n_docs"` // documents that occur in the split's pairs
	Pairs     int64  `json:"n_pairs"`
	Positives int64  `json:"n_positive"`
	Skipped   int64  `json:"n_skipped"` // pairs that count neither as hits nor as errors
	Equal     int64  `json:"n_equal"`   // positive pairs whose texts are the same, which any method finds
	Units     int    `json:"n_units"`   // what the bootstrap draws: clusters or components

	// LargestUnit is the share of positive pairs that lie in one unit. Where it is
	// large, intervals are wide and figures are about that unit.
	LargestUnit Figure `json:"largest_unit"`

	// EffectiveUnits is how many units of equal size say as much as these: see the
	// function of that name. Unusable is true where they are fewer than LeastUnits:
	// the intervals are null, and comparisons claim nothing.
	EffectiveUnits Figure `json:"effective_units"`
	Unusable       bool   `json:"unusable,omitempty"`

	// Baseline says that the method is one of Baselines, or a Ceiling.
	Baseline bool `json:"baseline,omitempty"`

	// SampledFrom is the number of documents that the clusters of both splits were
	// sampled from; 0 where the whole set was used.
	SampledFrom int `json:"sampled_from"`

	// Floor is the score below which pairs that are not alike were counted but not
	// held, so that intervals take them as fixed; 0 where all above 0 were held. Of
	// joined pairs it is where the join began: a positive pair below it is a miss at any
	// threshold, and the last in average precision.
	Floor Figure `json:"floor"`

	Threshold Figure `json:"threshold"` // of the greatest F1 on the split tuned on
	TunedF1   Figure `json:"tuned_f1"`  // that F1: what a choice among methods may rest on
	Precision Figure `json:"precision"`
	Recall    Figure `json:"recall"`
	F1        Figure `json:"f1"`
	Accuracy  Figure `json:"accuracy"`

	AP        Figure `json:"ap"`
	AUC       Figure `json:"auc"`
	RecallP95 Figure `json:"recall_p95"` // greatest recall at precision >= .95 on this split's own curve

	ClosureFigures // of the predicted pairs

	// Correlation of score and grade, where truth is grades.
	Pearson  Figure `json:"pearson"`
	Spearman Figure `json:"spearman"`

	// 95 % intervals by bootstrap over units.
	PrecisionLow  Figure `json:"precision_low"`
	PrecisionHigh Figure `json:"precision_high"`
	RecallLow     Figure `json:"recall_low"`
	RecallHigh    Figure `json:"recall_high"`
	F1Low         Figure `json:"f1_low"`
	F1High        Figure `json:"f1_high"`
	APLow         Figure `json:"ap_low"`
	APHigh        Figure `json:"ap_high"`

	BytesPerDoc      Figure `json:"bytes_per_doc"`       // in memory, mean over the split's documents
	SavedBytesPerDoc Figure `json:"saved_bytes_per_doc"` // serialised, without the file's header
	SketchMBs        Figure `json:"sketch_mb_s"`         // text to sketch on one core, median, 10^6 bytes a second
	PairsS           Figure `json:"pairs_s"`             // scores on one core, median
	Speed            *Speed `json:"speed"`               // all speeds with their spread; null where not measured

	// NoFeatureDocs counts documents that the method has nothing to compare of. Fit is
	// false where they are more than a fifth: the method does not fit the data.
	NoFeatureDocs int  `json:"no_feature_docs"`
	Fit           bool `json:"fit"`

	// FittedOn is the split that the method learnt from; "" where its settings
	// learn nothing or it came with a fit.
	FittedOn string `json:"fitted_on"`

	// Join is what the method's join did; null where every pair was scored.
	Join *Join `json:"join"`

	// Estimate compares the scores with what they estimate; null where nobody
	// named it.
	Estimate *Estimate `json:"estimate"`

	Settings  string `json:"settings"` // of the sketches, with the checksums of fits
	Checksum  string `json:"data_checksum"`
	Seed      uint64 `json:"seed"`
	Resamples int    `json:"resamples"`
	Origin
	Key     string  `json:"key"` // checksum of data, method and configuration
	Machine Machine `json:"machine"`

	Details *Details `json:"details,omitempty"`

	// resamples is what Details would be, in the run that made the record.
	resamples *Details
}

// Origin says how to make a record again.
type Origin struct {
	Path    string   `json:"data_path,omitempty"` // of the data, as it was given
	Command []string `json:"command,omitempty"`   // arguments of alike, without those that say where results go
}

// paired returns what a test in pairs needs: nil if the record was read from a file
// and has no Details.
func (r *Record) paired() *Details { return cmp.Or(r.Details, r.resamples) }

// notFit is the share of documents without features from which on a method does
// not fit the data.
const notFit = 0.2

// Figure is a float64 whose NaN and infinities are null in JSON.
type Figure float64

// MarshalJSON writes null for a figure that is not finite.
func (f Figure) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON reads null as NaN.
func (f *Figure) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*f = Figure(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(f))
}

// Distinct returns the values of records, in the order of their first use.
func Distinct[R any, T comparable](records []R, of func(R) T) []T {
	var out []T
	for _, r := range records {
		if v := of(r); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// WriteRecords writes one object a line.
func WriteRecords(w io.Writer, records ...Record) error {
	if err := jsonl.Encode(w, records); err != nil {
		return fmt.Errorf("eval: write records: %w", err)
	}
	return nil
}

// ReadRecords reads the lines that WriteRecords wrote. A last line without its
// newline is what an interrupted run leaves; it is not read, and whole is the
// number of bytes before it, where a resumed run goes on writing. name is what
// errors call the input.
func ReadRecords(r io.Reader, name string) (records []Record, whole int64, err error) {
	br := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err == io.EOF {
			return records, whole, nil
		}
		if err != nil {
			return records, whole, fmt.Errorf("eval: %s:%d: %w", name, n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var rec Record
			if err := json.Unmarshal(line, &rec); err != nil {
				return records, whole, fmt.Errorf("eval: %s:%d: %w, want a record", name, n, err)
			}
			if rec.Dataset == "" || rec.Method == "" {
				return records, whole, fmt.Errorf("eval: %s:%d: no dataset or method, want a record", name, n)
			}
			rec.withoutIntervals()
			records = append(records, rec)
		}
		whole += int64(len(line))
	}
}
