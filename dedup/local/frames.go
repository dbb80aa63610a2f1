package local

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zeebo/xxh3"
)

// A file of frames is a magic text and then frames: a header as JSON, others, and an
// empty frame at the end. A frame is the length of its content in four bytes, the
// highest first, the content, and the XXH3 checksum of the content in 16 bytes.
const maxFrame = 1 << 30

// frameWriter writes a file of frames.
type frameWriter struct {
	w *bufio.Writer
}

func newFrameWriter(w io.Writer, magic string, header any) (*frameWriter, error) {
	s := &frameWriter{bufio.NewWriterSize(w, 1<<16)}
	b, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("dedup: sketches: %w", err)
	}
	s.w.WriteString(magic)
	return s, s.frame(b)
}

func (s *frameWriter) frame(data []byte) error {
	s.w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	s.w.Write(data)
	sum := xxh3.Hash128(data).Bytes()
	if _, err := s.w.Write(sum[:]); err != nil {
		return fmt.Errorf("dedup: sketches: %w", err)
	}
	return nil
}

func (s *frameWriter) close() error {
	if err := s.frame(nil); err != nil {
		return err
	}
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("dedup: sketches: %w", err)
	}
	return nil
}

// begins reports whether a file begins with a magic text.
func begins(path, magic string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // reading it as documents gives the error
	}
	defer f.Close()
	b := make([]byte, len(magic))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == magic
}

// frameReader reads a file of frames.
type frameReader struct {
	path string
	f    *os.File
	r    *bufio.Reader
	size int64
	at   int64
}

// openFrames opens a file that begins with a magic text, and reads its header.
func openFrames(path, magic string, header any) (*frameReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	s := &frameReader{path: path, f: f, r: bufio.NewReaderSize(f, 1<<16)}
	if err := s.begin(magic, header); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *frameReader) begin(magic string, header any) error {
	info, err := s.f.Stat()
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	s.size = info.Size()
	n, err := s.r.Discard(len(magic))
	if err != nil {
		return s.damaged(err)
	}
	s.at = int64(n)
	b, err := s.frame()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, header); err != nil {
		return s.damaged(err)
	}
	return nil
}

func (s *frameReader) damaged(err error) error {
	return fmt.Errorf("dedup: %s: damaged or cut short at byte %d: %w", s.path, s.at, err)
}

var errSum = errors.New("the checksum is wrong")

func (s *frameReader) frame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return nil, s.damaged(err)
	}
	n := int64(binary.BigEndian.Uint32(head[:]))
	if n > maxFrame || n > s.size-s.at {
		return nil, s.damaged(io.ErrUnexpectedEOF)
	}
	b := make([]byte, n+16)
	if _, err := io.ReadFull(s.r, b); err != nil {
		return nil, s.damaged(err)
	}
	data, sum := b[:n], xxh3.Hash128(b[:n]).Bytes()
	if !bytes.Equal(sum[:], b[n:]) {
		return nil, s.damaged(errSum)
	}
	s.at += int64(len(head) + len(b))
	return data, nil
}

// end returns io.EOF, or an error if something follows.
func (s *frameReader) end() error {
	if _, err := s.r.Peek(1); err != io.EOF {
		return s.damaged(errors.New("more than there should be"))
	}
	return io.EOF
}

func (s *frameReader) close() error { return s.f.Close() }

// cursor takes the content of a frame apart. At the end of the content it is short,
// and gives zeros.
type cursor struct {
	b     []byte
	short bool
}

// number returns an unsigned varint that is at most most.
func (c *cursor) number(most int) int {
	v, size := binary.Uvarint(c.b)
	if c.short || size <= 0 || v > uint64(most) {
		c.short = true
		return 0
	}
	c.b = c.b[size:]
	return int(v)
}

// take returns n bytes.
func (c *cursor) take(n int) []byte {
	if c.short || n > len(c.b) {
		c.short = true
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}
