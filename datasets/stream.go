package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// sniffed is how many bytes of a file, decompressed, are looked at to find out
// what it is.
const sniffed = 1 << 20

// stream is an opened file, decompressed.
type stream struct {
	*bufio.Reader
	name   string // as errors call it
	file   *os.File
	size   int64     // of the file as it lies on the disk; 0 where unknown
	packed watched   // what is read of the file or input
	unpack io.Closer // nil if the file is not compressed
	binary error     // a *BinaryError, if it is no text
	bom    bool      // they begin with a byte order mark, which is passed over
}

// openStream opens a file, or reads input if it is not nil, and unpacks it by
// its first bytes. size is how many bytes can be looked at in advance.
func openStream(src *Source, path, name string, input io.Reader, size int) (*stream, error) {
	ctx := src.context()
	s := &stream{name: name}
	if input == nil {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("datasets: open %s: %w", name, withoutPath(err))
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, fmt.Errorf("datasets: open %s: a folder, want a file", name)
		} else if err == nil {
			s.size = info.Size()
		}
		s.file, input = f, f
	}
	s.packed = watched{Reader: input, ctx: ctx}
	packed := bufio.NewReaderSize(&s.packed, 1<<16)
	r, err := unpack(packed, path, src.maxBlock())
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("datasets: open %s: %w", name, err)
	}
	if r == nil {
		s.Reader = bufio.NewReaderSize(packed, size)
	} else {
		s.unpack = r
		s.Reader = bufio.NewReaderSize(&watched{Reader: r, ctx: ctx}, size)
	}
	head, _ := s.Peek(sampled) // damage shows when it is read
	s.binary = CheckText(head)
	if src.Encoding != "" && s.binary == nil && contentFormat(head) != "parquet" {
		text, err := src.decoded(s.Reader)
		if err != nil {
			s.Close()
			return nil, err
		}
		s.Reader = bufio.NewReaderSize(text, size)
	}
	if bom, err := s.Peek(3); err == nil && bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		s.Discard(3)
		s.bom = true
	}
	return s, nil
}

// unpack returns what decompresses r, or nil if its first bytes are not those
// of a compressed file. A name that promises one must be one. window is the
// largest window of zstd in bytes.
func unpack(r *bufio.Reader, name string, window int64) (io.ReadCloser, error) {
	magic, _ := r.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}) || strings.HasSuffix(name, ".gz"):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("no sound gzip file: %w", eof(err))
		}
		return z, nil
	case isZstd(magic) || strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(window)))
		if err != nil {
			return nil, fmt.Errorf("no sound zstd file: %w", eof(err))
		}
		return z.IOReadCloser(), nil
	}
	return nil, nil
}

// isZstd knows a frame of zstd, and one to be skipped, which some programs begin
// a file with (RFC 8878, section 3.1).
func isZstd(magic []byte) bool {
	return bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(magic) == 4 && magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2a, 0x4d, 0x18})
}

// eof makes a file that ends too early distinct from one that is read to its end.
func eof(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// head returns the first bytes of the file without reading past them, and
// whether they are all of it. Damage shows when they are read.
func (s *stream) head() (head []byte, all bool) {
	b, err := s.Peek(sniffed)
	return b, err != nil
}

// Close closes what is open; the standard input stays.
func (s *stream) Close() error {
	var err error
	if s.unpack != nil {
		err = s.unpack.Close()
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// withoutPath takes the path out of an error of package os, because ours state
// the name that the user knows.
func withoutPath(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// packing names the compression of a stream.
func (s *stream) packing() string {
	switch s.unpack.(type) {
	case nil:
		return ""
	case *gzip.Reader:
		return "gz"
	}
	return "zst"
}
