package local

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// sink is where rows go: the kept ones or the removed ones.
type sink interface {
	write(row datasets.RawRow, p *datasets.Parser) error
	close() error
}

// nowhere takes rows that are not written.
type nowhere struct{}

func (nowhere) write(datasets.RawRow, *datasets.Parser) error { return nil }
func (nowhere) close() error                                  { return nil }

// copied writes rows as they are.
type copied struct {
	*datasets.Copier
	f *aside
}

// newCopied makes a file for rows like those of a source.
func newCopied(path string, like datasets.Source) (*copied, error) {
	r, err := datasets.OpenRaw(like)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, err := create(path)
	if err != nil {
		return nil, err
	}
	c, err := datasets.NewCopier(f, r)
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return &copied{c, f}, nil
}

func (c *copied) write(row datasets.RawRow, _ *datasets.Parser) error { return c.Write(row) }
func (c *copied) close() error                                        { return errors.Join(c.Copier.Close(), c.f.close()) }

// CountColumn is the name of the column that Options.Counts adds.
const CountColumn = "cluster_size"

var countColumn = datasets.Column{Name: CountColumn, Zero: int64(0)}

// counted is copied with the size of the cluster.
type counted struct {
	*datasets.Extender
	f    *aside
	size int // of the row to write
}

func newCounted(path string, like datasets.Source) (*counted, error) {
	r, err := datasets.OpenRaw(like)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, err := create(path)
	if err != nil {
		return nil, err
	}
	e, err := datasets.NewExtender(f, r, countColumn)
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return &counted{Extender: e, f: f}, nil
}

func (c *counted) write(row datasets.RawRow, _ *datasets.Parser) error {
	return c.Write(row, int64(c.size))
}
func (c *counted) close() error { return errors.Join(c.Extender.Close(), c.f.close()) }

// converted writes the fields of rows in another format. Parquet without a row
// has no columns, so there is no file then.
type converted struct {
	w       *datasets.Writer
	f       *aside
	format  string
	columns *[]string // of the first row of the run, for the tables of kept and removed rows to have the same
	rows    int
}

// first returns the fields of the first row of a table in the columns of the run.
func (c *converted) first(fields []datasets.Field) ([]datasets.Field, error) {
	if *c.columns == nil {
		for _, f := range fields {
			*c.columns = append(*c.columns, f.Name)
		}
		return fields, nil
	}
	var out []datasets.Field
	known := 0
	for _, name := range *c.columns {
		i := slices.IndexFunc(fields, func(f datasets.Field) bool { return f.Name == name })
		if i < 0 {
			out = append(out, datasets.Field{Name: name, JSON: "null"})
			continue
		}
		known++
		out = append(out, fields[i])
	}
	if known < len(fields) {
		return nil, fmt.Errorf("it has fields that are no columns; the first row has %q", *c.columns)
	}
	return out, nil
}

func (c *converted) write(row datasets.RawRow, p *datasets.Parser) error {
	rec, err := p.Record(row)
	if _, bad := errors.AsType[*datasets.BadRow](err); bad {
		return nil // it has no fields; why.jsonl tells of it
	}
	if err != nil {
		return err
	}
	fields := rec.Fields
	if c.rows++; c.rows == 1 && c.format != "jsonl" {
		if fields, err = c.first(fields); err != nil {
			return fmt.Errorf("dedup: write %s:%d as %s: %w", row.File(), row.Line, c.format, err)
		}
	}
	return c.w.Write(fields)
}

func (c *converted) close() error {
	if c.format == "parquet" && c.rows == 0 {
		return errors.Join(c.f.close(), os.Remove(c.f.f.Name()))
	}
	return errors.Join(c.w.Close(), c.f.close())
}

// tree copies each text, which was a file, to a file of its own.
type tree struct {
	dir   string
	names func(file string) string
	stdin string // where the standard input is kept
}

func (t *tree) write(row datasets.RawRow, _ *datasets.Parser) error {
	from := row.File()
	if from == "-" {
		from = t.stdin
	}
	content, err := os.ReadFile(from) // with a byte order mark, and compressed if it is
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return writeOnce(filepath.Join(t.dir, t.names(row.File())), content)
}

