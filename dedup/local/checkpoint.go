package local

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/alike-go/alike/similarity"
)

// A part, a checkpoint of consecutive rows, is saved once it has so many rows or
// bytes of text: some tenths of a second of work.
const (
	partRows  = 1 << 17
	partBytes = 64 << 20
)

// checkpoint adds rows, and the sketches of their new texts, to the current part.
// It saves the part if it is large enough, or the last.
func (s *sketcher) checkpoint(rows *sketched, new similarity.Collection, last bool) (err error) {
	if s.work == nil {
		return nil
	}
	p := s.part
	if rows != nil {
		p.append(rows)
		p.sketches.Append(new)
	}
	if n := len(p.Lengths); n == 0 || n < s.partRows && p.Size < partBytes && !last {
		return nil
	}
	p.RepeatedID = s.ids.First
	if p.Sketches, err = saved(p.sketches); err != nil {
		return err
	}
	if err := s.saveGob(fmt.Sprintf("part-%06d", s.parts), p); err != nil {
		return err
	}
	s.parts++
	s.part = s.newSketched()
	return nil
}

// append appends rows, without their sketches.
func (s *sketched) append(rows *sketched) {
	for i, err := range rows.bad {
		s.Bad[len(s.Lengths)+i] = err.Error()
	}
	s.Hashes = append(s.Hashes, rows.Hashes...)
	s.Lengths = append(s.Lengths, rows.Lengths...)
	s.Empty = append(s.Empty, rows.Empty...)
	for f, v := range rows.Values {
		s.Values[f] = append(s.Values[f], v...)
	}
	s.IDs = append(s.IDs, rows.IDs...)
	s.Missing += rows.Missing
	s.Size += rows.Size
	s.New += rows.New
}

// loadParts takes the rows of all parts. It returns how many they are.
func (s *sketcher) loadParts() (rows int, err error) {
	for ; ; s.parts++ {
		p := s.newSketched()
		ok, err := s.loadGob(fmt.Sprintf("part-%06d", s.parts), p)
		if !ok || err != nil {
			return len(s.texts.Of), err
		}
		for i, text := range p.Bad {
			p.bad[i] = errors.New(text)
		}
		if err := p.sketches.Load(bytes.NewReader(p.Sketches)); err != nil {
			return 0, fmt.Errorf("dedup: checkpoint: %w", err)
		}
		s.ids.First = p.RepeatedID
		if _, err := s.take(p); err != nil {
			return 0, err
		}
		if err := s.sketches.add(p.sketches); err != nil {
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

// decision is the checkpoint of the texts that are removed.
type decision struct {
	Texts, Leaders      []uint32
	Scores              []float64
	Findings            Findings
	Estimated, Compared int64
}

func (c *corpus) saveDecision(d *Decided) error {
	out := decision{Findings: d.Findings, Estimated: c.timing.Estimated, Compared: c.timing.Compared}
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
	c.timing.Estimated, c.timing.Compared = from.Estimated, from.Compared
	d := Undecided(&c.texts.Texts, c.best)
	d.Findings = from.Findings
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

// loadGob loads a checkpoint; ok is false if there is none, or if it is damaged.
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
