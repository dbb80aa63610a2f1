package local

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// Made is the folder that a run made, for programs that show it.
type Made struct {
	Report Report

	dir    string
	starts []int                    // the first row of each source
	names  func(file string) string // where a text stands in a folder, or nil
}

// OpenMade reads the report in a folder that a run made. Errors name the folder
// and have no prefix.
func OpenMade(dir string) (*Made, error) {
	r, err := readReport(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not what a deduplication has made: it has no %s", dir, reportFile)
	}
	if err != nil {
		return nil, err
	}
	m := &Made{Report: *r, dir: dir}
	total := 0
	for _, s := range r.Sources {
		m.starts = append(m.starts, total)
		total += s.Rows
	}
	if info, err := os.Stat(filepath.Join(dir, "kept")); err == nil && info.IsDir() && len(m.starts) > 0 {
		var paths []string
		for _, s := range r.Sources {
			paths = append(paths, s.Path)
		}
		m.names = fileNames(paths, r.Sources[0].Rows > 1)
	}
	return m, nil
}

// File returns the id that Documents gives to the text that was read at a place,
// which Removal.At and Kept.At hold. Documents lists texts in the order of these
// ids, not in that of the run. The result is empty if documents are rows of a file:
// Documents lists these in the order of the run. If sources mix paths from the
// root with others, the id holds only in the working folder of the run.
func (m *Made) File(at string) string {
	if m.names == nil {
		return ""
	}
	return m.names(at[:max(0, strings.LastIndexByte(at, ':'))])
}

// Row returns the number of a row among the rows of all sources, from 0. It
// returns an error if the report has no such row.
func (m *Made) Row(ref dedup.Ref) (int, error) {
	if ref.Source < 0 || ref.Source >= len(m.starts) {
		return 0, fmt.Errorf("source %d, want one of %d", ref.Source, len(m.starts))
	}
	if n := m.Report.Sources[ref.Source].Rows; ref.Row < 0 || ref.Row >= n {
		return 0, fmt.Errorf("row %d, want one of %d", ref.Row, n)
	}
	return m.starts[ref.Source] + ref.Row, nil
}

// Removals calls do for each removal in why.jsonl, or in why-*.jsonl if there are pieces.
// line is its line, counted from 1, and row is the removed row's number, as Row returns
// it. Every error names the line, including an error of do.
func (m *Made) Removals(do func(line, row int, w *Removal) error) (err error) {
	names, err := pieces(m.dir, "why", ".jsonl")
	for _, name := range names {
		err = cmp.Or(err, m.removals(filepath.Join(m.dir, name), do))
	}
	return err
}

// pieces returns the names of the outputs of a kind with an ending: one file, or several
// if they were written in pieces.
func pieces(dir, kind, ending string) ([]string, error) {
	names, err := datasets.Pieces(dir, kind)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ending) })
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s holds no %s%s", dir, kind, ending)
	}
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return names, nil
}

func (m *Made) removals(name string, do func(line, row int, w *Removal) error) (err error) {
	r, err := openReasons(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	for ; r.ok; err = r.read() {
		if err != nil {
			return err
		}
		row, err := m.Row(r.at.Ref)
		if err == nil {
			err = do(r.line, row, &r.at)
		}
		if err != nil {
			return fmt.Errorf("dedup: %s:%d: %w", r.f.Name(), r.line, err)
		}
	}
	return err
}

// Documents opens the documents that the run kept or removed: part is "kept" or
// "removed". src says how they are read, or else the report does; its path, name and
// format are ignored. The reader is nil if the run wrote no such documents, or wrote
// them in pieces.
func (m *Made) Documents(part string, src datasets.Source) (*datasets.Reader[datasets.Row], error) {
	found, err := datasets.Pieces(m.dir, part)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	if len(found) != 1 {
		return nil, nil
	}
	src.Path, src.Name, src.Format, src.Input = filepath.Join(m.dir, found[0]), "", "", nil
	src = src.As(m.Report.Reading)
	f, err := os.Open(src.Path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		src.Format, src.PathIDs = "text", false // each document was a file
		_, err = f.Readdirnames(1)
	} else if err == nil && info.Size() == 0 {
		err = io.EOF
	} else if name := strings.TrimSuffix(strings.TrimSuffix(src.Path, ".gz"), ".zst"); strings.HasSuffix(name, ".txt") {
		src.Format = "lines" // documents that were files are in a folder
	}
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return datasets.Open(src)
}
