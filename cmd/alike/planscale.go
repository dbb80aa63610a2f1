package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/index/plan"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
)

// planScale is the flags of alike plan that are of --backends and --worked alone.
type planScale struct {
	backends, worked bool
	documents        []string
	memory, disk     string
	text             float64
	cores            int
}

// scaleFlags are the names of the flags of planScale that need one of the first two.
var scaleFlags = []string{"documents", "machine-memory", "machine-disk", "text-bytes", "cores"}

func (r *planScale) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&r.backends, "backends", false, "say what an index takes on each backend")
	flags.BoolVar(&r.worked, "worked", false, "work out what finding all near-duplicates takes, step by step")
	flags.StringSliceVar(&r.documents, "documents", nil, "`NUMBERS` of documents, such as 1e8,8e9 (default 1e8,1e9,8e9,1e10; of --worked 8e9)")
	flags.StringVar(&r.memory, "machine-memory", "64GiB", "memory of a machine, as `SIZE`")
	flags.StringVar(&r.disk, "machine-disk", "2TB", "disk of a machine, as `SIZE`")
	flags.Float64Var(&r.text, "text-bytes", 5000, "mean `BYTES` of a document's text")
	flags.IntVar(&r.cores, "cores", 1000, "cores that work at a time")
}

// asked reports whether it is these tables that are wanted.
func (r *planScale) asked(cmd *cobra.Command) (bool, error) {
	given := cmd.Flags().Changed
	if !r.backends && !r.worked {
		for _, name := range scaleFlags {
			if given(name) {
				return false, fmt.Errorf("plan: --%s is of --backends and --worked, want one of them", name)
			}
		}
		if !given("docs") {
			return false, errors.New(`required flag(s) "docs" not set`)
		}
		return false, nil
	}
	if r.backends && r.worked {
		return true, errors.New("plan: want either --backends or --worked")
	}
	for _, name := range []string{"costs", "memory"} {
		if given(name) {
			return true, fmt.Errorf("plan: --%s is not of --backends or --worked, whose constants were measured before", name)
		}
	}
	if given("docs") && given("documents") {
		return true, errors.New("plan: want either --docs or --documents")
	}
	return true, nil
}

func (r *planScale) run(w io.Writer, format tables.Output, docs int64, bits, distance int) error {
	numbers := r.documents
	switch {
	case docs != 0:
		numbers = []string{strconv.FormatInt(docs, 10)}
	case len(numbers) == 0 && r.worked:
		numbers = []string{"8e9"}
	case len(numbers) == 0:
		numbers = []string{"1e8", "1e9", "8e9", "1e10"}
	}
	memory, err := cli.ParseSize(r.memory)
	if err != nil {
		return fmt.Errorf("plan: --machine-memory: %w", err)
	}
	disk, err := cli.ParseSize(r.disk)
	if err != nil {
		return fmt.Errorf("plan: --machine-disk: %w", err)
	}
	machine := plan.DefaultMachine
	machine.Memory, machine.Disk = float64(memory), float64(disk)
	var all []int64
	for _, text := range numbers {
		n, err := cli.ParseCount(text)
		if err != nil {
			return fmt.Errorf("plan: --documents: %w", err)
		}
		all = append(all, n)
	}
	if !r.worked {
		return writeBackends(w, format, all, bits, distance, machine)
	}
	if len(all) != 1 {
		return errors.New("plan: --worked wants one number of documents")
	}
	worked, err := plan.Measured().Work(plan.Job{Documents: all[0], Text: r.text, Bits: bits, Distance: distance, Cores: r.cores, Machine: machine})
	if err != nil {
		return err
	}
	return writeWorked(w, format, worked)
}

// backendRow is one line of plan --backends, as JSON has it.
type backendRow struct {
	Documents int64   `json:"documents"`
	Backend   string  `json:"backend"`
	Tables    int     `json:"tables"`
	Design    string  `json:"design"`
	Bytes     float64 `json:"bytes"`
	Copies    int     `json:"copies"`
	Machines  int     `json:"machines"`
	Apart     bool    `json:"apart"`
	Hot       float64 `json:"hot"`
	Lookups   float64 `json:"lookups"`
	Scanned   float64 `json:"scanned"`
	Query     float64 `json:"query_s"`
	Load      float64 `json:"load_s"`
	Cached    float64 `json:"cached_s"`
	Uncached  float64 `json:"uncached_s,omitempty"` // where something lies on a disk
}

func newBackendRow(e plan.Estimate) backendRow {
	return backendRow{e.Documents, e.Backend, e.Layout.Tables, e.Layout.Design, e.Bytes, e.Copies, e.Machines, e.Apart, e.Hot, e.Lookups, e.Scanned, e.Query, e.Load, e.Cached, e.Uncached}
}

func writeBackends(w io.Writer, format tables.Output, documents []int64, bits, distance int, m plan.Machine) error {
	costs := plan.Measured()
	estimates, err := costs.Compare(documents, bits, distance, m)
	if err != nil {
		return err
	}
	var rows []backendRow
	for _, e := range estimates {
		rows = append(rows, newBackendRow(e))
	}
	columns := []column{"documents", "<backend", "tables", "a copy", "copies", "machines",
		"hot", "lookups", "postings read", "a query", "filling", "query cached", "query uncached"}
	count, size, seconds := figureOf(format, plan.Count), figureOf(format, plan.Bytes), figureOf(format, plan.Seconds)
	share := figureOf(format, func(v float64) string { return fixed(100*v, 0) + " %" })
	err = tables.Write(w, format.Fold("hot", "lookups", "postings read", "copies", "filling", "query uncached"), rows, columns, func(r backendRow) []string {
		documents, machine, uncached := plan.Count(float64(r.Documents)), machines(r.Machines, r.Apart), ""
		if format.Data() {
			documents, machine = strconv.FormatInt(r.Documents, 10), strconv.Itoa(r.Machines)
		}
		if r.Uncached > 0 {
			uncached = seconds(r.Uncached)
		}
		return []string{documents, r.Backend, strconv.Itoa(r.Tables), size(r.Bytes), strconv.Itoa(r.Copies), machine,
			share(r.Hot), count(r.Lookups), count(r.Scanned), seconds(r.Query), seconds(r.Load), seconds(r.Cached), uncached}
	})
	if err != nil || format.Data() {
		return err
	}
	return format.Say(w, "\n%s\n", assumed(costs, bits, distance, m))
}

