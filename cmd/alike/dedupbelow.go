package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/passages"
)

// belowRun is what dedup removes below the document, as flags say.
type belowRun struct {
	level, fold, maxShare string
	o                     local.Below
}

// levels are the values of --level below the document.
var levels = map[string]passages.Unit{"line": passages.Lines, "paragraph": passages.Paragraphs, "passage": passages.Any}

// belowOnly lists the flags that need --level line, paragraph or passage, and
// belowToo the other flags that work with it.
var (
	belowOnly = []string{"min-length", "min-count", "min-left", "max-share", "fold"}
	belowToo  = []string{
		"level", "keep", "out", "dry-run", "drop-text", "format", "memory", "workers", "max-drop", "resume", "spool", "unique-ids",
		"id-field", "text-field", "columns", "input-format", "delimiter", "encoding", "lossy", "html", "skip-bad", "max-document",
	}
)

func (r *belowRun) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&r.level, "level", "document", "remove what repeats at this `LEVEL`: document, line, paragraph or passage")
	flags.IntVar(&r.o.MinLength, "min-length", 0, fmt.Sprintf("with --level, minimum length of what is removed, in `CHARACTERS` (default %d, or %d for passages)", passages.Lines.DefaultLength(), passages.DefaultLength))
	flags.IntVar(&r.o.MinCount, "min-count", 2, "with --level, remove only what stands in `N` documents or more; with 1, also repeats within a document")
	flags.IntVar(&r.o.MinLeft, "min-left", 1, "with --level, remove a cut document that has fewer `CHARACTERS` left, white space not counted")
	flags.StringVar(&r.maxShare, "max-share", "100%", "with --level, leave a document alone if more than this `SHARE` of it would go")
	flags.StringVar(&r.fold, "fold", "", "with --level, folding `KEYS`, such as punct=drop,case=keep (see alike methods winnow)")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("level", cobra.FixedCompletions([]string{"document", "line", "paragraph", "passage"}, cobra.ShellCompDirectiveNoFileComp)))
}

// options returns what to remove below the document, or nil for --level document.
func (r *belowRun) options(cmd *cobra.Command) (_ *local.Below, err error) {
	given := cmd.Flags().Changed
	if r.level == "document" {
		for _, name := range belowOnly {
			if given(name) {
				return nil, fmt.Errorf("dedup: --%s goes with --level line, paragraph or passage", name)
			}
		}
		return nil, nil
	}
	o, ok := r.o, false
	if o.Unit, ok = levels[r.level]; !ok {
		return nil, fmt.Errorf("dedup: --level is %q, want document, line, paragraph or passage", r.level)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(belowToo, f.Name) && !slices.Contains(belowOnly, f.Name) && err == nil {
			err = fmt.Errorf("dedup: --%s is about whole documents, and does not go with --level %s", f.Name, r.level)
		}
	})
	if err != nil {
		return nil, err
	}
	for i, n := range []int{o.MinLength, o.MinCount, o.MinLeft} {
		if name := belowOnly[i]; given(name) && n < 1 {
			return nil, fmt.Errorf("dedup: --%s is %d, want 1 or more", name, n)
		}
	}
	if o.MaxShare, err = cli.ParseShare(r.maxShare); err == nil && o.MaxShare == 0 {
		err = fmt.Errorf("%q: want more than 0", r.maxShare)
	}
	if err != nil {
		return nil, fmt.Errorf("dedup: --max-share: %w", err)
	}
	pairs, err := settings.Parse(r.fold)
	if err == nil {
		err = feature.FoldKeys.Apply(&o.Fold, pairs)
	}
	if err != nil {
		return nil, fmt.Errorf("dedup: --fold: %w", err)
	}
	return &o, nil
}

// summariseBelow is summariseDedup for --level.
func summariseBelow(stdout, stderr io.Writer, r *local.Report, o *local.Options) error {
	var out strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&out, "%-10s  %s\n", what, fmt.Sprintf(format, args...))
	}
	removed, would, b := "removed", "", r.Below
	if o.DryRun {
		removed, would = "to remove", "would be "
	}
	line("documents", "%d, of %s bytes of text", r.Documents, bytesOf(r.Bytes))
	if r.Unreadable > 0 {
		line("", "%s more without a document", plural(r.Unreadable, "row"))
	}
	line(removed, "%s bytes of text (%.3g%%), in %s", bytesOf(b.Gone), 100*r.DropShare(), plural(b.Cuts, "cut"))
	line("kept", "%d, %d of them with cuts", r.Kept, b.Cut)
	if r.Short > 0 {
		line("short", "%s %sremoved, with too little left", plural(r.Short, "document"), would)
	}
	if b.Alone > 0 {
		line("left alone", "%s, which would lose too much", plural(b.Alone, "document"))
	}
	unit := o.Below.Unit.String()
	line("repeats", "%s%s", plural(b.Parts, "different "+unit), strings.TrimPrefix(r.Settings.Below, unit+"s"))
	if !o.DryRun {
		line("written to", "%s", o.Out)
	}
	if _, err := io.WriteString(stdout, out.String()); err != nil {
		return err
	}
	reportRun(stderr, r)
	return nil
}
