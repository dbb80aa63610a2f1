package datasets

import "bytes"

// Parser takes the rows of a RawReader apart. It is not safe for concurrent use;
// several goroutines take a parser each. The zero value is ready.
type Parser struct {
	json jsonFields
}

// Row returns the document of a row and the record it comes from, as Reader would.
// The error of a bad row is a *BadRow.
func (p *Parser) Row(row RawRow) (Row, error) {
	rec, err := p.Record(row)
	if err != nil {
		return Row{}, err
	}
	f := row.file
	doc, err := f.src.document(&rec, f.in.id, f.many)
	if err != nil {
		return Row{}, &BadRow{rec.File, rec.Line, err}
	}
	return Row{rec, doc}, nil
}

// Record returns the fields of a row.
func (p *Parser) Record(row RawRow) (Record, error) {
	if row.err != nil {
		return Record{}, row.err
	}
	f := row.file
	rec := Record{File: f.in.name, Line: row.Line, Fields: row.fields}
	if rec.Fields != nil {
		return rec, nil
	}
	bad := func(err error) (Record, error) { return Record{}, &BadRow{f.in.name, row.Line, err} }
	line := row.Content()
	if f.format == "text" {
		line = row.Bytes
	}
	line, err := f.text(line)
	if err != nil {
		if f.format == "text" {
			row.Line += bytes.Count(line[:validPrefix(line)], []byte("\n"))
		}
		return bad(err)
	}
	switch f.format {
	case "jsonl", "folder":
		rec.Fields, err = p.json.fields(line)
	case "lines":
		rec.Fields = []Field{{Name: "text", Value: string(line)}}
	case "text":
		rec.Fields = []Field{{Name: "id", Value: f.in.id}, {Name: "text", Value: string(line)}}
	default:
		if err = f.header.check(bytes.Count(line, []byte("\t")) + 1); err == nil {
			rec, err = f.header.record(rec.File, rec.Line, splitTabs(line))
		}
	}
	if err != nil {
		return bad(err)
	}
	return rec, nil
}
