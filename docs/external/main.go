// Command external writes docs/external.md, on methods and results from outside of
// alike, from the records that docs/external/run makes:
//
//	go run ./docs/external FOLDER > docs/external.md
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
)

//go:embed page.md.tmpl
var page string

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("external: want the folder of records made by docs/external/run")
	}
	if err := write(os.Stdout, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(w io.Writer, folder string) error {
	records, err := kit.Records(filepath.Join(folder, "words.jsonl"), filepath.Join(folder, "characters.jsonl"))
	if err != nil {
		return err
	}
	methods, err := methodTable(records)
	if err != nil {
		return err
	}
	results, err := resultTable(filepath.Join(folder, "scores.jsonl"), records)
	if err != nil {
		return err
	}
	t, err := template.New("page").Parse(page)
	if err != nil {
		return err
	}
	words, err := os.ReadFile(filepath.Join("examples", "words.py"))
	if err != nil {
		return err
	}
	_, code, _ := strings.Cut(strings.TrimPrefix(string(words), `"""`), `"""`)
	return t.Execute(w, map[string]string{
		"Words":   strings.TrimSpace(code),
		"Machine": kit.Machine(records[0].Machine),
		"Methods": methods, "Results": results,
	})
}

// reference is the method that others are compared with: the same algorithm.
const reference = "minhash:scheme=kperm"

// methodTable has a row for each method and set.
func methodTable(records []eval.Record) (string, error) {
	var out bytes.Buffer
	p := kit.NewPage(&out)
	p.Header("set", "method", "F1", "95 %", "ΔF1 to "+reference, "AP", "B/doc", "text to sketch, MB/s", "pairs/s")
	var family []eval.Comparison
	place := map[int]int{} // in family, by record
	for i, r := range records {
		ref, ok := find(records, r.Dataset)
		if !ok {
			return "", fmt.Errorf("external: no record of %s on %s", reference, r.Dataset)
		}
		if strings.HasPrefix(r.Method, reference) {
			continue
		}
		cs, err := eval.Compare(ref, r, eval.DefaultMargin)
		if err != nil {
			return "", err
		}
		for _, c := range cs {
			if c.Name == "f1" {
				place[i] = len(family)
				family = append(family, c)
			}
		}
	}
	eval.Adjust(family)
	for i, r := range records {
		delta := ""
		if k, ok := place[i]; ok {
			delta = fmt.Sprintf("%+.3f", float64(family[k].Difference))
			delta += " " + family[k].State.Mark()
		}
		p.Row(r.Dataset, name(r), kit.Fixed(r.F1, 3), interval(r.F1Low, r.F1High), delta, kit.Fixed(r.AP, 3),
			fmt.Sprintf("%.0f", float64(r.BytesPerDoc)), speed(r), short(float64(r.PairsS)))
	}
	return out.String(), nil
}

func find(records []eval.Record, set string) (eval.Record, bool) {
	for _, r := range records {
		if r.Dataset == set && strings.HasPrefix(r.Method, reference) {
			return r, true
		}
	}
	return eval.Record{}, false
}

var hello = regexp.MustCompile(`name="([^"]*)",version="([^"]*)"`)

// name is how the table calls a method: what a command says that it is.
func name(r eval.Record) string {
	if m := hello.FindStringSubmatch(r.Settings); m != nil && strings.HasPrefix(r.Method, "exec:") {
		return fmt.Sprintf("**%s %s** through `exec:`", m[1], m[2])
	}
	return "`" + strings.NewReplacer(characters, "", ":"+characters[1:], "").Replace(r.Method) + "`"
}

// characters are the features of the Chinese sets in a spec, which the table leaves out.
const characters = ",tokens=rune,width=2,punct=drop,space=drop"

// speed is the median of sketching, and the extremes where they are apart.
func speed(r eval.Record) string {
	if r.Speed == nil || r.Speed.SketchMB == nil {
		return "-"
	}
	s := r.Speed.SketchMB
	return fmt.Sprintf("%.3g (%.3g to %.3g)", float64(s.Median), float64(s.Min), float64(s.Max))
}

// result is a line of alike score.
type result struct {
	Output string `json:"output"`
	eval.Judgement
}

var threshold = regexp.MustCompile(`-([0-9.]+)\.tsv$`)

// resultTable has a row for each output, and one for the same algorithm at the threshold that eval chose.
func resultTable(file string, records []eval.Record) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	p := kit.NewPage(&out)
	p.Header("set", "pairs of", "threshold", "found", "precision", "recall", "F1", "95 %", "B-cubed F1", "removed rightly, F1")
	dec := json.NewDecoder(bytes.NewReader(data))
	last := ""
	own := func(set string) {
		if r, ok := find(records, set); ok {
			p.Row(set, "`"+reference+"`", fmt.Sprintf("%.2f, from dev", float64(r.Threshold)), "", kit.Fixed(r.Precision, 3), kit.Fixed(r.Recall, 3),
				kit.Fixed(r.F1, 3), interval(r.F1Low, r.F1High), kit.Fixed(r.BCubedF1, 3), "")
		}
	}
	for dec.More() {
		var r result
		if err := dec.Decode(&r); err != nil {
			return "", fmt.Errorf("external: %s: %w", file, err)
		}
		m := threshold.FindStringSubmatch(r.Output)
		if m == nil || r.Removal == nil {
			return "", fmt.Errorf("external: %s: an output %q that docs/external/run does not make", file, r.Output)
		}
		if last != r.Dataset && last != "" {
			own(last)
		}
		last = r.Dataset
		p.Row(r.Dataset, "`MinHashLSH`", m[1], fmt.Sprint(r.Found), kit.Fixed(r.Precision, 3), kit.Fixed(r.Recall, 3), kit.Fixed(r.F1, 3),
			interval(r.F1Low, r.F1High), kit.Fixed(r.BCubedF1, 3), kit.Fixed(r.Removal.F1, 3))
	}
	own(last)
	return out.String(), nil
}

func interval(low, high eval.Figure) string {
	if math.IsNaN(float64(low)) {
		return "unusable"
	}
	return "[" + kit.Fixed(low, 3) + ", " + kit.Fixed(high, 3) + "]"
}

// short prints a speed with three digits.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3gM", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.3gk", v/1e3)
	}
	return fmt.Sprintf("%.3g", v)
}
