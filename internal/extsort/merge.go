package extsort

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Merge calls do with the cursor that stands at the least element, and moves it
// on, until all cursors are at their ends. next moves a cursor to its next
// element, the first at the beginning; it returns false at the end. Each cursor
// goes through its elements in ascending order.
func Merge[C any](cursors []C, next func(C) (bool, error), compare func(a, b C) int, do func(C) error) error {
	h := make([]C, 0, len(cursors)) // a heap
	for _, c := range cursors {
		ok, err := next(c)
		if err != nil {
			return err
		}
		if ok {
			h = append(h, c)
		}
	}
	slices.SortFunc(h, compare)
	for len(h) > 0 {
		if err := do(h[0]); err != nil {
			return err
		}
		ok, err := next(h[0])
		if err != nil {
			return err
		}
		if !ok {
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		}
		for i, child := 0, 1; child < len(h); i, child = child, 2*child+1 {
			if child+1 < len(h) && compare(h[child+1], h[child]) < 0 {
				child++
			}
			if compare(h[i], h[child]) <= 0 {
				break
			}
			h[i], h[child] = h[child], h[i]
		}
	}
	return nil
}

// source is a run that is being merged: a file or what is left of a slice.
type source[T any] struct {
	at   T
	file *bufio.Reader
	run  []T
}

// next moves on. read reads the next element of a file over the last one. It
// returns io.EOF at the end.
func (s *source[T]) next(read func(r *bufio.Reader, at *T) error) (bool, error) {
	if s.file == nil {
		if len(s.run) == 0 {
			return false, nil
		}
		s.at, s.run = s.run[0], s.run[1:]
		return true, nil
	}
	switch err := read(s.file, &s.at); {
	case err == io.EOF:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("extsort: %w", err)
	}
	return true, nil
}

// mergeRuns calls do with all elements of files, which are read through buffers
// of so many bytes together, and of a last run.
func mergeRuns[T any](files []*os.File, buffers int, last []T, read func(r *bufio.Reader, at *T) error, compare func(a, b T) int, do func(T) error) error {
	sources := []*source[T]{{run: last}}
	buffer := min(max(buffers/max(len(files), 1), 1<<12), 1<<20)
	for _, f := range files {
		info, err := f.Stat()
		if err != nil {
			return fmt.Errorf("extsort: %w", err)
		}
		sources = append(sources, &source[T]{file: bufio.NewReaderSize(io.NewSectionReader(f, 0, info.Size()), buffer)})
	}
	return Merge(sources, func(s *source[T]) (bool, error) { return s.next(read) },
		func(a, b *source[T]) int { return compare(a.at, b.at) },
		func(s *source[T]) error { return do(s.at) })
}

// create returns a new file. If it is not to be kept, it has no name where the
// system allows that, so that a process that is killed leaves nothing.
func create(dir string, keep bool) (*os.File, error) {
	f, err := os.CreateTemp(dir, "run-*")
	if err != nil {
		return nil, fmt.Errorf("extsort: %w", err)
	}
	if !keep {
		os.Remove(f.Name())
	}
	return f, nil
}

// remove closes files, and removes them unless they are to be kept.
func remove(files []*os.File, keep bool) error {
	var err error
	for _, f := range files {
		err = errors.Join(err, f.Close())
		if keep {
			continue
		}
		if gone := os.Remove(f.Name()); !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
