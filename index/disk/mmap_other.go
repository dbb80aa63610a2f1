//go:build !unix

package disk

import "os"

// source is an immutable file, of which at reads a copy: slower than a map, and the
// same everywhere.
type source struct{ f *os.File }

func openSource(path string) (*source, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return &source{f}, info.Size(), nil
}

// at returns the bytes from off to end, which lie in the file.
func (s *source) at(off, end int64) ([]byte, error) {
	b := make([]byte, end-off)
	_, err := s.f.ReadAt(b, off)
	return b, err
}

// prefetch does nothing.
func (s *source) prefetch(off, end int64) {}

func (s *source) close() error { return s.f.Close() }
