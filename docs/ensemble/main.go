// Command ensemble writes docs/ensemble.md, the study of whether a combination of methods is
// better than the best of them, from records:
//
//	go run ./docs/ensemble sets short                # the data sets, one a line; short or long texts
//	go run ./docs/ensemble specs short               # the methods to run on them, one a line
//	alike eval --data ... --method ... --details --out records.jsonl
//	go run ./docs/ensemble records.jsonl > docs/ensemble.md
//
// docs/ensemble/run does all of it.
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/ensemble"
	"github.com/alike-go/alike/similarity"
)

// kind is data sets of a kind of text, and the ensembles that are tried on it.
type kind struct {
	name      string
	sets      []string
	ensembles [][]string // members of each
}

var (
	exact  = []string{"shingle", "shingle:tokens=rune,width=3", "cosine", "winnow"}
	seven  = []string{"shingle", "minhash", "cosine", "bloom", "manber", "winnow", "simhash"}
	sized  = []string{"minhash", "bloom", "simhash"}
	letter = []string{"shingle", "shingle:tokens=rune,width=3", "cosine", "winnow", "edit", "lcs"}
)

var kinds = []kind{
	{"short", []string{"en", "zh", "mrpc", "pan-paraphrase", "qqp", "lcqmc", "pawsx-zh", "er-cora", "er-abt-buy", "er-dblp-acm", "bible-verses", "quotes-en", "zh-poems"}, [][]string{exact, letter, seven, sized}},
	{"long", []string{"reuters-reissues", "licences", "go-versions", "en-book-versions", "zh-book-versions", "bible-chapters", "zh-laws", "zh-shiji"}, [][]string{exact, seven, sized}},
}

// name returns the spec of an ensemble.
func name(members []string) string {
	of := strings.Join(members, "+")
	if strings.Contains(of, ",") {
		of = fmt.Sprintf("%q", of)
	}
	return "ensemble:of=" + of
}

// singles returns the members of all ensembles of a kind, each once.
func (k kind) singles() []string {
	var out []string
	for _, e := range k.ensembles {
		for _, m := range e {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("ensemble: ")
	if len(os.Args) == 3 && (os.Args[1] == "sets" || os.Args[1] == "specs") {
		at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == os.Args[2] })
		if at < 0 {
			log.Fatalf("no kind %q, want short or long", os.Args[2])
		}
		lines := kinds[at].sets
		if os.Args[1] == "specs" {
			lines = kinds[at].singles()
			for _, e := range kinds[at].ensembles {
				lines = append(lines, name(e))
			}
		}
		fmt.Println(strings.Join(lines, "\n"))
		return
	}
	if len(os.Args) != 2 {
		log.Fatal("want a file of records, or sets or specs and short or long; see docs/ensemble/run")
	}
	records, err := read(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	trials, err := judge(records)
	if err != nil {
		log.Fatal(err)
	}
	p := &page{w: os.Stdout}
	p.write(trials)
	if p.err != nil {
		log.Fatal(p.err)
	}
}

func read(name string) (map[[2]string]eval.Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, _, err := eval.ReadRecords(f, name)
	out := map[[2]string]eval.Record{}
	for _, r := range records {
		out[[2]string{r.Dataset, similarity.WithoutFit(r.Method)}] = r
	}
	return out, err
}

// trial is an ensemble on a set, beside those of its members.
type trial struct {
	kind     kind
	set      string
	members  []string
	ensemble eval.Record
	best     eval.Record     // the member of the greatest F1 on dev
	against  eval.Comparison // of the ensemble with that
	each     []eval.Comparison
}

// judge compares each ensemble with each of its members. The p-values are adjusted over all
// comparisons with the best members, which are what the page asks, and apart from them over all others.
func judge(records map[[2]string]eval.Record) ([]*trial, error) {
	var out []*trial
	var bests, all []eval.Comparison
	for _, k := range kinds {
		for _, set := range k.sets {
			for _, members := range k.ensembles {
				t := &trial{kind: k, set: set, members: members}
				var ok bool
				if t.ensemble, ok = records[[2]string{set, name(members)}]; !ok {
					return nil, fmt.Errorf("no record of %s on %s", name(members), set)
				}
				for _, m := range members {
					r, ok := records[[2]string{set, m}]
					if !ok {
						return nil, fmt.Errorf("no record of %s on %s", m, set)
					}
					c, err := compare(r, t.ensemble)
					if err != nil {
						return nil, err
					}
					if t.best.Method == "" || r.TunedF1 > t.best.TunedF1 {
						t.best, t.against = r, c
					}
					t.each = append(t.each, c)
				}
				out = append(out, t)
				bests = append(bests, t.against)
				all = append(all, t.each...)
			}
		}
	}
	eval.Adjust(bests)
	eval.Adjust(all)
	at := 0
	for i, t := range out {
		t.against = bests[i]
		at += copy(t.each, all[at:])
	}
	return out, nil
}

// weightsOf returns the weights that an ensemble learnt, by member.
func weightsOf(r eval.Record) map[string]float64 {
	out := map[string]float64{}
	m, err := catalog.Parse(similarity.WithoutFit(r.Trained))
	if err != nil {
		panic("ensemble: " + err.Error())
	}
	e := m.(*ensemble.Method)
	for i, w := range e.Weights() {
		out[similarity.WithoutFit(e.Members()[i].String())] = w
	}
	return out
}

// compare returns the difference in F1. Its p-value takes the difference for normal with the
// interval's width: counting resamples would not do, since of a family of this size Holm wants
// p-values below one in as many.
func compare(a, b eval.Record) (eval.Comparison, error) {
	cs, err := eval.Compare(a, b)
	if err != nil {
		return eval.Comparison{}, err
	}
	at := slices.IndexFunc(cs, func(c eval.Comparison) bool { return c.Name == "f1" })
	c := cs[at]
	if c.Test != "bootstrap" {
		return c, fmt.Errorf("%s and %s on %s have no paired resamples, want records made with --details", a.Method, b.Method, a.Dataset)
	}
	se := float64(c.High-c.Low) / (2 * 1.959964)
	c.P = 1
	if d := math.Abs(float64(c.Difference)); se > 0 {
		c.P = eval.Figure(math.Erfc(d / se / math.Sqrt2))
	} else if d > 0 {
		c.P = 0
	}
	return c, nil
}
