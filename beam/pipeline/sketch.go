package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// sketch reads a piece again and posts every text that is not skipped to its
// buckets.
type sketch struct{ worker }

// bucketSlot returns the slot of a bucket, and 32 bits more of its hash.
func (s *settings) bucketSlot(k similarity.Key) (slot int, rest uint32) {
	var b [9]byte
	b[0] = k.Table
	binary.BigEndian.PutUint64(b[1:], k.Bucket)
	return s.slot(xxh3.Hash(b[:]))
}

// postings are what a piece sends to buckets. A sketch tells which buckets of the
// slot it belongs in. Without sketches, 32 bits of hash tell; texts that meet by
// chance are told apart later, when their sketches are there.
type postings struct {
	*settings
	blocks
	crowded map[bucket]int // in how many blocks each is cut
	splits  map[slotKey]*split
}

func (s *settings) postings(crowded map[bucket]int) *postings {
	return &postings{s, s.blocks(), crowded, map[slotKey]*split{}}
}

// add posts a document to its buckets.
func (p *postings) add(rank dedup.Rank, keys []similarity.Key, sketch []byte) {
	var sent []int
	for _, k := range keys {
		slot, rest := p.bucketSlot(k)
		to := &p.blocks[slot]
		switch blocks := p.crowded[bucket{slot, rest}]; {
		case blocks > 0:
			if !p.Carry {
				k, sketch = keyOf(rest), nil
			}
			p.split(slotKey{slot, k}, blocks).add(steps.Member{Rank: rank, Sketch: sketch})
		case !p.Carry:
			to.rank(rank)
			to.encoder = binary.LittleEndian.AppendUint32(to.encoder, rest)
		case !slices.Contains(sent, slot):
			sent = append(sent, slot)
			to.rank(rank)
			to.encoder = to.bytes(sketch)
		}
	}
}

// keyOf stands for the key of a bucket if only its hash is known.
func keyOf(rest uint32) similarity.Key { return similarity.Key{Bucket: uint64(rest)} }

func (p *postings) split(at slotKey, blocks int) *split {
	if p.splits[at] == nil {
		p.splits[at] = newSplit(at, blocks)
	}
	return p.splits[at]
}

// send emits what goes to slots, and what goes to tasks. If sketches are sent,
// each element of a slot begins with its crowded buckets: the worker there must
// ignore them.
func (p *postings) send(posted, tasks func([]byte, []byte)) {
	heads := map[int]encoder{}
	for _, b := range slices.SortedFunc(maps.Keys(p.crowded), compareBuckets) {
		heads[b.slot] = binary.LittleEndian.AppendUint32(heads[b.slot], b.rest)
	}
	p.blocks.send(func(slot int, block encoder) {
		if p.Carry {
			block = append(encoder{}.bytes(heads[slot]), block...)
		}
		posted(encoder{}.uint(slot), block)
	})
	for _, k := range slices.SortedFunc(maps.Keys(p.splits), compareSlotKeys) {
		p.splits[k].send(tasks)
	}
}

func (w *sketch) ProcessElement(ctx context.Context, _, packed []byte, crowded func(*[]byte) bool, posted, tasks, empty func([]byte, []byte), stat func(string, int64)) error {
	p, skips, err := unpack(packed)
	if err != nil {
		return err
	}
	skip, err := w.t.rowsOf(skips)
	if err != nil {
		return err
	}
	crowd, err := w.t.crowds(crowded)
	if err != nil {
		return err
	}
	mapper, err := steps.NewMapper(w.t.steps)
	if err != nil {
		return err
	}
	post := w.t.postings(crowd)
	err = w.t.each(ctx, p, but(skip), func(_ int, d document) error {
		rank := d.rank
		sketch, none := mapper.Sketch(nil, d.text, d.limits)
		if none {
			w.t.empty(p, &d, empty, stat)
			return nil
		}
		keys, err := mapper.Keys(sketch)
		if err != nil {
			return err
		}
		post.add(rank, keys, sketch)
		return nil
	})
	if err == nil {
		post.send(posted, tasks)
	}
	return err
}

// empty tells that a document has no features. If it was judged, it may be removed all
// the same, so assign counts it.
func (t *tools) empty(p *piece, d *document, empty func([]byte, []byte), stat func(string, int64)) {
	judged := d.group >= 0
	if !judged && !t.old(p.Source) {
		stat("empty", 1)
	}
	empty(encoder{}.rank(d.rank), encoder{}.bool(judged))
}

