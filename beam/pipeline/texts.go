package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// worker is what the steps share.
type worker struct {
	Settings settings
	t        *tools
}

func (w *worker) Setup() (err error) {
	w.t, err = w.Settings.tools()
	return err
}

func pieceOfJSON(b string) (*piece, error) {
	p := &piece{}
	if err := json.Unmarshal([]byte(b), p); err != nil {
		return nil, fmt.Errorf("beam: piece: %w", err)
	}
	return p, nil
}

// isBad returns the error of a row that is not a document.
func isBad(err error) (*datasets.BadRow, bool) { return errors.AsType[*datasets.BadRow](err) }

// hashBytes is how much of the hash of a text is sent beside its slot. With these
// 96 bits and the bits of the slot, the chance that any two of 10^10 texts have the
// same hash is below one in 10^9.
const hashBytes = 12

// texts are those of a piece.
type texts struct {
	at  map[dedup.Hash]int
	all []pieceText
}

// pieceText is a text with the documents of a piece that have that text.
type pieceText struct {
	hash dedup.Hash
	best dedup.Rank
	rows []int // of the others
}

func (t *texts) add(hash dedup.Hash, rank dedup.Rank) {
	i, ok := t.at[hash]
	if !ok {
		t.at[hash] = len(t.all)
		t.all = append(t.all, pieceText{hash: hash, best: rank})
		return
	}
	of := &t.all[i]
	if rank < of.best {
		of.best, rank = rank, of.best
	}
	of.rows = append(of.rows, rowOf(rank))
}

// send emits them by slots.
func (t *texts) send(s *settings, emit func([]byte, []byte)) {
	slices.SortFunc(t.all, func(a, b pieceText) int { return cmp.Compare(rowOf(a.best), rowOf(b.best)) })
	blocks := s.blocks()
	for _, of := range t.all {
		slot, _ := s.slot(binary.BigEndian.Uint64(of.hash[:]))
		to := &blocks[slot]
		to.rank(of.best)
		to.encoder = append(to.encoder, of.hash[len(of.hash)-hashBytes:]...).rows(of.rows)
	}
	blocks.send(func(slot int, b encoder) { emit(encoder{}.uint(slot), b) })
}

// readTexts reads a piece. It sends the hash of each text, the size of the piece,
// and the buckets of a sample of the texts. Documents of equal texts meet by the
// hash. The best document of a piece brings the rows of the others, so a text
// that is everywhere comes once from each piece.
type readTexts struct{ worker }

func (w *readTexts) ProcessElement(ctx context.Context, piece string, text, sampled func([]byte, []byte), sized, badRow func([]byte), stat func(string, int64)) error {
	p, err := pieceOfJSON(piece)
	if err != nil {
		return err
	}
	var parser datasets.Parser
	var bytes, bad, missing, unpaired int64
	there, valued := make([]int64, len(w.t.Limits.Fields())), make([]int64, w.t.keep.Fields())
	texts := texts{at: map[dedup.Hash]int{}}
	some, err := w.t.sample()
	if err != nil {
		return err
	}
	n, err := p.each(ctx, &w.t.Read, nil, func(row, file int, raw datasets.RawRow) error {
		doc, err := parser.Row(raw)
		if b, is := isBad(err); is {
			// One too many does not end the run here: it may not be the first
			// in input order.
			if bad++; bad > int64(w.t.SkipBad)+1 {
				return nil
			}
			badRow(encoder(p.key()).uint(row).uint(b.Line).string(p.Files[file].Name).string(b.Err.Error()))
			return nil
		}
		if err != nil {
			return err
		}
		d, err := w.t.document(p, row, file, &doc)
		if err != nil {
			return err
		}
		missing += d.missing
		for i, v := range d.values {
			if v != dedup.Missing {
				valued[i]++
			}
		}
		bytes += int64(len(doc.Doc.Text))
		for i, v := range d.limits {
			if v != dedup.Missing {
				there[i]++
			}
		}
		if slices.Contains(d.limits, dedup.Missing) {
			unpaired++
		}
		hash := w.t.unit(p, &d)
		texts.add(hash, d.rank)
		return some.add(d, hash)
	})
	if err != nil {
		return err
	}
	texts.send(&w.t.settings, text)
	some.send(sampled)
	sized(encoder{}.uint(p.Source).uint(p.Part).uint(n.rows).uint(n.lines).uint(int(n.sum)).string(p.Files[0].Name))
	stat("missing", missing)
	for i, n := range there {
		stat(limitCount(i), n)
	}
	for i, n := range valued {
		stat(keepCount(i), n)
	}
	if w.t.old(p.Source) {
		stat("old rows", int64(n.rows))
		stat("old unreadable", bad)
		return nil
	}
	stat("rows", int64(n.rows))
	stat("unreadable", bad)
	stat("bytes", bytes)
	stat("unpaired", unpaired)
	return nil
}

