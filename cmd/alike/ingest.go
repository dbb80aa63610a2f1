package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index/ingest"
)

// inputs returns the documents of names, and shows what is done of them.
func (s *source) inputs(names []string, stdin io.Reader, workers int, show func(share float64, what string)) *ingest.Inputs {
	return &ingest.Inputs{
		Names: names, Workers: workers, SkipBad: s.SkipBad,
		Open:     func(name string) (datasets.Source, []datasets.Doc, error) { return s.open(name, stdin) },
		Skipped:  func(err error) { fmt.Fprintf(s.stderr, "alike: passed over: %v\n", err) },
		Progress: func(share float64, docs int) { show(share, fmt.Sprintf("%d documents", docs)) },
	}
}

// open returns the source of an input. If it is the name of a set that stands in
// the program, it returns the documents.
func (s *source) open(name string, stdin io.Reader) (datasets.Source, []datasets.Doc, error) {
	src := s.at(name, stdin)
	if _, err := os.Stat(src.Path); err == nil || !isSet(name) {
		return src, nil, nil
	}
	if slices.Contains(datasets.Inside(), name) {
		set, err := datasets.Load(name)
		if err != nil {
			return src, nil, err
		}
		return src, set.Docs, nil
	}
	shared, _ := datasets.SharedDir()
	src.Path = filepath.Join(shared, name)
	return src, nil, nil
}
