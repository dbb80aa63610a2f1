package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup/local"
)

func newRestore() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "restore FOLDER -o OUT",
		Short: "rebuild the original files from the output of dedup",
		Long: `Rebuild the original files from the output of dedup.

FOLDER is the output of alike dedup or alike-beam. Restore rebuilds the input
from the kept and the removed documents: the same rows and fields in the same
order, and the same bytes. Parquet files have the same values instead, rows
that were converted keep the new format, and what was read by --encoding is in
UTF-8, the same bytes as before once it is converted back. OUT is a file if the input was a
single file, and a new folder otherwise. The result is checked against the
checksums of the run. A restore that is killed leaves .OUT.partial behind,
which the next one to OUT replaces.`,
		Example: `  alike restore out -o corpus.jsonl`,
		Args:    exactly(1, "restore: want one folder that alike dedup has made"),
		RunE: func(cmd *cobra.Command, args []string) error {
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
	cobra.CheckErr(cmd.MarkFlagRequired("out"))
	return cmd
}
