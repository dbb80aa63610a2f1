// Package cli holds the flags and values that the commands alike and alike-beam
// share: what a duplicate is, how documents are read, sizes, shares and counts.
//
// A Decision and a datasets.Source take their values from flags. Rule turns the
// former into methods. The Parse functions read single values; their errors say
// what is wanted, and the caller adds the name of the flag.
//
// Only commands import it. What one command alone needs stays in the command.
package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// DefaultFeatures are runs of three words. Long texts have most single words in
// common anyway, and each edit changes as many features as the run is wide.
const DefaultFeatures = "width=3"

const (
	// defaultMethod finds candidates. 8 bits of a value tell texts apart as well
	// as all of them, in a quarter of the memory.
	defaultMethod = "minhash:bits=8"

	// defaultDistance is that of candidates by fingerprints (Manku, Jain, Das
	// Sarma, WWW 2007).
	defaultDistance = 3
)

// Decision says when two documents are duplicates, as flags state it.
type Decision struct {
	// Prefix precedes the errors about flags, such as "dedup: ".
	Prefix string

	// None says that --verify may be none.
	None bool

	// Sets says that --verify text has to compare sets, as engines of SQL can.
	Sets bool

	// Fit is a file of what a method has learnt from a corpus, or empty.
	Fit string

	// Verify is text, sketch, none or the spec of a method.
	Verify string

	// Copies says that copies are wanted unless flags say otherwise: see
	// dedup.DefaultDiffer. Without it the default is a threshold, and --differ sets no
	// Rule.Lower.
	Copies bool

	// Known and KnownScore, if set, are the method and the threshold of an index.
	// They replace the defaults of the flags that are not given.
	Known      similarity.Method
	KnownScore float64

	method, features, want        string
	threshold, candidates, recall float64
	differ                        Differ
	distance                      int
}

// Flags adds the flags of a decision to a command.
func (d *Decision) Flags(cmd *cobra.Command) {
	verify := "or sketch"
	if d.None {
		verify = "sketch, or none (all candidates)"
	}
	flags := cmd.Flags()
	flags.StringVarP(&d.method, "method", "m", defaultMethod, "method `SPEC` that finds candidates, name or name:key=value,... (see alike methods)")
	flags.Float64VarP(&d.threshold, "threshold", "t", 0.8, "minimum `SCORE` of a duplicate")
	WantFlag(cmd, &d.want)
	exactly := "; --verify text then counts them in the texts"
	if d.Sets {
		exactly = ""
	}
	DifferFlag(flags, &d.differ, exactly+" (see docs/differ.md)")
	flags.Float64Var(&d.candidates, "candidates", 0, "minimum `SCORE` of the sketches of candidates (default the threshold)")
	flags.IntVarP(&d.distance, "distance", "k", 0, "maximum distance of candidates, for methods that have one: for simhash instead of --candidates (default 3)")
	flags.Float64Var(&d.recall, "recall", similarity.DefaultRecall, "for methods that are not exact, the probability of finding candidates at the threshold")
	flags.StringVar(&d.Verify, "verify", "text", "what decides: text (the share of features in common), a method `SPEC`, "+verify)
	flags.StringVar(&d.features, "features", DefaultFeatures, "feature `KEYS` for methods that do not say otherwise, such as tokens=rune,width=5")
}

// Rule is a decision with its methods.
type Rule struct {
	Method     similarity.Method // finds candidates
	Verify     similarity.Method // decides; nil if the sketches do, or nothing does
	Unverified bool              // every candidate is a duplicate

	Threshold, Candidates, Recall float64

	// Lower is a minimum below the threshold, for a report on what it would remove
	// besides; 0 where candidates do not tell. LowerFlag is the flag that sets it.
	Lower     float64
	LowerFlag string
}

// lower is how much less a score counts for Rule.Lower, and lowerDiffer how many times
// as many words may differ. Twice as many would take twice the time of counting.
const (
	lower       = .1
	lowerDiffer = 1.5
)