func machines(n int, apart bool) string {
	if apart {
		return strconv.Itoa(n) + " apart"
	}
	return strconv.Itoa(n)
}

// assumed says what the figures stand on.
func assumed(c plan.Costs, bits, distance int, m plan.Machine) string {
	var documents []string
	for _, n := range c.Source.Documents {
		documents = append(documents, plan.Count(float64(n)))
	}
	return fmt.Sprintf("Fingerprints of %d bits within %d, evenly spread, ids of 12 bytes. A machine has %s of memory and %s "+
		"of disk, %.0f %% of either for data; a random read of the disk takes %s. Machines that are "+
		"apart have an index of their share each, and a query asks all. Hot is the share of the index that "+
		"is in the memory of these machines; the rest is read one piece after the other. A query is cached "+
		"if all that it reads is in memory, and uncached if all of it is on disk. It finds nothing and waits "+
		"for nobody. Each machine is filled by one client. Constants: measured with client and servers on one machine of %d CPUs (%s), indexes of %s documents.",
		bits, distance, plan.Bytes(m.Memory), plan.Bytes(m.Disk), 100*m.Usable, plan.Seconds(m.Read), c.Source.CPUs, c.Source.CPU, strings.Join(documents, " and "))
}

func writeWorked(w io.Writer, format tables.Output, p plan.Worked) error {
	if format.Format == "jsonl" {
		return tables.Write(w, format, []plan.Worked{p}, nil, nil)
	}
	if format.Data() {
		columns := []column{"<step", "<arithmetic", "value", "<unit"}
		return tables.Write(w, format, slices.Concat(p.Lines, p.Total, p.Batch), columns, func(l plan.Line) []string {
			return []string{l.What, l.Work, strconv.FormatFloat(l.Value, 'g', 6, 64), l.Unit}
		})
	}
	lines := func(title string, all []plan.Line) error {
		format.Say(w, "%s\n\n", title)
		return tables.Write(w, format.Aside(), all, []column{"<step", "<arithmetic", "result"}, func(l plan.Line) []string {
			return []string{l.What, l.Work, plan.Figure(l.Value, l.Unit)}
		})
	}
	j, c := p.Job, plan.Measured()
	format.Say(w, "All near-duplicates of %s documents of %s: fingerprints of %d bits within %d, on %d cores.\n\n",
		plan.Count(float64(j.Documents)), plan.Bytes(j.Text), j.Bits, j.Distance, j.Cores)
	if err := lines("Reading and sketching, and how many pairs there are:", p.Lines); err != nil {
		return err
	}
	format.Say(w, "\nFinding pairs, by layout: a key is %s shuffled and takes %s to make, sort and meet, a candidate %s to compare. The layout that is taken at this number has a star.\n\n", plan.Bytes(c.Pipeline.Record), plan.Seconds(c.Pipeline.Key), plan.Seconds(c.Pipeline.Candidate))
	columns := []column{"<", "<layout", "keys", "shuffled", "core-hours sorting", "candidates of one", "pairs compared", "core-hours comparing", "time"}
	err := tables.Write(w, format.Aside().Fold("core-hours sorting", "core-hours comparing", "candidates of one", "shuffled"), p.Joins, columns, func(k plan.Join) []string {
		star := ""
		if k.Layout.Chosen {
			star = "*"
		}
		return []string{star, k.Layout.Design, plan.Count(k.Keys), plan.Bytes(k.Shuffle), plan.Count(k.Sort), plan.Count(k.Layout.Candidates), plan.Count(k.Candidates), plan.Count(k.Compare), plan.Seconds(k.Hours * 3600)}
	})
	if err != nil {
		return err
	}
	format.Say(w, "\n")
	if err := lines("In all, with that layout:", p.Total); err != nil {
		return err
	}
	format.Say(w, "\nKeeping an index of them, by backend:\n\n")
	columns = []column{"<backend", "a copy", "copies", "machines", "a query", "filling"}
	err = tables.Write(w, format.Aside(), p.Index, columns, func(e plan.Estimate) []string {
		return []string{e.Backend, plan.Bytes(e.Bytes), strconv.Itoa(e.Copies), machines(e.Machines, e.Apart), plan.Seconds(e.Query), plan.Seconds(e.Load)}
	})
	if err != nil {
		return err
	}
	if len(p.Unproven) > 0 {
		format.Say(w, "\nNot measured: %s.\n", strings.Join(p.Unproven, ", "))
	}
	format.Say(w, "\n")
	if err := lines("A million queries at a time, without an index, as in the published run (8·10^9 fingerprints of 64 bits, 64 GB, 32 GB compressed; 10^6 queries in about 100 s by 200 mappers: Manku, Jain, Das Sarma, WWW 2007):", p.Batch); err != nil {
		return err
	}
	return format.Say(w, "\n%s\n", assumed(c, j.Bits, j.Distance, j.Machine))
}
