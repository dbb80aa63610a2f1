package index

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// An Index that keeps fields stores their values in front of each sketch, each behind
// its length (uvarint). A Store sees one sequence of bytes.

// MaxField is the maximum number of bytes of a field's name or value.
const MaxField = 1 << 10

// checkFields returns an error for names that an index cannot keep.
func checkFields(names []string) error {
	for i, f := range names {
		switch {
		case f == "" || len(f) > MaxField || !utf8.ValidString(f):
			return fmt.Errorf("index: field %.100q, want a name of 1 to %d bytes of UTF-8", f, MaxField)
		case slices.Contains(names[:i], f):
			return fmt.Errorf("index: two fields %q, want different ones", f)
		}
	}
	return nil
}

// valuesOf returns the values of an index's fields in a document.
func (x *Index) valuesOf(d *Doc) ([]string, error) {
	names := x.header.Fields
	switch {
	case d.Fields == nil:
		return make([]string, len(names)), nil
	case len(d.Fields) != len(names):
		return nil, fmt.Errorf("index: document %q: %d values of fields, want %d, of %q", d.ID, len(d.Fields), len(names), names)
	}
	for i, v := range d.Fields {
		if len(v) > MaxField {
			return nil, fmt.Errorf("index: document %q: field %q of %d bytes, want at most %d", d.ID, names[i], len(v), MaxField)
		}
	}
	return d.Fields, nil
}

// Values returns what dedup.Limits.Counts needs of a document with these values of
// h.Fields. A field that the index does not keep has no value.
func (h Header) Values(l dedup.Limits, fields []string) []float64 {
	return l.Values(func(name string) (string, bool) {
		if i := slices.Index(h.Fields, name); i >= 0 && i < len(fields) {
			return fields[i], true
		}
		return "", false
	})
}

// CheckLimits returns an error for limits that no pair can keep, or by a field that
// the index does not keep.
func (h Header) CheckLimits(l dedup.Limits) error {
	for _, f := range l.Fields() {
		if !slices.Contains(h.Fields, f) {
			return fmt.Errorf("index: the limits (%v) need the field %q, which the index does not keep: want one that was created with it (alike index create --fields): %w", l, f, similarity.ErrSettings)
		}
	}
	return l.Check()
}

// counts returns the pairs of docs and documents of the index that count, or nil if
// all do.
func (x *Index) counts(l dedup.Limits, docs []Doc) (func(i int, d *Document) bool, error) {
	if err := x.header.CheckLimits(l); err != nil || !l.Any() {
		return nil, err
	}
	asked := make([][]float64, len(docs))
	for i := range docs {
		fields, err := x.valuesOf(&docs[i])
		if err != nil {
			return nil, err
		}
		asked[i] = x.header.Values(l, fields)
	}
	return func(i int, d *Document) bool { return l.Counts(asked[i], x.header.Values(l, d.Fields)) }, nil
}

// pack moves the values of a document into its sketch, as a Store has it.
func pack(d Document) Document {
	if len(d.Fields) == 0 {
		d.Fields = nil
		return d
	}
	var b []byte
	for _, v := range d.Fields {
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	d.Sketch, d.Fields = append(b, d.Sketch...), nil
	return d
}

// unpack undoes pack for an index of n fields.
func unpack(d Document, n int) (Document, error) {
	for range n {
		size, k := binary.Uvarint(d.Sketch)
		if k <= 0 || size > MaxField || size > uint64(len(d.Sketch)-k) {
			return d, fmt.Errorf("the values of its %d fields are broken: %w", n, similarity.ErrFormat)
		}
		end := k + int(size)
		d.Fields, d.Sketch = append(d.Fields, string(d.Sketch[k:end])), d.Sketch[end:]
	}
	return d, nil
}
