package steps

import (
	"encoding/binary"
	"math"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// Document is a document as it was read.
type Document struct {
	Ref  dedup.Ref
	Text string // as it is compared: masked and stripped where that is asked for

	// Values are what Policy.Values returns, Limits what Limits.Values returns.
	Values, Limits []float64
}

// Mapped is what the steps know of a document. It holds no part of the text.
type Mapped struct {
	// Rank orders documents and names this one.
	Rank dedup.Rank

	// Hash is the hash of the text, or with limits of its unit. Texts of equal hashes are
	// equal; see also Empty.
	Hash dedup.Hash

	// Empty says that the text has no features. Such a document is alike to
	// nothing, not even to its equals. It is kept, and takes part in no further
	// step.
	Empty bool

	// Sketch is the encoded sketch. Equal texts have the same.
	Sketch []byte
}

// Mapper sketches documents and puts sketches in buckets. It is not safe for
// concurrent use: each worker has its own.
type Mapper struct {
	*kit
	keys []similarity.Key
}

// NewMapper returns a mapper. The error wraps similarity.ErrNoBuckets if the
// method has none.
func NewMapper(o Options) (*Mapper, error) {
	k, err := newKit(o)
	if err != nil {
		return nil, err
	}
	return &Mapper{kit: k}, nil
}

// Map returns what the steps need to know of a document.
func (m *Mapper) Map(d *Document) (Mapped, error) {
	rank, err := m.o.Keep.Rank(&dedup.Doc{Ref: d.Ref, Length: len(d.Text), Values: d.Values}, d.Ref.Source < m.o.Old)
	if err != nil {
		return Mapped{}, err
	}
	old := d.Ref.Source < m.o.Old
	out := Mapped{Rank: rank, Hash: m.o.Limits.Unit(dedup.HashText(d.Text), d.Limits, rank.Number(), old)}
	if out.Sketch, out.Empty = m.Sketch(nil, d.Text, d.Limits); out.Empty {
		out.Sketch = nil
	}
	return out, nil
}

// Sketch appends the encoded sketch of a text to dst, and the values of the limits. It
// reports whether the text has no features.
func (m *Mapper) Sketch(dst []byte, text string, limits []float64) (sketch []byte, empty bool) {
	sketch, empty = m.Sketcher.Sketch(dst, text)
	for _, v := range limits {
		sketch = binary.LittleEndian.AppendUint64(sketch, math.Float64bits(v))
	}
	return sketch, empty
}

// Keys returns the keys of the buckets that a sketch belongs in, ascending and
// without repetition. They are valid until the next call. Two texts whose
// sketches score Options.Candidates share a bucket with the probability
// Layout.Recall.
func (m *Mapper) Keys(sketch []byte) ([]similarity.Key, error) {
	sketch, _ = m.split(sketch)
	if err := m.load(sketch); err != nil {
		return nil, err
	}
	m.keys = m.buckets.Append(m.keys[:0], 0)
	return m.keys, nil
}
