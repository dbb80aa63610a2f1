package index

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// exported is a line of Export.
type exported struct {
	ID     string `json:"id"`
	Time   int64  `json:"time,omitempty"`
	Hash   []byte `json:"hash"`
	Sketch []byte `json:"sketch"`

	Fields []string `json:"fields,omitempty"`
}

// Export writes the index as JSON lines: the header, and each document with its id, time,
// content hash and sketch, both in base64, and the values of the header's fields. Import
// reads it. The order of the documents is the store's.
func (x *Index) Export(ctx context.Context, w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(x.header); err != nil {
		return fmt.Errorf("index: export: %w", err)
	}
	err := x.Each(ctx, func(d Document) error { return e.Encode(exported{d.ID, d.Time, d.Hash[:], d.Sketch, d.Fields}) })
	if err != nil {
		return fmt.Errorf("index: export: %w", err)
	}
	return nil
}

// Each calls do with every document, in the order of the store, until do returns an
// error.
func (x *Index) Each(ctx context.Context, do func(Document) error) error {
	return x.store.EachDocument(ctx, func(d Document) error {
		d, err := unpack(d, len(x.header.Fields))
		if err != nil {
			return fmt.Errorf("document %q: %w", d.ID, err)
		}
		return do(d)
	})
}

// Import adds what Export wrote of an index of the same method and fields,
// whatever its threshold, and returns how many documents it read. It loads an
// empty index, which fails unless the ids differ, and adds to one that is not.
func (x *Index) Import(ctx context.Context, r io.Reader) (int64, error) {
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<20))
	var h Header
	if err := d.Decode(&h); err != nil {
		return 0, fmt.Errorf("index: import: header: %v: %w", err, similarity.ErrFormat)
	}
	if err := h.checkVersion(); err != nil {
		return 0, fmt.Errorf("index: import: %w", err)
	}
	if h.Settings != x.header.Settings || !slices.Equal(h.Fields, x.header.Fields) {
		return 0, fmt.Errorf("index: import: sketches of %q with the fields %q, want %q with %q: %w", h.Settings, h.Fields, x.header.Settings, x.header.Fields, similarity.ErrSettings)
	}
	read := int64(0)
	next := func() (Doc, bool, error) {
		var e exported
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return Doc{}, false, nil
		} else if err != nil {
			return Doc{}, false, fmt.Errorf("index: import: document %d: %v: %w", read+1, err, similarity.ErrFormat)
		}
		if len(e.Hash) != len(Hash{}) || e.Sketch == nil {
			return Doc{}, false, fmt.Errorf("index: import: document %d: hash of %d bytes, want %d, or no sketch: %w", read+1, len(e.Hash), len(Hash{}), similarity.ErrFormat)
		}
		read++
		return Doc{ID: e.ID, Sketch: e.Sketch, Hash: Hash(e.Hash), Time: e.Time, Fields: e.Fields}, true, nil
	}
	st, err := x.Stats(ctx)
	if err != nil {
		return 0, err
	}
	if st.Documents == 0 {
		_, _, err = x.Load(ctx, next)
	} else {
		_, _, err = x.loadByBatches(ctx, next)
	}
	return read, err
}
