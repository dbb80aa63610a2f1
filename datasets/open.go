package datasets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// openFile is a file that is being read, row by row.
type openFile struct {
	*stream
	*rawFile
	keep   bool // the bytes of the rows are wanted
	layout Layout
	cut    cutter
	closed bool
	unfit  error // what is wrong with the one row of a file
}

// cutter cuts a file into rows. A bad row, which only cutters that parse find,
// is not an error of next. At the end of the file the layout is complete.
type cutter interface{ next() (RawRow, error) }

// Close closes what is open.
func (o *openFile) Close() error {
	if p, ok := o.cut.(*parquetCutter); ok {
		return errors.Join(p.Close(), o.stream.Close())
	}
	return o.stream.Close()
}

// next returns the next row. After a *BadRow in its err the next row can be
// read; every error of next, io.EOF among them, ends the file.
func (o *openFile) next() (RawRow, error) {
	row, err := o.cut.next()
	if err != nil {
		return RawRow{}, err
	}
	row.file = o.rawFile
	o.layout.Rows++
	if n := row.Size(); row.err == nil && n > o.src.maxDocument() {
		row.err = &BadRow{o.name, row.Line, &SizeError{Bytes: n, Max: o.src.maxDocument()}}
	}
	if row.err == nil && o.unfit != nil {
		row.err = &BadRow{o.name, row.Line, o.unfit}
	}
	return row, nil
}

// opening says how a file is opened.
type opening struct {
	pairs bool    // an unnamed format is one of pairs
	many  bool    // the source has several files
	keep  bool    // the bytes of the rows are wanted
	like  *Layout // see OpenLike
}

