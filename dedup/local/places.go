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

// CheckPlaces refuses sources that cannot be read more than once, and those in which or
// around which the outputs would be made: they would be read with them, or removed.
func CheckPlaces(sources []datasets.Source, out string) error {
	for _, s := range sources {
		info, err := os.Stat(s.Path)
		if err != nil {
			continue // whoever reads it says so
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("dedup: %s is no file or folder and cannot be read more than once: read it as the standard input", s.Path)
		}
		if out == "" {
			continue
		}
		path, target := place(s.Path), place(out)
		switch {
		case info.IsDir() && within(target, path):
			return fmt.Errorf("dedup: %s would be made in %s, which is read: write to a folder elsewhere", out, s.Path)
		case within(path, partialOf(target)):
			return fmt.Errorf("dedup: %s lies in %s, where %s is made: move it, or write to another folder", s.Path, partialOf(out), out)
		}
	}
	return nil
}

// place returns where a path leads, with all links followed. What there is not yet lies in its
// folder.
func place(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(place(dir), filepath.Base(path))
	}
	return path
}

// within reports whether a path is a folder or lies in it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// checkOutput refuses outputs that cannot be written, before the work is done: as far as the
// first rows of the sources show.
func (r *run) checkOutput() error {
	if r.o.DryRun {
		return nil
	}
	fresh := r.in.sources[len(r.o.Against):]
	if added := r.o.added(); len(added) > 0 {
		first, err := datasets.OpenRaw(fresh[0])
		if err != nil {
			return err
		}
		defer first.Close()
		if _, err := datasets.NewExtender(io.Discard, first, added...); err != nil {
			return err
		}
	}
	if old := r.in.sources[0]; r.o.Update && old.Encoding != "" {
		return fmt.Errorf("dedup: %s is in %s, and documents are added in UTF-8: want it in UTF-8 for an update", old.Path, old.Encoding)
	}
	if r.o.Update && !r.in.sketched[0] {
		if err := oneFile(r.in.sources); err != nil {
			return err
		}
	}
	if r.o.Format != "" {
		_, err := datasets.NewWriter(io.Discard, r.o.Format)
		return err
	}
	return oneFile(fresh)
}

// oneFile reports an error unless the first rows of all sources go into one file, or all
// are texts that are files.
func oneFile(sources []datasets.Source) error {
	first, err := datasets.OpenRaw(sources[0])
	if err != nil {
		return err
	}
	defer first.Close()
	if first.Layout().Format == "text" {
		for _, s := range sources[1:] {
			if r, err := datasets.OpenRaw(s); err != nil {
				return err
			} else if err = errors.Join(textFile(r.Layout()), r.Close()); err != nil {
				return err
			}
		}
		return nil
	}
	c, err := datasets.NewCopier(io.Discard, first)
	if err != nil {
		return err
	}
	for _, s := range sources[1:] {
		if err := copyFirst(c, s); err != nil {
			return err
		}
	}
	return c.Close()
}

func copyFirst(c *datasets.Copier, s datasets.Source) error {
	r, err := datasets.OpenRaw(s)
	if err != nil {
		return err
	}
	defer r.Close()
	row, err := r.Next()
	if err == nil {
		err = c.Write(row)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// textFile returns an error for a file that is not one text.
func textFile(l *datasets.Layout) error {
	if l.Format == "text" {
		return nil
	}
	return fmt.Errorf("dedup: %s is %s, and does not go with texts that are files: ask for a format to write, or see to each alone", l.File, l.Format)
}
