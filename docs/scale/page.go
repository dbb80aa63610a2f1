package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/index/plan"
	"github.com/alike-go/alike/internal/durable"
)

// blocks are the generated sections of the page. Each stands between a line <!-- NAME --> and a line
// <!-- end -->; other marks are of other commands.
var blocks = []struct {
	name string
	text func(ctx context.Context, alike string, records []record) (string, error)
}{
	{"backends", backendsText}, {"sizes", sizesText}, {"outage", outageText}, {"pipeline", pipelineText},
	{"plan", commandText("plan", "--backends", "-f", "md")},
	{"worked", commandText("plan", "--worked", "-f", "md")},
}

// writePage writes the sections of a page anew.
func writePage(ctx context.Context, name, alike string, records []record) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text := string(page)
	for _, b := range blocks {
		body, err := b.text(ctx, alike, records)
		if err != nil {
			return err
		}
		if body == "" {
			continue // not measured yet: what stands there stays
		}
		if text, err = splice(text, b.name, body); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return durable.Replace(name, []byte(text))
}

// splice puts a body between the marks of a section.
func splice(page, name, body string) (string, error) {
	mark, end := "<!-- "+name+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(page, mark)
	if !ok || strings.Contains(rest, mark) {
		return "", fmt.Errorf("want one line %s", strings.TrimSpace(mark))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("no line %s after %s", end, strings.TrimSpace(mark))
	}
	return before + mark + strings.TrimSpace(body) + "\n" + end + after, nil
}

func commandText(args ...string) func(context.Context, string, []record) (string, error) {
	return func(ctx context.Context, alike string, _ []record) (string, error) {
		out, err := kit.Output(exec.CommandContext(ctx, alike, args...))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("`alike %s`:\n\n%s", strings.Join(args, " "), out), nil
	}
}

// of returns the records of a section.
func of(records []record, section string) []record {
	return slices.DeleteFunc(slices.Clone(records), func(r record) bool { return r.Section != section })
}

// measuredBy names the command and what it ran on.
func measuredBy(w *bytes.Buffer, records []record, env string) {
	fmt.Fprintf(w, "\nMeasured by `%s bash docs/scale/run` at %s.\n", env, kit.Machine(records[0].Machine))
}

// title is a backend's in tables.
func title(backend string) string {
	if backend == "redis cluster" {
		return "redis cluster, 3 nodes"
	}
	return backend
}

func backendsText(_ context.Context, _ string, records []record) (string, error) {
	records = of(records, "backends")
	if len(records) == 0 {
		return "", nil
	}
	var w bytes.Buffer
	docs := []string{}
	for _, r := range records {
		if d := plan.Count(float64(r.Index.Documents)); !slices.Contains(docs, d) {
			docs = append(docs, d)
		}
	}
	fmt.Fprintf(&w, "Indexes of %s fingerprints of 64 bits, of which one in a hundred is within three bits of another, under the layouts for few documents, for 10^9 and for 8·10^9. All backends gave the same answers. Servers ran beside the client on the same machine, without replicas; Redis wrote nothing to disk. Bytes are after a merge, or compaction: of the heap, of the files, of what Redis says it uses. A *miss* is a query that finds nothing, a *hit* one that finds a document, one after the other; *in batches* is queries a second, a thousand at a time.\n\n", strings.Join(docs, " and "))
	fmt.Fprintln(&w, "| backend | layout | documents | added a second | B a document | miss, median | miss, 99 % | hit, median | in batches |")
	fmt.Fprintln(&w, "|---|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, r := range records {
		if f := r.Index; !f.Crowded {
			fmt.Fprintf(&w, "| %s | %s | %s | %s | %.0f | %s | %s | %s | %s |\n", title(f.Backend), f.Design, plan.Count(float64(f.Documents)), plan.Count(float64(f.Documents)/f.Load), f.Bytes/float64(f.Documents),
				plan.Seconds(f.Query), plan.Seconds(f.P99), plan.Seconds(f.Found), plan.Count(f.Batch))
		}
	}
	fmt.Fprintf(&w, "\nWhere buckets are crowded, because three of the four blocks of 16 bits of all fingerprints have 64 values in place of 65,536, the four tables of 16 bits cost:\n\n")
	fmt.Fprintln(&w, "| backend | postings read by a query | miss, median | miss, 99 % |")
	fmt.Fprintln(&w, "|---|---:|---:|---:|")
	for _, r := range records {
		if f := r.Index; f.Crowded {
			fmt.Fprintf(&w, "| %s | %.0f | %s | %s |\n", title(f.Backend), f.Scanned, plan.Seconds(f.Query), plan.Seconds(f.P99))
		}
	}
	measuredBy(&w, records, "SECTIONS=backends DOCS="+fmt.Sprint(records[0].Index.Documents))
	return w.String(), nil
}

