package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// DefaultMaxDocument is the maximum size of a document in bytes if
// Source.MaxDocument is zero, and the highest value that it may have.
const DefaultMaxDocument = maxLine

// passable is the size of the largest row that a RawReader returns as a bad
// row, in units of the maximum size of a document. It returns the bytes of bad
// rows, so it must hold them. A larger row ends the reading.
const passable = 4

// SizeError is the error for a document that is larger than Source.MaxDocument.
type SizeError struct {
	// Bytes is the size of the document, or less if the rest was not read.
	Bytes, Max int64
	cut        bool // the rest was not read
}

// Error returns both sizes.
func (e *SizeError) Error() string {
	more := ""
	if e.cut {
		more = "more than "
	}
	return fmt.Sprintf("document of %s%d bytes, want at most %d", more, e.Bytes, e.Max)
}

func (src *Source) maxDocument() int64 {
	if src.MaxDocument == 0 {
		return DefaultMaxDocument
	}
	return src.MaxDocument
}

// maxRow is the maximum number of bytes that a reader holds of one row.
func (src *Source) maxRow() int64 { return min(passable*src.maxDocument(), maxLine) }

// maxBlank is the maximum number of bytes of empty lines before a row. They
// belong to the row, so that the file can be restored.
const maxBlank = 16 << 20

// errBlank is the error of more empty lines.
var errBlank = &stopped{fmt.Errorf("more than %d bytes of empty lines before a row", maxBlank)}

// maxBlock is the maximum number of bytes that a reader decompresses at once:
// the window of a zstd file, a page of a Parquet file. Usual ones have at most
// 8 MB.
func (src *Source) maxBlock() int64 { return max(64<<20, src.maxRow()) }

// maxCommas is the maximum number of separators in a row of a table with quotes,
// those in quotes included: a quarter of a document may be commas. The parser
// takes about fifty bytes per field besides the text.
func (src *Source) maxCommas() int64 { return max(src.maxRow()/passable/4, 1<<12) }

// maxFields is the maximum number of fields of a row. Each takes about a
// hundred bytes, however short it is in the file.
const maxFields = 1 << 20

// errFields is the error of a row of more fields.
var errFields = fmt.Errorf("more than %d fields in a row", maxFields)

func (src *Source) context() context.Context {
	if src.Context == nil {
		return context.Background()
	}
	return src.Context
}

// watched is a reader that fails once a context is done.
type watched struct {
	io.Reader
	ctx context.Context
	n   int64 // bytes read
}

func (w *watched) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, &stopped{context.Cause(w.ctx)}
	}
	n, err := w.Reader.Read(p)
	w.n += int64(n)
	return n, err
}

// stopped is the error of a reader that stops although the file is not damaged:
// the context is done, or something in the file is too large.
type stopped struct{ error }

func (s *stopped) Unwrap() error { return s.error }

// ended returns the error of reading a file that stops at a place.
func ended(place string, err error) error {
	if s, ok := errors.AsType[*stopped](err); ok {
		return fmt.Errorf("datasets: %s: %w", place, s.error)
	}
	return fmt.Errorf("datasets: %s: damaged or cut short: %w", place, err)
}
