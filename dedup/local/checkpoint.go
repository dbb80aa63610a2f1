package local

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// part is a checkpoint of some consecutive rows that have been sketched.
type part struct {
	Kinds    []byte // by row: partBad, partEmpty or partText
	Hashes   []byte // of the rows that are no bad ones
	Lengths  []int
	Values   [][]float64 // by field and row
	Errors   []string    // of the bad rows
	Size     int64       // of the texts in bytes
	Bytes    int64       // of the new ones
	Missing  int64
	Sketches []byte // of the texts that are new, a saved collection

	new similarity.Collection
}

const (
	partBad byte = iota
	partEmpty
	partText
)

// A part is saved once it stands for so many rows or bytes of text: some tenths of a
// second of work.
const (
	partRows  = 1 << 17
	partBytes = 64 << 20
)

// checkpoint takes note of the rows of a chunk, and saves those that have come
// together where they are enough or the last.
func (s *sketcher) checkpoint(ch *chunk, made *sketched, new similarity.Collection, last bool) error {
	if s.work == nil {
		return nil
	}
	p := &s.part
	if ch != nil {
		for i := range ch.rows {
			switch {
			case made.bad[i] != nil:
				p.Kinds, p.Errors = append(p.Kinds, partBad), append(p.Errors, made.bad[i].Error())
				continue
			case made.sketches.Empty(i):
				p.Kinds = append(p.Kinds, partEmpty)
			default:
				p.Kinds = append(p.Kinds, partText)
			}
			p.Hashes = append(p.Hashes, made.hash[i][:]...)
			p.Lengths = append(p.Lengths, made.length[i])
			p.Size += int64(made.size[i])
			if ch.source >= s.old {
				p.Bytes += int64(made.size[i])
			}
		}
		p.Missing += made.missing
		if p.Values == nil {
			p.Values = make([][]float64, len(made.values))
		}
		for f, v := range made.values {
			p.Values[f] = append(p.Values[f], v...)
		}
		if p.new == nil {
			p.new = s.o.Method.NewCollection()
		}
		p.new.Append(new)
	}
	if len(p.Kinds) == 0 || len(p.Kinds) < s.partRows && p.Size < partBytes && !last {
		return nil
	}
	var err error
	if p.Sketches, err = saved(p.new); err != nil {
		return err
	}
	if err := s.saveGob(fmt.Sprintf("part-%06d", s.parts), p); err != nil {
		return err
	}
	s.parts++
	s.part = part{}
	return nil
}

// loadParts takes the rows of all parts for read. It returns how many they are.
func (s *sketcher) loadParts() (rows int, err error) {
	for ; ; s.parts++ {
		var p part
		ok, err := s.loadGob(fmt.Sprintf("part-%06d", s.parts), &p)
		if !ok || err != nil {
			return s.texts.rows(), err
		}
		new := s.o.Method.NewCollection()
		if err := new.Load(bytes.NewReader(p.Sketches)); err != nil {
			return 0, fmt.Errorf("dedup: checkpoint: %w", err)
		}
		for f, v := range p.Values {
			s.texts.values[f] = append(s.texts.values[f], v...)
		}
		for _, kind := range p.Kinds {
			if kind == partBad {
				s.addBad(s.texts.rows(), errors.New(p.Errors[0]))
				p.Errors = p.Errors[1:]
				continue
			}
			s.texts.add(dedup.Hash(p.Hashes), p.Lengths[0], kind == partEmpty)
			p.Hashes, p.Lengths = p.Hashes[len(dedup.Hash{}):], p.Lengths[1:]
		}
		s.bytes += p.Bytes
		s.missing += p.Missing
		if err := s.sketches.add(new); err != nil {
			return 0, err
		}
	}
}

// seen is the checkpoint of the sources read to their end.
type seen struct {
	Files  []file
	Starts []int
	Sums   []string
}

// decision is the checkpoint of what is removed. Of the report it has what the
// steps before writing know.
type decision struct {
	Texts, Leaders []uint32
	Scores         []float64
	Misses         []Miss
	Report         Report
}

func (c *corpus) saveDecision(d *Decided) error {
	out := decision{Misses: d.Misses, Report: Report{
		Design: d.Design, Recall: d.Recall, Bytes: d.Bytes, Missing: d.Missing, Active: d.Active, Scored: d.Scored,
		Chaining: d.Chaining, Run: c.timing,
	}}
	for t, l := range d.Leader {
		if uint32(t) != l {
			out.Texts, out.Leaders, out.Scores = append(out.Texts, uint32(t)), append(out.Leaders, l), append(out.Scores, d.Scores[uint32(t)])
		}
	}
	return c.saveGob("decision", &out)
}

// loadDecision returns what an earlier run has decided, or nil.
func (c *corpus) loadDecision() (*Decided, error) {
	var from decision
	ok, err := c.loadGob("decision", &from)
	if !ok || err != nil {
		return nil, err
	}
	rep := &from.Report
	c.timing.Estimated, c.timing.Compared = rep.Run.Estimated, rep.Run.Compared
	d := c.undecided()
	d.Design, d.Recall, d.Active, d.Scored, d.Chaining = rep.Design, rep.Recall, rep.Active, rep.Scored, rep.Chaining
	d.Misses = from.Misses
	for i, t := range from.Texts {
		d.Leader[t], d.Scores[t] = from.Leaders[i], from.Scores[i]
	}
	return d, nil
}

// saveGob saves a checkpoint. Its bytes depend on what else the process has
// encoded. That does no harm: only a resumed run reads them, and no output
// contains them.
func (r *run) saveGob(name string, v any) error {
	if r.work == nil {
		return nil
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return fmt.Errorf("dedup: checkpoint: %w", err)
	}
	return r.work.save(name, b.Bytes())
}

func (r *run) loadGob(name string, v any) (bool, error) {
	if r.work == nil || !r.resumed {
		return false, nil
	}
	return r.work.loadGob(name, v)
}

// loadGob loads a checkpoint; ok is false where there is none, or none that is
// whole.
func (w *workspace) loadGob(name string, v any) (ok bool, err error) {
	data, ok := w.load(name)
	if !ok {
		return false, nil
	}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(v); err != nil {
		return false, fmt.Errorf("dedup: checkpoint %s: %w", name, err)
	}
	return true, nil
}
