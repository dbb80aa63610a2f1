package datasets

import (
	"bufio"
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

// folder is a folder of files, its name in errors, and the bad rows to skip.
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
	s, err := openStream(&Source{}, name, dir.name+"/"+name, f, 1<<16)
	if err != nil {
		return err
	}
	defer s.Close()
	return scan(s, maxFile, fn, dir.skip)
}

// scan is eachLine on a stream of at most most bytes.
func scan(s *stream, most int64, fn func(n int, line []byte) error, skip *skipper) error {
	s.Reader = bufio.NewReaderSize(atMost(s.Reader, most), 1<<16)
	c := lineCutter{openFile: &openFile{stream: s, rawFile: &rawFile{src: &Source{}}}}
	for {
		row, err := c.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case row.err != nil:
			return fmt.Errorf("datasets: %s:%d: line of more than %d bytes", s.name, row.Line, maxLine)
		}
		if err := fn(row.Line, row.Content()); err != nil {
			bad := &BadRow{s.name, row.Line, err}
			if row.Line == 1 || !skip.pass(bad) {
				return bad
			}
		}
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
