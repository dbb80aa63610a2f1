package tables

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"github.com/alike-go/alike/datasets"
)

type fruit struct {
	Name  string  `json:"name"`
	Grams float64 `json:"grams"`
	Note  string  `json:"note"`
}

var fruits = []fruit{{"梨", 178.5, "50% & <more>"}, {"fig_1", 40, "a|b\nc"}}

var fruitColumns = []Column{"<name", "grams", "<note"}

func fruitCells(f fruit) []string {
	return []string{f.Name, map[bool]string{true: "178.5", false: "40"}[f.Grams > 100], f.Note}
}

// Every format says the same in its own way.
func TestFormats(t *testing.T) {
	for format, want := range map[string]string{
		"table": "name   grams  note\n梨     178.5  50% & <more>\nfig_1     40  a|b c\n",
		"csv":   "name,grams,note\n梨,178.5,50% & <more>\nfig_1,40,\"a|b\nc\"\n",
		"jsonl": `{"name":"梨","grams":178.5,"note":"50% & <more>"}` + "\n" + `{"name":"fig_1","grams":40,"note":"a|b\nc"}` + "\n",
		"md": "| name  | grams | note         |\n|:------|------:|:-------------|\n" +
			"| 梨    | 178.5 | 50% & <more> |\n| fig_1 |    40 | a\\|b c       |\n",
		"latex": "% needs \\usepackage{amssymb,booktabs}\n% compile it with XeLaTeX or LuaLaTeX and a font that has all characters\n\\begin{tabular}{lrl}\n\\toprule\nname   & grams & note                                  \\\\\n\\midrule\n" +
			"梨     & 178.5 & 50\\% \\& \\textless{}more\\textgreater{} \\\\\nfig\\_1 &    40 & a\\textbar{}b c                        \\\\\n\\bottomrule\n\\end{tabular}\n",
	} {
		var b bytes.Buffer
		if err := Write(&b, Output{Format: format}, fruits, fruitColumns, fruitCells); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", format, err, &b, want)
		}
	}
	// TSV has no place for a line break, and says so.
	var b bytes.Buffer
	if err := Write(&b, Output{Format: "tsv"}, fruits, fruitColumns, fruitCells); err == nil {
		t.Errorf("a line break became %q", &b)
	}
}

