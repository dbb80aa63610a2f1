package cli_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/shingle"
)

func TestValues(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "12B": 12, "64MiB": 64 << 20, "64MB": 64e6, "1.5kB": 1500, "2K": 2048, "1 TB": 1e12, "4GiB": 4 << 30} {
		if got, err := cli.ParseSize(s); got != want || err != nil {
			t.Errorf("size %q: %d, %v, want %d", s, got, err, want)
		}
	}
	for s, want := range map[string]float64{"50%": .5, "0.5": .5, "0": 0, "100%": 1, "1": 1} {
		if got, err := cli.ParseShare(s); got != want || err != nil {
			t.Errorf("share %q: %v, %v, want %v", s, got, err, want)
		}
	}
	for s, want := range map[string]int64{"7": 7, "8e9": 8e9, "1e15": 1e15} {
		if got, err := cli.ParseCount(s); got != want || err != nil {
			t.Errorf("count %q: %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "x", "-1", "NaN", "Inf", "2000000TiB", "0MB", "5PB"} {
		if got, err := cli.ParseSize(s); err == nil {
			t.Errorf("size %q: %d, want an error", s, got)
		}
	}
	for _, s := range []string{"", "x", "-1", "NaN", "1.5", "101%", "50 %"} {
		if got, err := cli.ParseShare(s); err == nil {
			t.Errorf("share %q: %v, want an error", s, got)
		}
	}
	for _, s := range []string{"", "x", "-1", "0", "1.5", "NaN", "1e16"} {
		if got, err := cli.ParseCount(s); err == nil {
			t.Errorf("count %q: %d, want an error", s, got)
		}
	}
}

// rule returns what a command line decides, as method, verifier, threshold,
// candidates.
func rule(d *cli.Decision, args string) (r cli.Rule, err error) {
	cmd := &cobra.Command{Use: "x", SilenceErrors: true, SilenceUsage: true, RunE: func(cmd *cobra.Command, _ []string) error {
		r, err = d.Rule(cmd)
		return err
	}}
	d.Flags(cmd)
	cmd.SetArgs(strings.Fields(args))
	return r, cmd.Execute()
}

func TestRule(t *testing.T) {
	simhash, err := catalog.Parse("simhash:width=3")
	if err != nil {
		t.Fatal(err)
	}
	at3, err := catalog.ScoreAt(simhash, 3)
	if err != nil {
		t.Fatal(err)
	}
	single, err := catalog.Parse("simhash:tokens=single,width=3")
	if err != nil {
		t.Fatal(err)
	}
	at3single, err := catalog.ScoreAt(single, 3)
	if err != nil {
		t.Fatal(err)
	}
	left := math.Pow(.95, 3) // of the runs of three, if each word that differs stands apart
	resemblance := left / (2 - left)
	left = math.Pow(.9, 3)
	tenth := left / (2 - left)
	for _, c := range []struct {
		known                 bool
		args, method, verify  string
		threshold, candidates float64
	}{
		{false, "", "minhash:bits=8,width=3", "shingle:width=3", .8, .8},
		{false, "-t .7", "minhash:bits=8,width=3", "shingle:width=3", .7, .7},
		{false, "-t .7 --candidates .6", "minhash:bits=8,width=3", "shingle:width=3", .7, .6},
		{false, "--features width=2", "minhash:bits=8,width=2", "shingle:width=2", .8, .8},
		{false, "-m winnow", "winnow", "shingle:width=3", .8, .8},
		{false, "-m simhash", "simhash:width=3", "shingle:width=3", .8, at3},
		{false, "-m simhash --verify sketch", "simhash:width=3", "", at3, at3},
		{false, "-m simhash --verify sketch -t .99", "simhash:width=3", "", .99, .99},
		{false, "--verify shingle:bag=true", "minhash:bits=8,width=3", "shingle:bag=true,width=3", .8, .8},
		{false, "--differ 5%", "minhash:bits=8,tokens=single,width=3", "words:most=0.05", .95, resemblance - 2*shingle.StdErr(resemblance, 128, 8)},
		{false, "--differ .05 -m shingle", "shingle:tokens=single,width=3", "words:most=0.05", .95, resemblance},
		{false, "--differ 5% -m shingle --verify sketch", "shingle:tokens=single,width=3", "", resemblance, resemblance},
		{false, "--differ 5% --verify shingle:bag=true", "minhash:bits=8,tokens=single,width=3", "shingle:bag=true,tokens=single,width=3", resemblance, resemblance - 2*shingle.StdErr(resemblance, 128, 8)},
		{false, "--differ 5% --candidates .5", "minhash:bits=8,tokens=single,width=3", "words:most=0.05", .95, .5},
		{false, "--differ 5% -m simhash -k 3", "simhash:tokens=single,width=3", "words:most=0.05", .95, at3single},
		{false, "--want copies", "minhash:bits=8,tokens=single,width=3", "words:most=0.1", .9, tenth - 2*shingle.StdErr(tenth, 128, 8)},
		{false, "--want copies --differ 5%", "minhash:bits=8,tokens=single,width=3", "words:most=0.05", .95, resemblance - 2*shingle.StdErr(resemblance, 128, 8)},
		{false, "--want copies -t .7", "minhash:bits=8,width=3", "shingle:width=3", .7, .7},
		{false, "--want versions -t .3", "minhash:bits=8,width=3", "shingle:width=3", .3, .3},
		{false, "--want excerpts", "shingle:measure=overlap,tokens=single,width=3", "", .5, .5},
		{false, "--want excerpts -t .9", "shingle:measure=overlap,tokens=single,width=3", "", .9, .9},
		{true, "--verify sketch", "simhash:width=3", "", .9, .9},
		{true, "--verify sketch -t .95", "simhash:width=3", "", .95, .95},
		{true, "--verify sketch -k 3", "simhash:width=3", "", at3, at3},
		{true, "--verify sketch -m minhash", "minhash:width=3", "", .9, .9},
	} {
		d := &cli.Decision{Copies: strings.Contains(c.args, "excerpts")} // only alike dedup keeps the longest
		if c.known {
			d.Known, d.KnownScore = simhash, .9
		}
		r, err := rule(d, c.args)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		verify := ""
		if r.Verify != nil {
			verify = r.Verify.String()
		}
		if r.Method.String() != c.method || verify != c.verify || math.Abs(r.Threshold-c.threshold) > 1e-12 || math.Abs(r.Candidates-c.candidates) > 1e-12 || r.Unverified {
			t.Errorf("%q: %s, %q, %v, %v, want %s, %q, %v, %v", c.args, r.Method, verify, r.Threshold, r.Candidates, c.method, c.verify, c.threshold, c.candidates)
		}
	}
	if _, err := rule(&cli.Decision{}, "--want excerpts"); err == nil {
		t.Error("--want excerpts of a command that does not keep the longest: no error")
	}
	if r, err := rule(&cli.Decision{None: true}, "--verify none"); err != nil || !r.Unverified || r.Verify != nil {
		t.Errorf("--verify none: %+v, %v", r, err)
	}
}

// Where copies are wanted by default, other flags say what they said before, and what a
// lower minimum would remove is asked for by half as much again.
func TestRuleOfCopies(t *testing.T) {
	for args, want := range map[string]string{
		"":                    "words:most=0.15 0.9 0.85 --differ 15%",
		"-k 3 -m simhash":     "words:most=0.15 0.9 0.85 --differ 15%",
		"-m simhash":          "words:most=0.15 0.9 0.85 --differ 15%",
		"--differ 4%":         "words:most=0.06 0.96 0.94 --differ 6%",
		"--differ 0%":         "words 1 0 ",
		"--differ 99%":        "words:most=0.99 0.01 0 ",
		"--candidates .7":     "shingle:width=3 0.8 0.7 --threshold 0.7",
		"--features width=2":  "shingle:width=2 0.8 0.7 --threshold 0.7",
		"-t .75":              "shingle:width=3 0.75 0.65 --threshold 0.65",
		"-t .05":              "shingle:width=3 0.05 0 ",
		"--verify words":      "words 0.8 0.7 --threshold 0.7",
		"--want excerpts":     "sketch 0.5 0 ",
		"--verify sketch":     "sketch 0.8 0 ",
		"--want copies -t .8": "shingle:width=3 0.8 0.7 --threshold 0.7",
	} {
		r, err := rule(&cli.Decision{Copies: true}, args)
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		verify := "sketch"
		if r.Verify != nil {
			verify = r.Verify.String()
		}
		if got := fmt.Sprintf("%s %.4g %.4g %s", verify, r.Threshold, r.Lower, r.LowerFlag); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

func TestRuleRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"--candidates .9 -k 3":                  "x: want either --candidates or --distance",
		"-t 0":                                  "x: --threshold is 0, want more than 0 and at most 1",
		"-t NaN":                                "x: --threshold is NaN",
		"--candidates 2":                        "x: --candidates is 2, want more than 0 and at most 1",
		"--recall 1":                            "x: --recall is 1, want more than 0 and less than 1",
		"-t .8 --differ 5%":                     "x: want either --threshold or --differ",
		"--differ 100%":                         "want less than 100%",
		"--differ 5% -m winnow":                 "or state --candidates",
		"--want replies":                        `x: dedup: want "replies", want copies, versions or excerpts`,
		"--want versions":                       "alike choose --want versions finds it",
		"--want versions --differ 5%":           "goes by --threshold, not by --differ",
		"--want excerpts --differ 5%":           "goes by --threshold, not by --differ",
		"--want excerpts -m minhash":            "without an index, --method",
		"--differ 5% -m simhash":                "or --distance for SimHash",
		"--differ 5% -m cosine --verify sketch": "no measured model",
		"-k 3":                                  "has no distance",
		"-m simhsh":                             "no method",
		"--verify none":                         "no method",
		"--verify exec:true":                    "want a method of alike to deduplicate by",
		"-m minhash --features x=1":             "no key",
	} {
		if _, err := rule(&cli.Decision{Prefix: "x: "}, args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", args, err, want)
		}
	}
}
