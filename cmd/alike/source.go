package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
)

// source is how a data set is read, as flags say. A set is a name, a folder in the
// layout of package datasets, a file, or FORMAT:FILE.
type source struct {
	datasets.Source
	cmd *cobra.Command // that has the flags
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
	src.Context = s.cmd.Context()
	src.OnBad = s.passedOver
	return src
}

// passedOver reports a malformed row that --skip-bad skips.
func (s *source) passedOver(err error) {
	fmt.Fprintf(s.cmd.ErrOrStderr(), "alike: passed over: %v\n", err)
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

// sourcesOf returns the sources of inputs.
func (s *source) sourcesOf(inputs []string, many bool) ([]datasets.Source, error) {
	inputs, err := datasets.Expand(inputs)
	if err != nil {
		return nil, err
	}
	var out []datasets.Source
	for _, in := range inputs {
		src := s.at(in, nil)
		src.PathIDs = many || len(inputs) > 1
		src.SkipBad, src.OnBad = 0, nil // that is of the run, not of each source
		out = append(out, src)
	}
	return out, nil
}

// inputs returns the documents of names, and shows what is done of them.
func (s *source) inputs(names []string, stdin io.Reader, workers int, show func(share float64, what string)) *ingest.Inputs {
	return &ingest.Inputs{
		Names: names, Workers: workers, SkipBad: s.SkipBad,
		Open:     func(name string) (datasets.Source, []datasets.Doc, error) { return s.open(name, stdin) },
		Skipped:  s.passedOver,
		Progress: func(share float64, docs int) { show(share, plural(docs, "document")) },
	}
}

// open returns the source of an input. If it is the name of a set that stands in
// the program, it returns the documents.
func (s *source) open(name string, stdin io.Reader) (datasets.Source, []datasets.Doc, error) {
	src := s.at(name, stdin)
	if _, err := os.Stat(src.Path); err == nil || !isSet(name) {
		return src, nil, nil
	}
	if slices.Contains(datasets.Inside(), name) {
		set, err := datasets.Load(name)
		if err != nil {
			return src, nil, err
		}
		return src, set.Docs, nil
	}
	shared, _ := datasets.SharedDir()
	src.Path = filepath.Join(shared, name)
	return src, nil, nil
}

// sketched reads documents and sketches them. It shows what is done.
func (s *source) sketched(ctx context.Context, m similarity.Method, workers int, inputs []string, stdin io.Reader) iter.Seq2[[]index.Doc, error] {
	return func(yield func([]index.Doc, error) bool) {
		names, err := datasets.Expand(inputs)
		if err != nil {
			yield(nil, fmt.Errorf("index: %w", err))
			return
		}
		show, done := terminal.Progress(s.cmd.ErrOrStderr())
		defer done()
		s.inputs(names, stdin, workers, show).Docs(ctx, m)(yield)
	}
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
