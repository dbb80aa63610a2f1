package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Report is what a run of the command found.
type Report struct {
	Machine
	Command string
	Date    time.Time
	Rounds  int
	Procs   int
	Docs    int
	Bytes   int
	Corpus  string
	Lines   []Line
}

// Line is one row beside one rival, under its bound if there is one.
type Line struct {
	Area    string  `json:"area"`
	Unit    Unit    `json:"unit"`
	Ours    string  `json:"ours"`
	Value   Spread  `json:"value"`
	Rival   string  `json:"rival"`
	Theirs  Spread  `json:"theirs"`
	Ratio   Spread  `json:"ratio"` // how many times as fast ours is, or as small
	Floor   float64 `json:"floor,omitempty"`
	Goal    float64 `json:"goal,omitempty"`
	Via     string  `json:"via,omitempty"` // see Bound.Via
	Verdict string  `json:"verdict,omitempty"`
}

// Lines makes the lines of a row, those of rivals with a bound first. Where
// several bounds rest on one rival the strictest holds.
func (r Result) Lines() []Line {
	var bounded, rest []Line
	for i, rival := range r.Row.Rivals {
		line := Line{
			Area: r.Row.Area, Unit: r.Row.Unit, Ours: r.Row.Ours.Name, Value: r.Ours,
			Rival: rival.Name, Theirs: r.Rivals[i].Value, Ratio: r.Rivals[i].Ratio,
		}
		for _, b := range r.Row.Bounds {
			if b.Rival == rival.Name && b.Floor > line.Floor {
				line.Floor, line.Goal, line.Via = b.Floor, b.Goal, b.Via
				line.Verdict = verdict(line.Ratio, b)
			}
		}
		if line.Floor > 0 {
			bounded = append(bounded, line)
		} else {
			rest = append(rest, line)
		}
	}
	return append(bounded, rest...)
}

const belowFloor = "below floor"

// verdict holds a ratio against a bound. A "~" says that the border lies
// within the quartiles of the ratio, so that another run may find otherwise.
func verdict(ratio Spread, b Bound) string {
	near := func(border float64) string {
		if ratio.Low < border && border < ratio.High {
			return " ~"
		}
		return ""
	}
	// Sizes meet their bounds exactly; the small allowance is for the division.
	const rounding = 1e-9
	switch {
	case ratio.Median < b.Floor-rounding:
		return belowFloor + near(b.Floor)
	case ratio.Median < b.Goal-rounding:
		return "floor" + near(b.Floor) + near(b.Goal)
	}
	return "goal" + near(b.Goal)
}

// Missed returns the number of lines below their floor.
func (r *Report) Missed() int {
	n := 0
	for _, line := range r.Lines {
		if line.Floor > 0 && line.Ratio.Median < line.Floor-1e-9 {
			n++
		}
	}
	return n
}

var formats = map[string]func(io.Writer, *Report) error{
	"table": writeTable, "md": writeMarkdown, "json": writeJSON,
}

var header = []string{"what", "unit", "ours", "rival", "theirs", "ratio", "floor", "goal", "meets"}

// cells renders the lines; what repeats from the line above is left out.
func (r *Report) cells() [][]string {
	var rows [][]string
	for i, l := range r.Lines {
		row := []string{l.Area, string(l.Unit), l.Value.String(), l.Rival, l.Theirs.String(), l.Ratio.String(), "", "", l.Verdict}
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
	_, err := fmt.Fprintf(w, "\n%s; %s; commit %s; %d rounds\n", r.CPU, r.Go, r.Commit, r.Rounds)
	return err
}

func writeMarkdown(w io.Writer, r *Report) error {
	fmt.Fprintf(w, `# Benchmarks

    $ cd bench && %s

%s, %s, commit %s, %s/%s, GOMAXPROCS=%d: %s.
%d generated documents, %.1f MB (sha256 %s); CPU time, medians of %d rounds in
which all contenders take turns, ± half the distance of the quartiles. A ratio is how many
times as fast (or as small) ours is than the rival, made for each round. Only ratios carry over to other machines.

`, r.Command, r.CPU, r.Go, r.Commit, r.OS, r.Arch, r.Procs, r.Date.Format("2 January 2006"),
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
	fmt.Fprint(w, "\nA floor with a star was set on a tool that is not a Go module and is carried over to the rival:\n\n")
	for _, l := range r.Lines {
		if l.Via != "" {
			fmt.Fprintf(w, "- %s: %s\n", l.Area, l.Via)
		}
	}
	_, err := fmt.Fprintf(w, `
"X's method" is X's way of doing it, written anew in this module where X itself cannot
be fetched (see bench/README.md). A "~" says that floor or goal lies within the quartiles of the ratio.
%d of %d lines are below their floor.
`, r.Missed(), len(r.Lines))
	return err
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
			Rounds int    `json:"rounds"`
			Procs  int    `json:"procs"`
			Docs   int    `json:"docs"`
			Corpus string `json:"corpus"`
		}{line, r.Machine, r.Date.Format(time.RFC3339), r.Rounds, r.Procs, r.Docs, r.Corpus}); err != nil {
			return err
		}
	}
	return nil
}
