// Command choose writes docs/choose.md: what alike choose says without labels, how much
// worse what it recommends is than the best that labels find, whether its numbers hold,
// and what answers of a reader are worth.
//
//	go run ./docs/choose -records FILE > docs/choose.md
//
// docs/choose/run does so. Every step on every set is a record in the file, and what is
// there is not done again; the page is made from the records.
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
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/internal/jsonl"
)

// record is a step of the study on a set.
type record struct {
	Section string `json:"section"` // labels, choice or review
	Set     string `json:"set"`
	Docs    int    `json:"docs"`
	Of      int    `json:"of"` // documents of the whole set

	// Best is the candidate of the greatest F1 on dev, at its threshold, and Whole what it
	// gives on all documents.
	Best  *choose.Trial `json:"best,omitempty"`
	Whole eval.Figure   `json:"whole"`

	// Advice is what was said without labels; Steps what was taken after answers.
	Advice []advice `json:"advice,omitempty"`
	Steps  []choice `json:"steps,omitempty"`

	Seconds float64      `json:"seconds"`
	Machine eval.Machine `json:"machine"`
}

// advice is what alike choose says without labels, and what is true.
type advice struct {
	Want    string         `json:"want"` // "" where nothing was stated
	Outcome surrogate.Kind `json:"outcome"`
	Why     []string       `json:"why"`
	Rule    surrogate.Rule `json:"rule"`

	// F1 is that of the rule by the labels, on all documents.
	F1        eval.Figure `json:"f1"`
	Precision eval.Figure `json:"precision"`
	Recall    eval.Figure `json:"recall"`

	// Copies are the pairs that are copies, and Removed the documents that go: estimated,
	// and counted pair by pair.
	Copies      surrogate.Estimate `json:"copies"`
	TrueCopies  int                `json:"true_copies"`
	Removed     surrogate.Estimate `json:"removed"`
	TrueRemoved int                `json:"true_removed"`
}

// choice is a method and a threshold, and what they give by the labels.
type choice struct {
	Answers   int            `json:"answers"`
	Spec      string         `json:"method"`
	Threshold eval.Figure    `json:"threshold"`
	Test      choose.Quality `json:"test"`
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
