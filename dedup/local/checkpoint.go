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
func (r *run) checkpoint(s *sketched, new similarity.Collection, last bool) error {
	if r.work == nil {
		return nil
	}
	p := &r.part
	if s != nil {
		for i := range s.chunk.rows {
			switch {
			case s.bad[i] != nil:
				p.Kinds, p.Errors = append(p.Kinds, partBad), append(p.Errors, s.bad[i].Error())
				continue
			case s.sketches.Empty(i):
				p.Kinds = append(p.Kinds, partEmpty)
			default:
				p.Kinds = append(p.Kinds, partText)
			}
			p.Hashes = append(p.Hashes, s.hash[i][:]...)
			p.Lengths = append(p.Lengths, s.length[i])
			p.Size += int64(s.size[i])
			if s.chunk.source >= r.oldSources() {
				p.Bytes += int64(s.size[i])
			}
		}
		p.Missing += s.missing
		if p.Values == nil {
			p.Values = make([][]float64, len(s.values))
		}
		for f, v := range s.values {
			p.Values[f] = append(p.Values[f], v...)
		}
		if p.new == nil {
			p.new = r.o.Method.NewCollection()
		}
		p.new.Append(new)
	}
	if len(p.Kinds) == 0 || len(p.Kinds) < r.partRows && p.Size < partBytes && !last {
		return nil
	}
	var b bytes.Buffer
	if err := p.new.Save(&b); err != nil {
		return fmt.Errorf("dedup: checkpoint: %w", err)
	}
	p.Sketches = b.Bytes()
	if err := r.saveGob(fmt.Sprintf("part-%06d", r.parts), p); err != nil {
		return err
	}
	r.parts++
	r.part = part{}
	return nil
}

// loadParts takes the rows of all parts for read. It returns how many they are.
func (r *run) loadParts() (rows int, err error) {
	for ; ; r.parts++ {
		var p part
		ok, err := r.loadGob(fmt.Sprintf("part-%06d", r.parts), &p)
		if !ok || err != nil {
			return r.texts.rows(), err
		}
		new := r.o.Method.NewCollection()
		if err := new.Load(bytes.NewReader(p.Sketches)); err != nil {
			return 0, fmt.Errorf("dedup: checkpoint: %w", err)
		}
		for f, v := range p.Values {
			r.texts.values[f] = append(r.texts.values[f], v...)
		}
		for _, kind := range p.Kinds {
			if kind == partBad {
				r.bad(r.texts.rows(), errors.New(p.Errors[0]))
				p.Errors = p.Errors[1:]
				continue
			}
			r.texts.add(dedup.Hash(p.Hashes), p.Lengths[0], kind == partEmpty)
			p.Hashes, p.Lengths = p.Hashes[len(dedup.Hash{}):], p.Lengths[1:]
		}
		r.report.Bytes += p.Bytes
		r.report.Missing += p.Missing
		if err := r.sketches.add(new); err != nil {
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

// decision is the checkpoint of what is removed.
type decision struct {
	Texts, Leaders []uint32
	Scores         []float64
	Report         Report
}

func (r *run) saveDecision() error {
	if r.work == nil {
		return nil
	}
	d := decision{Report: r.report}
	for t, l := range r.leader {
		if uint32(t) != l {
			d.Texts, d.Leaders, d.Scores = append(d.Texts, uint32(t)), append(d.Leaders, l), append(d.Scores, r.scores[uint32(t)])
		}
	}
	return r.saveGob("decision", &d)
}

func (r *run) loadDecision() (bool, error) {
	var d decision
	ok, err := r.loadGob("decision", &d)
	if !ok || err != nil {
		return false, err
	}
	timing := r.report.Run
	r.report = d.Report
	r.report.Run = timing
	r.report.Run.Estimated, r.report.Run.Compared = d.Report.Run.Estimated, d.Report.Run.Compared
	r.chooseBest()
	r.noLeaders()
	for i, t := range d.Texts {
		r.leader[t], r.scores[t] = d.Leaders[i], d.Scores[i]
	}
	return true, nil
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
	data, ok := r.work.load(name)
	if !ok {
		return false, nil
	}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(v); err != nil {
		return false, fmt.Errorf("dedup: checkpoint %s: %w", name, err)
	}
	return true, nil
}
