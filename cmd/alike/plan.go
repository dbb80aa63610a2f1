package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/simhash/hamming"
)

// planRun is the flags of alike plan.
type planRun struct {
	docs          int64
	bits, radius  int
	memory, costs string
	format        tables.Output
	scale         planScale
}

func newPlan() *cobra.Command {
	var r planRun
	cmd := &cobra.Command{
		Use:   "plan --docs N",
		Short: "say what finding fingerprints within a distance costs, by every layout of tables",
		Long: `Say what finding fingerprints within a distance costs, by every layout of tables.

For each design: tables, the bits of their keys, the keys that a query looks up, the
fingerprints it finds under them in a table and in all (the candidates), what a copy of the
fingerprints for each table takes, as the designs were published, what alike's index takes,
and the time of a query. The design that is taken has a star: the fastest that fits into
--memory. Fingerprints are taken for evenly spread.

Times come from a run of two seconds on this machine, or with --costs default from those
of a server core. Below stands what the distance finds: the probability that the
fingerprints of two documents are that near, by the cosine of their features.

--backends says instead what an index of so many documents takes in memory, on disk, in Redis and in
HBase: bytes, machines, the time of a query and of filling it. --worked works out what it takes to find
all near-duplicates of a collection, from its texts on, and to keep the index, with each
step's arithmetic. Both stand on constants that docs/scale/run measures (docs/scale.md).`,
		Example: `  alike plan --docs 10000000 -k 3
  alike plan --docs 17179869184 --bits 64 -k 3 --memory 1TiB
  alike plan --docs 1000000 --bits 128 -k 12 --costs default --format md
  alike plan --backends --documents 1e8,8e9
  alike plan --worked --documents 8e9 --text-bytes 5000 --cores 1000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd) },
	}
	flags := cmd.Flags()
	flags.Int64Var(&r.docs, "docs", 0, "number of documents")
	flags.IntVar(&r.bits, "bits", 64, "bits of a fingerprint: 32, 64 or 128")
	flags.IntVarP(&r.radius, "distance", "k", 3, "maximum distance, in bits")
	flags.StringVar(&r.memory, "memory", "", "memory that an index may take, as `SIZE` such as 4GiB (default any)")
	flags.StringVar(&r.costs, "costs", "measured", "where times come from: measured or default")
	formatFlag(cmd, &r.format)
	r.scale.flags(cmd)
	return cmd
}

func (r *planRun) run(cmd *cobra.Command) error {
	scale, err := r.scale.asked(cmd)
	switch {
	case err != nil:
		return err
	case r.docs < 1 && cmd.Flags().Changed("docs"):
		return fmt.Errorf("plan: --docs %d, want at least 1", r.docs)
	case scale:
		return r.scale.run(cmd.OutOrStdout(), r.format, r.docs, r.bits, r.radius)
	}
	memory := int64(0)
	if r.memory != "" {
		if memory, err = cli.ParseSize(r.memory); err != nil {
			return fmt.Errorf("plan: --memory: %w", err)
		}
	}
	costs := hamming.DefaultCosts
	switch r.costs {
	case "default":
	case "measured":
		costs = hamming.Calibrate()
	default:
		return fmt.Errorf("plan: --costs %q, want measured or default", r.costs)
	}
	all, take, err := costs.Plan(r.docs, r.bits, r.radius, memory)
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	w := cmd.OutOrStdout()
	rows := make([]planRow, len(all))
	for i, e := range all {
		rows[i] = newPlanRow(e, i == take)
	}
	if err := writePlan(w, r.format, rows); err != nil || r.format.Data() {
		return err
	}
	if memory > 0 && all[take].Bytes > float64(memory) {
		fmt.Fprintf(cmd.ErrOrStderr(), "alike: no design fits into %s; the scan takes %s\n", r.memory, binary(all[take].Bytes))
	}
	if r.docs > math.MaxUint32-1 {
		fmt.Fprintf(cmd.ErrOrStderr(), "alike: an index numbers at most %d fingerprints; so many need %d of them\n", math.MaxUint32-1, (r.docs-1)/(math.MaxUint32-1)+1)
	}
	r.format.Say(w, "\nWhat a distance of %d of %d bits finds, and how often it pairs documents that share nothing:\n\n", r.radius, r.bits)
	return r.writeFinds(w)
}

// planRow is one line of the plan, as JSON has it.
type planRow struct {
	Taken              bool    `json:"taken"`
	Design             string  `json:"design"`
	Layout             string  `json:"layout"`
	Tables             int     `json:"tables"`
	KeyLeast           int     `json:"key_bits_least"`
	KeyMost            int     `json:"key_bits_most"`
	Probes             float64 `json:"probes"`
	CandidatesPerTable float64 `json:"candidates_per_table"`
	Candidates         float64 `json:"candidates"`
	Copies             float64 `json:"bytes_of_copies"`
	Bytes              float64 `json:"bytes"`
	Query              float64 `json:"query_ns"`
}

func newPlanRow(e hamming.Estimate, taken bool) planRow {
	return planRow{taken, e.Design.Name, e.Design.String(), e.Tables, e.KeyLeast, e.KeyMost, e.Probes, e.CandidatesPerTable, e.Candidates, e.Copies, e.Bytes, e.Query}
}

func writePlan(w io.Writer, format tables.Output, rows []planRow) error {
	columns := []column{"<", "<design", "tables", "key bits", "probes",
		"candidates a table", "candidates", "copies", "index", "a query"}
	return tables.Write(w, format.Fold("candidates a table", "copies", "probes"), rows, columns, func(r planRow) []string {
		star, key := "", "-"
		if r.Taken {
			star = "*"
		}
		if r.KeyMost > 0 {
			key = strconv.Itoa(r.KeyMost)
		}
		if r.KeyLeast < r.KeyMost {
			key = fmt.Sprintf("%d-%d", r.KeyLeast, r.KeyMost)
		}
		count, bytes, time := figureOf(format, count), figureOf(format, binary), figureOf(format, nanoseconds)
		return []string{star, r.Design, strconv.Itoa(r.Tables), key, count(r.Probes), count(r.CandidatesPerTable), count(r.Candidates), bytes(r.Copies), bytes(r.Bytes), time(r.Query)}
	})
}

// figureOf returns what prints a figure: short, or in data the plain number.
func figureOf(format tables.Output, short func(float64) string) func(float64) string {
	if format.Data() {
		return func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	}
	return short
}

// writeFinds tells the probability of a distance by cosine, and how many pairs of
// unrelated documents a collection of the size has within it.
func (r *planRun) writeFinds(w io.Writer) error {
	columns := []column{"cosine", "mean distance", "found", "<"}
	var cells [][]string
	for _, cos := range []float64{.999, .995, .99, .98, .97, .95, .90, .80, 0} {
		p := simhash.ProbWithin(cos, r.radius, r.bits)
		note := ""
		if cos == 0 {
			note = fmt.Sprintf("%.2g pairs of %d documents", p*float64(r.docs)*float64(r.docs-1)/2, r.docs)
		}
		found := fixed(p, 4)
		if p < 1e-4 {
			found = fmt.Sprintf("%.2g", p)
		}
		cells = append(cells, []string{strconv.FormatFloat(cos, 'f', -1, 64), fixed(math.Acos(cos)/math.Pi*float64(r.bits), 2), found, note})
	}
	return tables.Table(w, r.format.Aside(), columns, cells)
}

// count prints a number of things: whole where it is large, with a few digits where not.
func count(v float64) string {
	switch {
	case v >= 1e12:
		return fmt.Sprintf("%.3g", v)
	case v >= 100 || v == math.Trunc(v):
		return fixed(v, 0)
	case v >= .01:
		return fixed(v, 2)
	}
	return fmt.Sprintf("%.1g", v)
}

// binary prints bytes by powers of 1,024.
func binary(v float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for ; v >= 1024 && i < len(units)-1; i++ {
		v /= 1024
	}
	if i == 0 {
		return fixed(v, 0) + " B"
	}
	return fixed(v, 1) + " " + units[i]
}

// nanoseconds prints a time with three digits.
func nanoseconds(v float64) string {
	for _, u := range []string{"ns", "µs", "ms"} {
		if v < 999.5 {
			return fmt.Sprintf("%.3g %s", v, u)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.3g s", v)
}