// Rule returns the methods and scores that decide.
func (d *Decision) Rule(cmd *cobra.Command) (r Rule, err error) {
	given := cmd.Flags().Changed
	switch {
	case given("distance") && given("candidates"):
		return r, fmt.Errorf("%swant either --candidates or --distance", d.Prefix)
	case given("threshold") && given("differ"):
		return r, fmt.Errorf("%swant either --threshold or --differ", d.Prefix)
	case !(d.threshold > 0 && d.threshold <= 1):
		return r, fmt.Errorf("%s--threshold is %v, want more than 0 and at most 1", d.Prefix, d.threshold)
	case given("candidates") && !(d.candidates > 0 && d.candidates <= 1):
		return r, fmt.Errorf("%s--candidates is %v, want more than 0 and at most 1", d.Prefix, d.candidates)
	case !(d.recall > 0 && d.recall < 1):
		return r, fmt.Errorf("%s--recall is %v, want more than 0 and less than 1", d.Prefix, d.recall)
	}
	want, err := d.Want()
	if err != nil {
		return r, fmt.Errorf("%s%w", d.Prefix, err)
	}
	implied := d.Copies && d.Known == nil && !slices.ContainsFunc([]string{"want", "threshold", "differ", "verify", "features", "candidates", "cohesion"}, given)
	if d.want != "" || implied {
		set, err := Wanted(want, func(name string) bool { return name != "distance" && given(name) }) // that is of candidates
		if err != nil {
			return r, fmt.Errorf("%s%w", d.Prefix, err)
		}
		switch {
		case want == dedup.Excerpts && (!d.Copies || d.Known != nil || given("method") || given("verify") || given("candidates")):
			return r, fmt.Errorf("%s--want excerpts finds and decides by %s in alike dedup: want it without an index, --method, --candidates and --verify", d.Prefix, ExcerptMethod)
		case want == dedup.Excerpts:
			d.method, d.Verify = ExcerptMethod, "sketch"
			if !given("threshold") {
				d.threshold = dedup.LeastContained
			}
		case set:
			d.differ = dedup.DefaultDiffer
		}
		flag := given
		given = func(name string) bool {
			return flag(name) || name == "differ" && set || want == dedup.Excerpts && name == "threshold"
		}
	}
	if (given("differ") || want == dedup.Excerpts) && !given("features") {
		d.features = catalog.DifferFeatures
	}
	r.Method, r.Threshold, r.Candidates, r.Recall = d.Known, d.threshold, d.candidates, d.recall
	if d.Known == nil || given("method") || given("features") {
		if r.Method, err = d.Parse(d.method); err != nil {
			return r, err
		}
	}
	if given("differ") {
		return r, d.byDiffer(&r, given, implied)
	}
	switch {
	case given("candidates"):
	case d.Known == nil || given("distance"):
		if r.Candidates, err = d.reach(r.Method, given("distance")); err != nil {
			return r, err
		}
	case given("threshold"):
		r.Candidates = d.threshold
	default:
		r.Candidates = d.KnownScore
	}
	switch {
	case d.Verify == "text":
		r.Verify, err = d.Parse(textSpec(r.Method))
	case d.Verify == "none" && d.None:
		r.Unverified = true
	case d.Verify == "sketch":
		if !given("threshold") {
			r.Threshold = r.Candidates
		}
		r.Candidates = max(r.Candidates, r.Threshold)
	default:
		r.Verify, err = d.Parse(d.Verify)
	}
	if r.Verify != nil {
		if r.Lower = max(0, math.Round((r.Threshold-lower)*1e6)/1e6); r.Lower > 0 {
			r.LowerFlag = fmt.Sprintf("--threshold %v", r.Lower)
		}
	}
	return r, err
}

// byDiffer completes a rule that goes by the share of words that differ. By default
// the texts decide by that share itself. implied says that no flag asked for it.
func (d *Decision) byDiffer(r *Rule, given func(string) bool, implied bool) (err error) {
	decides := r.Method
	switch verify := d.Verify; {
	case verify == "sketch":
	case verify == "none" && d.None:
		r.Unverified = true
	default:
		if verify == "text" && d.Sets {
			verify = textSpec(r.Method)
		} else if verify == "text" {
			verify = "words"
			if d.differ > 0 && !given("cohesion") { // which asks for lower scores
				verify += ":most=" + strconv.FormatFloat(d.lowerDiffer(), 'g', -1, 64)
			}
		}
		if r.Verify, err = d.Parse(verify); err != nil {
			return err
		}
		decides = r.Verify
	}
	model, err := catalog.Differ(decides)
	if err != nil {
		return fmt.Errorf("%s--differ: %w", d.Prefix, err)
	}
	r.Threshold = model.Score(float64(d.differ))
	if share := d.lowerDiffer(); r.Verify != nil && share > float64(d.differ) {
		r.Lower, r.LowerFlag = model.Score(share), "--differ "+(*Differ)(&share).String()
	}
	switch {
	case given("candidates"):
	case given("distance"):
		r.Candidates, err = d.reach(r.Method, true)
	case r.Verify == nil:
		r.Candidates = r.Threshold
	default:
		r.Candidates, err = d.candidatesFor(r.Method)
		if err != nil && implied { // then the score that a threshold would ask for
			r.Candidates, err = d.reach(r.Method, false)
		}
	}
	if r.Verify == nil && !r.Unverified {
		r.Candidates = max(r.Candidates, r.Threshold)
	}
	return err
}

