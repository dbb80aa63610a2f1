package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/alike-go/alike/similarity"
)

// formatVersion changes whenever the meaning of what an Index stores does. An index
// that keeps fields has fieldsVersion, so that earlier programs refuse it.
const (
	formatVersion = 1
	fieldsVersion = 2
)

// Header is what an index was created with. Another method, threshold or layout makes
// other buckets, so an Index refuses a store whose header differs from its own.
type Header struct {
	Version   int     `json:"version"`
	Method    string  `json:"method"`   // the canonical spec
	Settings  string  `json:"settings"` // all of them, with the checksums of fits
	Threshold float64 `json:"threshold"`
	Recall    float64 `json:"recall"`              // of a pair that scores the threshold
	Documents int64   `json:"documents,omitempty"` // that the layout is for, 0 where none were named
	Buckets   string  `json:"buckets"`             // the layout
	Tables    int     `json:"tables"`
	Word      string  `json:"word"`   // what the words of postings are
	Within    int     `json:"within"` // bits in which those of alike documents differ at most

	// Fields are the names of the fields that the index keeps of each document.
	Fields []string `json:"fields,omitempty"`
}

// ReadHeader returns the header of a store, so that a caller can make the method it
// names. The error wraps ErrNone where there is no index.
func ReadHeader(ctx context.Context, s Store) (Header, error) {
	b, err := s.Header(ctx)
	if err != nil {
		return Header{}, err
	}
	var h Header
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&h); err != nil {
		return Header{}, fmt.Errorf("index: header: %v: %w", err, similarity.ErrFormat)
	}
	return h, h.checkVersion()
}

// checkVersion returns an error for a header that this program cannot read.
func (h Header) checkVersion() error {
	want := formatVersion
	if len(h.Fields) > 0 {
		want = fieldsVersion
	}
	if h.Version != want {
		return fmt.Errorf("index: version %d of the index, want %d: %w", h.Version, want, similarity.ErrSettings)
	}
	return nil
}

// encode returns the header as JSON, the same bytes for the same header.
func (h Header) encode() []byte {
	b, err := json.Marshal(h)
	if err != nil {
		panic("index: " + err.Error()) // numbers are finite, so it has none
	}
	return b
}

// check returns an error that names the first setting in which the header of a store
// differs from the one wanted.
func (h Header) check(want Header) error {
	for _, f := range []struct {
		name      string
		got, want any
	}{
		{"settings", h.Settings, want.Settings},
		{"threshold", h.Threshold, want.Threshold},
		{"recall", h.Recall, want.Recall},
		{"documents", h.Documents, want.Documents},
		{"buckets", h.Buckets, want.Buckets},
		{"tables", h.Tables, want.Tables},
		{"word", h.Word, want.Word},
		{"within", h.Within, want.Within},
		{"fields", fmt.Sprintf("%q", h.Fields), fmt.Sprintf("%q", want.Fields)},
	} {
		if f.got != f.want {
			return fmt.Errorf("made with %s %v, want %v: %w", f.name, f.got, f.want, similarity.ErrSettings)
		}
	}
	return nil
}
