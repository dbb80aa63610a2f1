package serve

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/alike-go/alike/bloomsim"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// units converts offsets in bytes of a text to UTF-16 code units.
type units struct {
	text  string
	total int
	at    []int32 // code units before the character of each byte; nil if all bytes are ASCII
}

func newUnits(text string) *units {
	u := &units{text: text, total: len(text)}
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return u
	}
	u.total = 0
	u.at = make([]int32, 0, len(text))
	for i, r := range text {
		for len(u.at) < i { // the bytes of the last character
			u.at = append(u.at, u.at[len(u.at)-1])
		}
		u.at = append(u.at, int32(u.total))
		u.total += utf16.RuneLen(r)
	}
	return u
}

// of returns the code units before a byte. Within a character, it returns the code units
// before the character.
func (u *units) of(offset int) int {
	switch {
	case u.at == nil:
		return offset
	case offset >= len(u.text):
		return u.total
	}
	return int(u.at[min(offset, len(u.at)-1)])
}

// both returns spans in bytes and in code units.
func (u *units) both(spans []feature.Span) (b, c [][2]int) {
	b, c = make([][2]int, len(spans)), make([][2]int, len(spans))
	for i, s := range spans {
		b[i] = [2]int{s.Start, s.End}
		c[i] = [2]int{u.of(s.Start), u.of(s.End)}
	}
	return b, c
}

// explain returns the heaviest evidence of a method, or nil if it has none to show.
func explain(m similarity.Method, a, b *units, most int) *explanation {
	e, ok := m.Explain(a.text, b.text)
	if !ok {
		return nil
	}
	out := &explanation{Note: e.Note, Shared: len(e.Evidence), Evidence: make([]evidence, 0, min(most, len(e.Evidence)))}
	for _, ev := range e.Evidence[:min(most, len(e.Evidence))] {
		item := evidence{Kind: ev.Kind, Text: ev.Text, Hash: hash(ev.Hash), Weight: ev.Weight}
		item.A, item.A16 = a.both(ev.A)
		item.B, item.B16 = b.both(ev.B)
		out.Evidence = append(out.Evidence, item)
	}
	return out
}

// bitsOf returns the bits of the two sketches of a collection, if sketches of the method
// are rows of bits.
func bitsOf(m similarity.Method, c similarity.Collection) (fingerprint, filter *bitPair) {
	encoded := func(i int) []byte { return c.(similarity.Coder).AppendSketch(nil, i) }
	typed, _ := similarity.As[any](m)
	switch m := typed.(type) {
	case *simhash.Method:
		row := func(b []byte) []byte { // big-endian, and bit 0 is the lowest
			slices.Reverse(b)
			return b
		}
		n := m.Options().Bits
		return newBitPair(n, n, row(encoded(0)), row(encoded(1))), nil
	case *bloomsim.Method:
		row := func(b []byte) ([]byte, int) {
			f, _, err := m.DecodeSketch(b)
			if err != nil || f.Bits() == 0 {
				return nil, 0
			}
			var out []byte
			for _, w := range f.BitSet().Words() {
				out = binary.LittleEndian.AppendUint64(out, w)
			}
			return out[:(f.Bits()+7)/8], f.Bits()
		}
		a, na := row(encoded(0))
		b, nb := row(encoded(1))
		return nil, newBitPair(na, nb, a, b)
	}
	return nil, nil
}

func newBitPair(na, nb int, a, b []byte) *bitPair {
	p := &bitPair{BitsA: na, BitsB: nb, A: a, B: b}
	if p.A == nil {
		p.A = []byte{}
	}
	if p.B == nil {
		p.B = []byte{}
	}
	for _, v := range a {
		p.OnesA += bits.OnesCount8(v)
	}
	for _, v := range b {
		p.OnesB += bits.OnesCount8(v)
	}
	small := min(len(a), len(b))
	if small == 0 {
		p.Apart = max(p.OnesA, p.OnesB)
		return p
	}
	a, b = folded(a, small), folded(b, small)
	for i := range small {
		p.Both += bits.OnesCount8(a[i] & b[i])
		p.Apart += bits.OnesCount8(a[i] ^ b[i])
	}
	return p
}

// folded returns a filter of a power of two bits with fewer bits: the union of its parts.
func folded(a []byte, n int) []byte {
	if len(a) == n {
		return a
	}
	out := make([]byte, n)
	for i, v := range a {
		out[i%n] |= v
	}
	return out
}
