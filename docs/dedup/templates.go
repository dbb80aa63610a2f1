package main

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// measureTemplates runs the default method on texts that share a template and
// are a little less alike than the threshold.
func measureTemplates(l *lab) (out []record, err error) {
	input := filepath.Join(l.dir, "templates.jsonl")
	for _, n := range []int{2500, 5000, 10_000, 20_000, 50_000, 100_000, 200_000} {
		if err := writeDocs(input, templated(n)); err != nil {
			return nil, err
		}
		for _, args := range []string{"", "--threshold 0.95 --candidates 0.8"} {
			log.Printf("%d templated texts, %s", n, args)
			r := record{Section: "templates", Set: "templated", Variant: fmt.Sprint(n), Method: methods[0], Args: args}
			if _, err := l.dedup(input, &r); err != nil {
				return nil, err
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// templated returns texts of forty common words and eight random ones. Two
// share 38 of 54 runs of three words, or 0.704.
func templated(n int) []datasets.Doc {
	r := rand.New(rand.NewPCG(1, 48))
	var common []string
	for i := range 40 {
		common = append(common, fmt.Sprintf("common%d", i))
	}
	docs := make([]datasets.Doc, n)
	for i := range docs {
		words := common[:40:40]
		for range 8 {
			words = append(words, fmt.Sprintf("w%x", r.Uint64()>>24))
		}
		docs[i] = datasets.Doc{ID: fmt.Sprint(i), Text: strings.Join(words, " ")}
	}
	return docs
}

// templates shows how time grows where all texts are candidates and none are
// alike.
func (p *page) templates(records []record) {
	p.Printf("## Templated texts\n\n" +
		"Forty common words and eight random ones: two texts score 0.704, so that about half of all pairs are candidates at 0.8 and none is a duplicate. " +
		"If hundreds of texts share a bucket, they are not compared one by one. An index of their rarest runs of words finds the alike ones " +
		"exactly, and then the run checks that these are candidates. Both ways remove the same documents for the same reasons.\n\n" +
		"Before that, the run estimates from a sample how many pairs it will compare. If there are more than `--max-pairs` (10,000 per text by default), the " +
		"run stops and says what to change. `report.json` has both the estimate and the count, as `pairs_estimated` and `pairs_compared` of `run`. " +
		"With `--verify sketch` or `none`, with a verifying method other than `shingle` and `words`, and if the memory is too small for the index, pairs are compared one by one.\n\n")
	p.Header("documents", "settings", "seconds", "of processor", "peak MiB")
	for _, r := range records {
		p.Row(r.Variant, flags(r.Args, ""), fmt.Sprintf("%.2f", r.Seconds), fmt.Sprintf("%.2f", r.CPU), fmt.Sprintf("%.0f", float64(r.Peak)/(1<<20)))
	}
	p.Printf("\n")
	for _, args := range []string{"", "--threshold 0.95 --candidates 0.8"} {
		var own []record
		for _, r := range records {
			if r.Args == args {
				own = append(own, r)
			}
		}
		if k := len(own) - 1; k > 0 {
			a, b := own[0], own[k]
			p.Printf("- %s: the processor's time grows with the power %.2f of the documents from %d to %d.\n", flags(args, "default"),
				math.Log(b.CPU/a.CPU)/math.Log(float64(b.Docs)/float64(a.Docs)), a.Docs, b.Docs)
		}
	}
	p.Printf("\n")
}
