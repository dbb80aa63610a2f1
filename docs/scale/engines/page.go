//go:build linux

package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alike-go/alike/internal/durable"
)

const mark, end = "<!-- engines -->\n", "<!-- end -->"

// writePage writes the section of the engines anew.
func writePage(name string, records []record) error {
	if len(records) == 0 {
		return nil
	}
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(page), mark)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s: want the lines %s and %s", name, strings.TrimSpace(mark), end)
	}
	return durable.Replace(name, []byte(before+mark+section(records)+end+after))
}

// shared reports whether the machine did other work at the same time. An engine alone
// makes a load of at most three for each processor.
func (r *record) shared() bool { return r.Load > 3*float64(r.Machine.CPUs) }

func section(records []record) string {
	methods := []string{} // as they were measured
	for _, r := range records {
		if !slices.Contains(methods, r.Method) {
			methods = append(methods, r.Method)
		}
	}
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.Docs, b.Docs), cmp.Compare(slices.Index(methods, a.Method), slices.Index(methods, b.Method)),
			cmp.Compare(slices.Index(engineNames, a.Engine), slices.Index(engineNames, b.Engine)))
	})
	first, last := records[0].Date, records[0].Date
	high := 0.0
	for _, r := range records {
		first, last = min(first, r.Date), max(last, r.Date)
		if r.shared() {
			high = max(high, r.Load)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "`alike dedup --verify sketch` (*local*) and the same as a Beam pipeline, in one process (*prism*), and on Flink and Spark with their workers in the "+
		"process of the command (*flink*, *spark*; LOOPBACK), from the first DOCS documents of `alike datasets make -n DOCS --yardstick`. Each run was held to the "+
		"local one: what they kept and removed, why, and the clusters are the same bytes. CPU is that of all processes of the engine, the server's with them; "+
		"documents and MB of lines are a second of CPU, that is, a core. *Shuffled* is all that went from step to step by key, in bytes a document. Memory "+
		"is the most that was resident: of the command, and of the server since it was started.\n\n")
	fmt.Fprintf(&b, "| documents | method | engine | wall | CPU | documents a second and core | MB a second and core | shuffled | memory |\n|---:|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range records {
		shuffle := ""
		if r.Shuffle > 0 && r.Engine == "prism" { // the others take counters of one name in several steps for one
			shuffle = fmt.Sprintf("%.0f B", r.Shuffle)
		}
		memory := fmt.Sprintf("%.2g GB", float64(r.Peak)/1e9)
		if r.Server > 0 {
			memory += fmt.Sprintf(", server %.2g GB", float64(r.Server)/1e9)
		}
		star := ""
		if r.shared() {
			star = "*"
		}
		fmt.Fprintf(&b, "| %d (%.3g GB) | `%s` | %s | %.3g s%s | %.3g s | %.0f | %.0f | %s | %s |\n", r.Docs, float64(r.Bytes)/1e9, r.Method, r.Engine, r.Seconds, star, r.CPU,
			float64(r.Docs)/r.CPU, float64(r.Bytes)/1e6/r.CPU, shuffle, memory)
	}
	m := records[len(records)-1].Machine
	shared := ""
	if high > 0 {
		shared = fmt.Sprintf("; rows with a star beside other work, with a load of up to %.0f: their wall times are several times what they are on a machine of "+
			"one's own, and those of the processor are longer, too", high)
	}
	days := first
	if last != first {
		days += " to " + last
	}
	fmt.Fprintf(&b, "\nMeasured by `bash docs/scale/engines/run`, %s, at commit %.12s, %s, %s, %d CPUs%s.\n", days, m.Commit, m.Go, m.CPU, m.CPUs, shared)
	return b.String()
}
