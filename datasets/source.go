package datasets

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Source says what to read and how. Only Path is needed: the rest has defaults
// that suit most files, or is found in the file.
type Source struct {
	// Path is a file, a folder, or "-" for Input. A file may be compressed with
	// gzip or zstd, whatever its name.
	Path string

	// Name is what records and errors call the source where Path is a file or "-".
	// Empty means Path.
	Name string

	// Input is what the path "-" reads: usually os.Stdin.
	Input io.Reader `json:"-"`

	// Context, if set, ends the reading: once it is done, Next returns its
	// cause before another million bytes are read. A read of Input that blocks
	// is not interrupted.
	Context context.Context `json:"-"`

	// MaxDocument is the maximum size of a document in bytes: of its row as it
	// stands in the file, decompressed. A larger one is a bad row. Zero means
	// DefaultMaxDocument, which is also the highest value.
	//
	// A reader holds one row of up to four times that size. RawReader, and every
	// reader of a table with quoted fields, ends with a *SizeError at a larger
	// row. RawReader ends at more than 16 MiB of empty lines before a row.
	// Pages of Parquet files and windows of zstd are held whole: they may have
	// 64 MiB, or as much as a row if that is more.
	MaxDocument int64

	// Format is one of Formats. Empty means that the name of the file and its
	// first bytes decide.
	Format string

	// OnFormat, if set, is called with the format of a file whose name does not
	// tell it: the standard input, a name without ending, or a .txt of several
	// lines, which is one document. Files of a folder are not told.
	OnFormat func(file, format string) `json:"-"`

	// Encoding is what the files are in, by a name that IANA or the web knows:
	// GB18030, UTF-16, latin1. Empty means UTF-8. Rows are in UTF-8 then, and so is
	// what a Copier writes of them. A file that would not be the same bytes again
	// if it were converted back is an error, unless the source is lossy.
	Encoding string

	// Delimiter is the character between the fields of a CSV file. Empty means a
	// comma.
	Delimiter string

	// ID, Text, Lang, Text1, Text2 and Label name columns. In JSONL and Parquet they may
	// be paths: doc.body.text is a member of a member, and pages[].text the texts of
	// all elements of an array, joined by line feeds. A column of just that name
	// goes first.

	// ID names the column that identifies a document. Empty means "id" if there is
	// such a column. Without one the number of the line is the id, and in a folder
	// of several files the name of the file, a colon and that number.
	ID string

	// PathIDs puts the path of the file before the ids that are made because a
	// document states none, also where there is one file only. It keeps such ids
	// apart where documents of several sources meet.
	PathIDs bool

	// Text names the columns that make up the text of a document, joined by line
	// feeds. Empty means "text".
	Text []string

	// Lang names the column of the language. Empty means "lang" if there is such a
	// column.
	Lang string

	// Text1, Text2 and Label name the columns of a pair of texts; ID1 and ID2,
	// which may stay empty, the ids of the two. Empty means the first names of a
	// list of usual ones that the file has, such as sentence1, sentence2, label.
	Text1, Text2, Label, ID1, ID2 string

	// Positive is the label of pairs that are alike; with any other a pair is not
	// alike. Empty means that labels are numbers, or words such as yes and no.
	Positive string

	// Columns names the columns of a CSV or TSV file that has no header line.
	Columns []string

	// Quotes says whether fields of a TSV file may stand in quotes, as in CSV:
	// "csv" or "none". Empty means that the first million bytes decide.
	Quotes string

	// HTML takes texts for HTML and keeps the text that a reader would see.
	HTML bool

	// Lossy reads bytes that are no UTF-8 as U+FFFD. Otherwise they make a bad
	// row; but the format qqp is always lossy, because the published files hold
	// broken bytes.
	Lossy bool

	// AlikeFrom is the grade from which a pair of a graded set counts as alike.
	// Zero means 4, the step "equivalent" of the scale 0 to 5.
	AlikeFrom float64

	// SkipBad is the number of bad rows to skip. The next one is an error.
	SkipBad int

	// OnBad, if set, is called with the *BadRow of every bad row that is
	// skipped.
	OnBad func(error) `json:"-"`
}

