// Package extsort sorts more records of 16 bytes, or strings of bytes
// ([Bytes]), than memory should hold. It writes sorted runs to temporary files,
// and merges them as they are read. [Merge] merges whatever is sorted.
//
// Packages dedup/local, dedup/steps, index, index/disk and passages use it. What a
// record means does not belong here.
package extsort

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

	keep   bool // the files
	synced int  // of the files

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

// Kept returns a sorter whose files keep their names in dir, which Close does not
// remove. It has the records of the files that Keep has named before.
func Kept(dir string, memory int64, files []string) (*Sorter, error) {
	s := New(dir, memory)
	s.keep = true
	for _, name := range files {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("extsort: %w", err), s.Close())
		}
		s.files = append(s.files, f)
		info, err := f.Stat()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("extsort: %w", err), s.Close())
		}
		s.n += info.Size() / recordSize
	}
	return s, nil
}

// Keep writes and syncs all records added so far, and returns the names of the
// files.
func (s *Sorter) Keep() ([]string, error) {
	if len(s.run) > 0 {
		if err := s.spill(); err != nil {
			return nil, err
		}
	}
	s.wg.Wait()
	err := s.err
	var names []string
	for i, f := range s.files {
		if i >= s.synced {
			err = errors.Join(err, f.Sync())
		}
		names = append(names, filepath.Base(f.Name()))
	}
	s.synced = len(s.files)
	if err != nil {
		return nil, fmt.Errorf("extsort: %w", err)
	}
	return names, nil
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
		if cap(s.run) < s.most && len(s.run)+k > s.most/8 {
			// Append would grow step by step, and touch several times the memory.
			s.run = append(make([]Record, 0, s.most), s.run...)
		}
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
	f, err := create(s.dir, s.keep)
	if err != nil {
		return nil, err
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
	for len(s.slots) > 0 { // no more runs are filled
		<-s.slots
	}
	if !slices.IsSortedFunc(s.run, Record.Compare) {
		s.run = s.sort(s.run)
	}
	s.spare = nil
	return mergeRuns(s.files, s.most*recordSize, s.run, func(r *bufio.Reader, at *Record) error {
		var b [recordSize]byte
		_, err := io.ReadFull(r, b[:])
		*at = Record{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
		return err
	}, Record.Compare, do)
}

// Close removes the files.
func (s *Sorter) Close() error {
	s.wg.Wait()
	err := remove(s.files, s.keep)
	s.files, s.run, s.spare = nil, nil, nil
	return err
}
