package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

var formats = map[string]func(io.Writer, *Report) error{
	"table": writeTable, "md": writeMarkdown, "json": writeJSON,
}

var header = []string{"what", "unit", "ours", "rival", "theirs", "ratio", "floor", "goal", "meets"}

// cells renders the lines; what repeats from the line above is left out.
func (r *Report) cells() [][]string {
	var rows [][]string
	for i, l := range r.Lines {
		row := []string{l.Area, string(l.Unit), l.Value.String(), l.rival(), l.Theirs.String(), l.Ratio.String(), "", "", l.Verdict}
		if i > 0 && r.Lines[i-1].Area == l.Area {
			row[0], row[1], row[2] = "", "", ""
		}
		if l.Floor > 0 {
			row[6], row[7] = number(l.Floor), number(l.Goal)
			if l.Via != "" {
				row[6] += " *"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// rival names the rival with what is to be said against its figure.
func (l Line) rival() string {
	name := l.Rival
	if l.Finds != "" {
		name += ", " + l.Finds
	}
	if l.Share > 0 {
		name += fmt.Sprintf(" (from %s %%)", strconv.FormatFloat(100*l.Share, 'g', 2, 64))
	}
	return name
}

// String gives the median and how far the quartiles are off, such as "12.3 ± 2%".
func (s Spread) String() string {
	if s.Low == s.High {
		return number(s.Median)
	}
	return fmt.Sprintf("%s ± %.0f%%", number(s.Median), s.Percent())
}

// number prints about three digits.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// plain leaves header and cells as they are.
var plain = tablewriter.WithConfig(tablewriter.Config{
	Header: tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
	},
	Row: tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
	},
})

func writeTable(w io.Writer, r *Report) error {
	table := tablewriter.NewTable(w,
		plain,
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone},
		}),
	)
	table.Header(header)
	if err := table.Bulk(r.cells()); err != nil {
		return err
	}
	if err := table.Render(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s; %s; commit %s; %d rounds\n", r.CPU, r.Go, r.Commit, r.Rounds)
	return writeLines(w, "", r.Notes)
}

func writeMarkdown(w io.Writer, r *Report) error {
	fmt.Fprintf(w, `    $ cd bench && %s

%s, %d CPUs, %s, commit %s, %s/%s, GOMAXPROCS=%d: %s.
%d generated documents, %.1f MB (sha256 %s); CPU time, medians of %d rounds in
which all contenders take turns (of fewer where they take long; a figure without ± is of
one), ± half the distance of the quartiles. A ratio is how many times as fast (or as small)
ours is than the rival, made for each round. Only ratios carry over to other machines.

`, r.Command, r.CPU, r.CPUs, r.Go, r.Commit, r.OS, r.Arch, r.Procs, r.Date.Format("2 January 2006"),
		r.Docs, float64(r.Bytes)/1e6, r.Corpus, r.Rounds)
	table := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewMarkdown()),
		plain,
	)
	table.Header(header)
	if err := table.Bulk(r.cells()); err != nil {
		return err
	}
	if err := table.Render(); err != nil {
		return err
	}
	return writeNotes(w, r)
}

// writeNotes explains the carried bounds and the contenders that are written here.
func writeNotes(w io.Writer, r *Report) error {
	missed, floors := r.Missed()
	fmt.Fprintf(w, `
%d of %d floors are missed. A "~" says that floor or goal lies within the quartiles of the
ratio. "X's method" is X's way of doing it, written anew in bench, since X itself cannot be fetched
everywhere; "from 1 %%" says that a rival did that share of the work, and its time for all is extrapolated: see
bench/README.md. A floor with a star was set on a tool that does not take part,
and is carried over to the rival:

`, missed, floors)
	var via []string
	for _, l := range r.Lines {
		if l.Via != "" {
			via = append(via, l.Area+": "+l.Via)
		}
	}
	if err := writeLines(w, "- ", via); err != nil || len(r.Notes) == 0 {
		return err
	}
	fmt.Fprint(w, "\nNotes:\n\n")
	return writeLines(w, "- ", r.Notes)
}

func writeLines(w io.Writer, prefix string, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, "%s%s\n", prefix, line); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes a line of JSON for each line of the report, each with all
// that is needed to read it alone.
func writeJSON(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, line := range r.Lines {
		if err := enc.Encode(struct {
			Line
			Machine
			Date   string `json:"date"`
			Procs  int    `json:"procs"`
			Docs   int    `json:"docs"`
			Corpus string `json:"corpus"`
		}{line, r.Machine, r.Date.Format(time.RFC3339), r.Procs, r.Docs, r.Corpus}); err != nil {
			return err
		}
	}
	return nil
}
