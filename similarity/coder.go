package similarity

import "fmt"

// Coder is a collection that gives and takes encoded sketches one by one, for code
// that stores or sends them.
type Coder interface {
	Collection

	// AppendSketch appends the encoding of the sketch of document i, without a header.
	AppendSketch(dst []byte, i int) []byte

	// AddSketch appends the sketch that src encodes. Damaged bytes, or more than one sketch
	// takes, are an error that wraps ErrFormat, and leave the collection as it was.
	AddSketch(src []byte) error

	// Truncate drops documents n, n+1, ..., so that the collection can be used again.
	Truncate(n int)
}

// NewCoder returns an empty collection of a method. It is an error if another
// process keeps the sketches; it has no prefix.
func NewCoder(m Method) (Coder, error) {
	c, ok := m.NewCollection().(Coder)
	if !ok {
		return nil, fmt.Errorf("sketches of %s are kept by another process, want a method of alike", m)
	}
	return c, nil
}

func (c *collection[S, M]) AppendSketch(dst []byte, i int) []byte {
	return c.m.AppendSketch(dst, c.docs[i])
}

func (c *collection[S, M]) AddSketch(src []byte) error {
	s, n, err := c.m.DecodeSketch(src)
	if err != nil {
		return fmt.Errorf("similarity: sketch of %s: %w", c.m, err)
	}
	if n != len(src) {
		return fmt.Errorf("similarity: %d bytes after the sketch: %w", len(src)-n, ErrFormat)
	}
	c.docs = append(c.docs, s)
	return nil
}

func (c *collection[S, M]) Truncate(n int) {
	clear(c.docs[n:])
	c.docs = c.docs[:n]
}