// change writes what is left of a text instead.
func (t *tree) change(row datasets.RawRow, text string) error {
	from := row.File()
	if from == "-" {
		from = t.stdin
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if bytes.HasPrefix(content, []byte(mark)) {
		text = mark + text
	}
	return writeOnce(filepath.Join(t.dir, t.names(row.File())), []byte(text))
}

// writeOnce writes a file, which may be there already if it is the same.
func writeOnce(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		if there, err2 := os.ReadFile(path); err2 == nil && bytes.Equal(there, content) {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	_, err = f.Write(content)
	return prefixed(errors.Join(err, f.Close()))
}

func (t *tree) close() error { return nil }

// newSinks returns a function that makes the sink of a name in a folder, and the ending
// of its file. Rows are in the format of the sources unless another is asked for; kept
// ones may have the column CountColumn.
func newSinks(dir, format string, counts bool, sources []datasets.Source) (make func(name string) (sink, error), ending string, err error) {
	first, err := datasets.OpenRaw(sources[0])
	if err != nil {
		return nil, "", err
	}
	defer first.Close()
	ending = first.Extension()
	switch {
	case format != "":
		var columns []string
		return func(name string) (sink, error) {
			f, err := create(filepath.Join(dir, name+"."+format))
			if err != nil {
				return nil, err
			}
			to, err := datasets.NewWriter(f, format)
			if err != nil {
				f.close()
				return nil, err
			}
			return &converted{w: to, f: f, format: format, columns: &columns}, nil
		}, "." + format, nil
	case first.Layout().Format == "text":
		t := tree{names: FileNames(sources)}
		for _, s := range sources {
			if s.Name == "-" {
				t.stdin = s.Path
			}
		}
		return func(name string) (sink, error) {
			t := t
			t.dir = filepath.Join(dir, name)
			return &t, os.MkdirAll(t.dir, 0o777)
		}, "", nil
	}
	return func(name string) (sink, error) {
		if counts && name == "kept" {
			return newCounted(filepath.Join(dir, name+ending), sources[0])
		}
		return newCopied(filepath.Join(dir, name+ending), sources[0])
	}, ending, nil
}

// FileNames returns a function that gives the name of an input file in the
// folders of kept and removed texts, and after Restore: its path in the only
// source, or in the folder that all sources have in common. Different files have
// different names.
func FileNames(sources []datasets.Source) func(file string) string {
	var paths []string
	for _, s := range sources {
		paths = append(paths, cmp.Or(s.Name, s.Path))
	}
	info, err := os.Stat(sources[0].Path)
	return fileNames(paths, err == nil && info.IsDir())
}

// fileNames is FileNames by the names of sources; folder says that the first is a folder.
func fileNames(sources []string, folder bool) func(file string) string {
	slash := func(p string) string {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		return filepath.ToSlash(filepath.Clean(p))
	}
	base := slash(sources[0])
	if !folder {
		base = parent(base)
	}
	for _, s := range sources[1:] {
		for p := slash(s); p != base && !strings.HasPrefix(p, strings.TrimSuffix(base, "/")+"/") && base != parent(base); {
			base = parent(base)
		}
	}
	return func(file string) string {
		name := strings.TrimPrefix(strings.TrimPrefix(slash(file), base), "/")
		if filepath.VolumeName(name) != "" { // the sources lie on several drives
			name = strings.ReplaceAll(name, ":", "")
		}
		return name
	}
}

func parent(p string) string { return filepath.ToSlash(filepath.Dir(filepath.FromSlash(p))) }

// aside is a file in the folder of a run. It is synced in the background, so that
// closing it does not take long.
type aside struct {
	f       *os.File
	pending int64
	wake    chan struct{}
	done    chan error
}

func create(path string) (*aside, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	a := &aside{f: f, wake: make(chan struct{}, 1), done: make(chan error, 1)}
	go func() {
		var err error
		for range a.wake {
			err = errors.Join(err, f.Sync())
		}
		a.done <- err
	}()
	return a, nil
}

var _ io.Writer = (*aside)(nil)

func (a *aside) Write(p []byte) (int, error) {
	n, err := a.f.Write(p)
	if a.pending += int64(n); a.pending >= 64<<20 {
		a.pending = 0
		select {
		case a.wake <- struct{}{}:
		default:
		}
	}
	return n, err
}

func (a *aside) close() error {
	close(a.wake)
	return prefixed(errors.Join(<-a.done, a.f.Sync(), a.f.Close()))
}
