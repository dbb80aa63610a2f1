//go:build unix

package mapped

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/alike-go/alike/internal/scan"
)

// File is an immutable file. It is safe for concurrent use.
type File struct{ data []byte }

// Open opens a file and returns its size in bytes.
func Open(path string) (*File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	return Of(f)
}

// Of returns a file that is open, and its size in bytes. The caller closes both,
// f after the returned File.
func Of(f *os.File) (*File, int64, error) {
	path := f.Name()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	switch size := info.Size(); {
	case size == 0:
		return &File{}, 0, nil
	case size != int64(int(size)):
		return nil, 0, fmt.Errorf("%s: %d bytes are more than can be mapped", path, size)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return &File{data}, info.Size(), nil
}

// At returns the bytes from off to end, which lie in the file. They are valid
// until Close and must not be changed.
func (f *File) At(off, end int64) ([]byte, error) { return f.data[off:end:end], nil }

// Prefetch tells the processor that the bytes from off to end will be read soon.
// They must lie in the file.
func (f *File) Prefetch(off, end int64) { scan.Prefetch(f.data[off:end]) }

// Close ends the use of the file.
func (f *File) Close() error {
	if f.data == nil {
		return nil
	}
	return unix.Munmap(f.data)
}
