package local

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// spool keeps texts in a file, and 8 bytes for each in memory. A nil spool keeps
// nothing: its texts are empty.
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
	return &spool{f: f, w: bufio.NewWriterSize(f, 1<<16), ends: []int64{0}}, nil
}

func (s *spool) add(text string) error {
	if s == nil {
		return nil
	}
	s.ends = append(s.ends, s.ends[len(s.ends)-1]+int64(len(text)))
	_, err := s.w.WriteString(text)
	return prefixed(err)
}

// flush ends the adding; then at is safe for concurrent use.
func (s *spool) flush() error {
	if s == nil {
		return nil
	}
	return prefixed(s.w.Flush())
}

// at returns text i.
func (s *spool) at(i int) (string, error) {
	if s == nil {
		return "", nil
	}
	b := make([]byte, s.ends[i+1]-s.ends[i])
	if _, err := s.f.ReadAt(b, s.ends[i]); err != nil && len(b) > 0 {
		return "", fmt.Errorf("dedup: %w", err)
	}
	return string(b), nil
}

func (s *spool) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.f.Close(), os.Remove(s.f.Name()))
}
