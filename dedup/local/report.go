package local

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
)

// Report says what a run did. All of it but Run is a function of the input and the
// options.
type Report struct {
	// Rows is the number of rows read. Unreadable of them hold no document.
	Rows       int `json:"rows"`
	Documents  int `json:"documents"`
	Unreadable int `json:"unreadable"`

	Bytes int64 `json:"bytes"` // of text

	Kept  int `json:"kept"`
	Equal int `json:"equal"` // removed as equal to one that is kept
	Alike int `json:"alike"` // removed as alike to one that is kept

	// First is the number of documents removed although they are the first of their
	// cluster, because the policy is none.
	First int `json:"first,omitempty"`

	// Judged is the number of documents removed only because Options.Judged says that
	// they are the same as another.
	Judged int `json:"judged,omitempty"`

	// Leaked is the number of documents removed because a test document occurs in
	// them (see LeakOptions.Clean).
	Leaked int `json:"leaked,omitempty"`

	// Short is the number of documents removed because too little was left of them,
	// and Below is what else Options.Below or LeakOptions.Cut has removed.
	Short int          `json:"short,omitempty"`
	Below *BelowReport `json:"below,omitempty"`

	// Lost is the number of documents of Alike that score less than
	// Settings.MinScore with the one that is kept. Only a chain of alike
	// documents links the two, so there is none unless the cohesion is below
	// the threshold.
	Lost int `json:"lost"`

	// WithoutFeatures is the number of documents without any feature. They are
	// alike to nothing, and all are kept.
	WithoutFeatures int `json:"without_features"`

	// Added is the number of kept documents that Options.Update adds to the index.
	// Documents without features are not added.
	Added int `json:"added,omitempty"`

	// Clusters is the number of clusters of more than one document. The largest
	// has Largest documents; the kept one stands at LargestAt.
	Clusters  int   `json:"clusters"`
	Largest   int   `json:"largest"`
	LargestAt Place `json:"largest_at"`

	// Chaining is what plain closure would have done.
	Chaining dedup.Chaining `json:"chaining"`

	// Design says how candidates were found. Recall is the probability of finding
	// two texts whose sketches score Options.Candidates.
	Design string  `json:"design"`
	Recall float64 `json:"recall"`

	// Texts is the number of different texts. Active is the number of texts
	// that were near another by their sketches or, if texts decide, share a
	// bucket with hundreds of others. Scored is the number of pairs verified. If hundreds share a
	// bucket and the memory holds them, a search leaves out the pairs that are
	// not alike.
	Texts  int   `json:"texts"`
	Active int   `json:"active"`
	Scored int64 `json:"scored"`

	// Missing is the number of values of the policy's fields that are missing or
	// cannot be read.
	Missing int64 `json:"missing_values"`

	// Repeated is the number of documents that have the id of an earlier one, and
	// RepeatedID the first such id.
	Repeated   int    `json:"repeated_ids,omitempty"`
	RepeatedID string `json:"repeated_id,omitempty"`

	// Unpaired is the number of documents that are in no pair, because they lack a
	// field of Options.Limits.
	Unpaired int64 `json:"unpaired,omitempty"`

	// Lower is what Options.Lower would remove besides, or nil if nobody asked.
	Lower *Lower `json:"lower,omitempty"`

	// Warranty is what Options.Warranty has shown, or nil without it.
	Warranty *Assurance `json:"warranty,omitempty"`

	// Undone are the removals that Undo has undone since.
	Undone []Removal `json:"undone,omitempty"`

	// Reading is how the sources were read, or nil if all was as usual.
	Reading *datasets.Reading `json:"reading,omitempty"`

	Settings Settings `json:"settings"`
	Against  []Origin `json:"against,omitempty"`
	Sources  []Origin `json:"sources"`
	Run      Timing   `json:"run"`
}

// BelowReport says what a run has removed below the document.
type BelowReport struct {
	Parts int64 `json:"parts"` // different lines, paragraphs or passages that repeat; 0 with LeakOptions.Cut
	Cut   int   `json:"cut"`   // documents that lost some of their text and stay
	Cuts  int64 `json:"cuts"`  // made, those in removed documents included
	Gone  int64 `json:"gone"`  // bytes of text, removed documents included

	// Alone is the number of documents left alone because too much of them would go.
	Alone int `json:"left_alone"`
}

