package datasets

import (
	"errors"
	"io"
	"iter"
)

// Row is a document and the record it comes from.
type Row struct {
	Record
	Doc Doc
}

// Reader reads documents one by one; memory holds the current one only. Open
// makes one. It is a RawReader with a parser behind it, and it is not safe for
// concurrent use. This package alone makes readers of pairs.
type Reader[T Row | pairRow] struct {
	raw   *RawReader
	parse func(RawRow) (T, error)
	skip  *skipper
}

// Open opens a source of documents. Close the reader when done.
//
// Ids are not checked to be unique, because that would keep all of them in
// memory.
func Open(src Source) (*Reader[Row], error) {
	return newReader(src, opening{}, new(Parser).Row)
}

func newReader[T Row | pairRow](src Source, how opening, parse func(RawRow) (T, error)) (*Reader[T], error) {
	raw, err := openRows(src, how)
	if err != nil {
		return nil, err
	}
	return &Reader[T]{raw, parse, src.skipper()}, nil
}

// Next returns the next document. At the end the error is io.EOF. Every
// error is final. Bad rows are skipped up to Source.SkipBad; the next one is
// returned as a *BadRow.
func (r *Reader[T]) Next() (row T, err error) {
	for {
		raw, err := r.raw.Next()
		if err != nil {
			return row, err
		}
		if row, err = r.parse(raw); err == nil {
			return row, nil
		}
		if !r.skip.pass(err) {
			r.raw.err = err
		}
	}
}

// Rows iterates over the documents. An error ends the iteration; it
// comes with an empty row.
func (r *Reader[T]) Rows() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			row, err := r.Next()
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Skipped returns the number of bad rows skipped so far.
func (r *Reader[T]) Skipped() int { return r.skip.skipped }

// Done returns the share of the source that was read, as RawReader.Done does.
func (r *Reader[T]) Done() float64 { return r.raw.Done() }

// Close closes the file that is open.
func (r *Reader[T]) Close() error { return r.raw.Close() }

// skipper counts the bad rows that are skipped.
type skipper struct {
	max, skipped int
	on           func(error)
}

func (src *Source) skipper() *skipper { return &skipper{max: src.SkipBad, on: src.OnBad} }

// pass reports whether err is that of a bad row and may be skipped.
func (s *skipper) pass(err error) bool {
	if _, bad := errors.AsType[*BadRow](err); !bad || s == nil || s.skipped >= s.max {
		return false
	}
	s.skipped++
	if s.on != nil {
		s.on(err)
	}
	return true
}
