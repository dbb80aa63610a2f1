package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/terminal"
)

// source is how a data set is read, as flags say. A set is a name, a folder in the
// layout of package datasets, a file, or FORMAT:FILE.
type source struct {
	datasets.Source
	cmd  *cobra.Command // that has the flags
	said *sync.Map      // by file, or text, what the user was told of its format
}

func (s *source) flags(cmd *cobra.Command) {
	s.docFlags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&s.Text1, "text1", "", "`COLUMN` of a pair's first text (default sentence1, question1, ...)")
	flags.StringVar(&s.Text2, "text2", "", "`COLUMN` of a pair's second text")
	flags.StringVar(&s.Label, "label", "", "`COLUMN` of a pair's label or grade")
	flags.StringVar(&s.Positive, "positive", "", "`VALUE` of the label of pairs that are alike (default 1, yes, true, 是)")
	flags.Float64Var(&s.AlikeFrom, "alike-from", 0, "grade from which graded pairs count as alike (default 4)")
}

// docFlags adds the flags of a source of documents without pairs.
func (s *source) docFlags(cmd *cobra.Command) {
	s.cmd, s.said = cmd, new(sync.Map)
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
	if s.said != nil {
		src.OnFormat = s.recognised
	}
	return src
}

// recognised says once how a file is read whose name does not tell, and how to have it
// read otherwise. Of texts, which may be many, it names the first. JSON objects and
// Parquet are told by their first bytes and leave no doubt, so nothing is said of them.
func (s *source) recognised(file, format string) {
	if (format == "jsonl" || format == "parquet") && datasets.FileFormat(file) == "" {
		return
	}
	key := file
	if format == "text" {
		key = format
	}
	if _, said := s.said.LoadOrStore(key, true); said {
		return
	}
	if file == "-" {
		file = "standard input"
	}
	stderr := s.cmd.ErrOrStderr()
	switch format {
	case "text":
		fmt.Fprintf(stderr, "alike: %s is one document; --input-format lines reads each line as one\n", file)
	case "lines":
		fmt.Fprintf(stderr, "alike: %s has a document a line; --input-format says otherwise (%s)\n", file, strings.Join(datasets.Formats()[:6], ", "))
	default:
		fmt.Fprintf(stderr, "alike: %s looks like %s; --input-format says otherwise\n", file, format)
	}
}

// side returns the source of one side, whose texts may be in other columns.
func (s *source) side(text []string) *source {
	side := *s
	if text != nil {
		side.Text = text
	}
	return &side
}

// sideFlag adds a flag for the texts of one side.
func sideFlag(cmd *cobra.Command, text *[]string, name, of string) {
	cmd.Flags().StringSliceVar(text, name, nil, "`COLUMN` of the text "+of+" (default that of --text-field)")
}

// given returns the flags that say how documents are read, as they were given.
func (s *source) given() (flags string) {
	var own cobra.Command
	new(source).docFlags(&own)
	own.Flags().VisitAll(func(f *pflag.Flag) {
		set := s.cmd.Flags().Lookup(f.Name)
		value := set.Value.String()
		if many, ok := set.Value.(pflag.SliceValue); ok {
			value = strings.Join(many.GetSlice(), ",")
		}
		if set.Changed {
			flags += " --" + f.Name + "=" + choose.Quote(value)
		}
	})
	return flags
}

// passedOver reports a malformed row that --skip-bad skips.
func (s *source) passedOver(err error) {
	fmt.Fprintf(s.cmd.ErrOrStderr(), "alike: passed over: %v\n", err)
}

// load reads a set by its name or from a folder or file.
func (s *source) load(name string, stdin io.Reader) (*datasets.Set, error) {
	src := s.at(name, stdin)
	if src.Path == name && isSet(name) {
		src.Format = ""
	}
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

// loadDocs reads the documents of a set, a folder or a file with what is known of them,
// which may be nothing.
func (s *source) loadDocs(name string, stdin io.Reader) (*datasets.Set, error) {
	src := s.Source.At(name)
	labelled := src.Path != "-" && src.Labelled()
	if src.Path == "-" {
		content, err := io.ReadAll(stdin) // which is read twice
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		src.Input, stdin = bytes.NewReader(content), bytes.NewReader(content)
		labelled = src.HoldsPairs()
	}
	if labelled {
		return s.load(name, stdin)
	}
	docs, err := datasets.ReadDocs(s.at(name, stdin))
	return &datasets.Set{Name: name, Docs: docs}, err
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
	src.Path, src.Format = filepath.Join(shared, name), ""
	return src, nil, nil
}

// sketched reads documents for an index, with the fields that it keeps, and sketches
// them. It keeps their texts if texts is set, and shows what is done.
func (s *source) sketched(ctx context.Context, x *index.Index, workers int, texts bool, inputs []string, stdin io.Reader) iter.Seq2[[]index.Doc, error] {
	return func(yield func([]index.Doc, error) bool) {
		names, err := datasets.Expand(inputs)
		if err != nil {
			yield(nil, fmt.Errorf("index: %w", err))
			return
		}
		show, done := terminal.Progress(s.cmd.ErrOrStderr())
		defer done()
		in := s.inputs(names, stdin, workers, show)
		in.Fields, in.Keep = x.Header().Fields, texts
		in.Docs(ctx, x.Method())(yield)
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

// inputHint says which flags help against what is wrong with an input.
func inputHint(cmd *cobra.Command, err error) string {
	flags := cmd.Flags()
	if flags.Lookup("max-document") == nil {
		return ""
	}
	if _, large := errors.AsType[*datasets.SizeError](err); large {
		if flags.Lookup("memory") != nil && !flags.Changed("max-document") {
			return " (a larger --memory allows larger ones; --max-document with --skip-bad skips them)"
		}
		return " (a larger --max-document allows it; --skip-bad skips it)"
	}
	if other, ok := errors.AsType[*datasets.EncodingError](err); ok {
		return " (--encoding " + other.Encoding + " reads it)"
	}
	if _, ok := errors.AsType[*datasets.BinaryError](err); ok {
		return " (leave it out, or skip up to N such files with --skip-bad N)"
	}
	if no, ok := errors.AsType[*datasets.ColumnError](err); ok {
		return columnHint(flags, no)
	}
	return ""
}

// columnHint says how to name the columns of a file that lacks one.
func columnHint(flags *pflag.FlagSet, e *datasets.ColumnError) string {
	if len(e.Have) == 1 {
		if at := strings.IndexAny(e.Have[0], ",;|\t"); at >= 0 {
			return fmt.Sprintf(" (--delimiter '%s' divides them)", e.Have[0][at:at+1])
		}
	}
	switch {
	case !slices.Equal(e.Want, []string{"text"}) || flags.Changed("text-field"):
		return ""
	case flags.Lookup("text1") != nil:
		return " (--text-field names another; of labelled pairs, --text1, --text2 and --label do)"
	}
	return " (--text-field names another)"
}