// Place is where a document stands.
type Place struct {
	dedup.Ref

	// Against says that the source is one of Options.Against. They are numbered
	// separately.
	Against bool `json:"against,omitempty"`
}

// Settings are the options that the outputs depend on.
type Settings struct {
	Method     string  `json:"method"`
	Candidates float64 `json:"candidates"`
	Recall     float64 `json:"recall"`
	Verify     string  `json:"verify"` // a method, "sketch" or "none"
	Threshold  float64 `json:"threshold"`
	Cohesion   float64 `json:"cohesion"`
	Keep       string  `json:"keep"`
	Clean      string  `json:"clean,omitempty"`
	Limits     string  `json:"limits,omitempty"`
	Judged     string  `json:"judged,omitempty"`
	Below      string  `json:"below,omitempty"`
	Passage    string  `json:"passage,omitempty"` // of leaks
}

// MinScore returns the minimum score of two alike documents: the threshold, or
// the minimum of candidates if nothing verifies them.
func (s Settings) MinScore() float64 {
	if s.Verify == "none" {
		return s.Candidates
	}
	return s.Threshold
}

// Origin is a source that was read.
type Origin struct {
	Path string `json:"path"`
	Rows int    `json:"rows"` // of an index those documents that new ones are removed for
	Sum  string `json:"xxh3"` // of its rows with the headers of tables, in order
}

// Timing is what differs between two runs.
type Timing struct {
	Stages  []Stage `json:"stages"`
	Seconds float64 `json:"seconds"`
	Peak    int64   `json:"peak_bytes"` // of resident memory, where the system tells
	Workers int     `json:"workers"`
	Memory  int64   `json:"memory"`

	// Estimated is about how many pairs of texts clustering would compare, by
	// their sketches or in a search for alike texts. Compared is the actual
	// number.
	Estimated int64 `json:"pairs_estimated"`
	Compared  int64 `json:"pairs_compared"`
}

// Stage is a stage and how long it took.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// DropShare returns the share of the documents that are removed, or of the text if
// Below is set.
func (r *Report) DropShare() float64 {
	if r.Below != nil {
		return float64(r.Below.Gone) / float64(max(1, r.Bytes))
	}
	if r.Documents == 0 {
		return 0
	}
	return float64(r.Removed()) / float64(r.Documents)
}

// Removed returns the number of documents that are removed.
func (r *Report) Removed() int {
	return r.Equal + r.Alike + r.First + r.Judged + r.Leaked + r.Short
}

// Settings returns the options that the outputs depend on.
func (o *Options) Settings() Settings {
	if o.Below != nil {
		return Settings{Keep: o.Keep.String(), Below: o.Below.String()}
	}
	s := Settings{
		Method: o.Method.String(), Candidates: o.Candidates, Recall: o.Recall, Verify: "sketch",
		Threshold: o.Threshold, Cohesion: o.Cohesion, Keep: o.Keep.String(), Limits: o.Limits.String(),
	}
	switch {
	case o.Verify != nil:
		s.Verify = o.Verify.String()
	case o.Unverified:
		s.Verify = "none"
	}
	switch {
	case s.Cohesion == 0:
		s.Cohesion = s.MinScore()
	case s.Cohesion < 0:
		s.Cohesion = 0
	}
	if o.Judged != nil {
		s.Judged = o.Judged.String()
	}
	if c, err := clean.New(o.Clean); err == nil && c.String() != "none" {
		s.Clean = c.String()
	}
	return s
}

// ref returns the place of a row. New and old sources are numbered separately.
func (c *corpus) ref(row int) dedup.Ref {
	ref := c.in.ref(row)
	if row >= c.oldRows {
		ref.Source -= c.old
	}
	return ref
}

const reportFile = "report.json"

// write writes the report to a folder.
func (r *Report) write(dir string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("dedup: report: %w", err)
	}
	return prefixed(os.WriteFile(filepath.Join(dir, reportFile), append(b, '\n'), 0o666))
}

// readReport is the inverse of Report.write.
func readReport(dir string) (*Report, error) {
	b, err := os.ReadFile(filepath.Join(dir, reportFile))
	if err != nil {
		return nil, err
	}
	var rep Report
	if err := json.Unmarshal(b, &rep); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, reportFile), err)
	}
	return &rep, nil
}
