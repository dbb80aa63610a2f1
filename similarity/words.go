package similarity

import "fmt"

// Words says what 64 bits of a sketch tell a scan of a bucket about its score, so that
// most documents of a bucket are passed over before their sketches are read.
type Words[S any] struct {
	// Design names the word, such as "fingerprint".
	Design string

	// Within is the greatest number of bits, 0 to 64, in which the words of two sketches
	// differ that score at least the threshold; 64 says that the word tells nothing.
	Within int

	// Of returns the word of a sketch. It is safe for concurrent use.
	Of func(s S) uint64

	// Distance returns the distance that the score of two sketches is made of, such as
	// the number of bits that differ. It is nil where there is none.
	Distance func(a, b S) int
}

// Worder is implemented by methods whose sketches have such a word.
type Worder[S any] interface {
	// Words returns the word for o.Threshold. It is exact, or states in Design
	// how rarely it passes over a pair that scores the threshold.
	Words(o JoinOptions) (Words[S], error)
}

// Coder is implemented by collections that give and take encoded sketches one by one, as
// those of hidden methods do.
type Coder interface {
	// AppendSketch appends the encoding of the sketch of document i, without a header.
	AppendSketch(dst []byte, i int) []byte

	// AddSketch appends the sketch that src encodes. Damaged bytes, or more than one sketch
	// takes, are an error that wraps ErrFormat, and leave the collection as it was.
	AddSketch(src []byte) error

	// Truncate drops documents n, n+1, ..., so that the collection can be used again.
	Truncate(n int)

	// Words returns the method's word, whose functions take a document's number; ok is
	// false where the method has none.
	Words(o JoinOptions) (w Words[int], ok bool, err error)
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

func (c *collection[S, M]) Words(o JoinOptions) (Words[int], bool, error) {
	k, ok := any(c.m).(Worder[S])
	if !ok {
		return Words[int]{}, false, nil
	}
	o, err := o.Check()
	if err != nil {
		return Words[int]{}, false, err
	}
	w, err := k.Words(o)
	if err != nil {
		return Words[int]{}, false, err
	}
	out := Words[int]{
		Design: w.Design,
		Within: w.Within,
		Of:     func(i int) uint64 { return w.Of(c.docs[i]) },
	}
	if w.Distance != nil {
		out.Distance = func(i, j int) int { return w.Distance(c.docs[i], c.docs[j]) }
	}
	return out, true, nil
}
