package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/durable"
)

// spooler puts standard input into a file, for commands that read their input more
// than once.
type spooler struct {
	source *source
	others *source // of the second list
	stdin  io.Reader
	file   string // that keeps it; empty for a file that is removed in the end
	resume bool   // read the file if it is there

	made string // the temporary file
}

// sources returns the sources of two lists of inputs. Standard input is a file there.
func (s *spooler) sources(inputs, others []string) (of, ofOthers []datasets.Source, err error) {
	if err := s.check(inputs, others); err != nil {
		return nil, nil, err
	}
	many := len(inputs)+len(others) > 1
	if of, err = s.source.sourcesOf(inputs, many); err != nil {
		return nil, nil, err
	}
	if ofOthers, err = s.others.sourcesOf(others, many); err != nil {
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

// copy returns the file that has standard input.
func (s *spooler) copy() (path string, err error) {
	if s.file == "" {
		f, err := os.CreateTemp("", "alike-stdin-*")
		if err != nil {
			return "", err
		}
		s.made = f.Name()
		_, err = io.Copy(f, s.stdin)
		return s.made, errors.Join(err, f.Close())
	}
	if s.resume {
		if _, err := os.Stat(s.file); err == nil {
			return s.file, nil
		}
	}
	return s.file, durable.Write(s.file, func(w io.Writer) error {
		_, err := io.Copy(w, s.stdin)
		return err
	})
}

// close removes a temporary file.
func (s *spooler) close() error {
	if s.made == "" {
		return nil
	}
	return os.Remove(s.made)
}
