//go:build unix

package disk

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/alike-go/alike/internal/scan"
	"github.com/alike-go/alike/similarity"
)

// source is an immutable file. What at returns is the file itself, mapped into
// memory, and valid until close.
type source struct{ data []byte }

func openSource(path string) (*source, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if info.Size() == 0 || info.Size() != int64(int(info.Size())) {
		return nil, 0, fmt.Errorf("%s: %d bytes cannot be mapped: %w", path, info.Size(), similarity.ErrFormat)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return &source{data}, info.Size(), nil
}

// at returns the bytes from off to end, which lie in the file.
func (s *source) at(off, end int64) ([]byte, error) { return s.data[off:end:end], nil }

// prefetch brings the bytes from off to end nearer, which lie in the file.
func (s *source) prefetch(off, end int64) { scan.Prefetch(s.data[off:end]) }

func (s *source) close() error { return unix.Munmap(s.data) }
