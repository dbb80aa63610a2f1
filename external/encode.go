package external

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/alike-go/alike/similarity"
)

// What an encoding begins with.
const (
	tagEmpty byte = iota
	tagWords
	tagDense
	tagSparse
	tagKept // in the process, by its number
)

// AppendSketch appends the encoding of a sketch: a byte that says what it is, the
// number of its numbers and these. Of a sketch that the process keeps there is only its
// number, which no other process knows.
func (m *Method) AppendSketch(dst []byte, s *Sketch) []byte {
	if !s.full {
		return append(dst, tagEmpty)
	}
	p, err := m.process()
	if err != nil {
		return append(dst, tagEmpty)
	}
	width := p.hello.Bits
	switch p.hello.Kind {
	case kindScores:
		return binary.AppendUvarint(append(dst, tagKept), s.kept.number)
	case kindVector:
		tag := tagDense
		if s.words != nil {
			tag = tagSparse
		}
		dst = binary.AppendUvarint(append(dst, tag), uint64(len(s.values)))
		dst = pack(dst, s.words, 32)
		bits := make([]uint64, len(s.values))
		for i, v := range s.values {
			if bits[i] = math.Float64bits(v); width == 32 {
				bits[i] = uint64(math.Float32bits(float32(v)))
			}
		}
		return pack(dst, bits, width)
	case kindSimHash:
		width = 64
	}
	return pack(binary.AppendUvarint(append(dst, tagWords), uint64(len(s.words))), s.words, width)
}

// DecodeSketch decodes what AppendSketch encoded. A sketch that a process keeps is
// refused with an error that wraps errors.ErrUnsupported.
func (m *Method) DecodeSketch(src []byte) (*Sketch, int, error) {
	p, err := m.process()
	if err != nil {
		return nil, 0, err
	}
	h := &p.hello
	damaged := func(what string) (*Sketch, int, error) {
		return nil, 0, fmt.Errorf("external: sketch of %s: %s: %w", h.Name, what, similarity.ErrFormat)
	}
	if len(src) == 0 {
		return damaged("nothing")
	}
	tag, at := src[0], 1
	switch {
	case tag == tagEmpty:
		return &Sketch{}, 1, nil
	case tag == tagKept:
		return nil, 0, fmt.Errorf("external: sketches of %s stay in its process: %w", h.Name, errors.ErrUnsupported)
	case tag > tagKept || (tag == tagWords) == (h.Kind == kindVector) || h.Kind == kindScores:
		return damaged("another kind")
	}
	n, k := binary.Uvarint(src[at:])
	at += k
	width, index := h.Bits, 0
	if h.Kind == kindSimHash {
		width = 64
	}
	if tag == tagSparse {
		index = 32
	}
	if k <= 0 || n == 0 || n > uint64(len(src)-at) || int(n)*(width+index)/8 > len(src)-at {
		return damaged("cut short")
	}
	s := &Sketch{}
	if tag == tagSparse {
		s.words = unpack(src[at:at+int(n)*4], 32)
		at += int(n) * 4
		for i, w := range s.words[1:] {
			if w <= s.words[i] {
				return damaged("indices out of order")
			}
		}
	}
	end := at + int(n)*width/8
	words := unpack(src[at:end], width)
	if tag == tagWords {
		s.words = words
	} else {
		s.values = floats(words, width)
	}
	if h.Kind == kindSimHash && !codeFits(src[end-8*int(n):end], h.Size) {
		return damaged("a longer code")
	}
	if tag == tagDense && int(n) != h.Size || h.Kind == kindSimHash && int(n) != (h.Size+63)/64 {
		return damaged("another size")
	}
	if err := s.finish(h); err != nil {
		return damaged(err.Error())
	}
	if !s.full || !bytes.Equal(m.AppendSketch(nil, s), src[:end]) {
		return damaged("not as it is written")
	}
	return s, end, nil
}

// codeFits reports whether all bytes of a code behind its size are 0, and the first four bits
// too where the size is an odd number of digits.
func codeFits(code []byte, size int) bool {
	if size%8 != 0 && code[0]>>4 != 0 {
		return false
	}
	for _, b := range code[min(len(code), (size+7)/8):] {
		if b != 0 {
			return false
		}
	}
	return true
}

// errKept is the error of saving sketches that lie in the process.
func (m *Method) errKept() error {
	return fmt.Errorf("external: %s keeps its sketches to itself, so they cannot be saved: %w", m, errors.ErrUnsupported)
}
