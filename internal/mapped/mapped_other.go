//go:build !unix

package mapped

import "os"

// File is an immutable file, of which At reads a copy: slower than a map, and
// the same everywhere. It is safe for concurrent use.
type File struct{ f *os.File }

// Open opens a file and returns its size in bytes.
func Open(path string) (*File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return &File{f}, info.Size(), nil
}

// At returns the bytes from off to end, which lie in the file. They must not be
// changed.
func (f *File) At(off, end int64) ([]byte, error) {
	b := make([]byte, end-off)
	_, err := f.f.ReadAt(b, off)
	return b, err
}

// Prefetch does nothing.
func (f *File) Prefetch(off, end int64) {}

// Close ends the use of the file.
func (f *File) Close() error { return f.f.Close() }
