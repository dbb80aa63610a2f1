package extsort

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
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
	f, err := os.CreateTemp(s.dir, "run-*")
	if err != nil {
		return fmt.Errorf("extsort: %w", err)
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
	h := make(mergeBytes, 0, len(s.files)+1)
	for _, f := range s.files {
		info, err := f.Stat()
		if err != nil {
			return fmt.Errorf("extsort: %w", err)
		}
		h = append(h, &byteSource{file: bufio.NewReaderSize(io.NewSectionReader(f, 0, info.Size()), 1<<16)})
	}
	h = append(h, &byteSource{run: s.sorted()})
	for i := 0; i < len(h); {
		ok, err := h[i].next()
		switch {
		case err != nil:
			return err
		case ok:
			i++
		default:
			h = slices.Delete(h, i, i+1)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		if err := do(h[0].at); err != nil {
			return err
		}
		ok, err := h[0].next()
		switch {
		case err != nil:
			return err
		case ok:
			heap.Fix(&h, 0)
		default:
			heap.Pop(&h)
		}
	}
	return nil
}

// Close removes the files.
func (s *Bytes) Close() error {
	var err error
	for _, f := range s.files {
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	s.files, s.arena, s.ends = nil, nil, nil
	return err
}

// byteSource is a run that is being merged: a file or what is left of a slice.
type byteSource struct {
	at   []byte
	file *bufio.Reader
	run  [][]byte
}

func (s *byteSource) next() (bool, error) {
	if s.file == nil {
		if len(s.run) == 0 {
			return false, nil
		}
		s.at, s.run = s.run[0], s.run[1:]
		return true, nil
	}
	n, err := binary.ReadUvarint(s.file)
	if err == io.EOF {
		return false, nil
	}
	if err == nil {
		s.at = slices.Grow(s.at[:0], int(n))[:n]
		_, err = io.ReadFull(s.file, s.at)
	}
	if err != nil {
		return false, fmt.Errorf("extsort: %w", err)
	}
	return true, nil
}

// mergeBytes is a heap of runs, the least string first.
type mergeBytes []*byteSource

func (m mergeBytes) Len() int           { return len(m) }
func (m mergeBytes) Less(i, j int) bool { return bytes.Compare(m[i].at, m[j].at) < 0 }
func (m mergeBytes) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *mergeBytes) Push(x any)        { *m = append(*m, x.(*byteSource)) }
func (m *mergeBytes) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
