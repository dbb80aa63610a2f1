package datasets

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// opened is a file that is being read.
type opened struct {
	rows
	*stream
	format  string
	columns []string // nil if every row names its own
	closer  io.Closer
}

// Close closes what is open.
func (o *opened) Close() error {
	if o.closer == nil {
		return o.stream.Close()
	}
	return errors.Join(o.closer.Close(), o.stream.Close())
}

// open opens one file of the source. The format is a resolved one if it is not
// empty; pairs says what an empty one is looked for.
func (src *Source) open(in input, pairs bool) (*opened, error) {
	size := sniffed
	if src.Format == "text" {
		size = 1 << 16 // nothing to find out, and a folder may hold many
	}
	var stdin io.Reader
	if in.path == "-" {
		if stdin = src.Input; stdin == nil {
			return nil, errors.New(`datasets: the path is "-", but Input is nil`)
		}
	}
	s, err := openStream(in.path, in.name, stdin, size)
	if err != nil {
		return nil, err
	}
	o, err := src.rowsOf(s, in, pairs)
	if err != nil {
		s.Close()
		return nil, err
	}
	return o, nil
}

func (src *Source) rowsOf(s *stream, in input, pairs bool) (*opened, error) {
	format := src.Format
	if format == "" {
		head, all := s.head()
		if pairs {
			format = pairFormat(in.path, head, all)
		} else {
			format = docFormat(in.path, head)
		}
	}
	lossy := src.Lossy || format == "qqp"
	o := &opened{stream: s, format: format}
	switch format {
	case "jsonl", "folder":
		o.rows = &jsonRows{lineReader: newLineReader(s, lossy)}
	case "lines":
		o.rows = lineRows{newLineReader(s, lossy)}
	case "text":
		o.rows = &wholeRows{s: s, id: in.id, lossy: lossy}
	case "parquet":
		p, err := openParquet(s, lossy)
		if err != nil {
			return nil, err
		}
		o.rows, o.columns, o.closer = p, p.columns(), p
	default:
		if err := src.openTable(o, lossy); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// openTable finds the columns of a table: those of the source, of the format, or
// of the header.
func (src *Source) openTable(o *opened, lossy bool) error {
	s, format := o.stream, o.format
	head, all := s.head()
	lines := firstLines(head, all, 1)
	if len(lines) == 0 {
		if _, err := s.Peek(1); err != nil && err != io.EOF {
			return fmt.Errorf("datasets: %s:1: damaged or cut short: %w", s.name, err)
		}
		return fmt.Errorf("datasets: %s:1: no header: the file is empty", s.name)
	}
	h := src.headerOf(format, lines[0])
	quoted, comma := src.quoting(format, head)
	if quoted {
		q := newQuotedRows(s, comma, lossy)
		if q.header = h; h.names == nil {
			values, _, err := q.values()
			if err != nil {
				return err
			}
			q.names = slices.Clone(values)
		}
		o.rows, o.columns = q, q.names
		return nil
	}
	p := &plainRows{newLineReader(s, lossy), h}
	for p.names == nil {
		line, err := p.lineReader.next()
		if err != nil {
			return err
		}
		if len(line) > 0 {
			p.names = strings.Split(string(line), "\t")
		}
	}
	o.rows, o.columns = p, p.names
	return nil
}

// headerOf returns the columns of a table whose first line is given, or none where
// that line holds them.
func (src *Source) headerOf(format string, first []string) header {
	if src.Columns != nil {
		return header{names: src.Columns}
	}
	return headerless(format, first)
}

// quoting returns whether the fields of a table may stand in quotes, and what
// parts them then.
func (src *Source) quoting(format string, head []byte) (quoted bool, comma rune) {
	switch format {
	case "csv":
		return true, ','
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
	case src.SkipBad < 0:
		return fmt.Errorf("datasets: SkipBad is %d, want 0 or more", src.SkipBad)
	case src.Path == "":
		return errors.New("datasets: Path is empty")
	}
	return nil
}
