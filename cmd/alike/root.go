package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/external"
	"github.com/alike-go/alike/internal/terminal"
)

// Exit codes. docs/exit.md has examples of each, which a test runs.
const (
	exitDone      = 0
	exitBad       = 1   // a check's answer is bad
	exitFail      = 2   // bad usage or failed I/O
	exitCancelled = 130 // Ctrl-C, or another signal that asks to end
)

// interrupted is how long the processes of methods may take to end after a
// signal.
const interrupted = 200 * time.Millisecond

// errBad is returned by commands whose check has a bad answer, after they have
// printed it.
var errBad = errors.New("a check's answer is bad")

// failedCheck is the bad answer of a check that is still to be printed.
type failedCheck struct{ error }

// run is the whole command, with its streams as arguments so that tests can hold
// both against goldens.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout, stderr, end := terminal.Streams(stdout, stderr)
	defer end()
	ctx, stop := terminal.Interruptible(context.Background())
	defer stop()
	// Code that waits for a method's process does not look at ctx.
	defer context.AfterFunc(ctx, func() { external.CloseAll(interrupted) })()
	root := newRoot()
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	root.SetIn(terminal.Input(ctx, stdin))
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	patience := time.Second
	if ctx.Err() != nil {
		patience = interrupted
	}
	if failed := external.CloseAll(patience); err == nil {
		err = failed
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errBad):
		return exitBad
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "alike: cancelled"+resumeHint(cmd))
		return exitCancelled
	}
	fmt.Fprintln(stderr, "alike: "+inFlags(cmd, oneLine(err.Error()))+inputHint(cmd, err))
	if _, failed := errors.AsType[failedCheck](err); failed {
		return exitBad
	}
	if ctx.Err() != nil {
		return exitCancelled
	}
	return exitFail
}

// resumeHint says how to go on with a command that was interrupted.
func resumeHint(cmd *cobra.Command) string {
	given := cmd.Flags().Changed
	switch name := cmd.CommandPath(); {
	case name == "alike index add" && !given("load"):
		return "; the same command adds what is missing"
	case name == "alike eval" && !given("out"):
		return "; with --out FILE, --resume would go on"
	case (name == "alike dedup" || name == "alike eval") && !given("dry-run"):
		return "; the same command with --resume goes on"
	case name == "alike review" || name == "alike choose" && given("review"):
		return "; the answers are kept, and the same command goes on"
	}
	return "; run the command again"
}

// oneLine folds the line breaks of an error from elsewhere, such as the
// suggestions for a mistyped command.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "alike",
		Short:         "which documents are alike, and which method should decide it on your data",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return checkWrites(cmd, args) },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newEval(), newRerun(), newPairs(), newDedup(), newSketch(), newCluster(), newWhy(), newRestore(), newLeak(), newPassages(), newGather(), newIndex(), newPlan(), newScore(), newStress(), newChoose(), newCompare(), newMethods(), newFit(), newDiff(), newDatasets(), newReport(), newReview(), newServe())
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Short, help.Run, help.RunE = "show the help of a command", nil, showHelp
	}
	completeAll(root)
	return root
}

// showHelp shows the help of a command. That of cobra exits with 0 where there is none.
func showHelp(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("unknown command %q for %q", rest[0], found.CommandPath())
	}
	found.InitDefaultHelpFlag()
	return found.Help()
}

// optionFlags are the flags that set options of package passages.
var optionFlags = map[string]string{
	"MinLength": "min-length", "MinWords": "words", "MaxRows": "max-rows", "MaxDocs": "max-docs", "Memory": "memory",
}

var optionName = regexp.MustCompile(` (?:MinLength|MinWords|MaxRows|MaxDocs|Memory)\b`)

// inFlags names the command and its flags in an error of package passages, which
// names itself and its options.
func inFlags(cmd *cobra.Command, message string) string {
	if !strings.Contains(message, "passages: ") {
		return message
	}
	if of, ok := strings.CutPrefix(message, "passages: "); ok {
		message = cmd.Name() + ": " + of
	}
	return optionName.ReplaceAllStringFunc(message, func(name string) string {
		if flag := cmd.Flags().Lookup(optionFlags[name[1:]]); flag != nil {
			return " --" + flag.Name
		}
		return name
	})
}

// numbers is what the values of some types of flags have to be.
var numbers = map[string]string{
	"float64": "a number", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 up",
	"duration": "a time such as 90s or 5m", "bool": "true or false",
}

// flagError says what is wrong with a flag, and what was wanted.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return fmt.Errorf("%w%s", err, hint("--", unknown.GetSpecifiedName(), flagNames(cmd)))
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := bad.GetFlag()
		if want, ok := numbers[f.Value.Type()]; ok {
			return fmt.Errorf("--%s is %q, want %s", f.Name, bad.GetValue(), want)
		}
		if why := bad.Unwrap(); strings.HasPrefix(why.Error(), "want ") {
			return fmt.Errorf("--%s is %q, %w", f.Name, bad.GetValue(), why)
		}
		return fmt.Errorf("--%s: %w", f.Name, bad.Unwrap())
	}
	return err
}

// hint returns " (did you mean --data?)" for the names closest to a mistyped
// one, "" if none is close. Cobra knows what is close: it does so for commands.
func hint(prefix, typed string, names []string) string {
	guess := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, n := range names {
		guess.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	close := guess.SuggestionsFor(typed)
	if len(close) == 0 {
		return ""
	}
	return " (did you mean " + prefix + strings.Join(close, " or "+prefix) + "?)"
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
