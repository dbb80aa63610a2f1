package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// oneOf matches the usage of a flag that has few values: `a|b`, or "a, b or c"
// at the end or before a bracket.
var oneOf = regexp.MustCompile("`[a-z]+(\\|[a-z]+)+`|: [`a-z0-9]+(, [a-z0-9]+)* or [a-z0-9]+( \\(|$)")

// Every flag that has few values completes them.
func TestFewValuesAreCompleted(t *testing.T) {
	unused := choices()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			delete(unused, f.Name)
			delete(unused, cmd.Name()+" "+f.Name)
			complete, ok := cmd.GetFlagCompletionFunc(f.Name)
			if few := oneOf.MatchString(f.Usage) && f.Value.Type() != "int"; few && !ok || f.Name == "format" && !ok {
				t.Errorf("%s --%s completes nothing: %s", cmd.CommandPath(), f.Name, f.Usage)
			}
			if !ok || f.Name != "format" {
				return
			}
			values, _ := complete(cmd, nil, "")
			for _, v := range values { // what is completed is accepted, and stated
				if err := cmd.Flags().Set("format", v); err != nil || !strings.Contains(f.Usage, v) {
					t.Errorf("%s --format completes %s: %v, %s", cmd.CommandPath(), v, err, f.Usage)
				}
			}
			if slices.Contains(values, "xml") || cmd.Flags().Set("format", "xml") == nil && f.Value.Type() == "format" {
				t.Errorf("%s takes the format xml", cmd.CommandPath())
			}
		})
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot())
	for name := range unused {
		t.Errorf("there is no flag %s", name)
	}
}

// An interrupt says how to go on.
func TestResumeHint(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"dedup", "docs.jsonl", "-o", "out"}, "--resume goes on"},
		{[]string{"dedup", "docs.jsonl", "--dry-run"}, "run the command again"},
		{[]string{"eval"}, "with --out FILE, --resume would go on"},
		{[]string{"eval", "--out", "run.jsonl"}, "; the same command with --resume goes on"},
		{[]string{"choose", "en"}, "run the command again"},
		{[]string{"choose", "en", "--review", "5"}, "answers are kept"},
		{[]string{"index", "add", "disk:seen", "x"}, "adds what is missing"},
		{[]string{"index", "add", "disk:seen", "x", "--load"}, "run the command again"},
	} {
		root := newRoot()
		cmd, args, err := root.Find(c.args)
		if err == nil {
			err = cmd.ParseFlags(args)
		}
		if got := resumeHint(cmd); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, %v, want %q", c.args, got, err, c.want)
		}
	}
}
