package local

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

func (c *copied) write(row datasets.RawRow, _ *datasets.Parser) error { return c.Write(row) }
func (c *copied) close() error                                        { return errors.Join(c.Copier.Close(), c.f.close()) }

// converted writes the fields of rows in another format.
type converted struct {
	w *datasets.Writer
	f *aside
}

func (c *converted) write(row datasets.RawRow, p *datasets.Parser) error {
	rec, err := p.Record(row)
	if _, bad := errors.AsType[*datasets.BadRow](err); bad {
		return nil // it has no fields; why.jsonl tells of it
	}
	if err != nil {
		return err
	}
	return c.w.Write(rec.Fields)
}

func (c *converted) close() error { return errors.Join(c.w.Close(), c.f.close()) }

// tree writes each row to a file of its own, for texts that were files.
type tree struct {
	dir   string
	names func(file string) string
}

func (t *tree) write(row datasets.RawRow, _ *datasets.Parser) error {
	path := filepath.Join(t.dir, t.names(row.File()))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if err := os.WriteFile(path, row.Bytes, 0o666); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}

func (t *tree) close() error { return nil }

// sinks makes what writes rows under a name, one for each call: in the format of the
// input unless another is asked for. It returns its endings too.
func (r *run) sinks() (make func(name string) (sink, error), ending string, err error) {
	first, err := datasets.OpenRaw(r.in.sources[r.oldSources()])
	if err != nil {
		return nil, "", err
	}
	defer first.Close()
	ending = first.Extension()
	switch {
	case r.o.Format != "":
		return func(name string) (sink, error) {
			f, err := create(filepath.Join(r.made, name+"."+r.o.Format))
			if err != nil {
				return nil, err
			}
			w, err := datasets.NewWriter(f, r.o.Format)
			if err != nil {
				f.close()
				return nil, err
			}
			return &converted{w, f}, nil
		}, "." + r.o.Format, nil
	case first.Layout().Format == "text":
		names := fileNames(r.o.Sources)
		return func(name string) (sink, error) {
			dir := filepath.Join(r.made, name)
			return &tree{dir, names}, os.MkdirAll(dir, 0o777)
		}, "", nil
	}
	return func(name string) (sink, error) {
		f, err := create(filepath.Join(r.made, name+ending))
		if err != nil {
			return nil, err
		}
		again, err := datasets.OpenRaw(r.in.sources[r.oldSources()])
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		c, err := datasets.NewCopier(f, again)
		if err = errors.Join(err, again.Close()); err != nil {
			return nil, errors.Join(err, f.close())
		}
		return &copied{c, f}, nil
	}, ending, nil
}

// fileNames returns where a file of text goes: its path within the one source, or
// within the folder that all sources have in common.
func fileNames(sources []datasets.Source) func(file string) string {
	slash := func(p string) string { return filepath.ToSlash(filepath.Clean(p)) }
	base := slash(sources[0].Path)
	if info, err := os.Stat(sources[0].Path); err != nil || !info.IsDir() {
		base = slash(filepath.Dir(sources[0].Path))
	}
	for _, s := range sources[1:] {
		for p := slash(s.Path); base != "." && base != "/" && p != base && !strings.HasPrefix(p, base+"/"); {
			base = slash(filepath.Dir(base))
		}
	}
	return func(file string) string {
		p := slash(file)
		if base != "." {
			p = strings.TrimPrefix(strings.TrimPrefix(p, base), "/")
		}
		for strings.HasPrefix(p, "../") {
			p = p[3:]
		}
		return strings.TrimPrefix(p, "/")
	}
}

// aside is a file in the folder that is being made. What is written goes to the disk in the
// background, so that little is left to wait for in the end.
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
	if err := errors.Join(<-a.done, a.f.Sync(), a.f.Close()); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}
