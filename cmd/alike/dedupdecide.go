package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// decision is when two documents are duplicates, as flags say.
type decision struct {
	method, features, fit, verify string
	threshold, candidates, recall float64
	distance                      int
	index                         *index.Index // whose settings stand for those that are not given; or nil
}

// defaultMethod finds candidates: 8 bits of a value tell texts apart as well as all of
// them do, at a quarter of the memory.
const defaultMethod = "minhash:bits=8"

// defaultFeatures are runs of three words: single words of long texts are alike anyhow, and
// each edit costs as many features as the run is wide.
const defaultFeatures = "width=3"

// defaultDistance is that of candidates by fingerprints (Manku, Jain, Das Sarma, WWW 2007).
const defaultDistance = 3

func (d *decision) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&d.method, "method", "m", defaultMethod, "method `SPEC` that finds candidates, name or name:key=value,... (see alike methods)")
	flags.Float64VarP(&d.threshold, "threshold", "t", 0.8, "minimum `SCORE` of a duplicate")
	flags.Float64Var(&d.candidates, "candidates", 0, "minimum `SCORE` of the sketches of candidates (default the threshold)")
	flags.IntVarP(&d.distance, "distance", "k", 0, "maximum distance of candidates, for methods that have one: for simhash instead of --candidates (default 3)")
	flags.Float64Var(&d.recall, "recall", similarity.DefaultRecall, "for methods that are not exact, the probability of finding candidates at the threshold")
	flags.StringVar(&d.verify, "verify", "text", "what decides: text (the share of features in common), a method `SPEC`, sketch, or none (all candidates)")
	flags.StringVar(&d.fit, "fit", "", "`FILE` that alike fit wrote, for methods that learn from a corpus")
	flags.StringVar(&d.features, "features", defaultFeatures, "feature `KEYS` for methods that do not say otherwise, such as tokens=rune,width=5")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("method", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return catalog.Complete(typed), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}))
}

// resolve sets the options that decide.
func (d *decision) resolve(cmd *cobra.Command, o *local.Options) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	switch {
	case given("distance") && given("candidates"):
		return fmt.Errorf("%s: want either --candidates or --distance", cmd.Name())
	case !(d.threshold > 0 && d.threshold <= 1):
		return fmt.Errorf("%s: --threshold is %v, want more than 0 and at most 1", cmd.Name(), d.threshold)
	case given("candidates") && !(d.candidates > 0 && d.candidates <= 1):
		return fmt.Errorf("%s: --candidates is %v, want more than 0 and at most 1", cmd.Name(), d.candidates)
	case !(d.recall > 0 && d.recall < 1):
		return fmt.Errorf("%s: --recall is %v, want more than 0 and less than 1", cmd.Name(), d.recall)
	}
	var err error
	if d.index != nil && !given("method") && !given("features") {
		o.Method = d.index.Method()
	} else if o.Method, err = d.parse(d.method); err != nil {
		return err
	}
	o.Threshold, o.Candidates, o.Recall = d.threshold, d.candidates, d.recall
	switch {
	case d.index != nil && !given("candidates") && !given("distance"):
		o.Candidates = d.index.Header().Threshold
		if given("threshold") {
			o.Candidates = d.threshold
		}
	case !given("candidates"):
		if o.Candidates, err = d.reach(o.Method, given("distance")); err != nil {
			return err
		}
	}
	switch d.verify {
	case "text":
		o.Verify, err = d.parse(textSpec(o.Method))
	case "none":
		o.Unverified = true
	case "sketch":
		if !given("threshold") {
			o.Threshold = o.Candidates
		}
		o.Candidates = max(o.Candidates, o.Threshold)
	default:
		o.Verify, err = d.parse(d.verify)
	}
	return err
}

// parse returns the method that a spec names, under the fit if there is one.
func (d *decision) parse(spec string) (similarity.Method, error) {
	methods, err := catalog.ParseAll([]string{spec}, d.features)
	if err != nil {
		return nil, err
	}
	if _, ok := methods[0].(io.Closer); ok {
		return nil, fmt.Errorf("%s answers from outside of alike and can fail half way, want a method of alike to deduplicate by", methods[0])
	}
	if d.fit != "" && methods[0].FitState() != similarity.FitUseless {
		if methods, err = withFit(methods, d.fit, true); err != nil {
			return nil, err
		}
	}
	return methods[0], nil
}

// reach returns the least score of candidates: of methods with a distance that of the
// distance given or the default one, of others the threshold.
func (d *decision) reach(m similarity.Method, given bool) (float64, error) {
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

// textSpec returns the exact method that goes with a method: the resemblance of the
// sets of the same features.
func textSpec(m similarity.Method) string {
	if x := m.Features(); x != nil {
		return similarity.Spec("shingle", x.String())
	}
	return "shingle"
}

// sizeUnits are the units of a size.
var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

// parseSize reads a number of bytes with its unit.
func parseSize(s string) (int64, error) {
	number, unit := s, 1.0
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v > 0) || v*unit > 1<<60 {
		return 0, fmt.Errorf("%q: want a size such as 4GiB or 500MB", s)
	}
	return int64(v * unit), nil
}

// sizeValue is a flag that is a number of bytes; zero stands for the default.
type sizeValue int64

func (v *sizeValue) String() string {
	if *v == 0 {
		return ""
	}
	return fmt.Sprintf("%dB", int64(*v))
}

func (v *sizeValue) Set(s string) error {
	n, err := parseSize(s)
	*v = sizeValue(n)
	return err
}

func (v *sizeValue) Type() string { return "size" }

var errShare = errors.New("want a share such as 50% or 0.5")

// parseShare reads a share: a percentage, or a number up to 1.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%q: %w", s, errShare)
	}
	return v, nil
}
