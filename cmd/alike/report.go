package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/eval/plots"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/internal/durable"
)

func newReport() *cobra.Command {
	var o report.Options
	var margin float64
	var out, dir string
	var docs source
	cmd := &cobra.Command{
		Use:   "report RECORDS.jsonl...|FOLDER -o PAGE.html",
		Short: "make one self-contained page of what a run measured or a dedup removed",
		Long: `Make one self-contained page of what a run measured or a dedup removed.

RECORDS.jsonl is what alike eval or alike stress wrote with --out, or alike choose with
--records; FOLDER is what alike dedup -o made. Curves, scores by class and the pairs that methods disagree on need records of
eval --details. The fields of a dedup's documents are named as they were then. Pages
hold passages of the documents.

The page asks nothing of a network, and reads in English and Chinese, light and dark, on
paper and on a phone. Each chart stands beside its numbers as a table. --plots draws
the charts of records for papers, as PNG and SVG.`,
		Example: `  alike eval --details --out run.jsonl && alike report run.jsonl -o run.html
  alike choose en --records choice.jsonl && alike report choice.jsonl -o choice.html
  alike stress --out stress.jsonl && alike report run.jsonl stress.jsonl -o all.html
  alike report dedup-out -o removed.html --lang zh`,
		Args: atLeast(1, "report: want records of a run or the folder of a dedup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("report: want -o, the page to make, or - for standard output")
			}
			if err := o.Check(); err != nil {
				return err
			}
			if err := checkMargin(margin); err != nil {
				return err
			}
			in, err := reportInput(args, cmd.InOrStdin(), &docs)
			if err != nil {
				return err
			}
			in.Margin = margin
			if dir != "" && len(in.Records) == 0 {
				return errors.New("report: --plots draws the records of eval, and there are none")
			}
			if dir != "" {
				if err := writePlots(cmd.ErrOrStderr(), dir, plots.FromRecords(in.Records)...); err != nil {
					return err
				}
			}
			return writePage(cmd.OutOrStdout(), out, in, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "out", "o", "", "`PAGE` to write; - is standard output")
	flags.StringVar(&o.Title, "title", "", "`TEXT` that heads the page")
	languageFlag(cmd, &o.Language)
	marginFlag(cmd, &margin)
	docs.docFlags(cmd)
	flags.StringVar(&dir, "plots", "", "draw the charts of records into `DIR` too, as PNG and SVG")
	return cmd
}

// reportInput reads what is to be reported: a folder that dedup made, files of records.
func reportInput(names []string, stdin io.Reader, docs *source) (report.Input, error) {
	var in report.Input
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if in.Dedup != nil {
				return in, errors.New("report: two folders, want one page for each")
			}
			if in.Dedup, err = report.ReadDedup(name, docs.at(name, nil)); err != nil {
				return in, err
			}
			if in.Dedup.Report.Leaked > 0 { // the page is about duplicates
				return in, fmt.Errorf("report: %s was made by alike leak --clean: want a folder of alike dedup (alike why explains a removal)", name)
			}
			continue
		}
		data, err := readInput(name, stdin)
		if err != nil {
			return in, fmt.Errorf("report: %w", err)
		}
		if err := in.Read(data, name); err != nil {
			return in, err
		}
	}
	in.SCurves = report.SCurves(in.Records)
	return in, nil
}

// writePage writes a report to a file, which is there whole or not at all, or to standard
// output.
func writePage(stdout io.Writer, name string, in report.Input, o report.Options) error {
	if name == "-" {
		return report.Write(stdout, in, o)
	}
	if err := durable.Write(name, func(w io.Writer) error { return report.Write(w, in, o) }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
