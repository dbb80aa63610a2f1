// Command choose writes docs/choose.md: how much worse what alike choose takes without labels is
// than the best that labels find in the same space, and what answers of a reader are worth.
//
//	go run ./docs/choose -records FILE > docs/choose.md
//
// docs/choose/run does so. Every step on every set is a record in the file, and what is there is
// not done again; the page is made from the records.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/internal/jsonl"
)

// record is a step of the study on a set.
type record struct {
	Section string `json:"section"` // labels, choice or review
	Set     string `json:"set"`
	Docs    int    `json:"docs"`
	Of      int    `json:"of"` // documents of the whole set

	// Trials are all candidates, judged with labels; Best is that of the greatest F1 on dev, at its threshold, on test.
	Trials []choose.Trial  `json:"trials,omitempty"`
	Best   *choose.Quality `json:"best,omitempty"`

	// Choice is what was taken without labels; Steps what was taken after answers.
	Choice *choice  `json:"choice,omitempty"`
	Steps  []choice `json:"steps,omitempty"`

	Seconds float64      `json:"seconds"`
	Machine eval.Machine `json:"machine"`
}

// choice is a method and a threshold, and what they give by the labels.
type choice struct {
	Answers   int            `json:"answers"`
	Spec      string         `json:"method"`
	Threshold eval.Figure    `json:"threshold"`
	Expected  eval.Figure    `json:"expected"` // F1 by the surrogate
	Alike     float64        `json:"alike"`    // pairs that the surrogate expects to be alike
	Test      choose.Quality `json:"test"`
	Trusted   int            `json:"trusted"` // members of the committee
}

// section is a step and what makes its record.
type section struct {
	name    string
	sets    []string
	measure func(ctx context.Context, c *corpus, r *record) error
}

var sections = []section{{"labels", sets, withLabels}, {"choice", sets, withoutLabels}, {"review", reviewed, withAnswers}}

func main() {
	log.SetFlags(log.Ltime)
	name := flag.String("records", "", "file of records")
	only := flag.String("only", "", "sets to work on, with commas between them; no page is written")
	which := flag.String("sections", "labels,choice,review", "sections to work on")
	flag.Parse()
	records, err := measure(context.Background(), *name, *which, *only)
	if err != nil {
		log.Fatalf("choose: %v", err)
	}
	if *only != "" {
		return
	}
	p := &page{kit.NewPage(os.Stdout), records}
	if p.write(); p.Err != nil {
		log.Fatalf("choose: %v", p.Err)
	}
}

// measure makes the records that are not there.
func measure(ctx context.Context, name, which, only string) ([]record, error) {
	records, err := jsonl.Read[record](name)
	if err != nil {
		return nil, err
	}
	for _, s := range sections {
		if !slices.Contains(kit.List(which), s.name) {
			continue
		}
		for _, set := range s.sets {
			done := slices.ContainsFunc(records, func(r record) bool { return r.Section == s.name && r.Set == set })
			if done || only != "" && !slices.Contains(kit.List(only), set) {
				continue
			}
			start := time.Now()
			c, err := open(ctx, set, options)
			if err != nil {
				return nil, err
			}
			r := record{Section: s.name, Set: set, Docs: len(c.docs), Of: c.of, Machine: eval.ThisMachine()}
			if err := s.measure(ctx, c, &r); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", s.name, set, err)
			}
			r.Seconds = time.Since(start).Seconds()
			log.Printf("%s of %s: %.0f s", s.name, set, r.Seconds)
			records = append(records, r)
			if err := jsonl.Write(name, records); err != nil {
				return nil, err
			}
		}
	}
	return records, nil
}
