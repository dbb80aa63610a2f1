// Command chinese writes docs/chinese.md, the study of what a feature of Chinese
// text should be, from records:
//
//	go run ./docs/chinese specs                      # the methods to run, one a line
//	alike eval --data ... --method ... --details --out records.jsonl
//	go run ./docs/chinese records.jsonl > docs/chinese.md
//
// docs/chinese/run does all three. The page's section on segmentation is measured by
// this command itself, which wants the public data sets.
package main

import (
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/similarity"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("chinese: want the word specs, or a file of records made by docs/chinese/run")
	}
	if os.Args[1] == "open" {
		if err := open(); err != nil {
			log.Fatal(err)
		}
		return
	}
	all, err := runs()
	if err != nil {
		log.Fatal(err)
	}
	if os.Args[1] == "specs" {
		for _, r := range all {
			fmt.Println(r.spec)
		}
		return
	}
	records, err := kit.Records(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	results, err := arrange(all, records)
	if err != nil {
		log.Fatal(err)
	}
	p := &page{kit.NewPage(os.Stdout)}
	p.head(results)
	p.answer(results)
	if err := p.segmentation(); err != nil {
		log.Fatal(err)
	}
	p.tables(results)
	if p.Err != nil {
		log.Fatal(p.Err)
	}
}

// results are the records by data set, in the order of the file.
type results struct {
	sets []string
	runs []run
	at   map[[2]string]eval.Record     // by set and spec
	diff map[[2]string]eval.Comparison // F1 against the base choice of the same method, by set and spec
}

// arrange finds the record of every run on every set, and compares each with that
// of the base choice of its method. The p-values are adjusted over the choices of a
// method on a set.
func arrange(all []run, records []eval.Record) (*results, error) {
	out := &results{runs: all, at: map[[2]string]eval.Record{}, diff: map[[2]string]eval.Comparison{}}
	for _, r := range records {
		key := [2]string{r.Dataset, similarity.WithoutFit(r.Method)}
		if len(out.sets) == 0 || out.sets[len(out.sets)-1] != r.Dataset {
			out.sets = append(out.sets, r.Dataset)
		}
		out.at[key] = r
	}
	for _, set := range out.sets {
		for _, method := range methods {
			var family []eval.Comparison
			for _, r := range all {
				if r.method != method {
					continue
				}
				rec, ok := out.at[[2]string{set, r.spec}]
				if !ok {
					return nil, fmt.Errorf("chinese: no record of %s on %s", r.spec, set)
				}
				if r.choice == base {
					continue
				}
				cs, err := eval.Compare(out.at[[2]string{set, out.base(method)}], rec, eval.DefaultMargin)
				if err != nil {
					return nil, err
				}
				i := slices.IndexFunc(cs, func(c eval.Comparison) bool { return c.Name == "f1" })
				cs[i].B = r.spec
				family = append(family, cs[i])
			}
			eval.Adjust(family)
			for _, c := range family {
				out.diff[[2]string{set, c.B}] = c
			}
		}
	}
	return out, nil
}

// base returns the spec of a method on the base choice.
func (r *results) base(method string) string {
	for _, x := range r.runs {
		if x.method == method && x.choice == base {
			return x.spec
		}
	}
	panic("chinese: " + method + " has no run on " + base.name)
}
