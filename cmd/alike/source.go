package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/cli"
)

// source is how a data set is read, as flags say. A set is a name, a folder in the
// layout of package datasets, a file, or FORMAT:FILE.
type source struct {
	datasets.Source
	stderr io.Writer
	cmd    *cobra.Command
}

func (s *source) flags(cmd *cobra.Command) {
	s.docFlags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&s.Text1, "text1", "", "`COLUMN` of a pair's first text (default sentence1, question1, ...)")
	flags.StringVar(&s.Text2, "text2", "", "`COLUMN` of a pair's second text")
	flags.StringVar(&s.Label, "label", "", "`COLUMN` of a pair's label or grade")
	flags.Float64Var(&s.AlikeFrom, "alike-from", 0, "grade from which graded pairs count as alike (default 4)")
}

// docFlags adds the flags of a source of documents without pairs.
func (s *source) docFlags(cmd *cobra.Command) {
	s.cmd = cmd
	flags := cmd.Flags()
	flags.IntVar(&s.SkipBad, "skip-bad", 0, "skip up to `N` malformed rows, and report them")
	flags.Var((*cli.Size)(&s.MaxDocument), "max-document", "maximum `SIZE` of a document: a larger one is a malformed row (default and maximum 256MiB)")
	cli.SourceFlags(flags, &s.Source)
}

// at returns the source of a path, which may have a format in front.
func (s *source) at(path string, stdin io.Reader) datasets.Source {
	src := s.Source.At(path)
	src.Input = stdin
	if s.cmd != nil {
		src.Context = s.cmd.Context()
	}
	src.OnBad = func(err error) { fmt.Fprintf(s.stderr, "alike: passed over: %v\n", err) }
	return src
}

// load reads a set by its name or from a folder or file.
func (s *source) load(name string, stdin io.Reader) (*datasets.Set, error) {
	src := s.at(name, stdin)
	if src.Format == "" && src.Path != "-" {
		info, err := os.Stat(name)
		if err != nil || info.IsDir() && s.SkipBad == 0 {
			return datasets.Load(name)
		}
		if info.IsDir() {
			src.Format = "folder"
		}
	}
	return datasets.ReadSet(src)
}

// openInput opens a file, or standard input for "-".
func openInput(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(stdin), nil
	}
	return os.Open(name)
}

// readInput returns the bytes of a file, or of standard input for "-".
func readInput(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}

// isSet reports whether a set of documents and truth has the name.
func isSet(name string) bool {
	return slices.Contains(slices.Concat(datasets.Inside(), datasets.Shared()), name)
}

// sizeHint says what to do about a document that is too large.
func sizeHint(cmd *cobra.Command, err error) string {
	_, large := errors.AsType[*datasets.SizeError](err)
	flags := cmd.Flags()
	switch {
	case !large || flags.Lookup("max-document") == nil:
		return ""
	case flags.Lookup("memory") != nil && !flags.Changed("max-document"):
		return " (a larger --memory allows larger ones; --max-document with --skip-bad skips them)"
	}
	return " (a larger --max-document allows it; --skip-bad skips it)"
}