// lowerDiffer returns the share of words that may differ by Rule.Lower. Only alike
// dedup reports what that would remove.
func (d *Decision) lowerDiffer() float64 {
	if !d.Copies {
		return float64(d.differ)
	}
	return max(float64(d.differ), min(.99, math.Round(float64(d.differ)*lowerDiffer*1e6)/1e6))
}

// Want returns what --want says: copies where it says nothing.
func (d *Decision) Want() (dedup.Want, error) {
	if d.want == "" {
		return dedup.Copies, nil
	}
	return dedup.ParseWant(d.want)
}

// ExcerptMethod finds documents of which one lies in the other, and decides on them.
const ExcerptMethod = "shingle:measure=overlap"

// Wanted reports whether --want alone sets a maximum of words that differ, which is
// dedup.DefaultDiffer. It refuses flags that do not go with it.
func Wanted(want dedup.Want, given func(flag string) bool) (differ bool, err error) {
	switch {
	case want == dedup.Copies:
		return !given("threshold") && !given("differ") && !given("distance"), nil
	case given("differ"):
		return false, fmt.Errorf("--want %v goes by --threshold, not by --differ", want)
	case want == dedup.Versions && !given("threshold") && !given("distance"):
		return false, errors.New("--want versions wants --threshold: it depends on the collection, and alike choose --want versions finds it")
	}
	return false, nil
}

// leastCandidates is the lowest score of candidates that --differ asks for: below it,
// texts that have nothing to do with each other would be compared.
const leastCandidates = .05

// candidatesFor returns the minimum score of candidates for --differ: two standard errors
// below the score to expect, so that sketches seldom lose what the texts would decide.
func (d *Decision) candidatesFor(m similarity.Method) (float64, error) {
	model, err := catalog.Differ(m)
	if err != nil {
		return 0, fmt.Errorf("%s--differ: %w; or state --candidates, or --distance for SimHash", d.Prefix, err)
	}
	score := model.Score(float64(d.differ))
	if model.Noise != nil {
		score -= 2 * model.Noise(score)
	}
	return max(score, leastCandidates), nil
}

// Parse returns the method that a spec names, under the fit if there is one.
func (d *Decision) Parse(spec string) (similarity.Method, error) {
	methods, err := catalog.ParseAll([]string{spec}, d.features)
	if err != nil {
		return nil, err
	}
	if _, ok := methods[0].(io.Closer); ok {
		return nil, fmt.Errorf("%s answers from outside of alike and can fail half way, want a method of alike to deduplicate by", methods[0])
	}
	if d.Fit != "" && methods[0].FitState() != similarity.FitUseless {
		if methods, err = catalog.WithFit(methods, d.Fit, true); err != nil {
			return nil, err
		}
	}
	return methods[0], nil
}

// reach returns the minimum score of candidates. A method with a distance takes
// that of --distance or the default one, other methods the threshold.
func (d *Decision) reach(m similarity.Method, given bool) (float64, error) {
	distance := defaultDistance
	if given {
		distance = d.distance
	}
	score, err := catalog.ScoreAt(m, distance)
	if err != nil && !given {
		return d.threshold, nil
	}
	return score, err
}

// textSpec returns the exact method that goes with a method: the resemblance of
// the sets of the same features.
func textSpec(m similarity.Method) string {
	if x := m.Features(); x != nil {
		return similarity.Spec("shingle", x.String())
	}
	return "shingle"
}
