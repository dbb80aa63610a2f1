package datasets

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	if object := bytes.TrimLeft(head, " \t\r\n"); len(object) > 1 && object[0] == '{' {
		if next := bytes.TrimLeft(object[1:], " \t"); len(next) > 0 && (next[0] == '"' || next[0] == '}') {
			return "jsonl"
		}
	}
	return ""
}

// docFormat returns the format of a file of documents.
func docFormat(path string, head []byte) string {
	if f := contentFormat(head); f == "parquet" {
		return f
	}
	if f := FileFormat(path); f != "" {
		return f
	}
	if f := contentFormat(head); f != "" && filepath.Ext(path) == "" {
		return f
	}
	if path == "-" {
		return "lines"
	}
	return "text"
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

func isLabel(s string) bool { return s == "0" || s == "1" }

func isGrade(s string) bool {
	v, err := parseLabel([]byte(s))
	return err == nil && v <= 5
}

func isCount(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
