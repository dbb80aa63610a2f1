package sketches

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/dedup"
)

// Folder is a folder with all shards complete.
type Folder struct {
	Header

	dir    string
	shards []*Shard
	starts []int // by source, the number of its first row, and at the end of all rows
}

// Open opens a folder for reading. It is an error if a shard is not complete, or
// if workers have read different numbers of rows of a source.
func Open(dir string) (*Folder, error) {
	h, err := readHeader(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Header: *h, dir: dir}
	rows := make([]int, len(h.Sources))
	for i := range rows {
		rows[i] = -1
	}
	for i := range h.Shards {
		s, err := readMarker[Shard](dir, shardName(i))
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("sketches: %s: shard %d of %d is not complete: run alike sketch --shard %d/%d again", dir, i, h.Shards, i, h.Shards)
		}
		if err != nil {
			return nil, err
		}
		f.shards = append(f.shards, s)
		for source, n := range s.Rows {
			if source < 0 || source >= len(rows) || rows[source] >= 0 && rows[source] != n {
				return nil, fmt.Errorf("sketches: %s: shard %d has read %d rows of source %d, other shards another number: it has changed, write all shards again", dir, i, n, source)
			}
			rows[source] = n
		}
	}
	f.starts = []int{0}
	for source, n := range rows {
		if n < 0 {
			return nil, fmt.Errorf("sketches: %s: no shard has read source %d", dir, source)
		}
		f.starts = append(f.starts, f.starts[source]+n)
	}
	return f, nil
}

// Rows returns the number of rows of all sources.
func (f *Folder) Rows() int { return f.starts[len(f.starts)-1] }

// Totals returns the sum of all shards.
func (f *Folder) Totals() (t Counts) {
	for _, s := range f.shards {
		t.add(&s.Counts)
	}
	return t
}

// RowOf returns the place of a document among the rows of all sources; ok is
// false if no document has the number.
func (f *Folder) RowOf(number int64) (row int, ok bool) {
	r := dedup.RefOf(uint64(number))
	if number < 0 || r.Source >= len(f.Sources) || r.Row >= f.starts[r.Source+1]-f.starts[r.Source] {
		return 0, false
	}
	return f.starts[r.Source] + r.Row, true
}

// Hash returns the hash of a document's text.
func (d *Document) Hash() dedup.Hash { return hashOf(d.HashHigh, d.HashLow) }

// Documents calls do with each document and its row, in the order of the files.
// It uses the document again.
func (f *Folder) Documents(ctx context.Context, do func(row int, d *Document) error) error {
	seen := 0
	for i, s := range f.shards {
		for p := range s.Parts {
			path := filepath.Join(f.dir, documentsDir, fileName(i, p, "parquet"))
			err := Rows(ctx, path, func(d *Document) error {
				row, ok := f.RowOf(d.Number)
				if !ok {
					return fmt.Errorf("sketches: %s: document %d, which no source has", path, d.Number)
				}
				seen++
				return do(row, d)
			})
			if err != nil {
				return err
			}
		}
	}
	if seen != f.Rows() {
		return fmt.Errorf("sketches: %s: %d documents, want %d", f.dir, seen, f.Rows())
	}
	return nil
}

// Rows calls do with each row of a Parquet file. It uses the row again.
func Rows[T any](ctx context.Context, path string, do func(*T) error) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	p, err := parquet.OpenFile(file, info.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return fmt.Errorf("sketches: %s: %w", path, err)
	}
	r := parquet.NewGenericReader[T](p)
	defer r.Close()
	buffer := make([]T, 1024)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buffer)
		for i := range buffer[:n] {
			if err := do(&buffer[i]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("sketches: %s: %w", path, err)
		}
	}
}
