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
	Section string `json:"section"` // labels, choice or estimates
	Set     string `json:"set"`
	Docs    int    `json:"docs"`
	Of      int    `json:"of"` // documents of the whole set

	// Best is the candidate of the greatest F1 on dev, at its threshold, and Whole what it
	// gives on all documents.
	Best  *choose.Trial `json:"best,omitempty"`
	Whole eval.Figure   `json:"whole"`

	// Advice is what was said without labels; Steps what was taken after answers.
	Advice []advice `json:"advice,omitempty"`
	Steps  []step   `json:"steps,omitempty"`

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

	// Share is the share of copies among the documents that go and equal no other.
	Share     surrogate.Estimate `json:"share"`
	TrueShare eval.Figure        `json:"true_share"`

	Replies int `json:"replies"` // that go because of a message that they answer
}

// step is the rule after so many answers, and its F1 on all documents.
type step struct {
	Answers int            `json:"answers"`
	Rule    surrogate.Rule `json:"rule"`
	F1      eval.Figure    `json:"f1"`

	// Precision is the share of right removals, estimated from Checked of the answers, and
	// TruePrecision that of all removals that no other answer was about.
	Checked       int                `json:"checked"`
	Precision     surrogate.Estimate `json:"precision"`
	TruePrecision eval.Figure        `json:"true_precision"`
}

// section is a step and what makes its record.
type section struct {
	name    string
	measure func(ctx context.Context, c *corpus, r *record) error
}

var sections = []section{{"labels", withLabels}, {"choice", withoutLabels}, {"estimates", estimates}}

func main() {
	log.SetFlags(log.Ltime)
	name := flag.String("records", "", "file of records")
	only := flag.String("only", "", "sets to work on, with commas between them; no page is written")
	which := flag.String("sections", "labels,choice,estimates", "sections to work on")
	flag.Parse()
	records, err := measure(context.Background(), *name, *which, *only)
	if err != nil {
		log.Fatalf("choose: %v", err)
	}
	if *only != "" {
		return
	}
	p := newPage(kit.NewPage(os.Stdout), records)
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
		for _, set := range collections {
			done := slices.ContainsFunc(records, func(r record) bool { return r.Section == s.name && r.Set == set.name })
			if done || only != "" && !slices.Contains(kit.List(only), set.name) {
				continue
			}
			start := time.Now()
			c, err := open(ctx, set, options)
			if err != nil {
				return nil, err
			}
			r := record{Section: s.name, Set: set.name, Docs: len(c.docs), Of: c.of, Machine: eval.ThisMachine()}
			if err := s.measure(ctx, c, &r); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", s.name, set.name, err)
			}
			r.Seconds = time.Since(start).Seconds()
			log.Printf("%s of %s: %.0f s", s.name, set.name, r.Seconds)
			records = append(records, r)
			if err := jsonl.Write(name, records); err != nil {
				return nil, err
			}
		}
	}
	return records, nil
}
