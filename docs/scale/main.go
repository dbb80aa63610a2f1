// Command scale measures the backends of the index, and the steps of finding all
// near-duplicates, at sizes that fit on one machine, and writes the sections of docs/scale.md.
//
//	go run ./docs/scale -records FILE -costs index/plan/costs.json -sections backends,pipeline,outage
//	go run ./docs/scale -records FILE -page docs/scale.md -alike BINARY
//
// docs/scale/run does both. What a section measures replaces its records in the file; the constants of
// package plan are made from all records of backends and pipeline, the page from all that
// are there.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/index/plan"
	"github.com/alike-go/alike/index/redis"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/jsonl"
)

// record is one thing measured: of its last fields one is set.
type record struct {
	Section  string         `json:"section"`
	Machine  eval.Machine   `json:"machine"`
	Index    *filled        `json:"index,omitempty"`
	Outage   *outage        `json:"outage,omitempty"`
	Method   *methodCost    `json:"method,omitempty"`
	Pipeline *plan.Pipeline `json:"pipeline,omitempty"`
}

// lab is what sections are measured with.
type lab struct {
	dir       string // for data, removed at the end
	docs      int64
	hbaseDocs int64
	sizes     []int64
	backends  []string
	servers   *servers
}

var sections = []struct {
	name    string
	measure func(context.Context, *lab) ([]record, error)
}{{"backends", measureBackends}, {"sizes", measureSizes}, {"pipeline", measurePipeline}, {"outage", measureOutage}}

func main() {
	log.SetFlags(0)
	log.SetPrefix("scale: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	records := flag.String("records", "", "file of records")
	which := flag.String("sections", "", "sections to measure, with commas between them: backends, sizes, pipeline, outage")
	costs := flag.String("costs", "", "file of the constants to write")
	page := flag.String("page", "", "Markdown file whose sections to write")
	alike := flag.String("alike", "", "the alike command, for the sections that it writes")
	docs := flag.Int64("docs", 200_000, "documents of the indexes of section backends")
	hbaseDocs := flag.Int64("hbase-docs", 200_000, "documents of those in HBase")
	sizes := flag.String("sizes", "1e6 1e7", "documents of the indexes of section sizes")
	backends := flag.String("backends", "", "backends, with commas between them (default those that are installed)")
	flag.Parse()
	l := &lab{docs: *docs, hbaseDocs: *hbaseDocs, backends: plan.Backends()}
	if *backends != "" {
		l.backends = strings.Split(*backends, ",")
	}
	var err error
	if l.sizes, err = parseSizes(*sizes); err == nil {
		err = run(ctx, l, *records, *which, *costs, *page, *alike)
	}
	if err != nil {
		stop()
		log.Fatal(err)
	}
}

func parseSizes(s string) (sizes []int64, err error) {
	for _, f := range strings.Fields(s) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || !(v >= 1000 && v <= 1e9) {
			return nil, fmt.Errorf("size %q, want 1e3 to 1e9", f)
		}
		sizes = append(sizes, int64(v))
	}
	return sizes, nil
}

func run(ctx context.Context, l *lab, recordsName, which, costs, page, alike string) (err error) {
	for _, n := range append([]int64{l.docs, l.hbaseDocs}, l.sizes...) {
		if n < 1000 || n%every != 0 {
			return fmt.Errorf("an index of %d documents, want 1000 or more and whole hundreds", n)
		}
	}
	for _, b := range l.backends {
		if !slices.Contains(plan.Backends(), b) {
			return fmt.Errorf("backend %q, want some of %s", b, strings.Join(plan.Backends(), ", "))
		}
	}
	wanted := kit.List(which)
	for _, w := range wanted {
		known := w == "plan" || w == "worked"
		for _, s := range sections {
			known = known || s.name == w
		}
		if !known {
			return fmt.Errorf("section %q, want backends, sizes, pipeline, outage, plan or worked", w)
		}
	}
	records, err := jsonl.Read[record](recordsName)
	if err != nil {
		return err
	}
	if l.dir, err = os.MkdirTemp("", "alike-scale-*"); err != nil {
		return err
	}
	defer os.RemoveAll(l.dir)
	l.servers = &servers{dir: l.dir}
	redis.Quiet()
	defer l.servers.stop()
	for _, s := range sections {
		if !slices.Contains(wanted, s.name) {
			continue
		}
		fresh, err := s.measure(ctx, l)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for i := range fresh {
			fresh[i].Section, fresh[i].Machine = s.name, eval.ThisMachine()
		}
		records = append(slices.DeleteFunc(records, func(r record) bool { return r.Section == s.name && !l.keeps(r) }), fresh...)
		if err := jsonl.Write(recordsName, records); err != nil {
			return err
		}
	}
	if costs != "" && slices.ContainsFunc(wanted, func(w string) bool { return w != "outage" }) {
		if err := writeCosts(costs, records); err != nil {
			return err
		}
	}
	if page != "" {
		return writePage(ctx, page, alike, records)
	}
	return nil
}

// keeps reports whether a record is of a backend that was not asked for, and stays.
func (l *lab) keeps(r record) bool {
	return r.Index != nil && !slices.Contains(l.backends, r.Index.Backend) || r.Outage != nil && !slices.Contains(l.backends, r.Outage.Backend)
}

// writeCosts fits the constants of package plan to the records.
func writeCosts(name string, records []record) error {
	var c plan.Costs
	runs := map[string][]timed{}
	for _, r := range records {
		switch {
		case r.Section == "backends" && r.Index != nil:
			runs[r.Index.Backend] = append(runs[r.Index.Backend], r.Index.timed)
			c.Source = plan.Source{Commit: r.Machine.Commit, Go: r.Machine.Go, CPU: r.Machine.CPU, CPUs: r.Machine.CPUs, Documents: c.Source.Documents}
			if !slices.Contains(c.Source.Documents, r.Index.Documents) {
				c.Source.Documents = append(c.Source.Documents, r.Index.Documents)
			}
		case r.Section == "sizes" && r.Index != nil && r.Index.Backend == "disk":
			runs["disk"] = append(runs["disk"], r.Index.timed)
			if r.Index.Uncached > 0 { // the largest index is the last one
				c.Sizes = plan.Sizes{Memory: r.Index.Memory, Read: (r.Index.Uncached - r.Index.Query) / r.Index.Lookups}
			}
		case r.Pipeline != nil:
			c.Pipeline = *r.Pipeline
		}
	}
	if c.Pipeline.Sketch == 0 || c.Source.CPU == "" {
		log.Print("no constants are written before both backends and pipeline have been measured")
		return nil
	}
	for _, b := range plan.Backends() {
		if len(runs[b]) == 0 {
			continue
		}
		fitted, err := fitCosts(b, runs[b])
		if err != nil {
			return err
		}
		c.Backends = append(c.Backends, fitted)
	}
	slices.Sort(c.Source.Documents)
	out, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return durable.Replace(name, append(out, '\n'))
}
