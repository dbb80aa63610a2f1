package sketches

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Document is a row of documents: a row of the input.
type Document struct {
	// Number is that of dedup.Ref: the source in the bits from 40 on, and below the row in it.
	Number int64  `parquet:"number,delta"`
	Source int32  `parquet:"source"`
	Row    int64  `parquet:"row,delta"`
	ID     string `parquet:"id"`

	// Rank is the dedup.Rank: of two documents the one with the lesser bytes is kept rather than
	// the other.
	Rank []byte `parquet:"rank"`

	// HashHigh and HashLow are the dedup.Hash of the text as it is compared. Documents of equal
	// hashes are equal unless they are Empty.
	HashHigh int64 `parquet:"hash_high"`
	HashLow  int64 `parquet:"hash_low"`
	Length   int64 `parquet:"length"` // of the text, in bytes

	// Empty says that the text has no features: it is in no bucket, and kept.
	Empty bool `parquet:"empty"`

	// Error says why the row is no document, and is empty where it is one.
	Error string `parquet:"error"`
}

// Sketch is a row of sketches and of verify, of a document that is not empty.
type Sketch struct {
	Number  int64   `parquet:"number,delta"`
	Words   []int64 `parquet:"words,list"`
	Weights []int64 `parquet:"weights,list"` // of bags
	Sum     int64   `parquet:"sum"`          // where the layout says Whole
	Size    int64   `parquet:"size"`
}

// Key is a row of buckets: that a document is in the bucket of a table.
type Key struct {
	Bucket int64 `parquet:"bucket"`
	Number int64 `parquet:"number"`
}

// InlineKey is a Key with the words of the sketch, of which High is 0 if it has but one.
type InlineKey struct {
	Bucket int64 `parquet:"bucket"`
	Number int64 `parquet:"number"`
	Word   int64 `parquet:"word"`
	High   int64 `parquet:"high"`
}

// The folders of a folder.
const (
	documentsDir = "documents"
	sketchesDir  = "sketches"
	verifyDir    = "verify"
	bucketsDir   = "buckets"
	doneDir      = "_done"
)

// file is a file in the making.
type file struct {
	*bufio.Writer
	f *os.File
}

// aside makes a file under another name, and gives it its own when it is whole and on the disk.
func aside(path string, write func(*file) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	// The name is that of a process on a machine, should two be at work on one shard.
	host, _ := os.Hostname()
	f, err := os.Create(filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%s-%d.new", filepath.Base(path), host, os.Getpid())))
	if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("sketches: write %s: %w", path, err)
			os.Remove(f.Name())
		}
	}()
	w := &file{bufio.NewWriterSize(f, 1<<18), f}
	if err := write(w); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(w.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// sweep removes what workers on a shard that were killed have left of files in the making.
func sweep(dir string, shard int) error {
	for _, sub := range []string{documentsDir, sketchesDir, verifyDir, doneDir, filepath.Join(bucketsDir, "*", "*")} {
		left, err := filepath.Glob(filepath.Join(escaped(dir), sub, fmt.Sprintf(".part-%05d-*.new", shard)))
		for _, path := range left {
			if removed := os.Remove(path); !errors.Is(removed, os.ErrNotExist) {
				err = errors.Join(err, removed)
			}
		}
		if err != nil {
			return fmt.Errorf("sketches: %w", err)
		}
	}
	return nil
}

// escaped returns a pattern of a path alone.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// groupBytes is how much goes into a row group, which the writer holds in memory, and an engine
// reads as one.
const groupBytes = 32 << 20

// table writes rows to a Parquet file and returns its bytes; size returns what a row takes in memory.
func table[T any](path string, rows []T, size func(*T) int) (bytes int64, err error) {
	err = aside(path, func(f *file) error {
		w := parquet.NewGenericWriter[T](f, parquet.Compression(&parquet.Zstd))
		for len(rows) > 0 {
			n, bytes := 0, 0
			for n < len(rows) && bytes < groupBytes {
				bytes += size(&rows[n])
				n++
			}
			if _, err := w.Write(rows[:n]); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
			rows = rows[n:]
		}
		if err := errors.Join(w.Close(), f.Flush()); err != nil {
			return err
		}
		bytes, err = f.f.Seek(0, io.SeekCurrent)
		return err
	})
	return bytes, err
}