// Cells that TeX would read as something else: pdfLaTeX and XeLaTeX of TeX Live 2022
// print each as it is.
func TestLatexCells(t *testing.T) {
	for cell, want := range map[string]string{
		"[a] b [c]":       "{}[a] b [c]", // an option of \\ and of \midrule
		"*a*":             "{}*a*",       // \\* is a command
		"--text a---b":    "-{}-text a-{}-{}-b",
		"``a'', 'b'":      "`{}`a'{}', 'b'",
		"a_1 & 50 % #x":   `a\_1 \& 50 \% \#x`,
		`\cmd {$m$} ~^`:   `\textbackslash{}cmd \{\$m\$\} \textasciitilde{}\textasciicircum{}`,
		"a?`b":            "a?{}`b",
		"\x1b[2J\x00汉字 é": "{} [2J 汉字 é",
	} {
		if got := latexCell(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
	for text, wants := range map[string]bool{"é – 1": false, "汉字": true, "≥ 1": false} {
		var b bytes.Buffer
		if err := Table(&b, Output{Format: "latex"}, []Column{"<a"}, [][]string{{text}}); err != nil || strings.Contains(b.String(), "XeLaTeX") != wants {
			t.Errorf("%s: %v\n%s", text, err, &b)
		}
	}
}

// What was written as Parquet reads as it was.
func TestParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fruits.parquet")
	w, err := Output{}.Create(path, fruitColumns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fruits {
		if err := w.Add(f, fruitCells(f)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	docs, err := datasets.ReadDocs(datasets.Source{Path: path, ID: "name", Text: []string{"note"}})
	if err != nil || len(docs) != 2 || docs[1] != (datasets.Doc{ID: "fig_1", Text: "a|b\nc"}) {
		t.Errorf("read %+v, %v", docs, err)
	}
}

func TestColumnsOut(t *testing.T) {
	for format, want := range map[string]string{
		"csv":   "note,name\n50% & <more>,梨\n\"a|b\nc\",fig_1\n",
		"jsonl": `{"note":"50% & <more>","name":"梨"}` + "\n" + `{"note":"a|b\nc","name":"fig_1"}` + "\n",
		"table": "note          name\n50% & <more>  梨\na|b c         fig_1\n",
	} {
		var b bytes.Buffer
		o := Output{Format: format, Columns: []string{"note", "name"}}
		if err := Write(&b, o, fruits, fruitColumns, fruitCells); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", format, err, &b, want)
		}
		o.Columns = []string{"weight"}
		err := Write(&b, o, fruits, fruitColumns, fruitCells)
		if err == nil || err.Error() != `there is no column "weight", want some of name, grams, note` {
			t.Errorf("%s: error %v, want one that names the columns", format, err)
		}
	}
}

// A table fits 80 columns: it leaves out what is rarely read, then breaks words.
func TestTableFitsAPage(t *testing.T) {
	long := strings.Repeat("minhash:size=128,", 6)
	o := Output{Format: "table"}.Fold("c", "a")
	rows := [][]string{{long, strings.Repeat("1", 30), strings.Repeat("2", 30), strings.Repeat("3", 30)}}
	columns := []Column{"<method", "a", "b", "c"}
	var b bytes.Buffer
	if err := Table(&b, o, columns, rows); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for line := range strings.Lines(got) {
		if n := len(strings.TrimSuffix(line, "\n")); n > 80 || strings.HasSuffix(line, " \n") {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
	if !strings.HasSuffix(got, "(--wide shows c, a)\n") || strings.Contains(got, "333") || !strings.Contains(got, strings.Repeat("2", 30)) {
		t.Errorf("not folded:\n%s", got)
	}
	if all := strings.Count(got, "minhash:size=128,"); all != 6 {
		t.Errorf("%d of 6 keys are whole:\n%s", all, got)
	}
	b.Reset()
	o.Wide = true
	if err := Table(&b, o, columns, rows); err != nil || !strings.Contains(b.String(), long+"  "+rows[0][1]) || strings.Contains(b.String(), "--wide") {
		t.Errorf("wide: %v\n%s", err, &b)
	}
	b.Reset()
	o = Output{Format: "table", Columns: []string{"a", "c"}}.Fold("c", "a")
	if err := Table(&b, o, columns, rows); err != nil || !strings.Contains(b.String(), "333") {
		t.Errorf("columns that were asked for are left out: %v\n%s", err, &b)
	}
}

// Heads of figures are broken before anything is lost, and figures never are.
func TestHeadsAreBroken(t *testing.T) {
	var b bytes.Buffer
	columns, row := []Column{"<what"}, []string{"x"}
	for range 8 {
		columns, row = append(columns, "candidates of one"), append(row, "123456789")
	}
	if err := Table(&b, Output{Format: "table"}, columns, [][]string{row}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	want := "what" + strings.Repeat("  candidates", 8)
	if !strings.HasPrefix(lines[0], "what  candidates") || strings.Count(b.String(), "123456789") != 8 || strings.Count(b.String(), "of one") != 8 {
		t.Errorf("%s\nwant %s first", &b, want)
	}
}

// A column that is rarely read goes if no row has a figure.
func TestUndefinedColumns(t *testing.T) {
	o := Output{Format: "md"}.Fold("AP")
	columns, rows := []Column{"<m", "AP", "F1"}, [][]string{{"x", "-", "-"}, {"y", "-", "-"}}
	for _, want := range []string{"| m | F1 |", "| m | AP | F1 |"} {
		var b bytes.Buffer
		if err := Table(&b, o, columns, rows); err != nil || !strings.HasPrefix(b.String(), want+"\n") {
			t.Errorf("%v:\n%s, want %s first", err, &b, want)
		}
		rows[1][1] = "1"
	}
}

// Wrapping loses nothing but the spaces that it breaks at.
func FuzzWrap(f *testing.F) {
	f.Add("the cat sat on the mat", 7)
	f.Add("白日依山尽，黄河入海流", 5)
	f.Add("a\xffb👩‍👩‍👧c", 3)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 2 || width > 100 {
			t.Skip()
		}
		got := strings.Join(wrap(s, width, len(s)+1), "")
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(got) != bare(s) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// Lines of prose are wrapped at spaces, but not commands, and not what need not fit.
func TestProse(t *testing.T) {
	long := strings.Repeat("twelve signs ", 12) // 12 words of 6 and 5 signs
	command := "  alike dedup " + long + "\n"
	for _, c := range []struct {
		o    Output
		want string
	}{
		{Output{Format: "table"}, "  " + strings.Repeat("twelve signs ", 5) + "twelve signs\n  " + strings.Repeat("twelve signs ", 5) + "twelve signs \n" + command},
		{Output{Format: "table", Wide: true}, "  " + long + "\n" + command},
		{Output{Format: "md"}, "  " + long + "\n" + command},
	} {
		var b bytes.Buffer
		w := c.o.Prose(&b)
		fmt.Fprintf(w, "  %s", long[:20])
		if fmt.Fprintf(w, "%s\n%s", long[20:], command); b.String() != c.want {
			t.Errorf("%v:\n%q\nwant\n%q", c.o, &b, c.want)
		}
	}
	for _, s := range []string{"汉字 " + strings.Repeat("汉", 39) + " b", strings.Repeat("x", 90), strings.Repeat("1234 % ", 13)} {
		got := fill(s)
		for line := range strings.SplitSeq(got, "\n") {
			if displaywidth.String(line) > page && strings.Contains(line, " ") || strings.HasPrefix(line, "%") {
				t.Errorf("%q is wider than a page, or begins with %%", line)
			}
		}
		if strings.ReplaceAll(got, "\n", " ") != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// Text around a table is left out of data, and a comment in LaTeX.
func TestSay(t *testing.T) {
	for format, want := range map[string]string{"table": "\n5 %\n", "md": "\n5 %\n", "latex": "% 5 %\n", "csv": "", "jsonl": "", "parquet": ""} {
		var b bytes.Buffer
		if err := (Output{Format: format}).Say(&b, "\n%d %%\n", 5); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v, want %q", format, &b, err, want)
		}
	}
}

// The name of a file says the format, and an unknown one makes no file.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{"a.tex": "\\begin{tabular}", "a.md": "| name", "a.txt": "name  ", "a.tsv": "name\tgrams\tnote\n"} {
		w, err := Output{Format: "csv"}.Create(filepath.Join(dir, name), fruitColumns...)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(fruits[0], fruitCells(fruits[0])); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := (Output{}).Create(filepath.Join(dir, "a.docx"), fruitColumns...); err == nil || !strings.Contains(err.Error(), `".docx"`) {
		t.Errorf("error %v, want one that names the ending", err)
	}
}