// each calls do with each document of a piece whose row want accepts.
func (t *tools) each(ctx context.Context, p *piece, want func(row int) bool, do func(row int, d document) error) error {
	var parser datasets.Parser
	_, err := p.each(ctx, &t.Read, nil, func(row, file int, raw datasets.RawRow) error {
		if !want(row) {
			return nil
		}
		doc, err := parser.Row(raw)
		if _, bad := isBad(err); bad {
			return nil
		}
		if err != nil {
			return err
		}
		d, err := t.document(p, row, file, &doc)
		if err != nil {
			return err
		}
		return do(row, d)
	})
	return err
}

// but returns a function that accepts all rows except these, which are ascending.
// It must be asked about rows in their order.
func but(rows []int) func(row int) bool {
	return func(row int) bool {
		if len(rows) > 0 && rows[0] == row {
			rows = rows[1:]
			return false
		}
		return true
	}
}

// document is what decides on a document.
type document struct {
	text    string // as it is compared
	rank    dedup.Rank
	limits  []float64 // see dedup.Limits
	group   int32     // see dedup.Judged
	values  []float64 // of the policy's fields
	missing int64     // of these
}

func (t *tools) document(p *piece, row, file int, doc *datasets.Row) (d document, err error) {
	ref, err := p.ref(row)
	if err != nil {
		return d, err
	}
	d.text, d.limits = t.Mask.Apply(doc.Doc.Text), t.Limits.Values(doc.Get)
	if d.group = -1; t.judged != nil {
		// A worker does not know at which line of its file a piece begins.
		if p.Format != "text" && !p.states(doc, &t.Read) {
			return d, fmt.Errorf("beam: %s: a document has no id, want one in each: judged pairs name documents by their ids", p.Files[file].Name)
		}
		d.group = t.judged.Group(p.id(doc, file, 0, &t.Read))
	}
	d.values, d.missing = t.keep.Values(doc.Get)
	d.rank, err = t.keep.Rank(&dedup.Doc{Ref: ref, Length: len(d.text), Values: d.values}, t.old(p.Source))
	return d, err
}

// readPiece returns a piece and the numbers of rows that go with it, as rowsOf
// returns them.
func (t *tools) readPiece(pieces, rows func(*[]byte) bool) (*piece, []int, error) {
	p, err := onePiece(pieces)
	if err != nil {
		return nil, nil, err
	}
	out, err := t.rowsOf(rows)
	return p, out, err
}

// onePiece returns the one piece of an iterator.
func onePiece(pieces func(*[]byte) bool) (*piece, error) {
	b, err := one(pieces, "piece")
	if err != nil {
		return nil, err
	}
	return pieceOfJSON(string(b))
}

// rowsOf returns numbers of rows, ascending and without repetition.
func (t *tools) rowsOf(next func(*[]byte) bool) ([]int, error) {
	var out []int
	err := t.decodeAll(next, func(d *decoder) { out = append(out, d.rows()...) })
	slices.Sort(out)
	return slices.Compact(out), err
}

// fetch reads a piece again and sketches the texts that are compared, by the
// method or by the one that verifies. A text may be the earlier of a pair, the
// later, or both. It is reported once as compared.
type fetch struct {
	worker
	By comparison
}

// Which ends of pairs a text is.
const (
	isEarlier = 1
	isLater   = 2
)

func (w *fetch) ProcessElement(ctx context.Context, _ []byte, pieces, wanted func(*[]byte) bool, earlier, later, compared func([]byte, []byte), stat func(string, int64)) error {
	p, err := onePiece(pieces)
	if err != nil {
		return err
	}
	ends := map[int]byte{}
	err = w.t.decodeAll(wanted, func(d *decoder) {
		row := d.uint()
		ends[row] |= d.byte()
	})
	if err != nil || len(ends) == 0 {
		return err
	}
	m := w.t.method
	if w.By != bySketches {
		m = w.t.decider()
	}
	sketcher, err := steps.NewSketcher(m)
	if err != nil {
		return err
	}
	sketch := func(d document) []byte {
		s, _ := sketcher.Sketch(nil, d.text)
		return s
	}
	if w.By == bySketches { // limits decide before any method does
		mapper, err := steps.NewMapper(w.t.steps)
		if err != nil {
			return err
		}
		sketch = func(d document) []byte {
			s, _ := mapper.Sketch(nil, d.text, d.limits)
			return s
		}
	}
	found := 0
	err = w.t.each(ctx, p, func(row int) bool { return ends[row] != 0 }, func(row int, d document) error {
		found++
		key := encoder{}.rank(d.rank)
		sketch := sketch(d)
		compared(key, nil)
		if ends[row]&isEarlier != 0 {
			earlier(key, sketch)
		}
		if ends[row]&isLater != 0 {
			later(key, sketch)
		}
		return nil
	})
	if err == nil && found < len(ends) {
		err = fmt.Errorf("beam: %s has changed since it was read first", p.Files[0].Name)
	}
	if w.By == byTexts {
		stat("active", int64(len(ends)))
	}
	return err
}
