package plant

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// file is a buffered file, perhaps compressed. Its writer remembers the first
// error, which Close returns.
type file struct {
	*bufio.Writer
	compressor io.Closer // nil for none
	f          *os.File
}

// createFile creates a file that does not exist; the name gets the ending of the
// compression.
func createFile(name, compress string) (*file, error) {
	if compress != "" {
		name += "." + compress
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	out := &file{f: f}
	switch compress {
	case "gz":
		w := gzip.NewWriter(f)
		out.Writer, out.compressor = bufio.NewWriterSize(w, 1<<16), w
	case "zst":
		// Two goroutines at most: the next block is read while one is compressed.
		w, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(2))
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		out.Writer, out.compressor = bufio.NewWriterSize(w, 1<<16), w
	default:
		out.Writer = bufio.NewWriterSize(f, 1<<16)
	}
	return out, nil
}

func (f *file) Close() error {
	err := f.Flush()
	if f.compressor != nil {
		err = errors.Join(err, f.compressor.Close())
	}
	return errors.Join(err, f.f.Close())
}

// appendDoc appends the line of a document.
func appendDoc(dst []byte, d Document) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		ID   string `json:"id"`
		Text string `json:"text"`
		Lang string `json:"lang,omitempty"`
	}{d.ID, d.Text, d.Lang})
	return b.Bytes(), err
}
