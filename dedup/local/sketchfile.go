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
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// SketchFile is the name, in Options.Out, of what Options.Sketches asks for: the kept
// documents as later runs compare with them, without their texts. Such a file can be one of
// Options.Against, of a run that compares by the same settings and decides by sketches.
const SketchFile = "kept.sketches"

// A sketch file is sketchMagic and frames: the header, parts of the documents, and the
// end. A frame is its length in four bytes, its content, and the checksum of that.
const (
	sketchMagic   = "alike sketches\n"
	sketchVersion = 1
	maxFrame      = 1 << 30
)

// sketchHeader is what two runs must have in common to compare their sketches.
type sketchHeader struct {
	Version int    `json:"version"`
	Method  string `json:"method"`
	Clean   string `json:"clean"`
	HTML    bool   `json:"html,omitempty"` // texts are what a reader would see of it
}

func (r *run) sketchHeader() sketchHeader {
	html := slices.ContainsFunc(r.o.Sources, func(s datasets.Source) bool { return s.HTML })
	return sketchHeader{sketchVersion, r.o.Method.Settings(), r.o.settings().Clean, html}
}

// sketchPart is a frame of documents.
type sketchPart struct {
	IDs      []string
	Hashes   []byte
	Lengths  []int
	Sketches []byte // a saved collection

	End bool // no part follows
}

func (p *sketchPart) hash(i int) dedup.Hash {
	n := len(dedup.Hash{})
	return dedup.Hash(p.Hashes[i*n : (i+1)*n])
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
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(p); err != nil {
		return fmt.Errorf("dedup: sketches: %w", err)
	}
	return s.frame(b.Bytes())
}

func (s *sketchWriter) close() error {
	if err := s.add(&sketchPart{End: true}); err != nil {
		return err
	}
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("dedup: sketches: %w", err)
	}
	return nil
}

// IsSketchFile says whether a file begins as one of those that Options.Sketches makes.
func IsSketchFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // whoever reads it as documents says so
	}
	defer f.Close()
	b := make([]byte, len(sketchMagic))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == sketchMagic
}

// sketchReader reads one.
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
	if s.head.Version != sketchVersion {
		return fmt.Errorf("dedup: %s: version %d of sketches, want %d", s.path, s.head.Version, sketchVersion)
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

// next returns the next part, or io.EOF behind the last.
func (s *sketchReader) next() (*sketchPart, error) {
	b, err := s.frame()
	if err != nil {
		return nil, err
	}
	var p sketchPart
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&p); err != nil {
		return nil, s.damaged(err)
	}
	if p.End {
		if _, err := s.r.Peek(1); err != io.EOF {
			return nil, s.damaged(errors.New("more than there should be"))
		}
		return nil, io.EOF
	}
	if len(p.Lengths) != len(p.IDs) || len(p.Hashes) != len(p.IDs)*len(dedup.Hash{}) {
		return nil, s.damaged(errors.New("columns of different length"))
	}
	return &p, nil
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

// checkSketches finds out which of Against are sketch files, and refuses those that this
// run cannot compare with.
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
		switch want := r.sketchHeader(); {
		case r.o.Verify != nil:
			return fmt.Errorf("dedup: %s holds sketches and no texts: what decides must be the sketches (--verify sketch)", s.Path)
		case r.o.Clean.Boilerplate > 0:
			return fmt.Errorf("dedup: %s holds sketches and no texts: passages cannot be taken out of them", s.Path)
		case f.head.HTML != want.HTML:
			return fmt.Errorf("dedup: %s was made with other settings: of HTML %t; this run has %t", s.Path, f.head.HTML, want.HTML)
		case f.head != want:
			return fmt.Errorf("dedup: %s was made with other settings: %s, cleaned by %q; this run has %s, %q", s.Path, f.head.Method, f.head.Clean, want.Method, want.Clean)
		}
	}
	return nil
}
