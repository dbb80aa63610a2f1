// Package jsonl writes and reads records, one JSON value a line.
//
// Package eval, the packages below it, cmd/alike and the programs that measure
// use it. What a record means does not belong here.
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
	if err := Encode(&b, records); err != nil {
		return err
	}
	return durable.Replace(name, b.Bytes())
}

// Encode writes records without HTML escaping, because no page embeds them.
func Encode[T any](w io.Writer, records []T) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}
