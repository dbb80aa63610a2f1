package local

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// spool keeps texts in a file, of which memory holds 8 bytes each.
type spool struct {
	f    *os.File
	w    *bufio.Writer
	ends []int64
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "texts-*")
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return &spool{f: f, w: bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *spool) end() int64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

func (s *spool) add(text string) error {
	end := s.end() + int64(len(text))
	s.ends = append(s.ends, end)
	if _, err := s.w.WriteString(text); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}

// flush ends the adding; then at is safe for concurrent use.
func (s *spool) flush() error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}

// at returns text i.
func (s *spool) at(i int) (string, error) {
	var from int64
	if i > 0 {
		from = s.ends[i-1]
	}
	b := make([]byte, s.ends[i]-from)
	if _, err := s.f.ReadAt(b, from); err != nil && len(b) > 0 {
		return "", fmt.Errorf("dedup: %w", err)
	}
	return string(b), nil
}

func (s *spool) close() error { return errors.Join(s.f.Close(), os.Remove(s.f.Name())) }
