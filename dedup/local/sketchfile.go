package local

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// SketchFile is the file in Options.Out that Options.Sketches asks for. It
// holds the sketches of the kept documents, without their texts. A later run
// can name it in Options.Against if it has the same settings and decides by
// sketches.
const SketchFile = "kept.sketches"

// A sketch file is a file of frames: the header and the parts.
//
// A part holds consecutive documents, column by column. A number is an unsigned
// varint, as in package encoding/binary:
//
//	the number of documents
//	for each document, the length of its id in bytes, and the id
//	for each document, the 16 bytes of its dedup.Hash
//	for each document, the length of its text in bytes
//	the sketches, as similarity.Collection saves them, up to the end of the frame
//
// So the same documents have the same bytes. Version 1 encoded the parts and
// the end with encoding/gob. Its bytes depend on what else a process has
// encoded or decoded, so it is only read.
const (
	sketchMagic   = "alike sketches\n"
	sketchVersion = 2
)

// sketchHeader holds what two runs must have in common to compare their
// sketches. Any two versions can be compared.
type sketchHeader struct {
	Version int    `json:"version"`
	Method  string `json:"method"`
	Clean   string `json:"clean"`
	HTML    bool   `json:"html,omitempty"` // texts were extracted from HTML
}

func (r *run) sketchHeader() sketchHeader {
	html := slices.ContainsFunc(r.o.Sources, func(s datasets.Source) bool { return s.HTML })
	return sketchHeader{sketchVersion, r.o.Method.Settings(), r.o.Settings().Clean, html}
}

// sketchPart is a part of a sketch file. Version 1 encodes the exported fields
// by name.
type sketchPart struct {
	IDs      []string
	Hashes   []byte
	Lengths  []int
	Sketches []byte // a saved collection

	End bool // of version 1: no part follows
}

// append appends the part to the content of a frame.
func (p *sketchPart) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p.IDs)))
	for _, id := range p.IDs {
		b = append(binary.AppendUvarint(b, uint64(len(id))), id...)
	}
	b = append(b, p.Hashes...)
	for _, n := range p.Lengths {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return append(b, p.Sketches...)
}

// errPart is the error of a frame that does not hold a whole part.
var errPart = errors.New("a part is cut short")

// parseSketchPart is the inverse of append.
func parseSketchPart(b []byte) (*sketchPart, error) {
	c := cursor{b: b}
	n := c.number(len(b) / len(dedup.Hash{})) // no more fit, so no more are allocated
	p := &sketchPart{IDs: make([]string, n), Lengths: make([]int, n)}
	for i := range p.IDs {
		p.IDs[i] = string(c.take(c.number(len(c.b))))
	}
	p.Hashes = c.take(n * len(dedup.Hash{}))
	for i := range p.Lengths {
		p.Lengths[i] = c.number(math.MaxInt)
	}
	if p.Sketches = c.b; c.short {
		return nil, errPart
	}
	return p, nil
}

// parseSketchPart1 parses a part of version 1. It returns io.EOF for the end.
func parseSketchPart1(b []byte) (*sketchPart, error) {
	var p sketchPart
	switch err := gob.NewDecoder(bytes.NewReader(b)).Decode(&p); {
	case err != nil:
		return nil, fmt.Errorf("part: %w", err) // also io.EOF, which is the end for the caller
	case p.End:
		return nil, io.EOF
	case len(p.Lengths) != len(p.IDs) || len(p.Hashes) != len(p.IDs)*len(dedup.Hash{}):
		return nil, errors.New("columns of different length")
	}
	return &p, nil
}

// sketchWriter writes a sketch file.
type sketchWriter struct {
	*frameWriter
}

func newSketchWriter(w io.Writer, h sketchHeader) (*sketchWriter, error) {
	f, err := newFrameWriter(w, sketchMagic, h)
	return &sketchWriter{f}, err
}

func (s *sketchWriter) add(p *sketchPart) error {
	return s.frame(p.append(nil))
}

// IsSketchFile reports whether a file begins like a sketch file.
func IsSketchFile(path string) bool { return begins(path, sketchMagic) }

// sketchReader reads a sketch file of any version.
type sketchReader struct {
	*frameReader
	head sketchHeader
}

func openSketches(path string) (*sketchReader, error) {
	s := &sketchReader{}
	var err error
	if s.frameReader, err = openFrames(path, sketchMagic, &s.head); err != nil {
		return nil, err
	}
	if s.head.Version < 1 || s.head.Version > sketchVersion {
		return nil, errors.Join(fmt.Errorf("dedup: %s: version %d of sketches, want 1 to %d", s.path, s.head.Version, sketchVersion), s.close())
	}
	return s, nil
}

// parts yields the parts that follow, or the error that ended them.
func (s *sketchReader) parts() iter.Seq2[*sketchPart, error] {
	return func(yield func(*sketchPart, error) bool) {
		for {
			p, err := s.next()
			if err == io.EOF || !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// next returns the next part, or io.EOF after the last one.
func (s *sketchReader) next() (*sketchPart, error) {
	b, err := s.frame()
	if err != nil {
		return nil, err
	}
	var p *sketchPart
	switch {
	case s.head.Version == 1:
		p, err = parseSketchPart1(b)
	case len(b) == 0:
		err = io.EOF
	default:
		p, err = parseSketchPart(b)
	}
	if err == io.EOF {
		return nil, s.end()
	}
	if err != nil {
		return nil, s.damaged(err)
	}
	return p, nil
}

// load returns the sketches of a part.
func (p *sketchPart) load(m similarity.Method) (similarity.Collection, error) {
	c := m.NewCollection()
	if err := c.Load(bytes.NewReader(p.Sketches)); err != nil {
		return nil, fmt.Errorf("dedup: sketches: %w", err)
	}
	if c.Len() != len(p.IDs) {
		return nil, fmt.Errorf("dedup: sketches: %d for %d documents", c.Len(), len(p.IDs))
	}
	return c, nil
}

// checkSketches notes which of Against are sketch files. It returns an error
// for one that this run cannot compare with.
func (r *run) checkSketches() error {
	if r.o.Sketches && (r.o.Clean.Boilerplate > 0 || r.o.Annotate || r.o.DryRun) {
		return errors.New("dedup: Sketches goes without Annotate and DryRun, and without Clean.Boilerplate, which other documents change")
	}
	r.in.sketched = make([]bool, len(r.in.sources))
	for i, s := range r.o.Against {
		if !IsSketchFile(s.Path) {
			continue
		}
		r.in.sketched[i] = true
		f, err := openSketches(s.Path)
		if err != nil {
			return err
		}
		f.close()
		want := r.sketchHeader()
		want.Version = f.head.Version
		if err := r.o.checkTextless(s.Path); err != nil {
			return err
		}
		switch {
		case f.head.HTML != want.HTML:
			return fmt.Errorf("dedup: %s was made with other settings: of HTML %t; this run has %t", s.Path, f.head.HTML, want.HTML)
		case f.head != want:
			return fmt.Errorf("dedup: %s was made with other settings: %s, cleaned by %q; this run has %s, %q", s.Path, f.head.Method, f.head.Clean, want.Method, want.Clean)
		}
	}
	return nil
}
