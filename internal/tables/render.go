package tables

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"github.com/alike-go/alike/internal/terminal"
)

const (
	page      = 80 // columns of a table that is not wide
	gap       = "  "
	narrowest = 16 // columns of a cell that is broken into lines
	mostLines = 12 // of a cell; a wide table has the rest
)

// render writes a table, Markdown or LaTeX.
func (o Output) render(to io.Writer, columns []Column, rows [][]string) error {
	heads := make([]string, len(columns))
	for i, c := range columns {
		heads[i] = c.Head()
	}
	lines := make([][]string, 0, len(rows)+1)
	for _, row := range append([][]string{heads}, rows...) {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = o.cell(to, cell)
		}
		lines = append(lines, line)
	}
	columns, lines = o.defined(columns, lines)
	w := bufio.NewWriter(to)
	switch o.Format {
	case "latex":
		align := ""
		for _, c := range columns {
			align += map[bool]string{true: "l", false: "r"}[c.words()]
		}
		fmt.Fprint(w, "% needs \\usepackage{amssymb,booktabs}\n")
		if slices.ContainsFunc(lines, func(line []string) bool { return slices.ContainsFunc(line, beyondLatin) }) {
			fmt.Fprint(w, "% compile it with XeLaTeX or LuaLaTeX and a font that has all characters\n")
		}
		fmt.Fprintf(w, "\\begin{tabular}{%s}\n\\toprule\n", align)
		for i, line := range pad(columns, lines, "", " & ", ` \\`) {
			fmt.Fprintln(w, line)
			if i == 0 {
				fmt.Fprintln(w, `\midrule`)
			}
		}
		fmt.Fprint(w, "\\bottomrule\n\\end{tabular}\n")
	case "md":
		for i, line := range pad(columns, lines, "| ", " | ", " |") {
			fmt.Fprintln(w, line)
			if i > 0 {
				continue
			}
			for k, n := range widths(lines) {
				rule := strings.Repeat("-", n+1)
				if columns[k].words() {
					fmt.Fprint(w, "|:", rule)
				} else {
					fmt.Fprint(w, "|", rule, ":")
				}
			}
			fmt.Fprintln(w, "|")
		}
	default:
		left := []string(nil)
		if !o.Wide {
			columns, lines, left = o.fit(columns, lines)
		}
		for _, line := range pad(columns, lines, "", gap, "") {
			// Padding behind the last column is white space at a line's end.
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
		if len(left) > 0 {
			for _, line := range wrap("(--wide shows "+strings.Join(left, ", ")+")", page, len(left)) {
				fmt.Fprintln(w, line)
			}
		}
	}
	return w.Flush()
}

