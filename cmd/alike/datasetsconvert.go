package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
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
			src.stderr = cmd.ErrOrStderr()
			toFile := datasets.FileFormat(out) != ""
			var n int
			var err error
			switch {
			case toFile && !isSet(args[0]):
				n, err = convertRows(cmd, src.at(args[0], cmd.InOrStdin()), out)
			default:
				var set *datasets.Set
				if set, err = src.load(args[0], cmd.InOrStdin()); err != nil {
					return err
				}
				n = len(set.Docs)
				if toFile {
					err = writeDocs(set.Docs, out)
				} else {
					err = datasets.WriteFolder(out, set)
				}
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d documents\n", out, n)
			return err
		},
	}
	src.flags(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE|FOLDER` to write")
	cobra.CheckErr(cmd.MarkFlagRequired("out"))
	return cmd
}

// isSet reports whether a set of documents and truth has the name.
func isSet(name string) bool {
	for _, known := range append(datasets.Inside(), datasets.Shared()...) {
		if name == known {
			return true
		}
	}
	return false
}

// convertRows passes documents from one file to another with all their fields.
func convertRows(cmd *cobra.Command, src datasets.Source, out string) (n int, err error) {
	r, err := datasets.Open(src)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	w, err := datasets.Create(out)
	if err != nil {
		return 0, err
	}
	show, done := progress(cmd.ErrOrStderr())
	defer done()
	for ; ; n++ {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n, w.Close()
		}
		if err == nil && n%1000 == 0 {
			show(0, fmt.Sprintf("%d documents", n))
			err = cmd.Context().Err()
		}
		switch {
		case err != nil:
		case src.HTML || len(src.Text) > 1 || len(row.Fields) == 0:
			err = w.WriteDoc(row.Doc) // its text is no field of the input
		default:
			err = w.Write(row.Fields)
		}
		if err != nil {
			w.Abort()
			return n, err
		}
	}
}

func writeDocs(docs []datasets.Doc, out string) error {
	w, err := datasets.Create(out)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := w.WriteDoc(d); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}
