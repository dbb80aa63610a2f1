package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/passages"
)

// savedBytes is after how many bytes of text what is read is saved: some tenths of a
// second of work.
const savedBytes = 64 << 20

// passagesNote is what a run notes for one that goes on: the documents since the note
// before, and how far it has come.
type passagesNote struct {
	Side  int // 1 for old documents
	State ingest.State
	Whole bool // the side
	IDs   []string
}

// resumed takes what an earlier run has saved, and returns how far that had come.
func (r *passagesRun) resumed(f *passages.Finder) (last passagesNote, err error) {
	for _, data := range f.Saved() {
		last = passagesNote{}
		if err := json.Unmarshal(data, &last); err != nil {
			return last, fmt.Errorf("passages: %s: %w", r.o.Work, err)
		}
		for _, id := range last.IDs {
			r.ids.Add(id)
			r.repeats[last.Side].Add(id)
		}
	}
	return last, nil
}

// keeping makes a finder save its progress while a side is read. It returns the
// function to call for each document, and the one to call at the end of the
// side.
func (r *passagesRun) keeping(f *passages.Finder, in *ingest.Inputs, side int) (add func(d *datasets.Doc), end func() error) {
	if r.o.Work == "" {
		return func(*datasets.Doc) {}, func() error { return nil }
	}
	note, size := passagesNote{Side: side, State: in.From}, 0
	save := func() error {
		data, err := json.Marshal(&note)
		if err != nil {
			return fmt.Errorf("passages: %w", err)
		}
		note.IDs, size = nil, 0
		return f.Save(data)
	}
	in.Done = func(s ingest.State) error {
		if note.State = s; size < savedBytes {
			return nil
		}
		return save()
	}
	add = func(d *datasets.Doc) {
		note.IDs = append(note.IDs, d.ID)
		size += len(d.Text)
	}
	return add, func() error {
		note.Whole = true
		return save()
	}
}

// inputsOf returns a checksum of how the inputs are read, and of the size and time of
// each of their files.
func (r *passagesRun) inputsOf(sides ...[]string) (string, error) {
	type file struct {
		Path string
		Size int64
		Time time.Time
	}
	var of []any
	for side, names := range sides {
		s := &r.source
		if side == 1 {
			s = s.side(r.againstText)
		}
		of = append(of, side)
		for _, name := range names {
			src, docs, err := s.open(name, nil)
			if err != nil {
				return "", err
			}
			src.SkipBad = 0 // the rows so far were accepted
			if !s.cmd.Flags().Changed("max-document") {
				src.MaxDocument = 0 // it follows from the memory, which may change
			}
			if of = append(of, src); docs != nil {
				continue
			}
			if src.Path == "-" {
				return "", errors.New("--resume cannot read standard input again: want a file")
			}
			err = filepath.WalkDir(src.Path, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				info, err := d.Info()
				if err != nil {
					return err
				}
				of = append(of, file{path, info.Size(), info.ModTime().UTC()})
				return nil
			})
			if err != nil {
				return "", err
			}
		}
	}
	data, err := json.Marshal(of)
	if err != nil {
		return "", err
	}
	sum := xxh3.Hash128(data).Bytes()
	return fmt.Sprintf("%x", sum), nil
}
