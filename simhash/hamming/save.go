package hamming

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/similarity"
)

const (
	kind      = "hamming index"
	maxHeader = 1 << 20
	chunk     = 1 << 13 // codes written or read at a time
)

// settings returns what a saved index must have in common with one it is loaded as.
func (x *Index) settings() string { return fmt.Sprintf("bits=%d;%s", x.bits, x.o.Settings) }

// Save writes the codes with their numbers, without those deleted: 12 bytes each at 64
// bits. The tables are not written; Load builds them anew, in the time of Build, so
// that an index can be loaded under another design or radius and no damage to a file can make a
// search go wrong.
//
// What it writes is the length of a header (4 bytes), the header of
// similarity.AppendHeader with the width and Options.Settings, the number of codes (8
// bytes), all codes, all numbers (4 bytes each), and the xxh3 checksum of all that (8
// bytes), little-endian throughout.
func (x *Index) Save(w io.Writer) error {
	header := similarity.AppendHeader(make([]byte, 4), kind, x.settings())
	binary.LittleEndian.PutUint32(header, uint32(len(header)-4))
	h := xxh3.New()
	out := io.MultiWriter(w, h)
	if _, err := out.Write(binary.LittleEndian.AppendUint64(header, uint64(x.Len()))); err != nil {
		return fmt.Errorf("hamming: save: %w", err)
	}
	buf := make([]byte, 0, 16*chunk)
	write := func(each func(yield func(Code, uint32)), append func(b []byte, c Code, number uint32) []byte) error {
		var failed error
		each(func(c Code, number uint32) {
			if buf = append(buf, c, number); len(buf) > cap(buf)-16 {
				if failed == nil {
					_, failed = out.Write(buf)
				}
				buf = buf[:0]
			}
		})
		if failed == nil {
			_, failed = out.Write(buf)
		}
		buf = buf[:0]
		return failed
	}
	if err := write(x.each, x.appendCode); err != nil {
		return fmt.Errorf("hamming: save: %w", err)
	}
	if err := write(x.each, func(b []byte, _ Code, number uint32) []byte {
		return binary.LittleEndian.AppendUint32(b, number)
	}); err != nil {
		return fmt.Errorf("hamming: save: %w", err)
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint64(buf, h.Sum64())); err != nil {
		return fmt.Errorf("hamming: save: %w", err)
	}
	return nil
}

// each yields all codes with their numbers.
func (x *Index) each(yield func(Code, uint32)) {
	for _, p := range x.parts {
		for i := range p.codes.len() {
			for _, number := range p.of(uint32(i)) {
				if number != gone {
					yield(p.codes.at(i), number)
				}
			}
		}
	}
	for i := range x.recent.len() {
		yield(x.recent.at(i), x.recent.ids[i])
	}
}

func (x *Index) appendCode(b []byte, c Code, _ uint32) []byte {
	if x.bits == 32 {
		return binary.LittleEndian.AppendUint32(b, uint32(c.Lo))
	}
	b = binary.LittleEndian.AppendUint64(b, c.Lo)
	if x.bits == 128 {
		b = binary.LittleEndian.AppendUint64(b, c.Hi)
	}
	return b
}

// Load reads an index that Save wrote, and no more, in one pass. It refuses one of another
// width or other Options.Settings (similarity.ErrSettings) and damage
// (similarity.ErrFormat), for which it allocates no more than a small multiple of what
// it has read.
func Load(r io.Reader, bits, radius int, o Options) (*Index, error) {
	x, err := New(bits, radius, o)
	if err != nil {
		return nil, err
	}
	l := loader{r: r, h: xxh3.New(), bits: bits}
	src, err := l.read(x.settings())
	if err != nil {
		return nil, fmt.Errorf("hamming: load: %w", err)
	}
	if err := x.insert(src); err != nil {
		return nil, err
	}
	return x, nil
}

// A loader reads and sums what it reads.
type loader struct {
	r    io.Reader
	h    *xxh3.Hasher
	bits int
}

// next reads n bytes. The end of the input is damage, other errors are those of the reader.
func (l *loader) next(buf []byte) error {
	if _, err := io.ReadFull(l.r, buf); err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("cut short: %w", similarity.ErrFormat)
	} else if err != nil {
		return err
	}
	l.h.Write(buf)
	return nil
}

func (l *loader) read(settings string) (columns, error) {
	var c columns
	var small [8]byte
	if err := l.next(small[:4]); err != nil {
		return c, err
	}
	size := binary.LittleEndian.Uint32(small[:4])
	if size > maxHeader {
		return c, fmt.Errorf("header of %d bytes: %w", size, similarity.ErrFormat)
	}
	header := make([]byte, size)
	if err := l.next(header); err != nil {
		return c, err
	}
	rest, err := similarity.CheckHeader(header, kind, settings)
	if err != nil {
		return c, err
	}
	if len(rest) > 0 {
		return c, fmt.Errorf("%d bytes after the header: %w", len(rest), similarity.ErrFormat)
	}
	if err := l.next(small[:]); err != nil {
		return c, err
	}
	n := binary.LittleEndian.Uint64(small[:])
	if n >= gone {
		return c, fmt.Errorf("%d codes: %w", n, similarity.ErrFormat)
	}
	if err := l.codes(&c, int(n)); err != nil {
		return c, err
	}
	want := l.h.Sum64()
	if err := l.next(small[:]); err != nil {
		return c, err
	}
	if got := binary.LittleEndian.Uint64(small[:]); got != want {
		return c, fmt.Errorf("checksum %x, want %x: %w", got, want, similarity.ErrFormat)
	}
	return c, nil
}

// codes reads n codes and their numbers. The columns grow as the data come, for the
// number may be damaged.
func (l *loader) codes(c *columns, n int) error {
	width := l.bits / 8
	buf := make([]byte, min(n, chunk)*width)
	for left := n; left > 0; left -= chunk {
		b := buf[:min(left, chunk)*width]
		if err := l.next(b); err != nil {
			return err
		}
		for ; len(b) > 0; b = b[width:] {
			if l.bits == 32 {
				c.lo = append(c.lo, uint64(binary.LittleEndian.Uint32(b)))
				continue
			}
			c.lo = append(c.lo, binary.LittleEndian.Uint64(b))
			if l.bits == 128 {
				c.hi = append(c.hi, binary.LittleEndian.Uint64(b[8:]))
			}
		}
	}
	c.ids = make([]uint32, 0, n)
	for left := n; left > 0; left -= chunk {
		b := buf[:min(left, chunk)*4]
		if err := l.next(b); err != nil {
			return err
		}
		for ; len(b) > 0; b = b[4:] {
			number := binary.LittleEndian.Uint32(b)
			if number == gone {
				return fmt.Errorf("number %d: %w", number, similarity.ErrFormat)
			}
			c.ids = append(c.ids, number)
		}
	}
	return nil
}
