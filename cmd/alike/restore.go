package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup/local"
)

func newRestore() *cobra.Command {
	var out, only string
	cmd := &cobra.Command{
		Use:   "restore FOLDER -o OUT",
		Short: "rebuild the original files from the output of dedup, or undo one removal",
		Long: `Rebuild the original files from the output of dedup.

FOLDER is the output of alike dedup or alike-beam. Restore rebuilds the input
from the kept and the removed documents: the same rows and fields in the same
order, and the same bytes. Compressed files are the same byte for byte once they
are decompressed. Parquet files have the same values, and rows that were
converted keep the new format. OUT is a file if the input was a single file, and
a new folder otherwise. The result is checked against the checksums of the run.
A restore that is killed leaves .OUT.partial behind, which the next one to OUT
replaces.

--only ID undoes one removal instead. OUT is then a new folder like FOLDER, but
the document with that id (or place, such as news.csv:3) is kept, where it stood
in the input. No other document moves, and nothing is compared again: what was
removed for the same document stays removed. Two more things follow: its cluster
is gone if no other document is in it, and if --keep none had removed the first
document too, that one comes back with it. The report names the removal.
FOLDER stays as it is. alike restore OUT still rebuilds the whole input.`,
		Example: `  alike restore out -o corpus.jsonl
  alike restore out --only n2 -o out2`,
		Args: exactly(1, "restore: want one folder that alike dedup has made"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("only") {
				return undo(cmd, args[0], only, out)
			}
			paths, err := local.Restore(cmd.Context(), args[0], out)
			if err != nil {
				return err
			}
			for _, p := range paths {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), p); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE|FOLDER` to make")
	cmd.Flags().StringVar(&only, "only", "", "undo only the removal of the document with this `ID`")
	cobra.CheckErr(cmd.MarkFlagRequired("out"))
	return cmd
}

// undo undoes one removal, and says what followed.
func undo(cmd *cobra.Command, dir, id, out string) error {
	u, err := local.Undo(cmd.Context(), dir, id, out)
	if err != nil {
		return err
	}
	w, stderr := &u.Removal, cmd.ErrOrStderr()
	fmt.Fprintf(stderr, "alike: %s is kept again: it was removed as %s", w.At, w.Reason)
	if w.Kept != nil {
		fmt.Fprintf(stderr, " to %s (%s), score %.4g", w.Kept.ID, w.Kept.At, w.Score)
	}
	fmt.Fprintln(stderr)
	switch {
	case u.First != nil:
		fmt.Fprintf(stderr, "alike: %s, the first document of cluster %d, is kept again too: no other document is left in it\n", u.First.At, w.Cluster)
	case u.Others > 0:
		fmt.Fprintf(stderr, "alike: cluster %d has more removed documents, which stay removed: %d\n", w.Cluster, u.Others)
	default:
		fmt.Fprintf(stderr, "alike: cluster %d is gone: no other document was removed in it\n", w.Cluster)
	}
	if u.Sketches {
		fmt.Fprintf(stderr, "alike: %s is left out, because it lacks the document\n", local.SketchFile)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), out)
	return err
}
