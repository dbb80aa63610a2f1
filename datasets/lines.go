package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Limits of one file. They bound what a damaged or hostile file can make the
// reader allocate; sets that are larger do not belong in memory as a whole.
const (
	maxLine = 256 << 20 // bytes of a line
	maxFile = 4 << 30   // bytes of a file, decompressed
)

// extensions are what may follow the name of a file, by how it is compressed.
var extensions = []string{"", ".gz", ".zst"}

// folder is a folder of files, the name that errors call it by, and the bad rows
// to pass over.
type folder struct {
	fs.FS
	name string
	skip *skipper
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
	packed := bufio.NewReaderSize(f, 1<<16)
	var r io.Reader = packed
	unpacked, err := unpack(packed, name, maxLine)
	if err != nil {
		return fmt.Errorf("datasets: open %s/%s: %w", dir.name, name, err)
	}
	if unpacked != nil {
		defer unpacked.Close()
		r = unpacked
	}
	return scan(atMost(r, maxFile), dir.name+"/"+name, fn, dir.skip)
}

// scan is eachLine on a plain reader.
func scan(r io.Reader, name string, fn func(n int, line []byte) error, skip *skipper) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 0
	for sc.Scan() {
		n++
		if err := fn(n, sc.Bytes()); err != nil {
			if sc.Err() != nil {
				break // the line is wrong because the file ends within it
			}
			bad := &BadRow{name, n, err}
			if n > 1 && skip.pass(bad) {
				continue
			}
			return bad
		}
	}
	switch err := sc.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("datasets: %s:%d: line of more than %d bytes", name, n+1, maxLine)
	default:
		return fmt.Errorf("datasets: %s:%d: damaged or cut short: %w", name, n+1, err)
	}
}

// capped fails after a number of bytes. io.LimitReader would report the end of
// the file instead.
type capped struct {
	r    io.Reader
	left int64
	err  error
}

func atMost(r io.Reader, n int64) *capped {
	return &capped{r, n, fmt.Errorf("more than %d bytes", n)}
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, c.err
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}
