package pipeline

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// Workers exchange bytes of our own encoding: a shuffle is as large as its elements,
// and most of them are a key and a number.

// errCut is the error of an element that cannot be decoded.
var errCut = errors.New("beam: an element between two steps is damaged")

// encoder is an element in the making.
type encoder []byte

func (e encoder) uint(v int) encoder { return binary.AppendUvarint(e, uint64(v)) }
func (e encoder) bool(v bool) encoder {
	if v {
		return append(e, 1)
	}
	return append(e, 0)
}
func (e encoder) float(v float64) encoder {
	return binary.LittleEndian.AppendUint64(e, math.Float64bits(v))
}
func (e encoder) bytes(v []byte) encoder  { return append(e.uint(len(v)), v...) }
func (e encoder) string(v string) encoder { return append(e.uint(len(v)), v...) }
func (e encoder) rank(r dedup.Rank) encoder {
	n := r.Number()
	e = append(e, r[:len(r)-8]...)
	e = binary.AppendUvarint(e, n>>rowBits)
	return binary.AppendUvarint(e, n&(1<<rowBits-1))
}

// rows appends the numbers of rows of a piece, which it sorts.
func (e encoder) rows(rows []int) encoder {
	slices.Sort(rows)
	e = e.uint(len(rows))
	last := 0
	for _, r := range rows {
		e, last = e.uint(r-last), r
	}
	return e
}

// block is what a piece sends to one slot: the number of the piece once, then for
// each document its distance in rows from the last one, and what is said of it. As
// elements of their own, those few bytes would cost as much again for the frame of
// each, and most of the time.
type block struct {
	encoder
	row uint64
}

// rank begins a document. Documents must come in their order.
func (e *block) rank(r dedup.Rank) {
	n := r.Number()
	if len(e.encoder) == 0 {
		e.encoder = binary.AppendUvarint(nil, n>>rowBits)
	}
	row := n & (1<<rowBits - 1)
	e.encoder = append(e.encoder, r[:len(r)-8]...)
	e.encoder = binary.AppendUvarint(e.encoder, row-e.row)
	e.row = row
}

// blocks are the blocks of one piece, by slot.
type blocks []block

func (s *settings) blocks() blocks { return make(blocks, 1<<s.SlotBits) }

// send emits the blocks that are not empty.
func (all blocks) send(emit func(slot int, b encoder)) {
	for slot := range all {
		if b := all[slot].encoder; len(b) > 0 {
			emit(slot, b)
		}
	}
}

// decoder takes values from the front of b. After the first failure all further
// values are zero.
type decoder struct {
	b      []byte
	failed error
	rest   int // bytes of a rank before its number
}

func (d *decoder) err() error { return d.failed }

// fail keeps the first error, unless err is nil.
func (d *decoder) fail(err error) {
	if err != nil && d.failed == nil {
		d.failed, d.b = err, nil
	}
}

func (d *decoder) uint64() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errCut)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) uint() int { return int(d.uint64()) }

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.fail(errCut)
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

// byte takes one byte.
func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) bool() bool { return d.byte() == 1 }

// times calls do n times, or until the decoder fails.
func (d *decoder) times(n int, do func()) {
	for i := 0; i < n && d.failed == nil; i++ {
		do()
	}
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) bytes() []byte  { return d.take(d.uint()) }
func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) float() float64 {
	if b := d.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) rank() dedup.Rank {
	buf := append(make([]byte, 0, d.rest+8), d.take(d.rest)...)
	high := d.uint64()
	buf = binary.BigEndian.AppendUint64(buf, high<<rowBits|d.uint64())
	if d.failed != nil {
		return dedup.Rank(make([]byte, d.rest+8))
	}
	return dedup.Rank(buf)
}

func (d *decoder) rows() []int {
	var out []int
	row := 0
	d.times(d.uint(), func() {
		row += d.uint()
		out = append(out, row)
	})
	return out
}

// block calls do with the rank of each document of a block. do takes what is said of
// the document.
func (d *decoder) block(do func(dedup.Rank)) {
	piece, row := d.uint64()<<rowBits, uint64(0)
	for len(d.b) > 0 {
		rank := append(make([]byte, 0, d.rest+8), d.take(d.rest)...)
		row += d.uint64()
		if d.failed != nil {
			break
		}
		do(dedup.Rank(binary.BigEndian.AppendUint64(rank, piece|row)))
	}
}

// decodeAll calls do with a decoder of each element of an iterator. It returns an
// error after the first damaged element; do may have seen zeros then. Each element
// has memory of its own.
func (t *tools) decodeAll(next func(*[]byte) bool, do func(d *decoder)) error {
	var b []byte
	for next(&b) {
		d := t.decode(b)
		do(d)
		if err := d.err(); err != nil {
			return err
		}
		b = nil
	}
	return nil
}

// all returns every element of an iterator.
func all(next func(*[]byte) bool) [][]byte {
	var out [][]byte
	var b []byte
	for next(&b) {
		out = append(out, b)
		b = nil
	}
	return out
}

// one returns the one element of an iterator.
func one(next func(*[]byte) bool, what string) ([]byte, error) {
	var b []byte
	if !next(&b) {
		return nil, fmt.Errorf("beam: no %s", what)
	}
	return b, nil
}
