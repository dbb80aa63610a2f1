// Package jsonl keeps the records of a measurement in a file, one JSON value a line.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/alike-go/alike/internal/durable"
)

// Read returns the records of a file, none where there is no file.
func Read[T any](name string) (records []T, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var r T
		switch err := d.Decode(&r); {
		case err == io.EOF:
			return records, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		records = append(records, r)
	}
}

// Write makes records what a file holds.
func Write[T any](name string, records []T) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return durable.Replace(name, b.Bytes())
}
