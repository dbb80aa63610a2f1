package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/terminal"
)

func newDatasetsConvert() *cobra.Command {
	var out string
	var src source
	cmd := &cobra.Command{
		Use:   "convert INPUT -o OUT",
		Short: "write a set, or a file of documents, in another format",
		Long: `Write a set, or a file of documents, in another format.

OUT tells the format: a name that ends in .jsonl, .csv, .tsv or .parquet, with
.gz or .zst added or not, takes documents with all their fields, streaming; a name without
any is a new folder in the layout of alike's own sets, with pairs or clusters. INPUT is a set by
name, a folder, a file, FORMAT:FILE, or - for standard input.`,
		Example: `  alike datasets convert corpus.csv.gz --text-field body -o corpus.parquet
  alike datasets convert mrpc:msr_paraphrase -o mrpc-set
  alike datasets convert pages/ --html -o pages.jsonl.zst`,
		Args: exactly(1, "datasets convert: want one input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			toFile := datasets.FileFormat(out) != ""
			var n int
			var err error
			switch {
			case toFile && !isSet(args[0]):
				show, done := terminal.Progress(cmd.ErrOrStderr())
				n, err = datasets.Convert(src.at(args[0], cmd.InOrStdin()), out, func(n int) { show(0, plural(n, "document")) })
				done()
			default:
				var set *datasets.Set
				if set, err = src.load(args[0], cmd.InOrStdin()); err != nil {
					return err
				}
				n = len(set.Docs)
				if toFile {
					err = datasets.WriteDocs(out, set.Docs)
				} else {
					err = datasets.WriteFolder(out, set)
				}
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", out, plural(n, "document"))
			return err
		},
	}
	src.flags(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE|FOLDER` to write")
	cobra.CheckErr(cmd.MarkFlagRequired("out"))
	return cmd
}
