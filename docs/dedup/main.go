// Command dedup writes docs/dedup.md: it runs the command alike dedup over labelled
// collections, reads the clusters that it wrote and holds them against the truth.
//
//	go run ./docs/dedup -alike BINARY -records FILE -sections sets,pages,made > docs/dedup.md
//
// docs/dedup/run does so. What a section measures replaces its records in the file, and the
// page is made from all that are there.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/jsonl"
)

// record is one run of alike dedup, held against the truth.
type record struct {
	Section string `json:"section"`
	Set     string `json:"set"`
	Variant string `json:"variant"`
	Method  string `json:"method"`
	Args    string `json:"args"` // that differ from the default

	Bytes int64 `json:"bytes"`
	verdict
	Kinds []kind `json:"kinds,omitempty"`

	Seconds float64      `json:"seconds"` // from the start of the command to its end
	CPU     float64      `json:"cpu"`     // seconds of all processors
	Peak    int64        `json:"peak"`
	Machine eval.Machine `json:"machine"`
}

// kind is how many copies of a kind of edit there are, and how many were removed.
type kind struct {
	Name   string `json:"name"`
	Copies int    `json:"copies"`
	Found  int    `json:"found"`
}

// lab runs the command in a folder of its own.
type lab struct {
	alike, dir string
	machine    eval.Machine
}

// section is a part of the page and what measures it.
type section struct {
	name    string
	measure func(*lab) ([]record, error)
}

var sections = []section{{"sets", measureSets}, {"defaults", measureDefaults}, {"pages", measurePages}, {"made", measureMade}, {"templates", measureTemplates}, {"million", measureMillion}, {"huge", measureHuge}}

func main() {
	log.SetFlags(0)
	alike := flag.String("alike", "", "the alike command")
	name := flag.String("records", "", "file of records")
	which := flag.String("sections", "", "sections to measure anew, with commas between them")
	flag.Parse()
	records, err := measure(*alike, *name, kit.List(*which))
	if err != nil {
		log.Fatalf("dedup: %v", err)
	}
	p := &page{kit.NewPage(os.Stdout), records}
	if p.write(); p.Err != nil {
		log.Fatalf("dedup: %v", p.Err)
	}
}

// measure measures some sections and returns the records of all.
func measure(alike, name string, which []string) ([]record, error) {
	for _, s := range which {
		if !slices.ContainsFunc(sections, func(k section) bool { return k.name == s }) {
			return nil, fmt.Errorf("section %q, want sets, pages, made, million or huge", s)
		}
	}
	records, err := jsonl.Read[record](name)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "alike-docs-dedup-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	machine, err := machineOf(alike)
	if err != nil {
		return nil, err
	}
	l := &lab{alike, dir, machine}
	for _, s := range sections {
		if !slices.Contains(which, s.name) {
			continue
		}
		fresh, err := s.measure(l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		records = append(slices.DeleteFunc(records, func(r record) bool { return r.Section == s.name }), fresh...)
		if err := jsonl.Write(name, records); err != nil {
			return nil, err
		}
	}
	return records, nil
}
