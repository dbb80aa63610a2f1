// Command findings writes docs/findings.md: claims that are handed on about the methods, and
// ideas that nobody measured, each held against a measurement.
//
//	go run ./docs/findings -records FILE -only ID,ID > docs/findings.md
//
// docs/findings/run does so. A claim is one function, which measures, and a rule, which makes
// the verdict of what was measured. What is measured replaces its record in the file, and
// the page is made from all records.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/jsonl"
)

// claim is something that is said, or an idea.
type claim struct {
	id     string
	text   string
	source string // who says it, or what it is held against
	rule   string // that verdict follows
	via    string // a command of alike that shows the same, if there is one

	measure func(*lab) finding
}

// finding is what a claim comes to.
type finding struct {
	Figure  string     `json:"figure"`
	Verdict string     `json:"verdict"`
	Table   [][]string `json:"table,omitempty"` // the first row is its head
}

// record is a finding with where and how it was made.
type record struct {
	ID string `json:"id"`
	finding
	Seconds float64 `json:"seconds"`
	Docs    int     `json:"docs_of_set,omitempty"` // docsOfSet then, 0 where no set entered
	Commit  string  `json:"commit"`
	Go      string  `json:"go"`
	CPU     string  `json:"cpu"`
}

// group is a section of the page.
type group struct {
	title, text string
	claims      []claim
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("findings: ")
	name := flag.String("records", "", "file of records")
	only := flag.String("only", "all", "ids to measure anew, with commas between them; all, or missing for those that have no record")
	flag.Parse()
	records, err := measure(*name, *only)
	if err != nil {
		log.Fatal(err)
	}
	p := kit.NewPage(os.Stdout)
	if write(p, records); p.Err != nil {
		log.Fatal(p.Err)
	}
}

// measure measures some claims and returns the records of all, by id.
func measure(name, only string) (map[string]record, error) {
	records, err := read(name)
	if err != nil {
		return nil, err
	}
	ids := kit.List(only)
	known := map[string]bool{"all": true, "missing": true}
	l := newLab()
	for _, g := range groups() {
		for _, c := range g.claims {
			if known[c.id] {
				return nil, fmt.Errorf("two claims are called %s", c.id)
			}
			known[c.id] = true
			_, have := records[c.id]
			if only != "all" && !(only == "missing" && !have) && !slices.Contains(ids, c.id) {
				continue
			}
			log.Print(c.id)
			start := time.Now()
			l.used = false
			var f finding
			if err := kit.Try(func() { f = c.measure(l) }); err != nil {
				return nil, fmt.Errorf("%s: %w", c.id, err)
			}
			m := eval.ThisMachine()
			r := record{ID: c.id, finding: f, Seconds: time.Since(start).Seconds(), Commit: m.Commit, Go: m.Go, CPU: m.CPU}
			if l.used {
				r.Docs = docsOfSet
			}
			records[c.id] = r
			if err := save(name, records); err != nil {
				return nil, err
			}
		}
	}
	for _, id := range ids {
		if !known[id] {
			return nil, fmt.Errorf("no claim is called %s", id)
		}
	}
	return records, nil
}

// read returns the records by id.
func read(name string) (map[string]record, error) {
	list, err := jsonl.Read[record](name)
	records := map[string]record{}
	for _, r := range list {
		records[r.ID] = r
	}
	return records, err
}

// save writes the records in the order of the page.
func save(name string, records map[string]record) error {
	var list []record
	for _, g := range groups() {
		for _, c := range g.claims {
			if r, ok := records[c.id]; ok {
				list = append(list, r)
			}
		}
	}
	return jsonl.Write(name, list)
}