// sizesText holds the model against what was measured at other sizes than its constants are from.
func sizesText(_ context.Context, _ string, records []record) (string, error) {
	records = of(records, "sizes")
	if len(records) == 0 {
		return "", nil
	}
	costs := plan.Measured()
	var w bytes.Buffer
	m := costs.Sizes.Machine()
	fmt.Fprintf(&w, "What the model says of larger indexes, and what they were, each under the layout for its size. The machine has %s of memory, and a lookup whose block comes from its disk takes %s longer. An index has just been filled when it is asked.\n\n", plan.Bytes(m.Memory), plan.Seconds(m.Read))
	fmt.Fprintln(&w, "| backend | documents | layout | bytes said | bytes | | filling said | filled in | | cached said | uncached said | query said | query | |")
	fmt.Fprintln(&w, "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	var sizes []string
	for _, r := range records {
		f := r.Index
		if s := fmt.Sprintf("%.0e", float64(f.Documents)); !slices.Contains(sizes, s) {
			sizes = append(sizes, s)
		}
		layout, err := plan.Choose(f.Documents, 64, distance)
		if err != nil {
			return "", err
		}
		said, err := costs.Estimate(f.Backend, f.Documents, layout, m)
		if err != nil {
			return "", err
		}
		off := func(said, was float64) string { return fmt.Sprintf("%+.0f %%", 100*(said/was-1)) }
		load := said.Load * float64(said.Machines) // all servers are on this one
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", title(f.Backend), plan.Count(float64(f.Documents)), f.Design,
			plan.Bytes(said.Bytes), plan.Bytes(f.Bytes), off(said.Bytes, f.Bytes), plan.Seconds(load), plan.Seconds(f.Load), off(load, f.Load),
			plan.Seconds(said.Cached), plan.Seconds(said.Uncached), plan.Seconds(said.Query), plan.Seconds(f.Query), off(said.Query, f.Query))
	}
	measuredBy(&w, records, fmt.Sprintf("SECTIONS=sizes SIZES=%q", strings.Join(sizes, " ")))
	return w.String(), nil
}

func outageText(_ context.Context, _ string, records []record) (string, error) {
	records = of(records, "outage")
	if len(records) == 0 {
		return "", nil
	}
	var w bytes.Buffer
	fmt.Fprintln(&w, "Two writers add batches of 50 documents, a reader asks for acknowledged ones, and a server is killed (SIGKILL, or what HBase calls aborting). Calls wait and try again by themselves; *lost* are acknowledged documents that are not found afterwards, of all.")
	fmt.Fprintln(&w)
	fmt.Fprintln(&w, "| backend | what happens | served again after | longest pause of a writer | usual | longest query | calls that failed | lost |")
	fmt.Fprintln(&w, "|---|---|---:|---:|---:|---:|---:|---:|")
	for _, r := range records {
		o := r.Outage
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s | %s | %d | %d of %d |\n", o.Backend, o.Event, plan.Seconds(o.Whole), plan.Seconds(o.Pause), plan.Seconds(o.Usual), plan.Seconds(o.Query), o.Failed, o.Lost, o.Before+o.After)
	}
	measuredBy(&w, records, "SECTIONS=outage")
	return w.String(), nil
}

func pipelineText(_ context.Context, _ string, records []record) (string, error) {
	records = of(records, "pipeline")
	if len(records) == 0 {
		return "", nil
	}
	var w bytes.Buffer
	first := records[0].Method
	fmt.Fprintf(&w, "%d documents of %s each, as JSON lines, on one core, in seconds of the processor: reading them takes %s a document (%s of lines a second), sketching and keys as follows. A key is shuffled as %d bytes: bucket and table, 8 bytes of sketch, number.\n\n", first.Docs, plan.Bytes(first.Text), plan.Seconds(first.Read), plan.Bytes(first.Line/first.Read), recordBytes)
	fmt.Fprintln(&w, "| method | threshold | layout | sketching, a second | reading and sketching, a second | B a sketch | keys a document | B shuffled a document |")
	fmt.Fprintln(&w, "|---|---:|---|---:|---:|---:|---:|---:|")
	for _, r := range records {
		k := r.Method
		if k == nil {
			continue
		}
		name := "`" + k.Method + "`"
		if k.Documents > 0 {
			name += ", for " + plan.Count(float64(k.Documents))
		}
		fmt.Fprintf(&w, "| %s | %.3g | %s | %s | %s | %.0f | %.1f | %.0f |\n", name, k.Threshold, k.Design, plan.Bytes(k.Text/k.Sketch), plan.Bytes(k.Text/(k.Sketch+k.Read)), k.Size, k.Keys, k.Keys*recordBytes)
	}
	for _, r := range records {
		if p := r.Pipeline; p != nil {
			fmt.Fprintf(&w, "\nSteps of the join, on one core: a key is made, sorted through files and met again in %s; two fingerprints of a bucket are compared in %s; a stored fingerprint is held against a million queries in %s.\n", plan.Seconds(p.Key), plan.Seconds(p.Candidate), plan.Seconds(p.Batch))
		}
	}
	measuredBy(&w, records, "SECTIONS=pipeline")
	return w.String(), nil
}
