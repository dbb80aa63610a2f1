package datasets

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// byExtension are the formats that the name of a file tells.
var byExtension = map[string]string{
	".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
	".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".parquet": "parquet",
}

// FileFormat returns the format that the name of a file tells (jsonl, csv, tsv or
// parquet), whatever compression it names. It returns "" if the name tells none:
// then the name is perhaps that of a folder.
func FileFormat(path string) string { return byExtension[extension(strings.ToLower(path))] }

// packed returns the compression that the name of a file tells: gz, zst or "".
func packed(name string) string {
	switch ext := filepath.Ext(name); ext {
	case ".gz", ".zst":
		return ext[1:]
	}
	return ""
}

// unpacked returns the name of a file without the ending of its compression.
func unpacked(name string) string { return strings.TrimSuffix(name, "."+packed(name)) }

// extension returns the ending of the name of a file that may be compressed.
func extension(name string) string { return filepath.Ext(unpacked(name)) }

// parquetMagic is what a Parquet file begins and ends with.
const parquetMagic = "PAR1"

// contentFormat returns parquet or jsonl if the file begins like one, or "".
func contentFormat(head []byte) string {
	if bytes.HasPrefix(head, []byte(parquetMagic)) {
		return "parquet"
	}
	object := bytes.TrimLeft(head, " \t\r\n")
	if array, ok := bytes.CutPrefix(object, []byte("[")); ok { // for its error says what to do
		object = bytes.TrimLeft(array, " \t\r\n")
	}
	if len(object) > 1 && object[0] == '{' {
		if next := bytes.TrimLeft(object[1:], " \t\r\n"); len(next) > 0 && (next[0] == '"' || next[0] == '}') {
			return "jsonl"
		}
	}
	return ""
}

// docFormat returns the format of a file of documents. told is false if the name of
// the file leaves it open, as that of a .txt does, which may have a document a line.
func (src *Source) docFormat(path string, head []byte, all bool) (format string, told bool) {
	content := contentFormat(head)
	switch format = FileFormat(path); {
	case content == "parquet":
		return content, format == content
	case src.Delimiter != "" && format != "jsonl":
		return "csv", true
	case format != "":
		return format, true
	case extension(path) != "":
		return "text", !textLike(path) || bytes.Count(head, []byte("\n")) < 2
	case content == "":
		content = src.tableFormat(head, all)
	}
	switch {
	case content != "":
		return content, false
	case path == "-":
		return "lines", false
	}
	return "text", false
}

// tableFormat returns csv or tsv if a file begins with a header that has the
// columns of the source, or with lines that all have the same number of fields. In
// csv the first line must then hold names. It returns "" otherwise.
func (src *Source) tableFormat(head []byte, all bool) string {
	if end := bytes.LastIndexByte(head, '\n'); !all && end >= 0 {
		head = head[:end+1]
	}
	commas := csv.NewReader(bytes.NewReader(head))
	commas.FieldsPerRecord = -1
	var rows [][]string
	for row, err := commas.Read(); err == nil && len(rows) < 20; row, err = commas.Read() {
		rows = append(rows, row)
	}
	switch tabs := firstLines(head, true, 20); {
	case src.isTable(tabs, func([]string) bool { return true }):
		return "tsv"
	case src.isTable(rows, areNames):
		return "csv"
	}
	return ""
}

// isTable reports whether rows are the beginning of a table.
func (src *Source) isTable(rows [][]string, header func([]string) bool) bool {
	if len(rows) == 0 || len(rows[0]) < 2 {
		return false
	}
	other := func(row []string) bool { return len(row) != len(rows[0]) }
	switch {
	case src.Columns != nil:
		return len(src.Columns) == len(rows[0])
	case hasColumns(rows[0], src.wanted(), false) == nil:
		return true
	}
	return len(rows) > 1 && !slices.ContainsFunc(rows, other) && header(rows[0])
}

// areNames reports whether the fields of a row can be names of columns: different
// ones, short, and without the space that follows a comma in prose.
func areNames(row []string) bool {
	for i, name := range row {
		first, _ := utf8.DecodeRuneInString(name)
		if first != '_' && first != '#' && !unicode.IsLetter(first) || utf8.RuneCountInString(name) > 40 ||
			strings.ContainsAny(name, "!?:;\n") || strings.HasSuffix(name, ".") || slices.Contains(row[:i], name) {
			return false
		}
	}
	return true
}

// The names that columns of pairs usually have, the columns of the public data
// sets among them. The first that a file has is taken.
var (
	usualText1 = []string{"text1", "sentence1", "question1", "text_a", "#1 String", "s1"}
	usualText2 = []string{"text2", "sentence2", "question2", "text_b", "#2 String", "s2"}
	usualLabel = []string{"label", "is_duplicate", "Quality", "score", "similarity", "grade"}
	usualID1   = []string{"id1", "#1 ID"}
	usualID2   = []string{"id2", "#2 ID"}
)

// firstOf returns the first of the names that is a column, or "".
func firstOf(columns, names []string) string {
	for _, n := range names {
		if slices.Contains(columns, n) {
			return n
		}
	}
	return ""
}

// namesPairs reports whether the columns have the names of two texts.
func namesPairs(columns []string) bool {
	return firstOf(columns, usualText1) != "" && firstOf(columns, usualText2) != ""
}

// pairFormat returns the format of a file of pairs. The extension comes last,
// because STS Benchmark calls tab-separated files .csv and others .txt.
func pairFormat(path string, head []byte, all bool) string {
	if f := contentFormat(head); f != "" {
		return f
	}
	lines := firstLines(head, all, 20)
	if len(lines) == 0 {
		return FileFormat(path)
	}
	switch first := lines[0]; {
	case slices.Contains(first, "#1 String"):
		return "mrpc"
	case slices.Contains(first, "is_duplicate"):
		return "qqp"
	case slices.Equal(first, []string{"id", "sentence1", "sentence2", "label"}):
		return "paws"
	case namesPairs(first):
		return "tsv"
	case mostLines(lines, func(f []string) bool { return len(f) >= 7 && isGrade(f[4]) }):
		return "stsb"
	case mostLines(lines, func(f []string) bool { return len(f) == 3 && isLabel(f[2]) }):
		return "lcqmc"
	case mostLines(lines, func(f []string) bool { return len(f) == 3 && isGrade(f[2]) }):
		return "stsb"
	case mostLines(lines, func(f []string) bool { return len(f) == 4 && isLabel(f[0]) && isCount(f[3]) }):
		return "qqp"
	}
	if f := FileFormat(path); f != "" {
		return f
	}
	if bytes.IndexByte(head, ',') >= 0 && len(lines[0]) == 1 {
		return "csv"
	}
	return "tsv"
}

// mostLines reports whether most of the lines have a property: one damaged line
// must not make another format of a file.
func mostLines(lines [][]string, has func(fields []string) bool) bool {
	n := 0
	for _, f := range lines {
		if has(f) {
			n++
		}
	}
	return 10*n > 8*len(lines)
}

func isLabel(s string) bool {
	_, word := words[strings.ToLower(s)]
	return word || s == "0" || s == "1"
}

func isGrade(s string) bool {
	v, err := ParseLabel(s)
	return err == nil && v <= 5
}

func isCount(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
