//go:build !unix

package mapped

import "os"

// File is an immutable file, of which At reads a copy: slower than a map, and
// the same everywhere. It is safe for concurrent use.
type File struct {
	f    *os.File
	lent bool // the caller closes f
}

// Open opens a file and returns its size in bytes.
func Open(path string) (*File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	m, size, err := Of(f)
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	m.lent = false
	return m, size, nil
}

// Of returns a file that is open, and its size in bytes. The caller closes both,
// f after the returned File.
func Of(f *os.File) (*File, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return &File{f, true}, info.Size(), nil
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
func (f *File) Close() error {
	if f.lent {
		return nil
	}
	return f.f.Close()
}
