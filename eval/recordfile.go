package eval

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// RecordFile is a file that records are appended to as they are made. The zero
// value keeps none.
type RecordFile struct {
	f    *os.File
	have []Record
}

// OpenRecords opens a file of records, or makes it. Without resume a file that has
// records is refused, so that none is lost or mixed with those of another run. An
// empty name opens no file.
func OpenRecords(name string, resume bool) (*RecordFile, error) {
	if name == "" {
		return &RecordFile{}, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	have, whole, err := ReadRecords(f, name)
	if err == nil && len(have) > 0 && !resume {
		err = fmt.Errorf("eval: %s has %d records already, want --resume or another file", name, len(have))
	}
	if err == nil {
		err = f.Truncate(whole) // drops a line that was cut short when a run was killed
	}
	if err == nil {
		_, err = f.Seek(whole, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &RecordFile{f, have}, nil
}

// Ceiling returns the spec of the ceiling of a set that the file had when it was
// opened.
func (r *RecordFile) Ceiling(set *datasets.Set) (spec string, ok bool) {
	checksum := set.Checksum()
	for _, have := range r.have {
		if have.Checksum == checksum && !ok {
			spec, ok = have.CeilingSpec()
		}
	}
	return spec, ok
}

// Run runs the methods that the file had no records of when it was opened, and
// appends their records. It returns the records of all methods, in their order.
func (r *RecordFile) Run(ctx context.Context, set *datasets.Set, methods []similarity.Method, cfg Config) ([]Record, error) {
	todo, done, err := pending(set, methods, cfg, r.have)
	if err != nil {
		return nil, err
	}
	var made []Record
	if len(todo) > 0 {
		if made, err = Run(ctx, set, todo, cfg); err != nil {
			return nil, err
		}
	}
	if err := r.append(made); err != nil {
		return nil, err
	}
	all := make([]Record, 0, len(methods))
	for _, m := range methods {
		if slices.Contains(todo, m) {
			all, made = append(all, made[0]), made[1:]
		} else {
			all, done = append(all, done[0]), done[1:]
		}
	}
	return all, nil
}

func (r *RecordFile) append(records []Record) error {
	if r.f == nil || len(records) == 0 {
		return nil
	}
	if err := WriteRecords(r.f, records...); err != nil {
		return err
	}
	if err := r.f.Sync(); err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	return nil
}

// Close closes the file.
func (r *RecordFile) Close() {
	if r.f != nil {
		r.f.Close()
	}
}
