package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
)

func newIndexDelete() *cobra.Command {
	var from string
	var listed []string // in the file
	var before int64
	cmd := onIndex(&cobra.Command{
		Use:   "delete URL [ID...]",
		Short: "delete documents from an index",
		Long: `Delete documents from an index: those with the given ids, those of the lines of a file, or all that
came before a time. Ids that are not there are passed over.`,
		Example: `  alike index delete disk:seen doc-17 doc-18
  alike index delete disk:seen --ids gone.txt
  alike index delete disk:seen --before $(date -d '90 days ago' +%s)`,
		Args: cobra.MinimumNArgs(1),
		PreRunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && from == "" && !cmd.Flags().Changed("before") {
				return errors.New("index: want the ids of documents, --ids or --before")
			}
			if from == "" {
				return nil
			}
			var err error
			if listed, err = readLines(from, cmd.InOrStdin()); err != nil {
				return fmt.Errorf("index: %w", err)
			}
			return nil
		},
	}, false, func(cmd *cobra.Command, x *index.Index, ids []string) error {
		done := terminal.Working(cmd.ErrOrStderr(), "deleting")
		n, err := x.Delete(cmd.Context(), append(ids, listed...)...)
		if err == nil && cmd.Flags().Changed("before") {
			var k int
			k, err = x.Expire(cmd.Context(), before)
			n += k
		}
		if done(); err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s deleted\n", plural(n, "document"))
		return err
	})
	cmd.Flags().StringVar(&from, "ids", "", "`FILE` of ids, one a line; - is standard input")
	cmd.Flags().Int64Var(&before, "before", 0, "delete what came before this time, in `SECONDS` since 1970")
	return cmd
}

