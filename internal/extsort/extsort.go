// Package extsort sorts more records of 16 bytes, or strings of bytes
// ([Bytes]), than memory should hold. It writes sorted runs to temporary files,
// and merges them as they are read.
//
// Packages dedup/local, dedup/steps, index and index/disk use it. What a record
// means does not belong here.
package extsort

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// Record is sorted by its first number, then by its second.
type Record [2]uint64

// Compare orders records.
func (r Record) Compare(o Record) int {
	return cmp.Or(cmp.Compare(r[0], o[0]), cmp.Compare(r[1], o[1]))
}

// recordSize is the size of a record on disk and in memory, in bytes.
const recordSize = 16

// Sorter takes records in any order and gives them back sorted, equal ones once for
// each time they were added. Add from one goroutine.
type Sorter struct {
	dir  string
	run  []Record // being filled
	most int      // records of a run
	n    int64

	// spare is what sorting a run takes beside it. Of two runs that are being spilled one is sorted at a
	// time.
	spare   []Record
	sorting sync.Mutex

	wg    sync.WaitGroup
	mu    sync.Mutex
	files []*os.File
	err   error
	slots chan []Record // the buffers of runs; taking one waits for a run to be written
}

// New returns a sorter that holds at most about memory bytes of records and puts
// the rest in files in dir, which Close removes.
func New(dir string, memory int64) *Sorter {
	const buffers = 2
	s := &Sorter{dir: dir, most: int(max(memory/recordSize/(buffers+1), 1<<10)), slots: make(chan []Record, buffers)}
	for range buffers {
		s.slots <- nil
	}
	s.run = <-s.slots
	return s
}

// Len returns the number of records added.
func (s *Sorter) Len() int64 { return s.n }

// Add adds records.
func (s *Sorter) Add(records ...Record) error {
	s.n += int64(len(records))
	for len(records) > 0 {
		if len(s.run) == s.most {
			if err := s.spill(); err != nil {
				return err
			}
		}
		k := min(len(records), s.most-len(s.run))
		s.run = append(s.run, records[:k]...)
		records = records[k:]
	}
	return nil
}

// spill hands the run to a goroutine that sorts and writes it.
func (s *Sorter) spill() error {
	run := s.run
	s.wg.Go(func() {
		run := s.sort(run)
		f, err := s.write(run)
		s.mu.Lock()
		if f != nil {
			s.files = append(s.files, f)
		}
		s.err = errors.Join(s.err, err)
		s.mu.Unlock()
		s.slots <- run[:0]
	})
	s.run = <-s.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// sort sorts a run and returns it, perhaps in other memory.
func (s *Sorter) sort(run []Record) []Record {
	s.sorting.Lock()
	defer s.sorting.Unlock()
	if len(s.spare) < len(run) {
		s.spare = make([]Record, len(run))
	}
	run, spare := sortRecords(run, s.spare[:len(run)])
	s.spare = spare[:cap(spare)]
	return run
}

func (s *Sorter) write(run []Record) (*os.File, error) {
	f, err := os.CreateTemp(s.dir, "run-*")
	if err != nil {
		return nil, fmt.Errorf("extsort: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var b [recordSize]byte
	for _, r := range run {
		binary.LittleEndian.PutUint64(b[:], r[0])
		binary.LittleEndian.PutUint64(b[8:], r[1])
		w.Write(b[:])
	}
	if err := w.Flush(); err != nil {
		return f, fmt.Errorf("extsort: %w", err)
	}
	return f, nil
}

// Each calls do with all records in ascending order. It can be called again, but
// nothing be added after it.
func (s *Sorter) Each(do func(Record) error) error {
	s.wg.Wait()
	if s.err != nil {
		return s.err
	}
	if !slices.IsSortedFunc(s.run, Record.Compare) {
		s.run = s.sort(s.run)
		s.spare = nil
	}
	h := make(merge, 0, len(s.files)+1)
	for _, f := range s.files {
		info, err := f.Stat()
		if err != nil {
			return fmt.Errorf("extsort: %w", err)
		}
		size := 1 << 20
		if len(s.files) > 64 {
			size = 1 << 16
		}
		h = append(h, &source{file: bufio.NewReaderSize(io.NewSectionReader(f, 0, info.Size()), size)})
	}
	h = append(h, &source{run: s.run})
	for i := 0; i < len(h); {
		ok, err := h[i].next()
		if err != nil {
			return err
		}
		if ok {
			i++
		} else {
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
func (s *Sorter) Close() error {
	s.wg.Wait()
	var err error
	for _, f := range s.files {
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	s.files, s.run, s.spare = nil, nil, nil
	return err
}

// source is a run that is being merged: a file or what is left of a slice.
type source struct {
	at   Record
	file *bufio.Reader
	run  []Record
}

func (s *source) next() (bool, error) {
	if s.file == nil {
		if len(s.run) == 0 {
			return false, nil
		}
		s.at, s.run = s.run[0], s.run[1:]
		return true, nil
	}
	var b [recordSize]byte
	if _, err := io.ReadFull(s.file, b[:]); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("extsort: %w", err)
	}
	s.at = Record{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
	return true, nil
}

// merge is a heap of runs, the least record first.
type merge []*source

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return m[i].at.Compare(m[j].at) < 0 }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)        { *m = append(*m, x.(*source)) }
func (m *merge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
