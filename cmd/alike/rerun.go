package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/internal/tables"
)

func newRerun() *cobra.Command {
	var format tables.Output
	cmd := &cobra.Command{
		Use:   "rerun RECORDS",
		Short: "run the commands of records again, and say what differs",
		Long: `Run the commands that made RECORDS (see alike eval --out) again, from the same
folder, and list every figure that differs. Speeds and machines are not compared.
The exit status is 1 if anything differs: results should be equal to the last
digit if data and version are the same.`,
		Example: `  alike eval --data en --out run.jsonl
  alike rerun run.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return fmt.Errorf("rerun: %w", err)
			}
			records, _, err := eval.ReadRecords(f, args[0])
			f.Close()
			if err != nil {
				return err
			}
			if len(records) == 0 {
				return fmt.Errorf("rerun: %s has no records", args[0])
			}
			var changes []change
			again := map[string][]eval.Record{} // by command
			for _, r := range records {
				if len(r.Command) == 0 {
					return fmt.Errorf("rerun: the record of %s on %s holds no command: an earlier version of alike made it", r.Method, r.Dataset)
				}
				key := strings.Join(r.Command, "\x00")
				if _, ok := again[key]; !ok {
					fmt.Fprintf(cmd.ErrOrStderr(), "alike: alike%s\n", quoted(r.Command))
					if again[key], err = runAgain(cmd, r.Command); err != nil {
						return err
					}
				}
				found, err := differs(r, again[key])
				if err != nil {
					return err
				}
				changes = append(changes, found...)
			}
			if len(changes) == 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s equal but for speeds\n", plural(len(records), "record"))
				return nil
			}
			columns := []column{"<data", "<method", "<figure", "<was", "<is"}
			if err := tables.Write(cmd.OutOrStdout(), format, changes, columns, func(c change) []string {
				return []string{c.Dataset, c.Method, c.Figure, c.Was, c.Is}
			}); err != nil {
				return err
			}
			return errBad
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// change is a figure of a record that came out otherwise.
type change struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	Figure  string `json:"figure"`
	Was     string `json:"was"`
	Is      string `json:"is"`
}

// commandOf returns the arguments that lead to the same records.
func commandOf(cmd *cobra.Command) []string {
	args := []string{cmd.Name()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"columns-out", "config", "format", "language", "out", "plots", "resume", "wide", "workers"}, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	return args
}

func quoted(args []string) (line string) {
	for _, a := range args {
		line += " " + choose.Quote(a)
	}
	return line
}

// runAgain runs the command of a record and returns its records.
func runAgain(cmd *cobra.Command, args []string) ([]eval.Record, error) {
	if args[0] != "eval" {
		return nil, fmt.Errorf("rerun: a record of alike %s, want eval", args[0])
	}
	run := new(evalRun)
	again := newEvalOf(run)
	if err := again.ParseFlags(args[1:]); err != nil {
		return nil, fmt.Errorf("rerun: %w", err)
	}
	if slices.Contains(run.Data, "-") {
		return nil, errors.New("rerun: the data came from standard input, want a file")
	}
	again.SetContext(cmd.Context())
	again.SetErr(cmd.ErrOrStderr())
	run.command = args
	return run.do(cmd.Context(), cmd.ErrOrStderr())
}

// notCompared are the fields of a record that differ from run to run.
var notCompared = []string{"sketch_mb_s", "pairs_s", "speed", "machine", "key"}

// differs returns what differs between a record and the one of its method among others.
func differs(r eval.Record, others []eval.Record) ([]change, error) {
	i := slices.IndexFunc(others, func(o eval.Record) bool { return o.Path == r.Path && o.Dataset == r.Dataset && o.Method == r.Method })
	if i < 0 {
		return []change{{r.Dataset, r.Method, "record", "there", "missing"}}, nil
	}
	was, err := fields(r)
	if err != nil {
		return nil, err
	}
	is, err := fields(others[i])
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range was {
		names[name] = true
	}
	for name := range is {
		names[name] = true
	}
	var out []change
	for name := range names {
		if a, b := was[name], is[name]; a != b && !slices.Contains(notCompared, name) {
			out = append(out, change{r.Dataset, r.Method, name, brief(a), brief(b)})
		}
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.Figure, b.Figure) })
	return out, nil
}

// brief shortens a value for a table.
func brief(value string) string {
	const most = 20
	if r := []rune(strings.Trim(value, `"`)); len(r) > most {
		return string(r[:most]) + "..."
	}
	return strings.Trim(value, `"`)
}

// fields returns the fields of a record as JSON.
func fields(r eval.Record) (map[string]string, error) {
	if r.Join != nil {
		j := *r.Join
		j.Seconds, j.Workers = 0, 0
		r.Join = &j
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name, v := range raw {
		out[name] = string(v)
	}
	return out, nil
}