var (
	oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")
	inMD    = strings.NewReplacer("|", `\|`)
	inLatex = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`, "%", `\%`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
		"≈", `$\approx$`, "∩", `$\cap$`, "∪", `$\cup$`, "Σ", `$\Sigma$`, "π", `$\pi$`, "→", `$\to$`, "▲", `$\blacktriangle$`, "▼", `$\blacktriangledown$`, "≥", `$\geq$`, "≤", `$\leq$`)
)

// cell returns a cell as the format writes it. A line break is a space.
func (o Output) cell(to io.Writer, s string) string {
	s = oneLine.Replace(s)
	switch o.Format {
	case "md":
		s = inMD.Replace(s)
	case "latex":
		return latexCell(s)
	}
	return terminal.Shown(to, s)
}

// latexCell returns a cell in LaTeX. After \\ and \midrule a bracket begins an option,
// and a star has a meaning of its own. TeX joins pairs such as -- into one sign, which {}
// prevents. TeX refuses control characters.
func latexCell(s string) string {
	s = inLatex.Replace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
	var b strings.Builder
	if begins := strings.TrimLeft(s, " "); strings.HasPrefix(begins, "[") || strings.HasPrefix(begins, "*") {
		b.WriteString("{}")
	}
	for i := range len(s) {
		if i > 0 && slices.Contains(ligatures, s[i-1:i+1]) {
			b.WriteString("{}")
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

var ligatures = []string{"--", "``", "''", ",,", "?`", "!`"}

// beyondLatin reports whether a text has characters that pdfLaTeX does not know.
func beyondLatin(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxLatin1 && !strings.ContainsRune("–—…", r) })
}

// widths returns the width of each column.
func widths(lines [][]string) []int {
	out := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, c := range line {
			out[i] = max(out[i], displaywidth.String(c))
		}
	}
	return out
}

func total(widths []int) int {
	sum := len(gap) * (len(widths) - 1)
	for _, n := range widths {
		sum += n
	}
	return sum
}

// pad returns lines whose cells have the width of their column.
func pad(columns []Column, lines [][]string, before, between, behind string) []string {
	width := widths(lines)
	out := make([]string, len(lines))
	for k, line := range lines {
		cells := make([]string, len(line))
		for i, c := range line {
			fill := strings.Repeat(" ", width[i]-displaywidth.String(c))
			if cells[i] = fill + c; columns[i].words() {
				cells[i] = c + fill
			}
		}
		out[k] = before + strings.Join(cells, between) + behind
	}
	return out
}

// defined leaves out columns that are rarely read and of which no row has a figure.
func (o Output) defined(columns []Column, lines [][]string) ([]Column, [][]string) {
	if len(o.Columns) > 0 || len(lines) == 1 {
		return columns, lines
	}
	columns = slices.Clone(columns)
	for _, name := range slices.Concat(o.hide, o.fold) {
		name = strings.TrimPrefix(name, "+")
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Head() == name })
		if i >= 0 && !slices.ContainsFunc(lines[1:], func(line []string) bool { return line[i] != "-" }) {
			columns = without(i, columns, lines)
		}
	}
	return columns, lines
}

// without removes a column.
func without(i int, columns []Column, lines [][]string) []Column {
	for n := range lines {
		lines[n] = slices.Delete(lines[n], i, i+1)
	}
	return slices.Delete(columns, i, i+1)
}

// fit leaves out columns that are rarely read until the lines fit a page, and
// returns their names. If they still do not, it breaks the widest cells of words.
func (o Output) fit(columns []Column, lines [][]string) (_ []Column, _ [][]string, left []string) {
	width := widths(lines)
	gone := false // the column before
	for k, name := range slices.Concat(o.hide, o.fold) {
		name, tied := strings.CutPrefix(name, "+")
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Head() == name })
		if i < 0 || len(o.Columns) > 0 {
			continue
		}
		if gone = k < len(o.hide) || total(width) > page || tied && gone; !gone {
			continue
		}
		left = append(left, name)
		columns, width = without(i, columns, lines), slices.Delete(width, i, i+1)
	}
	least := slices.Repeat([]int{narrowest}, len(columns))
	for i, c := range columns {
		if c.words() {
			continue
		}
		least[i] = 0 // figures stay whole, and so do the words of their head
		for _, line := range lines[1:] {
			least[i] = max(least[i], displaywidth.String(line[i]))
		}
		for _, word := range strings.FieldsFunc(lines[0][i], func(r rune) bool { return strings.ContainsRune(parting, r) }) {
			least[i] = max(least[i], displaywidth.String(word)+1)
		}
	}
	for total(width) > page {
		widest := -1
		for i := range columns {
			if width[i] > least[i] && (widest < 0 || width[i] > width[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		width[widest]--
	}
	var out [][]string
	for _, line := range lines {
		broken := make([][]string, len(line))
		height := 1
		for i, c := range line {
			broken[i] = wrap(c, width[i], mostLines)
			height = max(height, len(broken[i]))
		}
		for k := range height {
			row := make([]string, len(line))
			for i := range line {
				if k < len(broken[i]) {
					row[i] = broken[i][k]
				}
			}
			out = append(out, row)
		}
	}
	return columns, out, left
}

// parting are the signs that a line may end with, the last one rather not.
const parting = " ,;/:"

// wrap breaks a cell into at most so many lines: behind a sign that parts words, if
// there is one behind the first third of the line.
func wrap(s string, width, most int) []string {
	var lines []string
	for displaywidth.String(s) > width {
		last := len(lines) == most-1
		room := width
		if last {
			room-- // for the ellipsis
		}
		end, at, after, colon := 0, 0, 0, 0
		for i, r := range s {
			next := i + len(string(r))
			if at += displaywidth.Rune(r); at > room || next > len(s) {
				break
			}
			if end = next; at > width/3 && r == ':' {
				colon = end
			} else if at > width/3 && strings.ContainsRune(parting, r) {
				after = end
			}
		}
		end = cmp.Or(after, colon, end)
		line := strings.TrimRight(s[:end], " ")
		switch {
		case last:
			return append(lines, line+"…")
		case end == 0: // a character that is wider than the column
			return append(lines, s)
		}
		lines, s = append(lines, line), strings.TrimLeft(s[end:], " ")
	}
	return append(lines, s)
}
