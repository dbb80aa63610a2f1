package similarity

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
)

// Method is a Sketcher with the type of the sketch hidden, for code that holds
// many methods in one slice. Make one with Hide.
type Method interface {
	// String returns the canonical spec.
	String() string

	// Settings returns all settings, defaults included; see Sketcher.
	Settings() string

	// NewCollection returns an empty collection of sketches.
	NewCollection() Collection

	// Features returns the extractor of a method that works on features, and nil
	// for one that reads the text itself.
	Features() *feature.Extractor

	// Explain shows the evidence for a score; ok is false where the method has none to show.
	Explain(a, b string) (e Explanation, ok bool)

	// FitState says whether a fit would change anything, and whether there is one.
	FitState() FitState

	// Fit returns the method fitted on docs, or the method itself where the
	// state is FitUseless.
	Fit(docs iter.Seq[string]) (Method, error)

	// WriteFit saves a fit; ReadFit returns the method under a saved one.
	WriteFit(w io.Writer) error
	ReadFit(r io.Reader) (Method, error)
}

// Collection holds the sketches of documents 0, 1, 2, ... in a typed slice.
// Adding is not safe for concurrent use; reading is.
type Collection interface {
	// Add sketches a text and appends the sketch.
	Add(text string)

	// Err waits until everything that was added is sketched, and returns what has gone
	// wrong so far. It is always nil for methods of this process. The method of another
	// process can fail in sketching and in scoring; its documents then count as empty,
	// and its scores are 0.
	Err() error

	// Len returns the number of documents.
	Len() int

	// Score returns the score of documents i and j.
	Score(i, j int) float64

	// Containment returns how much of document i lies in document j; ok is
	// false where the method cannot tell.
	Containment(i, j int) (c float64, ok bool)

	// Join finds all pairs of this collection and other, or where other is nil of
	// this one with itself, that score at least o.Threshold: by the method's own
	// Joiner, and where it has none by scoring every pair. The rest is as Joiner says.
	Join(ctx context.Context, other Collection, o JoinOptions, emit func(Pair) error) (JoinStats, error)

	// Save writes all sketches under a header of the method's settings.
	Save(w io.Writer) error

	// Load appends the sketches that Save wrote, and refuses those of other settings.
	// After an error the collection is as it was.
	Load(r io.Reader) error

	Sketches
}

// Sketches is what engines need of a collection, such as a benchmark, a dedup run or
// an index.
type Sketches interface {
	// AddNamed is Add for a document that errors call by its id.
	AddNamed(id, text string)

	// AddFeatures appends the sketch of extracted features. It panics if the
	// method does not work on features.
	AddFeatures(features []feature.Feature)

	// Append moves the sketches of another collection of the same method to the
	// end of this one, so that workers can each fill their own.
	Append(other Collection)

	// Empty reports whether document i has no features.
	Empty(i int) bool

	// Blank reports whether document i has nothing to compare: it is empty, or
	// the method says that its sketch came out blank.
	Blank(i int) bool

	// Bytes returns the size of the sketch of document i, in bytes.
	Bytes(i int) int

	// Scores sets dst[k] to the score of documents i and from+k as a float32.
	Scores(i, from int, dst []float32)

	// Buckets returns the layout of the method's buckets, whose Append takes a
	// document's number. The error wraps ErrNoBuckets where the method has none.
	Buckets(o JoinOptions) (Buckets[int], error)

	// Groups returns for each document the first one whose sketch is the same, which may
	// be itself. A document without features is a group of its own.
	Groups() []int

	// Pick returns a collection of the documents with the given numbers, in that
	// order. It shares their sketches.
	Pick(docs []int) Collection
}

// Hide makes a Method of a typed method. The type of its sketches is inferred.
func Hide[S any, M Sketcher[S]](m M) Method { return &hidden[S, M]{m} }

// As returns the typed method that Hide hid, if it is a T. T may be an interface.
func As[T any](m Method) (T, bool) {
	var typed any = m
	if h, ok := m.(interface{ typed() any }); ok {
		typed = h.typed()
	}
	t, ok := typed.(T)
	return t, ok
}

type hidden[S any, M Sketcher[S]] struct{ m M }

func (h *hidden[S, M]) String() string   { return h.m.String() }
func (h *hidden[S, M]) Settings() string { return h.m.Settings() }
func (h *hidden[S, M]) typed() any       { return h.m }

func (h *hidden[S, M]) Features() *feature.Extractor {
	if f, ok := any(h.m).(Featured[S]); ok {
		return f.Features()
	}
	return nil
}

func (h *hidden[S, M]) Explain(a, b string) (Explanation, bool) {
	if e, ok := any(h.m).(Explainer); ok {
		return e.Explain(a, b), true
	}
	return Explanation{}, false
}

func (h *hidden[S, M]) FitState() FitState {
	if f, ok := any(h.m).(Fitter[M]); ok {
		return f.FitState()
	}
	return FitUseless
}

func (h *hidden[S, M]) Fit(docs iter.Seq[string]) (Method, error) {
	if h.FitState() == FitUseless {
		return h, nil
	}
	return hide2[S, M](any(h.m).(Fitter[M]).Fit(docs))
}

func (h *hidden[S, M]) WriteFit(w io.Writer) error {
	if h.FitState() != Fitted {
		return fmt.Errorf("similarity: %s has no fit to save", h)
	}
	return any(h.m).(Fitter[M]).WriteFit(w)
}

