package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/alike-go/alike/docs/internal/kit"
)

// text is the template of the page.
//
//go:embed page.md.tmpl
var text string

// write returns the page.
func write(records []record) (string, error) {
	p := page{Promises: promises}
	outcomes, kills, execs := map[string]int{}, 0, 0
	for _, k := range attacks {
		i := slices.IndexFunc(records, func(r record) bool { return r.Attack == k.name })
		if i < 0 {
			continue
		}
		r := records[i]
		p.Records, p.Fuzz = append(p.Records, r), append(p.Fuzz, r.Fuzz...)
		outcomes[r.Outcome]++
		for _, c := range r.Counts {
			switch c.Name {
			case "kills":
				kills += c.N
			case "executions":
				execs += c.N
			}
		}
		for _, n := range r.Notes {
			p.Notes = append(p.Notes, fmt.Sprintf("%s: %s", r.Attack, strings.Join(strings.Fields(n), " ")))
		}
		run := fmt.Sprintf("Made by `%s` on %s at %s.", r.Command, r.Date, kit.Machine(r.Machine))
		if !slices.Contains(p.Runs, run) {
			p.Runs = append(p.Runs, run)
		}
	}
	p.Summary = fmt.Sprintf("Of %d attacks %d held, %d broke a promise and %d were skipped or failed; processes were killed %d times, and fuzz targets had %d inputs.",
		len(p.Records), outcomes[held], outcomes[broken], outcomes[skipped]+outcomes[failed], kills, execs)
	t, err := template.New("page").Funcs(template.FuncMap{"counted": counted, "cell": cell, "up": up}).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, &p)
	return b.String(), err
}

// page is the data of the template.
type page struct {
	Summary  string
	Records  []record
	Notes    []string
	Runs     []string // the commands that made the records, each once
	Fuzz     []target
	Promises []promise
}

// cell returns a text as a cell of a table. It escapes what would end the cell or
// begin a link.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "](", `]\(`).Replace(s)
}

// up returns the path of a file relative to docs.
func up(path string) string {
	if rest, ok := strings.CutPrefix(path, "docs/"); ok {
		return rest
	}
	return "../" + path
}

// Short returns the package without the name of the module.
func (t target) Short() string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(t.Package, "github.com/"), "/alike/")
	return rest
}

// Rate returns executions per second, without the time to build.
func (t target) Rate() string { return fmt.Sprintf("%.0f", float64(t.Execs)/max(t.Seconds, 1)) }
