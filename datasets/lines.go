package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Limits of one file. They bound what a damaged or hostile file can make the
// reader allocate; sets that are larger do not belong in memory as a whole.
const (
	maxLine = 256 << 20 // bytes of a line
	maxFile = 4 << 30   // bytes of a file, decompressed
)

// extensions are what may follow the name of a file, by how it is compressed.
var extensions = []string{"", ".gz", ".zst"}

// folder is a folder of files and the name that errors call it by.
type folder struct {
	fs.FS
	name string
}

// find returns the name under which the folder holds the file base, compressed
// or not, and whether it does.
func find(dir fs.FS, base string) (string, bool) {
	for _, ext := range extensions {
		if info, err := fs.Stat(dir, base+ext); err == nil && !info.IsDir() {
			return base + ext, true
		}
	}
	return "", false
}

// eachLine calls fn with every line of a file of the folder and its number,
// counted from 1. The line is valid during the call only and comes without its
// line feed; a carriage return before that goes too. An error of fn ends the
// walk. All errors name the file and the line.
func eachLine(dir folder, name string, fn func(n int, line []byte) error) error {
	f, err := dir.Open(name)
	if err != nil {
		return fmt.Errorf("datasets: open %s/%s: %w", dir.name, name, err)
	}
	defer f.Close()
	r, err := decompress(f, name)
	if err != nil {
		return fmt.Errorf("datasets: open %s/%s: %w", dir.name, name, err)
	}
	defer r.Close()
	if err := scan(&capped{r: r, left: maxFile}, fn); err != nil {
		return fmt.Errorf("datasets: %s/%s:%w", dir.name, name, err)
	}
	return nil
}

// scan is eachLine on a plain reader; its errors begin with the line.
func scan(r io.Reader, fn func(n int, line []byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 0
	for sc.Scan() {
		n++
		if err := fn(n, sc.Bytes()); err != nil {
			if sc.Err() != nil {
				break // the line is wrong because the file ends within it
			}
			return fmt.Errorf("%d: %w", n, err)
		}
	}
	switch err := sc.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%d: line of more than %d bytes", n+1, maxLine)
	default:
		return fmt.Errorf("%d: damaged or cut short: %w", n+1, err)
	}
}

// decompress unwraps a file by the extension of its name.
func decompress(r io.Reader, name string) (io.ReadCloser, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewReader(r)
	case strings.HasSuffix(name, ".zst"):
		// One goroutine: the files are small, and a set is loaded once.
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(r), nil
}

// capped fails, where io.LimitReader would pretend the end of the file.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("more than %d bytes", int64(maxFile))
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}