// open opens one file of the source. The format is a resolved one if it is not
// empty.
func (src *Source) open(in File, how opening) (*openFile, error) {
	size := sniffed
	if src.Format == "text" {
		size = 1 << 16 // nothing to find out, and a folder may hold many
	}
	var stdin io.Reader
	if in.Path == "-" {
		if stdin = src.Input; stdin == nil {
			return nil, errors.New(`datasets: the path is "-", but Input is nil`)
		}
	}
	s, err := openStream(src, in.Path, in.Name, stdin, size)
	if err != nil {
		return nil, err
	}
	format := src.Format
	if format == "" {
		head, all := s.head()
		if how.pairs {
			format = pairFormat(in.Path, head, all)
		} else {
			var told bool
			if format, told = src.docFormat(in.Path, head, all); !told && src.OnFormat != nil && !how.many {
				src.OnFormat(in.Name, format)
			}
		}
	}
	o := &openFile{
		stream:  s,
		rawFile: &rawFile{src: src, in: in, many: how.many, format: format, lossy: src.Lossy || format == "qqp"},
		keep:    how.keep,
		layout:  Layout{File: in.Name, Format: format, Pack: s.packing(), BOM: s.bom},
	}
	if err := o.begin(how); err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

// begin checks the encoding, makes the cutter and checks the columns.
func (o *openFile) begin(how opening) error {
	if how.like == nil && o.format != "parquet" {
		if o.unfit = o.binary; o.unfit == nil {
			head, _ := o.Peek(sampled) // damage shows when it is read
			o.unfit = checkEncoding(head)
		}
		if o.unfit != nil && o.format != "text" {
			return fmt.Errorf("datasets: %s:1: %w", o.name, o.unfit)
		}
	}
	var err error
	switch o.format {
	case "jsonl", "folder":
		o.layout.Format = "jsonl"
		o.cut = &lineCutter{openFile: o, blank: isBlankJSON}
	case "lines":
		o.cut = &lineCutter{openFile: o, blank: isEmpty}
	case "text":
		o.cut = &lineCutter{openFile: o, whole: true}
	case "parquet":
		most := o.src.maxBlock()
		if how.like != nil {
			most = maxFile // Copier wrote it: the directory holds two texts of each row group
		}
		err = o.openParquet(most)
	default:
		err = o.openTable(how.like)
	}
	if err != nil || o.header.names == nil || how.like != nil {
		return err
	}
	if how.pairs {
		o.pair, err = o.src.pairColumns(o.header.names, o.format == "parquet")
	} else {
		err = hasColumns(o.header.names, o.src.wanted(), o.format == "parquet")
	}
	if err != nil {
		return fmt.Errorf("datasets: %s:1: %w", o.name, err)
	}
	return nil
}

// openTable finds the columns of a table: those of the source, of the format, or
// of the header.
func (o *openFile) openTable(like *Layout) error {
	head, all := o.head()
	lines := firstLines(head, all, 1)
	switch {
	case like != nil:
		if len(like.Header) == 0 || len(lines) == 0 {
			o.header.names = []string{} // the first line is a row
		}
	case len(lines) == 0:
		if _, err := o.Peek(1); err != nil && err != io.EOF {
			return ended(o.name+":1", err)
		}
		if !all {
			return fmt.Errorf("datasets: %s:1: no header in the first %d bytes", o.name, len(head))
		}
		return fmt.Errorf("datasets: %s:1: no header: the file is empty", o.name)
	default:
		if o.header.names = o.src.Columns; o.header.names == nil {
			o.header = headerless(o.format, lines[0])
		}
	}
	o.quoted, o.comma = o.src.quoting(o.format, head)
	o.layout.Quoted = o.quoted
	if o.format == "csv" {
		o.layout.Delimiter = o.src.Delimiter
	}
	c := &lineCutter{openFile: o, blank: isEmpty}
	o.cut = c
	if o.header.names != nil {
		return nil
	}
	row, err := c.next()
	if err == nil {
		err = row.err
	}
	if err != nil {
		return err
	}
	row.file = o.rawFile
	o.layout.Header = bytes.Clone(row.Bytes)
	line := row.Content()
	if like == nil && !o.quoted {
		line, err = o.text(line)
	}
	if err == nil {
		o.header.names, err = new(Parser).values(&row, line)
	}
	if err != nil {
		return &BadRow{o.name, row.Line, err}
	}
	return nil
}

// quoting returns whether the fields of a table may stand in quotes, and what
// separates them.
func (src *Source) quoting(format string, head []byte) (quoted bool, comma byte) {
	switch format {
	case "csv":
		return true, cmp.Or(src.Delimiter, ",")[0]
	case "tsv", "qqp":
		return src.Quotes == "csv" || src.Quotes == "" && hasQuotes(head, '\t'), '\t'
	}
	return false, '\t'
}

// headerless returns the columns of a file without a header in the published
// form of a data set; first is the first line. It returns no columns for a file
// that has a header.
func headerless(format string, first []string) header {
	last := first[len(first)-1]
	switch {
	case format == "qqp" && len(first) == 4 && isLabel(first[0]):
		return header{names: []string{"is_duplicate", "question1", "question2", "id"}}
	case format == "stsb" && len(first) >= 7 && isGrade(first[4]):
		// Some lines have one or two further columns: the licence of the texts.
		return header{[]string{"genre", "filename", "year", "id", "score", "sentence1", "sentence2"}, true}
	case format == "stsb" && len(first) == 3 && isGrade(last):
		return header{names: []string{"sentence1", "sentence2", "score"}}
	case format == "lcqmc" && !namesPairs(first):
		return header{names: []string{"text_a", "text_b", "label"}}
	}
	return header{}
}

// check reports bad settings.
func (src *Source) check() error {
	switch {
	case src.Format != "" && !slices.Contains(Formats(), src.Format):
		return fmt.Errorf("datasets: Format is %q, want one of %s", src.Format, names(Formats()))
	case src.Quotes != "" && src.Quotes != "csv" && src.Quotes != "none":
		return fmt.Errorf(`datasets: Quotes is %q, want "csv" or "none"`, src.Quotes)
	case len(src.Delimiter) > 1 || strings.ContainsAny(src.Delimiter, "\"\r\n") || src.Delimiter > "\x7f":
		return fmt.Errorf("datasets: Delimiter is %q, want one ASCII character", src.Delimiter)
	case src.SkipBad < 0:
		return fmt.Errorf("datasets: SkipBad is %d, want 0 or more", src.SkipBad)
	case src.MaxDocument < 0 || src.MaxDocument > DefaultMaxDocument:
		return fmt.Errorf("datasets: MaxDocument is %d, want 0 to %d", src.MaxDocument, DefaultMaxDocument)
	case src.Path == "":
		return errors.New("datasets: Path is empty")
	}
	if src.Encoding != "" {
		_, err := charset(src.Encoding)
		return err
	}
	return nil
}
