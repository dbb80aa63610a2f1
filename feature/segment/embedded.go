package segment

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

//go:generate go test -run ^TestEmbedded$ -update .

// embedded is the plan of jieba's dictionaries: a line that says so, and then,
// compressed, what makePlan makes of them and writePlan writes (both in the tests). To
// read it takes a third of the time that the word list takes.
//
//go:embed data/jieba.plan.zst
var embedded []byte

var errPlan = errors.New("segment: the embedded dictionary is damaged")

// unpack returns the uncompressed content of an embedded file.
func unpack(file []byte) ([]byte, error) {
	_, packed, _ := bytes.Cut(file, []byte("\n"))
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	defer dec.Close()
	content, err := dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPlan, err)
	}
	return content, nil
}

// planReader reads numbers until they run out.
type planReader struct {
	b   []byte
	bad bool
}

func (r *planReader) uint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads how many of something follow, each of a byte at least.
func (r *planReader) count() int {
	v := r.uint()
	if v > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(v)
}

func (r *planReader) float() float64 {
	if len(r.b) < 8 {
		r.bad, r.b = true, nil
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return math.Float64frombits(v)
}

// emitUnit is the unit in which emissions are written, as cppjieba's model has them.
const emitUnit = 1e6

// readPlan reads what writePlan writes.
func readPlan(content []byte) (*plan, error) {
	r := &planReader{b: content}
	p := &plan{runes: make([]rune, r.count()), tree: &builder{}}
	for i := 1; i < len(p.runes); i++ {
		v := r.uint()
		r.bad = r.bad || v > utf8.MaxRune
		p.runes[i] = rune(v & (1<<21 - 1))
	}
	p.ln = make([]float64, r.count())
	for i := range p.ln {
		p.ln[i] = r.float()
	}
	for i := range p.chain.start {
		p.chain.start[i] = r.float()
	}
	for i := range p.chain.trans {
		for j := range p.chain.trans[i] {
			p.chain.trans[i][j] = r.float()
		}
	}
	p.emit = make([]emission, len(p.runes))
	for state := range states {
		for label := range p.emit {
			p.emit[label][state] = impossible
			if v := r.uint(); v > 0 {
				p.emit[label][state] = -(float64(v) / emitUnit)
			}
		}
	}
	r.tree(p.tree, len(p.runes), len(p.ln))
	if r.bad || len(r.b) > 0 || len(p.runes) == 0 || len(p.runes) > labelWord || len(p.ln) <= loneRune || len(p.ln) > 1<<16 || len(p.tree.label) > maxNodes {
		return nil, errPlan
	}
	return p, nil
}

// tree reads the nodes level by level: how many children each has, by what their
// label is greater than that of the one before, and their weights.
func (r *planReader) tree(b *builder, labels, weights int) {
	n := r.count()
	b.parent = make([]uint32, n)
	b.label = make([]uint16, n)
	b.weight = make([]uint16, n)
	child := 1
	for parent := range n {
		size := int(r.uint())
		if size > n-child {
			r.bad = true
			return
		}
		for range size {
			b.parent[child] = uint32(parent)
			child++
		}
	}
	label := 0
	for c := 1; c < n; c++ {
		if b.parent[c] != b.parent[c-1] || c == 1 {
			label = 0
		}
		label += int(r.uint())
		r.bad = r.bad || label <= 0 || label >= labels
		b.label[c] = uint16(label)
	}
	for c := 1; c < n; c++ {
		w := r.uint()
		r.bad = r.bad || w >= uint64(weights)
		b.weight[c] = uint16(w)
	}
	r.bad = r.bad || child != n
}