// readLines returns the lines of a file that are not empty.
func readLines(name string, stdin io.Reader) (lines []string, err error) {
	in, err := openInput(name, stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s := bufio.NewScanner(in)
	for s.Scan() {
		if line := strings.TrimSuffix(s.Text(), "\r"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, s.Err()
}

func newIndexStats() *cobra.Command {
	var format tables.Output
	cmd := onIndex(&cobra.Command{
		Use:   "stats URL",
		Short: "say what an index was made with and how large it is",
		Args:  cobra.ExactArgs(1),
	}, true, func(cmd *cobra.Command, x *index.Index, _ []string) error {
		st, err := x.Stats(cmd.Context())
		if err != nil {
			return err
		}
		return writeIndexStats(cmd.OutOrStdout(), format, x.Header(), st)
	})
	formatFlag(cmd, &format)
	return cmd
}

func writeIndexStats(w io.Writer, format tables.Output, h index.Header, st index.Stats) error {
	if format.Format == "jsonl" {
		return tables.Write(w, format, []struct {
			index.Header
			index.Stats
		}{{h, st}}, nil, nil)
	}
	per := func(bytes, n int64) string {
		if n <= 0 || bytes < 0 {
			return "-"
		}
		return fixed(float64(bytes)/float64(n), 1)
	}
	number := func(n int64) string {
		if n < 0 {
			return "unknown"
		}
		return fmt.Sprint(n)
	}
	rows := [][]string{
		{"method", h.Method},
		{"threshold", fmt.Sprintf("%.6g", h.Threshold)},
		{"buckets", h.Buckets},
		{"tables", fmt.Sprint(h.Tables)},
		{"word", h.Word},
		{"fields", strings.Join(h.Fields, ", ")},
		{"documents", number(st.Documents)},
		{"postings", number(st.Postings)},
		{"postings of documents that are gone", number(st.Stale)},
		{"bytes of postings", number(st.PostingBytes)},
		{"bytes of documents", number(st.DocumentBytes)},
		{"bytes a posting", per(st.PostingBytes, st.Postings)},
		{"bytes a document, postings apart", per(st.DocumentBytes, st.Documents)},
	}
	if len(h.Fields) == 0 {
		rows = slices.DeleteFunc(rows, func(row []string) bool { return row[0] == "fields" })
	}
	for _, d := range st.Details {
		rows = append(rows, []string{d.Name, d.Value})
	}
	return tables.Table(w, format, []column{"<what", "<value"}, rows)
}

func newIndexVerify() *cobra.Command {
	var fit string
	cmd := &cobra.Command{
		Use:   "verify URL",
		Short: "check that an index is whole",
		Long: `Check that an index is whole:

  - the checksums and the order of what the store keeps
  - the id of each document leads to it, and its sketch can be read
  - each document is in the buckets of its sketch and in no others
  - no bucket names a document that was lost
  - on disk, every file that belongs to the index is there

Each problem is a line of standard output. The exit status is 1 if there is
any. Others may add and delete meanwhile. What a deletion or an interrupted
add has left is counted. It is no damage, and alike index merge removes it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			found := 0
			err := useIndex(cmd.Context(), cmd.ErrOrStderr(), args[0], fit, true, func(x *index.Index) error {
				done := terminal.Working(cmd.ErrOrStderr(), "verifying")
				v, err := x.Verify(cmd.Context())
				done()
				found = len(v.Problems)
				for _, p := range v.Problems {
					fmt.Fprintln(cmd.OutOrStdout(), oneLine(p))
				}
				if v.Stale > 0 {
					fmt.Fprintf(cmd.ErrOrStderr(), "alike: %d postings of documents that are gone, or whose add is under way or was interrupted; alike index merge removes them\n", v.Stale)
				}
				if err == nil && found == 0 {
					_, err = fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s, nothing wrong\n", plural(v.Documents, "document"))
				}
				return err
			})
			if errors.Is(err, similarity.ErrFormat) { // too damaged to be opened
				if found == 0 {
					fmt.Fprintln(cmd.OutOrStdout(), oneLine(err.Error()))
				}
				return errBad
			}
			if err == nil && found > 0 {
				err = errBad
			}
			return err
		},
	}
	fitFlag(cmd, &fit)
	return cmd
}

func newIndexRepair() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "repair URL",
		Short: "say what a damaged index has lost, and go on without it",
		Long: `Say what is damaged in an index on disk and what is lost with it, a line each.
Without --yes nothing is changed, and the exit status is 1 if anything is
damaged.

With --yes, drop what is damaged and keep the rest, so that the index opens
again:

  - All whole batches of a log are kept, also those behind damage.
  - A segment is kept or dropped as a whole. Segments never change: before you
    drop one, copy its file from any backup that has it.
  - Damaged files and the old MANIFEST stay in the folder as *.damaged.
  - Documents may come back if what deleted or replaced them is lost.

Afterwards add again what you added since the last backup. Documents that are
there stay as they are.

The torn end of a log, as a killed writer leaves it, needs no repair. The next
command that writes sets it aside and says so.`,
		Example: `  alike index repair disk:seen
  alike index repair disk:seen --yes`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, ok := strings.CutPrefix(args[0], "disk:")
			if !ok {
				return fmt.Errorf("index: %s cannot be repaired, only an index on disk (disk:PATH)", withoutPassword(args[0]))
			}
			done := terminal.Working(cmd.ErrOrStderr(), "verifying")
			lost, err := disk.Repair(cmd.Context(), dir, yes)
			done()
			for _, line := range lost {
				fmt.Fprintln(cmd.OutOrStdout(), oneLine(line))
			}
			switch {
			case err != nil:
				return err
			case len(lost) == 0:
				_, err = fmt.Fprintln(cmd.ErrOrStderr(), "alike: nothing to repair")
			case yes:
				_, err = fmt.Fprintln(cmd.ErrOrStderr(), "alike: repaired; damaged files are kept as *.damaged")
			default:
				fmt.Fprintln(cmd.ErrOrStderr(), "alike: nothing was changed; --yes drops what is damaged")
				err = errBad
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "drop what is damaged")
	return cmd
}

func newIndexMerge() *cobra.Command {
	return onIndex(&cobra.Command{
		Use:   "merge URL",
		Short: "remove what was deleted and make an index compact",
		Args:  cobra.ExactArgs(1),
	}, false, func(cmd *cobra.Command, x *index.Index, _ []string) error {
		defer terminal.Working(cmd.ErrOrStderr(), "merging")()
		return x.Merge(cmd.Context())
	})
}

func newIndexExport() *cobra.Command {
	return onIndex(&cobra.Command{
		Use:   "export URL",
		Short: "write the documents of an index as JSON lines",
		Long: `Write the documents of an index as JSON lines: first what it was made with, then each document's
id, time, content hash, sketch and fields. alike index import reads them, into a store of another kind or
an index of another threshold.`,
		Example: `  alike index export disk:seen > seen.jsonl`,
		Args:    cobra.ExactArgs(1),
	}, true, func(cmd *cobra.Command, x *index.Index, _ []string) error {
		if terminal.Of(cmd.OutOrStdout()) == nil { // where it would stand among the lines
			defer terminal.Working(cmd.ErrOrStderr(), "exporting")()
		}
		w := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
		return errors.Join(x.Export(cmd.Context(), w), w.Flush())
	})
}

func newIndexImport() *cobra.Command {
	var in io.ReadCloser
	return onIndex(&cobra.Command{
		Use:     "import URL FILE",
		Short:   "add the documents of an exported index",
		Example: `  alike index export disk:seen | alike index import disk:copy -`,
		Args:    cobra.ExactArgs(2),
		PreRunE: func(cmd *cobra.Command, args []string) (err error) {
			if in, err = openInput(args[1], cmd.InOrStdin()); err != nil {
				return fmt.Errorf("index: %w", err)
			}
			return nil
		},
	}, false, func(cmd *cobra.Command, x *index.Index, _ []string) error {
		defer in.Close()
		warnIndex(cmd.Context(), cmd.ErrOrStderr(), x)
		done := terminal.Working(cmd.ErrOrStderr(), "importing")
		n, err := x.Import(cmd.Context(), in)
		if done(); err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s imported\n", plural(n, "document"))
		return err
	})
}