// unit returns the hash of a document's unit. A document that was judged and has no
// features is a unit of its own: it is like nothing, and yet it may be removed.
func (t *tools) unit(p *piece, d *document) dedup.Hash {
	old := t.old(p.Source)
	unit := t.Limits.Unit(dedup.HashText(d.text), d.limits, d.rank.Number(), old)
	if d.group < 0 {
		return unit
	}
	unit = t.judged.Unit(unit, d.group, old)
	c := t.method.NewCollection()
	if c.Add(d.text); c.Empty(0) {
		unit = xxh3.Hash128(binary.BigEndian.AppendUint64(unit[:], d.rank.Number())).Bytes()
	}
	return unit
}

// limitCount names the count of the documents that have a field of the limits.
func limitCount(field int) string { return fmt.Sprint("limit ", field) }

// keepCount names the count of the documents that have a field of the policy.
func keepCount(field int) string { return fmt.Sprint("keep ", field) }

// lacking returns an error if no document has a field of the limits or of the policy.
// names returns the fields that documents have.
func lacking(l dedup.Limits, keep dedup.Policy, n map[string]int64, names func() []string) error {
	if n["rows"]+n["old rows"] == n["unreadable"]+n["old unreadable"] {
		return nil
	}
	if err := keep.Lacking(func(i int) bool { return n[keepCount(i)] > 0 }, names); err != nil {
		return err
	}
	return l.Lacking(func(i int) bool { return n[limitCount(i)] > 0 })
}

// groupTexts finds the best of the documents that have the same text. The other
// ones are skipped from here on.
type groupTexts struct{ worker }

// ProcessElement takes the texts of a slot.
func (w *groupTexts) ProcessElement(_ context.Context, _ []byte, next func(*[]byte) bool, skip, equal func([]byte, []byte), stat func(string, int64)) error {
	type text struct {
		hash [hashBytes]byte
		rank dedup.Rank
		rows []int
	}
	var texts []text
	err := w.t.decodeAll(next, func(d *decoder) {
		d.block(func(r dedup.Rank) {
			t := text{rank: r}
			copy(t.hash[:], d.take(hashBytes))
			t.rows = d.rows()
			texts = append(texts, t)
		})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(texts, func(a, b text) int {
		return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.rank, b.rank))
	})
	best, doubles := 0, 0
	for i, t := range texts {
		if t.hash != texts[best].hash {
			best = i
		}
		if i > best {
			t.rows = append(t.rows, rowOf(t.rank))
		}
		if len(t.rows) > 0 {
			rows := encoder{}.rows(t.rows)
			skip(pieceOf(t.rank), rows)
			equal(encoder{}.rank(texts[best].rank), append(binary.AppendUvarint(nil, pieceNumber(t.rank)), rows...))
			doubles += len(t.rows)
		}
	}
	if doubles > 0 {
		stat("doubles", int64(doubles))
	}
	return nil
}
