package choose

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/jsonl"
	"github.com/alike-go/alike/similarity"
)

// Commands returns the commands by which the best candidate finds the documents of data
// that are alike: one that learns from them first, where the method does, and one that
// removes duplicates by the method's own score. It is empty where no method is fit.
func (r *Result) Commands(data string) []string {
	if !r.Fit {
		return nil
	}
	m, err := catalog.Parse(r.Best.Spec)
	if err != nil {
		return nil // a candidate of the caller's own, which no command knows
	}
	spec := similarity.WithoutFit(r.Best.Spec)
	var out []string
	dedup := []string{"alike dedup", Quote(data), "-o OUT", "--method", Quote(spec)}
	if m.Features() != nil {
		// Settings that a spec leaves out are its defaults; dedup has others.
		dedup = append(dedup, "--features", "width=1")
	}
	if m.FitState() == similarity.FitNone {
		out = append(out, strings.Join([]string{"alike fit", Quote(data), "--method", Quote(spec), "-o FIT"}, " "))
		dedup = append(dedup, "--fit FIT")
	}
	dedup = append(dedup, "--verify sketch --threshold", strconv.FormatFloat(math.Round(float64(r.Best.Threshold)*1e6)/1e6, 'g', -1, 64))
	return append(out, strings.Join(dedup, " "))
}

// Quote makes a word of a shell's command line.
func Quote(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("-_=,.:/+@%^", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Record is a line that a search leaves of each candidate.
type Record struct {
	Dataset      string      `json:"dataset"`
	Checksum     string      `json:"data_checksum"`
	Goal         string      `json:"goal"`
	Seed         uint64      `json:"seed"`
	Fit          bool        `json:"fit"`
	All          eval.Figure `json:"all_alike"`
	Margin       float64     `json:"margin,omitempty"`  // see Result
	Assumed      bool        `json:"assumed,omitempty"` // see Result
	Role         string      `json:"role,omitempty"`    // see Role
	Braked       bool        `json:"braked,omitempty"`
	StrictSplits bool        `json:"strict_splits,omitempty"` // see Result
	Trial

	Machine eval.Machine `json:"machine"` // that speeds were measured on
}

// WriteRecords writes one JSON object a line for each candidate, in the order of the
// candidates, and for each baseline.
func (r *Result) WriteRecords(w io.Writer) error {
	var records []Record
	for _, t := range slices.Concat(r.Trials, r.Baselines) {
		records = append(records, Record{r.Dataset, r.Checksum, r.Goal, r.Seed, r.Fit, r.All, r.Margin, r.Assumed, r.Role(t.Spec), r.Braked, r.StrictSplits, t, r.Machine})
	}
	if err := jsonl.Encode(w, records); err != nil {
		return fmt.Errorf("choose: write records: %w", err)
	}
	return nil
}

// Role returns what a candidate is in the result: "best", "front", "cheaper", "front,
// cheaper", "baseline" or "". If the truth is assumed, "best" is "best guess".
func (r *Result) Role(spec string) string {
	if spec == r.Best.Spec && r.Assumed {
		return "best guess"
	}
	if spec == r.Best.Spec {
		return "best"
	}
	var roles []string
	if slices.ContainsFunc(r.Baselines, func(t Trial) bool { return t.Spec == spec }) {
		return "baseline"
	}
	is := func(t Trial) bool { return t.Spec == spec }
	if slices.ContainsFunc(r.Front, is) {
		roles = append(roles, "front")
	}
	if slices.ContainsFunc(r.Cheaper, is) {
		roles = append(roles, "cheaper")
	}
	return strings.Join(roles, ", ")
}