func (h *hidden[S, M]) ReadFit(r io.Reader) (Method, error) {
	if h.FitState() == FitUseless {
		return nil, fmt.Errorf("similarity: %s learns nothing from a corpus and takes no fit", h)
	}
	return hide2[S, M](any(h.m).(Fitter[M]).ReadFit(r))
}

func hide2[S any, M Sketcher[S]](m M, err error) (Method, error) {
	if err != nil {
		return nil, err
	}
	return Hide(m), nil
}

func (h *hidden[S, M]) NewCollection() Collection { return &collection[S, M]{m: h.m} }

type collection[S any, M Sketcher[S]] struct {
	m    M
	docs []S
}

func (c *collection[S, M]) Add(text string) { c.docs = append(c.docs, c.m.Sketch(text)) }

func (c *collection[S, M]) AddNamed(_, text string) { c.Add(text) }
func (c *collection[S, M]) Err() error              { return nil }

func (c *collection[S, M]) AddFeatures(features []feature.Feature) {
	f, ok := any(c.m).(Featured[S])
	if !ok {
		panic(fmt.Sprintf("similarity: %s does not work on features", c.m))
	}
	c.docs = append(c.docs, f.SketchFeatures(features))
}

func (c *collection[S, M]) Append(other Collection) {
	c.docs = append(c.docs, c.same(other).docs...)
}

// same returns other as what it is, and panics unless it is of the same method.
func (c *collection[S, M]) same(other Collection) *collection[S, M] {
	o, ok := other.(*collection[S, M])
	if !ok || o.m.Settings() != c.m.Settings() {
		panic(fmt.Sprintf("similarity: a collection of %s beside one of another method", c.m))
	}
	return o
}

func (c *collection[S, M]) Len() int         { return len(c.docs) }
func (c *collection[S, M]) Empty(i int) bool { return c.m.Empty(c.docs[i]) }
func (c *collection[S, M]) Bytes(i int) int  { return c.m.Bytes(c.docs[i]) }

func (c *collection[S, M]) Blank(i int) bool {
	if b, ok := any(c.m).(Blanker[S]); ok && b.Blank(c.docs[i]) {
		return true
	}
	return c.Empty(i)
}

func (c *collection[S, M]) Score(i, j int) float64 { return c.m.Score(c.docs[i], c.docs[j]) }

func (c *collection[S, M]) Scores(i, from int, dst []float32) {
	scoreRow(c.m, c.docs[i], c.docs[from:from+len(dst)], dst)
}

func (c *collection[S, M]) Containment(i, j int) (float64, bool) {
	if k, ok := any(c.m).(Container[S]); ok {
		return k.Containment(c.docs[i], c.docs[j]), true
	}
	return 0, false
}

// A saved collection is a header, the count, and each sketch behind its length.
func (c *collection[S, M]) Save(w io.Writer) error {
	bw := bufio.NewWriter(w)
	buf := AppendHeader(nil, "collection", c.m.Settings())
	hdr := binary.AppendUvarint(nil, uint64(len(buf)))
	bw.Write(hdr)
	bw.Write(buf)
	bw.Write(binary.AppendUvarint(nil, uint64(len(c.docs))))
	for _, s := range c.docs {
		buf = c.m.AppendSketch(buf[:0], s)
		bw.Write(binary.AppendUvarint(nil, uint64(len(buf))))
		if _, err := bw.Write(buf); err != nil {
			return fmt.Errorf("similarity: save: %w", err)
		}
	}
	if err := bw.Flush(); err != nil {
		return fmt.Errorf("similarity: save: %w", err)
	}
	return nil
}

func (c *collection[S, M]) Load(r io.Reader) error {
	docs, err := ReadSketches(r, c.m)
	c.docs = append(c.docs, docs...)
	return err
}

// ReadSketches reads what Collection.Save wrote of a collection of the method, and
// refuses sketches of other settings. There are none after an error.
func ReadSketches[S any, M Sketcher[S]](r io.Reader, m M) ([]S, error) {
	br := bufio.NewReader(r)
	head, err := readBlock(br, 1<<20)
	if err != nil {
		return nil, fmt.Errorf("similarity: load header: %w", err)
	}
	if _, err := checkHeader(head, "collection", m.Settings()); err != nil {
		return nil, err
	}
	n, err := binary.ReadUvarint(br)
	if err != nil {
		return nil, fmt.Errorf("similarity: load count: %w", ErrFormat)
	}
	var docs []S
	for i := uint64(0); i < n; i++ {
		block, err := readBlock(br, 1<<40)
		if err != nil {
			return nil, fmt.Errorf("similarity: load sketch %d of %d: %w", i, n, err)
		}
		s, k, err := m.DecodeSketch(block)
		if err != nil {
			return nil, fmt.Errorf("similarity: load sketch %d of %d: %w", i, n, err)
		}
		if k != len(block) {
			return nil, fmt.Errorf("similarity: load sketch %d of %d: %d bytes too many: %w", i, n, len(block)-k, ErrFormat)
		}
		docs = append(docs, s)
	}
	return docs, nil
}

// readBlock reads a length and that many bytes. It grows its buffer as bytes
// arrive, so a false length cannot make it allocate what is not there.
func readBlock(br *bufio.Reader, most uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(br)
	if err != nil || n > most {
		return nil, fmt.Errorf("bad length: %w", ErrFormat)
	}
	var buf []byte
	for n > 0 {
		step := min(n, 1<<16)
		at := len(buf)
		buf = append(buf, make([]byte, step)...)
		if _, err := io.ReadFull(br, buf[at:]); err != nil {
			return nil, fmt.Errorf("cut short: %w", ErrFormat)
		}
		n -= step
	}
	return buf, nil
}
