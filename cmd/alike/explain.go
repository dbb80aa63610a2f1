package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/similarity"
)

type explanation struct {
	Note     string     `json:"note"`
	Shared   int        `json:"shared"` // pieces of evidence in all
	Evidence []evidence `json:"evidence"`
}

type evidence struct {
	Kind   string   `json:"kind"`
	Text   string   `json:"text"`
	Weight float64  `json:"weight"`
	A      [][2]int `json:"a"` // byte offsets of the places in A
	B      [][2]int `json:"b"`
}

// explainPair asks the method for its evidence and keeps the heaviest pieces; nil
// where the method has none to show.
func explainPair(m similarity.Method, a, b string, most int) *explanation {
	e, ok := m.Explain(a, b)
	if !ok {
		return nil
	}
	out := &explanation{Note: e.Note, Shared: len(e.Evidence), Evidence: []evidence{}}
	for i, ev := range e.Evidence {
		if most > 0 && i == most {
			break
		}
		out.Evidence = append(out.Evidence, evidence{ev.Kind, ev.Text, ev.Weight, places(ev.A), places(ev.B)})
	}
	return out
}

func places(spans []feature.Span) [][2]int {
	out := make([][2]int, len(spans))
	for i, s := range spans {
		out[i] = [2]int{s.Start, s.End}
	}
	return out
}

func writeExplanation(w io.Writer, format tables.Output, method string, e *explanation) error {
	format.Say(w, "\n%s: %s\n", method, e.Note)
	if format.Format == "md" {
		fmt.Fprintln(w)
	}
	var rows [][]string
	for _, ev := range e.Evidence {
		rows = append(rows, []string{ev.Kind, shorten(ev.Text), fixed(ev.Weight, 3), list(ev.A), list(ev.B)})
	}
	if len(rows) > 0 {
		columns := []column{"<shared", "<text", "weight", "<in A, bytes", "<in B, bytes"}
		if err := tables.Table(w, format.Aside(), columns, rows); err != nil {
			return err
		}
	}
	if more := e.Shared - len(e.Evidence); more > 0 {
		format.Say(w, "and %d more\n", more)
	}
	return nil
}

// shorten fits a shared passage into a table cell: on one line, quoted only where
// it has characters that do not print, the middle left out past 60 characters.
func shorten(s string) string {
	r := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " "))
	if len(r) > 60 {
		r = append(append(append([]rune{}, r[:35]...), []rune(" … ")...), r[len(r)-20:]...)
	}
	return string(r)
}

// list prints the first places and says how many more there are.
func list(spans [][2]int) string {
	var parts []string
	for i, s := range spans {
		if i == 3 && len(spans) > 4 {
			parts = append(parts, fmt.Sprintf("+%d", len(spans)-3))
			break
		}
		parts = append(parts, fmt.Sprintf("%d-%d", s[0], s[1]))
	}
	return strings.Join(parts, " ")
}
