package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup/local"
)

func newRestore() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "restore FOLDER -o OUT",
		Short: "put together again what dedup has divided",
		Long: `Put together again what dedup has divided.

FOLDER is what alike dedup or alike-beam has made. Its input comes back from the kept and the removed
documents: the same rows and fields in the same order, and the same bytes, but for Parquet, of
which the values are the same, and for rows that were written in another format. OUT is a
file where the input was one, else a new folder of files. What comes
back is checked against the sums that the run has noted.`,
		Example: `  alike restore out -o corpus.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("restore: want one folder that alike dedup has made")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, err := local.Restore(args[0], out)
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
