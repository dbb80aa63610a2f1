package local

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// SketchFile is the file in Options.Out that Options.Sketches asks for. It
// holds the sketches of the kept documents, without their texts. A later run
// can name it in Options.Against if it has the same settings and decides by
// sketches.
const SketchFile = "kept.sketches"

// A sketch file is sketchMagic and then frames: the header as JSON, the parts,
// and an empty frame at the end. A frame is the length of its content in four
// bytes, the highest first, the content, and the XXH3 checksum of the content
// in 16 bytes.
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
	maxFrame      = 1 << 30
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
	number := func(most int) (n int, ok bool) {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > uint64(most) {
			return 0, false
		}
		b = b[size:]
		return int(v), true
	}
	n, ok := number(len(b) / len(dedup.Hash{})) // no more fit, so no more are allocated
	if !ok {
		return nil, errPart
	}
	p := &sketchPart{IDs: make([]string, n), Lengths: make([]int, n)}
	for i := range p.IDs {
		size, ok := number(len(b))
		if !ok || size > len(b) {
			return nil, errPart
		}
		p.IDs[i], b = string(b[:size]), b[size:]
	}
	hashes := n * len(dedup.Hash{})
	if hashes > len(b) {
		return nil, errPart
	}
	p.Hashes, b = b[:hashes], b[hashes:]
	for i := range p.Lengths {
		if p.Lengths[i], ok = number(math.MaxInt); !ok {
			return nil, errPart
		}
	}
	p.Sketches = b
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
	w *bufio.Writer
}

func newSketchWriter(w io.Writer, h sketchHeader) (*sketchWriter, error) {
	s := &sketchWriter{bufio.NewWriterSize(w, 1<<16)}
	b, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("dedup: sketches: %w", err)
	}
	s.w.WriteString(sketchMagic)
	return s, s.frame(b)
}

func (s *sketchWriter) frame(data []byte) error {
	s.w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	s.w.Write(data)
	sum := xxh3.Hash128(data).Bytes()
	if _, err := s.w.Write(sum[:]); err != nil {
		return fmt.Errorf("dedup: sketches: %w", err)
	}
	return nil
}

func (s *sketchWriter) add(p *sketchPart) error {
	return s.frame(p.append(nil))
}

func (s *sketchWriter) close() error {
	if err := s.frame(nil); err != nil {
		return err
	}
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("dedup: sketches: %w", err)
	}
	return nil
}

// IsSketchFile reports whether a file begins like a sketch file.
func IsSketchFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // reading it as documents gives the error
	}
	defer f.Close()
	b := make([]byte, len(sketchMagic))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == sketchMagic
}

// sketchReader reads a sketch file of any version.
type sketchReader struct {
	path string
	f    *os.File
	r    *bufio.Reader
	size int64
	at   int64
	head sketchHeader
}

func openSketches(path string) (*sketchReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	s := &sketchReader{path: path, f: f, r: bufio.NewReaderSize(f, 1<<16)}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, f.Close())
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

func (s *sketchReader) begin() error {
	info, err := s.f.Stat()
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	s.size = info.Size()
	n, err := s.r.Discard(len(sketchMagic))
	if err != nil {
		return s.damaged(err)
	}
	s.at = int64(n)
	b, err := s.frame()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &s.head); err != nil {
		return s.damaged(err)
	}
	if s.head.Version < 1 || s.head.Version > sketchVersion {
		return fmt.Errorf("dedup: %s: version %d of sketches, want 1 to %d", s.path, s.head.Version, sketchVersion)
	}
	return nil
}

func (s *sketchReader) damaged(err error) error {
	return fmt.Errorf("dedup: %s: damaged or cut short at byte %d: %w", s.path, s.at, err)
}

var errSum = errors.New("the checksum is wrong")

func (s *sketchReader) frame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return nil, s.damaged(err)
	}
	n := int64(binary.BigEndian.Uint32(head[:]))
	if n > maxFrame || n > s.size-s.at {
		return nil, s.damaged(io.ErrUnexpectedEOF)
	}
	b := make([]byte, n+16)
	if _, err := io.ReadFull(s.r, b); err != nil {
		return nil, s.damaged(err)
	}
	data, sum := b[:n], xxh3.Hash128(b[:n]).Bytes()
	if !bytes.Equal(sum[:], b[n:]) {
		return nil, s.damaged(errSum)
	}
	s.at += int64(len(head) + len(b))
	return data, nil
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
		if _, err := s.r.Peek(1); err != io.EOF {
			return nil, s.damaged(errors.New("more than there should be"))
		}
		return nil, io.EOF
	}
	if err != nil {
		return nil, s.damaged(err)
	}
	return p, nil
}

func (s *sketchReader) close() error { return s.f.Close() }

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
