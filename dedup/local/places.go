package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// checkPlaces refuses sources that cannot be read more than once, and those in which or
// around which the outputs would be made: they would be read with them, or removed.
func checkPlaces(sources []datasets.Source, out string) error {
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