// Formats returns what Source.Format may be: the generic formats, then the
// public data sets.
//
//   - jsonl: one JSON object a line
//   - csv, tsv: a table with a header line; TSV with or without quoting
//   - parquet: a Parquet file, whose rows are counted as lines
//   - lines: a document a line
//   - text: the whole file is one document; in a folder every file, by its path
//     within the folder as id
//   - folder: the layout of this package
//   - mrpc: Microsoft Research Paraphrase Corpus: header, no quoting, its own ids
//   - qqp: Quora Question Pairs: the official download with its quotes, that of
//     GLUE without, or label, question1, question2 and id without a header
//   - stsb: STS Benchmark: no header, seven columns or more, tab-separated also
//     where the name ends in .csv; GLUE's with a header; or text, text and grade
//   - lcqmc: LCQMC and BQ: text, text and label, with or without a header
//   - paws: PAWS and PAWS-X: header id, sentence1, sentence2, label; no quoting
func Formats() []string {
	return []string{"jsonl", "csv", "tsv", "parquet", "lines", "text", "folder", "mrpc", "qqp", "stsb", "lcqmc", "paws"}
}

// Field is one field of a row.
type Field struct {
	// Name is the name of the column.
	Name string

	// Value is the field as text: a JSON string without its quotes and escapes;
	// numbers, objects and other values as they are written; null as nothing.
	Value string

	// JSON is the value as a JSON file writes it, or as it has to be written so
	// that a number stays a number. It is empty for the fields of formats that
	// know texts only.
	JSON string
}

// nested reports whether the value is an object or an array.
func (f *Field) nested() bool {
	return strings.HasPrefix(f.JSON, "{") || strings.HasPrefix(f.JSON, "[")
}

// Record is where a row stands in its source, and all that it holds.
type Record struct {
	// File is the path that the source names, with the name of the file within a
	// folder; "-" for the standard input.
	File string

	// Line is the line that the row begins in, counted from 1, or the number of
	// the row in a Parquet file. A document that is a whole file is at line 1.
	Line int

	// Fields are all fields of the row in their order, those that no column of
	// the source names too.
	Fields []Field
}

// Get returns the value of the last field of a name, and whether there is one.
func (r Record) Get(name string) (string, bool) {
	if f := r.field(name); f != nil {
		return f.Value, true
	}
	return "", false
}

// Names returns the names of the fields.
func (r Record) Names() []string {
	names := make([]string, len(r.Fields))
	for i := range r.Fields {
		names[i] = r.Fields[i].Name
	}
	return names
}

func (r Record) field(name string) *Field {
	for i := len(r.Fields) - 1; i >= 0; i-- {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	if isPath(name) {
		return r.nested(name)
	}
	return nil
}

// BadRow is the error of one malformed row. Rows after it can be read.
type BadRow struct {
	File string
	Line int
	Err  error
}

// Error returns the file, the line and what was wanted.
func (b *BadRow) Error() string { return fmt.Sprintf("datasets: %s:%d: %v", b.File, b.Line, b.Err) }

// Unwrap returns the error without the place.
func (b *BadRow) Unwrap() error { return b.Err }

// names quotes the names of columns for an error. Names may be whatever a file
// holds, so long ones and many are cut short.
func names(columns []string) string {
	const most, longest = 50, 100
	quoted := make([]string, min(len(columns), most))
	for i := range quoted {
		if c := columns[i]; len(c) > longest {
			quoted[i] = fmt.Sprintf("%q...", c[:longest])
		} else {
			quoted[i] = fmt.Sprintf("%q", c)
		}
	}
	out := strings.Join(quoted, ", ")
	if more := len(columns) - most; more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}
