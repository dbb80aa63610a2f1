package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/alike-go/alike/eval/plots"
	"github.com/alike-go/alike/internal/charts"
	"github.com/alike-go/alike/internal/jsonl"
	"github.com/alike-go/alike/internal/terminal"
)

var formats = []string{"table", "json", "csv", "md"}

// checkFormat refuses a format that is neither one of all commands nor one of more.
func checkFormat(format string, more ...string) error {
	if all := slices.Concat(formats, more); !slices.Contains(all, format) {
		return fmt.Errorf("format %q, want %s", format, strings.Join(all, ", "))
	}
	return nil
}

// column is one column of a table: its head, and whether it is words (left) or a
// number (right).
type column struct {
	head  string
	words bool
}

// writeTable writes rows as a plain table, as Markdown or as CSV.
func writeTable(w io.Writer, format string, columns []column, rows [][]string) error {
	heads := make([]string, len(columns))
	align := make([]tw.Align, len(columns))
	for i, c := range columns {
		heads[i] = c.head
		align[i] = tw.AlignRight
		if c.words {
			align[i] = tw.AlignLeft
		}
	}
	if format == "csv" {
		cw := csv.NewWriter(w)
		cw.Write(heads)
		cw.WriteAll(rows)
		return cw.Error()
	}
	shown := make([][]string, len(rows)) // before widths are measured
	for i, row := range rows {
		for _, cell := range row {
			shown[i] = append(shown[i], terminal.Shown(w, cell))
		}
	}
	config := tablewriter.Config{
		Header: tw.CellConfig{Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}, Alignment: tw.CellAlignment{PerColumn: align}},
		Row:    tw.CellConfig{Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone}, Alignment: tw.CellAlignment{PerColumn: align}},
	}
	options := []tablewriter.Option{tablewriter.WithConfig(config), tablewriter.WithTrimSpace(tw.Off)}
	if format == "md" {
		options = append(options, tablewriter.WithRenderer(renderer.NewMarkdown()))
	} else {
		options = append(options,
			tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
				Borders:  tw.BorderNone,
				Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
			})),
			tablewriter.WithPadding(tw.Padding{Left: "", Right: "  ", Overwrite: true}),
		)
	}
	var out strings.Builder
	t := tablewriter.NewTable(&out, options...)
	t.Header(heads)
	if err := t.Bulk(shown); err != nil {
		return err
	}
	if err := t.Render(); err != nil {
		return err
	}
	// Padding behind the last column is white space at a line's end, which
	// diffs and goldens show and eyes do not.
	for line := range strings.Lines(out.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// writeRows writes rows in any format: as objects, or as a table of their cells.
func writeRows[T any](w io.Writer, format string, rows []T, columns []column, cells func(T) []string) error {
	if format == "json" {
		return jsonl.Encode(w, rows)
	}
	table := make([][]string, len(rows))
	for i, r := range rows {
		table[i] = cells(r)
	}
	return writeTable(w, format, columns, table)
}

// writePlots draws figures into a folder, and prints what is wrong with them.
func writePlots(stderr io.Writer, dir string, figures ...plots.Figure) error {
	warnings, err := plots.Write(dir, figures...)
	for _, w := range warnings {
		fmt.Fprintf(stderr, "alike: %s\n", w)
	}
	return err
}

// fixed prints a figure with a number of decimals, and "-" where it is undefined.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// bytesOf prints a number of bytes: exactly below a thousand, otherwise as short does.
func bytesOf(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return short(float64(n))
}

// short prints a speed or count with three digits and a unit prefix: 1.23k, 45.6M.
func short(v float64) string { return cmp.Or(charts.Short(v), "-") }
