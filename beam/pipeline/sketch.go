package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

func init() {
	beam.RegisterDoFn(&sketch{})
	beam.RegisterDoFn(&fetch{})
}

// sketch reads a piece again and posts every text that is not passed over to its buckets.
type sketch struct{ worker }

// bucketSlot returns the slot of a bucket, and 32 bits more of its hash.
func (s *settings) bucketSlot(k similarity.Key) (slot int, rest uint32) {
	var b [9]byte
	b[0] = k.Table
	binary.BigEndian.PutUint64(b[1:], k.Bucket)
	return s.slot(xxh3.Hash(b[:]))
}

// postings are what a piece sends to buckets. Where sketches are sent, they tell which of the buckets in the slot are
// meant, and otherwise 32 bits of hash do: what meets by chance is told apart when the sketches are there.
type postings struct {
	*settings
	blocks
	crowded map[bucket]int // and how many blocks they are cut in
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

// keyOf is the key of a bucket of which only a hash is known.
func keyOf(rest uint32) similarity.Key { return similarity.Key{Bucket: uint64(rest)} }

func (p *postings) split(at slotKey, blocks int) *split {
	if p.splits[at] == nil {
		p.splits[at] = newSplit(at, blocks)
	}
	return p.splits[at]
}

// send emits what goes to slots, and what goes to tasks. Where sketches are sent, each element of a slot begins with what
// the worker there must not take for buckets of the slot: the crowded ones.
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

// ProcessElement sketches the texts of a piece.
func (w *sketch) ProcessElement(ctx context.Context, _, packed []byte, crowded func(*[]byte) bool, posted, tasks, empty func([]byte, []byte), stat func(string, int64)) error {
	p, skips, err := unpack(packed)
	if err != nil {
		return err
	}
	skip, err := rowsOf(skips)
	if err != nil {
		return err
	}
	crowd, err := crowds(crowded)
	if err != nil {
		return err
	}
	mapper, err := steps.NewMapper(w.t.steps)
	if err != nil {
		return err
	}
	post := w.t.postings(crowd)
	err = w.t.each(ctx, p, skip, func(rank dedup.Rank, text string) error {
		sketch, none := mapper.Sketch(nil, text)
		if none {
			if !w.t.old(p.Source) {
				stat("empty", 1)
			}
			empty(encoder{}.rank(rank), nil)
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

// each calls do with the rank and the text of each document of a piece but those to be passed over, by their rows in
// ascending order.
func (t *tools) each(ctx context.Context, p *Piece, skip []int, do func(dedup.Rank, string) error) error {
	var parser datasets.Parser
	_, err := p.each(ctx, t.like, func(row, file int, raw datasets.RawRow) error {
		if len(skip) > 0 && skip[0] == row {
			skip = skip[1:]
			return nil
		}
		doc, err := parser.Row(raw)
		if _, bad := isBad(err); bad {
			return nil
		}
		if err != nil {
			return err
		}
		doc.Doc.Text = t.Mask.Apply(doc.Doc.Text)
		rank, err := t.rank(p, row, &doc)
		if err != nil {
			return err
		}
		return do(rank, doc.Doc.Text)
	})
	return err
}

func (t *tools) rank(p *Piece, row int, doc *datasets.Row) (dedup.Rank, error) {
	ref, err := p.ref(row)
	if err != nil {
		return "", err
	}
	values, _ := t.values(doc)
	return t.keep.Rank(&dedup.Doc{Ref: ref, Length: len(doc.Doc.Text), Values: values}, t.old(p.Source))
}

// readPiece takes a piece and the numbers of rows that go with it, in ascending order and none twice.
func readPiece(pieces, rows func(*[]byte) bool) (*Piece, []int, error) {
	b, err := one(pieces, "piece")
	if err != nil {
		return nil, nil, err
	}
	p, err := pieceOfJSON(string(b))
	if err != nil {
		return nil, nil, err
	}
	out, err := rowsOf(rows)
	return p, out, err
}

// rowsOf takes numbers of rows: in ascending order and none twice.
func rowsOf(next func(*[]byte) bool) ([]int, error) {
	var out []int
	var b []byte
	for next(&b) {
		d := decoder{b: b}
		out = append(out, d.rows()...)
		if err := d.err(); err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// fetch reads a piece again for the sketches of the texts that are compared: of the method, or of
// the one that verifies. A text may be the earlier of a pair, the later, or both. Each is told of once, as one that is
// compared.
type fetch struct {
	worker
	Verify bool
}

// The ends of a pair that a text is.
const (
	isEarlier = 1
	isLater   = 2
)

// ProcessElement sketches the wanted texts of a piece.
func (w *fetch) ProcessElement(ctx context.Context, _ []byte, pieces, wanted func(*[]byte) bool, earlier, later, compared func([]byte, []byte), stat func(string, int64)) error {
	b, err := one(pieces, "piece")
	if err != nil {
		return err
	}
	p, err := pieceOfJSON(string(b))
	if err != nil {
		return err
	}
	ends := map[int]byte{}
	for wanted(&b) {
		d := decoder{b: b}
		row := d.uint()
		end := d.take(1)
		if err := d.err(); err != nil {
			return err
		}
		ends[row] |= end[0]
	}
	if len(ends) == 0 {
		return nil
	}
	m := w.t.method
	if w.Verify {
		m = w.t.verify
	}
	sketcher, err := steps.NewSketcher(m)
	if err != nil {
		return err
	}
	var parser datasets.Parser
	found := 0
	_, err = p.each(ctx, w.t.like, func(row, file int, raw datasets.RawRow) error {
		end := ends[row]
		if end == 0 {
			return nil
		}
		found++
		doc, err := parser.Row(raw)
		if err != nil {
			return err
		}
		doc.Doc.Text = w.t.Mask.Apply(doc.Doc.Text)
		rank, err := w.t.rank(p, row, &doc)
		if err != nil {
			return err
		}
		key := encoder{}.rank(rank)
		sketch, _ := sketcher.Sketch(nil, doc.Doc.Text)
		compared(key, nil)
		if end&isEarlier != 0 {
			earlier(key, sketch)
		}
		if end&isLater != 0 {
			later(key, sketch)
		}
		return nil
	})
	if err == nil && found < len(ends) {
		err = fmt.Errorf("beam: %s has changed since it was read first", p.Files[0].Name)
	}
	if w.Verify {
		stat("active", int64(len(ends)))
	}
	return err
}
