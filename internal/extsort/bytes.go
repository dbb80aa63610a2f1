package extsort

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
)

// Bytes sorts strings of bytes as Sorter sorts records: in ascending order, equal ones once for
// each time they were added.
type Bytes struct {
	dir   string
	most  int // bytes of a run with its ends
	arena []byte
	ends  []int // of the strings in the arena
	files []*os.File
}

// endSize is what a string takes in memory beyond its bytes: its end, and its place while it is sorted.
const endSize = 8 + 24

// NewBytes returns a sorter that holds about memory bytes of strings and puts the rest in files in
// dir, which Close removes.
func NewBytes(dir string, memory int64) *Bytes {
	return &Bytes{dir: dir, most: int(max(memory, 1<<14))}
}

// Add adds a copy of b.
func (s *Bytes) Add(b []byte) error {
	if len(s.arena)+len(b)+endSize*(len(s.ends)+1) > s.most && len(s.ends) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.arena = append(s.arena, b...)
	s.ends = append(s.ends, len(s.arena))
	return nil
}

// sorted returns the strings of the arena in their order.
func (s *Bytes) sorted() [][]byte {
	out, from := make([][]byte, len(s.ends)), 0
	for i, end := range s.ends {
		out[i], from = s.arena[from:end], end
	}
	slices.SortFunc(out, bytes.Compare)
	return out
}

func (s *Bytes) spill() error {
	f, err := create(s.dir, false)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	w := bufio.NewWriterSize(f, 1<<18)
	var head []byte
	for _, b := range s.sorted() {
		head = binary.AppendUvarint(head[:0], uint64(len(b)))
		w.Write(head)
		w.Write(b)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("extsort: %w", err)
	}
	s.arena, s.ends = s.arena[:0], s.ends[:0]
	return nil
}

// Each calls do with all strings in ascending order, each until do returns. It can be called
// again, but nothing be added after it.
func (s *Bytes) Each(do func([]byte) error) error {
	return mergeRuns(s.files, s.most, s.sorted(), func(r *bufio.Reader, at *[]byte) error {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		*at = slices.Grow((*at)[:0], int(n))[:n]
		if _, err = io.ReadFull(r, *at); err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}, bytes.Compare, do)
}

// Close removes the files.
func (s *Bytes) Close() error {
	err := remove(s.files, false)
	s.files, s.arena, s.ends = nil, nil, nil
	return err
}
