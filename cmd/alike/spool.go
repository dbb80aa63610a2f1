package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// spooler puts the standard input into a file, for commands that read their input
// more than once.
type spooler struct {
	source *source
	stdin  io.Reader
	file   string // where it is kept; empty for a file that goes with the command
	resume bool   // what lies in the file is read, if anything does

	made string // the temporary file
}

// sources returns the sources of two lists of inputs, of which the standard input is a file.
func (s *spooler) sources(inputs, others []string) (of, ofOthers []datasets.Source, err error) {
	if err := s.check(inputs, others); err != nil {
		return nil, nil, err
	}
	many := len(inputs)+len(others) > 1
	if of, err = s.source.sourcesOf(inputs, many); err != nil {
		return nil, nil, err
	}
	if ofOthers, err = s.source.sourcesOf(others, many); err != nil {
		return nil, nil, err
	}
	for _, list := range [][]datasets.Source{of, ofOthers} {
		for i := range list {
			if list[i].Path != "-" {
				continue
			}
			if err := s.spool(&list[i]); err != nil {
				return nil, nil, fmt.Errorf("standard input: %w", err)
			}
		}
	}
	return of, ofOthers, nil
}

func (s *spooler) check(inputs, others []string) error {
	stdins := 0
	for _, in := range slices.Concat(inputs, others) {
		if s.source.at(in, nil).Path == "-" {
			stdins++
		}
	}
	switch {
	case stdins > 1:
		return errors.New("standard input is named twice, want at most one -")
	case stdins == 1 && s.resume && s.file == "":
		return errors.New("--resume cannot read standard input again: keep it with --spool FILE")
	case stdins == 0 && s.file != "":
		return errors.New("--spool is for standard input, want - among the inputs")
	}
	return nil
}

// spool has a source read the file instead.
func (s *spooler) spool(src *datasets.Source) error {
	path, err := s.copy()
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	as := *src
	as.Path, as.Input = "-", f
	r, err := datasets.OpenRaw(as) // which format it is does not depend on the name of the file
	if err != nil {
		return err
	}
	src.Path, src.Name, src.Format = path, "-", r.Layout().Format
	return r.Close()
}

func (s *spooler) copy() (path string, err error) {
	if s.file != "" && s.resume {
		if _, err := os.Stat(s.file); err == nil {
			return s.file, nil
		}
	}
	var f *os.File
	if s.file == "" {
		f, err = os.CreateTemp("", "alike-stdin-*")
	} else {
		f, err = os.Create(s.file + ".partial")
	}
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, s.stdin)
	err = errors.Join(err, f.Close())
	if s.file == "" {
		s.made = f.Name()
		return s.made, err
	}
	if err == nil {
		err = os.Rename(f.Name(), s.file)
	}
	return s.file, err
}

// close removes a temporary file.
func (s *spooler) close() error {
	if s.made == "" {
		return nil
	}
	return os.Remove(s.made)
}
