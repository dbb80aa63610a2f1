package passages

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alike-go/alike/internal/mapped"
)

// spool keeps texts in a file, and 8 bytes for each in memory.
type spool struct {
	f    *os.File
	w    *bufio.Writer
	ends []int64
	keep bool         // the file
	m    *mapped.File // of texts that are read in any order
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "alike-texts-*")
	if err != nil {
		return nil, fmt.Errorf("passages: %w", err)
	}
	// A process that is killed leaves no file where the system allows to remove
	// the name of an open one. Elsewhere close removes it.
	os.Remove(f.Name())
	return &spool{f: f, w: bufio.NewWriterSize(f, 1<<18), ends: []int64{0}}, nil
}

// openSpool returns a spool in a file of a name, which close does not remove. It
// has texts that an earlier one has synced.
func openSpool(path string, ends []int64) (*spool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("passages: %w", err)
	}
	size := ends[len(ends)-1]
	info, err := f.Stat()
	if err == nil && info.Size() < size {
		err = fmt.Errorf("%s: %d bytes, want %d or more: remove the folder", path, info.Size(), size)
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("passages: %w", err), f.Close())
	}
	return &spool{f: f, w: bufio.NewWriterSize(f, 1<<18), ends: ends, keep: true}, nil
}

// sync puts what was added on the disk.
func (s *spool) sync() error { return errors.Join(s.w.Flush(), s.f.Sync()) }

func (s *spool) end(n int, err error) error {
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	s.ends = append(s.ends, s.ends[len(s.ends)-1]+int64(n))
	return nil
}

func (s *spool) add(text []byte) error       { return s.end(s.w.Write(text)) }
func (s *spool) addString(text string) error { return s.end(s.w.WriteString(text)) }

// flush ends the adding; then part is safe for concurrent use.
func (s *spool) flush() error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	return nil
}

// open ends the adding; then at is safe for concurrent use.
func (s *spool) open() error {
	err := s.w.Flush()
	if err == nil {
		s.m, _, err = mapped.Of(s.f)
	}
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	return nil
}

// at returns text i, which must not be changed.
func (s *spool) at(i uint32) ([]byte, error) {
	b, err := s.m.At(s.ends[i], s.ends[i+1])
	if err != nil {
		return nil, fmt.Errorf("passages: %w", err)
	}
	return b, nil
}

// prefetch tells the processor that text i will be read on both sides of a place.
func (s *spool) prefetch(i uint32, at int) {
	const before, behind = 64, 128
	from := s.ends[i] + int64(at)
	s.m.Prefetch(max(from-before, s.ends[i]), min(from+behind, s.ends[i+1]))
}

// size returns the length of text i.
func (s *spool) size(i uint32) int { return int(s.ends[i+1] - s.ends[i]) }

// part returns text i from start to end. Unlike at it leaves nothing in the
// memory of the process.
func (s *spool) part(i uint32, start, end int) (string, error) {
	b := make([]byte, end-start)
	if _, err := s.f.ReadAt(b, s.ends[i]+int64(start)); err != nil {
		return "", fmt.Errorf("passages: %w", err)
	}
	return string(b), nil
}

// follower reads parts of texts that mostly follow each other.
type follower struct {
	s  *spool
	r  *bufio.Reader
	at int64 // of r in the file
}

func (s *spool) follow() *follower {
	return &follower{s, bufio.NewReaderSize(io.NewSectionReader(s.f, 0, s.ends[len(s.ends)-1]), 1<<17), 0}
}

// part is that of the spool.
func (f *follower) part(i uint32, start, end int) (string, error) {
	from, to := f.s.ends[i]+int64(start), f.s.ends[i]+int64(end)
	if gap := from - f.at; gap < 0 || gap+to-from > int64(f.r.Size()) {
		if gap < 0 || to-from > int64(f.r.Size()) {
			return f.s.part(i, start, end)
		}
		f.r.Reset(io.NewSectionReader(f.s.f, from, f.s.ends[len(f.s.ends)-1]-from))
		f.at = from
	}
	_, err := f.r.Discard(int(from - f.at))
	f.at = from
	var b []byte
	if err == nil {
		b, err = f.r.Peek(int(to - from))
	}
	if err != nil {
		return "", fmt.Errorf("passages: %w", err)
	}
	return string(b), nil
}

func (s *spool) close() error {
	var err error
	if s == nil {
		return nil
	}
	if s.m != nil {
		err = s.m.Close()
	}
	err = errors.Join(err, s.f.Close())
	if s.keep {
		return err
	}
	if gone := os.Remove(s.f.Name()); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
