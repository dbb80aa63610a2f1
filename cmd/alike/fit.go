package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/similarity"
)

func newFit() *cobra.Command {
	var spec, out string
	var src source
	cmd := &cobra.Command{
		Use:   "fit -o FILE INPUT...",
		Short: "learn what a method learns from a corpus, such as document frequencies",
		Long: `Learn what a method learns from a corpus, such as document frequencies, and
save it for --fit of compare and pairs. INPUT is a file (JSONL, CSV, TSV, Parquet, or
text, which is one document), a folder, a pattern, FORMAT:FILE or the name of a data set.`,
		Example: `  alike fit -m cosine -o news.fit --  corpus/*.txt
  alike compare --fit news.fit -m cosine a.txt b.txt
  alike fit -m cosine -o docs.fit docs.jsonl
  alike pairs docs.jsonl --fit docs.fit -m cosine --threshold 0.8`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, inputs []string) error {
			m, err := catalog.Parse(spec)
			if err != nil {
				return err
			}
			if m.FitState() == similarity.FitUseless {
				return fmt.Errorf("fit: %s learns nothing from a corpus", m)
			}
			if inputs, err = datasets.Expand(inputs); err != nil {
				return fmt.Errorf("fit: %w", err)
			}
			for _, in := range inputs {
				if at := src.at(in, nil); at.Path == "-" {
					return errors.New("fit: standard input can be read once only, want files")
				}
			}
			var failed error
			in := src.inputs(inputs, nil, 0, func(float64, string) {})
			in.Skipped = nil // a method may read the texts several times
			fitted, err := m.Fit(func(yield func(string) bool) {
				for d := range in.Documents(cmd.Context(), &failed) {
					if !yield(d.Text) {
						return
					}
				}
			})
			if err := errors.Join(failed, err, cmd.Context().Err()); err != nil {
				return err
			}
			var buf bytes.Buffer
			if err := fitted.WriteFit(&buf); err != nil {
				return err
			}
			if err := durable.Write(out, func(w io.Writer) error { _, err := buf.WriteTo(w); return err }); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), fitted)
			return err
		},
	}
	cmd.Flags().StringVarP(&spec, "method", "m", "cosine", "method `SPEC`")
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write")
	src.docFlags(cmd)
	cobra.CheckErr(cmd.MarkFlagRequired("out"))
	return cmd
}
