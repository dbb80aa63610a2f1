package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/plots"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
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
			docs.stderr = cmd.ErrOrStderr()
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
			continue
		}
		data, err := readInput(name, stdin)
		if err != nil {
			return in, fmt.Errorf("report: %w", err)
		}
		if isStress(data) {
			records, err := stress.ReadRecords(bytes.NewReader(data))
			if err != nil {
				return in, fmt.Errorf("report: %s: %w", name, err)
			}
			in.Stress = append(in.Stress, records...)
			continue
		}
		if choices, ok, err := readChoices(name, data); err != nil {
			return in, err
		} else if ok {
			in.Choices = append(in.Choices, choices...)
			continue
		}
		records, _, err := eval.ReadRecords(bytes.NewReader(data), name)
		if err != nil {
			return in, err
		}
		if len(records) == 0 {
			return in, fmt.Errorf("report: %s has no records", name)
		}
		in.Records = append(in.Records, records...)
	}
	in.SCurves = sCurves(in.Records)
	return in, nil
}

// readChoices reads what choose --records wrote; ok is false where the first line is something
// else.
func readChoices(name string, data []byte) (choices []report.Choice, ok bool, err error) {
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r choose.Record
		if err := json.Unmarshal(line, &r); err != nil || r.Goal == "" {
			if len(choices) == 0 {
				return nil, false, nil
			}
			return nil, false, fmt.Errorf("report: %s:%d: no record of a choice, want one", name, n+1)
		}
		c := report.Choice{Dataset: r.Dataset, Checksum: r.Checksum, Goal: r.Goal, Seed: r.Seed, Fit: r.Fit, AllAlike: r.All, Margin: cmp.Or(r.Margin, eval.DefaultMargin)}
		i := len(choices) - 1
		if i < 0 || choices[i].Dataset != c.Dataset || choices[i].Checksum != c.Checksum || choices[i].Goal != c.Goal || choices[i].Seed != c.Seed {
			choices, i = append(choices, c), i+1
		}
		none := eval.Figure(math.NaN())
		t := report.Trial{
			Method: r.Spec, Role: r.Role, Threshold: r.Threshold, Dev: r.Dev.Value, State: r.State, BytesPerDoc: r.BytesPerDoc, Nominal: eval.Figure(r.Nominal),
			Value: none, Low: none, High: none, Precision: none, Recall: none, F1: none,
		}
		if q := r.Test; q != nil {
			t.Value, t.Low, t.High, t.Precision, t.Recall, t.F1, t.Unusable = q.Value, q.Low, q.High, q.Precision, q.Recall, q.F1, q.Unusable
		}
		choices[i].Trials = append(choices[i].Trials, t)
	}
	return choices, len(choices) > 0, nil
}

// isStress reports whether the first line is a record of stress: only those have a kind of edit.
func isStress(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var r struct {
		Data, Kind string
	}
	return json.Unmarshal(line, &r) == nil && r.Data != "" && r.Kind != ""
}

// sCurves returns what the indexes of methods find that state a probability, each once,
// designed for the floor or else the threshold of the first record that names it.
func sCurves(records []eval.Record) []report.SCurve {
	var out []report.SCurve
	seen := map[string]bool{}
	for _, r := range records {
		if seen[r.Method] {
			continue
		}
		seen[r.Method] = true
		at := float64(r.Threshold)
		if r.Join != nil {
			at = float64(r.Floor)
		}
		m, err := catalog.Parse(similarity.WithoutFit(r.Method))
		if err != nil || !(at > 0 && at <= 1) {
			continue // a method of another version has no curve here
		}
		designer, ok := m.Unwrap().(interface {
			Design(similarity.JoinOptions) (shingle.LSHDesign, error)
		})
		if !ok {
			continue
		}
		d, err := designer.Design(similarity.JoinOptions{Threshold: at})
		if err != nil {
			continue
		}
		c := report.SCurve{Method: r.Method, Design: d.String(), Threshold: at}
		for _, q := range d.Curve(100) {
			c.Points = append(c.Points, report.SPoint{Score: q.At, Found: q.ByScore})
		}
		out = append(out, c)
	}
	return out
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
