package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// none stands for a text or node that there is not.
const none = steps.None

// texts are the documents of a run in columns.
type texts struct {
	steps.Texts
	length []uint32    // by text, in bytes, capped
	values [][]float64 // by field of the policy or the limits, and row
}

// add adds the next row, and reports whether its text is new.
func (t *texts) add(hash dedup.Hash, length int, empty bool) (isNew bool) {
	isNew = t.Add(hash, empty)
	if isNew {
		t.length = append(t.length, uint32(min(length, math.MaxUint32)))
	}
	return isNew
}

// sketched is consecutive rows in columns: those of a chunk, or those of a part,
// which is a checkpoint. A part is saved by its exported fields.
type sketched struct {
	Hashes  []byte      // of the units (see dedup.Limits), 16 bytes per row
	Lengths []int       // of these texts, by row
	Empty   []bool      // by row, whether its text has no features
	IDs     []uint64    // by row, hashes; 0 for old sources and where there is no document
	Values  [][]float64 // by field of the policy or the limits, and row
	Missing int64       // values
	Size    int64       // bytes of the texts as they were read
	New     int64       // bytes of those from new sources

	Bad map[int]string // of a part, by row that holds no document
	bad map[int]error

	RepeatedID string   // of a part: the first id that repeats up to its end
	ids        []string // of a chunk, by row

	Sketches []byte                // of a part: a saved collection
	sketches similarity.Collection // of all rows, or in a part those of new texts
}

// fields returns the number of values of a row.
func (r *run) fields() int {
	n := r.o.Keep.Fields() + len(r.o.Limits.Fields())
	if r.o.Judged != nil {
		n++
	}
	return n
}

func (c *corpus) newSketched() *sketched {
	return &sketched{
		Values: make([][]float64, c.fields()), Bad: make(map[int]string), bad: make(map[int]error),
		sketches: c.o.Method.NewCollection(),
	}
}

// add adds a row. Without values all its values are missing.
func (s *sketched) add(hash dedup.Hash, length int, empty bool, values []float64) {
	s.Hashes = append(s.Hashes, hash[:]...)
	s.Lengths, s.Empty, s.IDs = append(s.Lengths, length), append(s.Empty, empty), append(s.IDs, 0)
	for f := range s.Values {
		v := dedup.Missing
		if values != nil {
			v = values[f]
		}
		s.Values[f] = append(s.Values[f], v)
	}
}

// hashAt returns a hash from a column of hashes.
func hashAt(column []byte, i int) dedup.Hash {
	return dedup.Hash(column[i*len(dedup.Hash{}):])
}

// sketcher fills a corpus with rows and a store with the sketches of its texts.
type sketcher struct {
	*corpus
	sketches *store
	part     *sketched // of rows that no checkpoint holds
	parts    int       // saved
	ids      datasets.Repeats
}

// sketch reads all sources once. It finds equal texts and sketches each new
// text. It goes on where an earlier run ended.
func (c *corpus) sketch(ctx context.Context, to *store) error {
	s := &sketcher{corpus: c, sketches: to, part: c.newSketched()}
	c.texts.values = make([][]float64, c.fields())
	done, err := s.loadParts()
	if err != nil {
		return err
	}
	var all seen
	if ok, err := c.loadGob("seen", &all); err != nil {
		return err
	} else if ok && done == all.Starts[len(all.Starts)-1] {
		c.in.files, c.in.starts, c.in.sums = all.Files, all.Starts, all.Sums
		s.foundIDs()
		return nil
	}
	var want func(row int) bool
	if done > 0 {
		want = func(row int) bool { return row >= done }
	}
	if err := eachChunk(ctx, c.in, want, c.progress("sketch"), c.sketchChunk, s.collect); err != nil {
		return err
	}
	if err := s.checkpoint(nil, nil, true); err != nil {
		return err
	}
	s.foundIDs()
	if err := c.checkKeep(); err != nil {
		return err
	}
	return c.saveGob("seen", &seen{c.in.files, c.in.starts, c.in.sums})
}

// foundIDs notes which ids repeat.
func (s *sketcher) foundIDs() { s.findings.Repeated, s.findings.RepeatedID = s.ids.N, s.ids.First }

// checkKeep returns an error if no document has a value for a field of the policy.
func (c *corpus) checkKeep() error {
	if c.texts.Len() == 0 {
		return nil
	}
	return c.lacking()
}

// lacking is checkKeep for documents that there are.
func (c *corpus) lacking() error {
	return c.o.Keep.Lacking(func(field int) bool {
		return slices.ContainsFunc(c.texts.values[field], func(v float64) bool { return v != dedup.Missing })
	}, c.in.sources[len(c.in.sources)-1].FieldNames)
}

// collect takes the rows of a chunk, which come in their order.
func (s *sketcher) collect(_ *chunk, rows *sketched) error {
	picked, err := s.take(rows)
	if err != nil {
		return err
	}
	new := rows.sketches
	if len(picked) < new.Len() {
		new = new.Pick(picked)
	}
	if err := s.checkpoint(rows, new, false); err != nil {
		return err
	}
	return s.sketches.add(new)
}

// take adds rows to the corpus. It returns which of them have a new text.
func (s *sketcher) take(rows *sketched) (picked []int, err error) {
	for f, v := range rows.Values {
		s.texts.values[f] = append(s.texts.values[f], v...)
	}
	for i, length := range rows.Lengths {
		if hash := rows.IDs[i]; hash != 0 {
			var id string
			if rows.ids != nil {
				id = rows.ids[i]
			}
			if s.ids.AddHash(hash, id) && s.o.UniqueIDs {
				return nil, fmt.Errorf("dedup: two documents have the id %q", s.ids.First)
			}
		}
		if err := rows.bad[i]; err != nil {
			if err := s.addBad(err); err != nil {
				return nil, err
			}
		} else if s.texts.add(hashAt(rows.Hashes, i), length, rows.Empty[i]) {
			picked = append(picked, i)
		}
	}
	s.findings.Bytes += rows.New
	s.findings.Missing += rows.Missing
	return picked, nil
}

// addBad adds a row that holds no document. It returns the error if the run must
// not go on.
func (c *corpus) addBad(err error) error {
	c.bad[len(c.texts.Of)] = err
	c.texts.AddBad()
	if c.o.OnBad != nil && len(c.bad) <= c.o.SkipBad {
		c.o.OnBad(err)
	}
	if _, large := errors.AsType[*datasets.SizeError](err); len(c.bad) > c.o.SkipBad || large && c.o.MaxDocument == 0 {
		return err
	}
	return nil
}

func (c *corpus) sketchChunk(p *datasets.Parser, ch *chunk) (*sketched, error) {
	if ch.part != nil {
		return c.takeSketches(ch)
	}
	s := c.newSketched()
	s.ids = make([]string, len(ch.rows))
	err := ch.documents(p, func(i int, row *datasets.Row, bad error) error {
		if bad != nil {
			s.bad[i] = bad
			s.add(dedup.Hash{}, 0, true, nil)
			s.sketches.Add("") // keeps the numbers of rows and sketches the same
			return nil
		}
		if ch.source >= c.old {
			if err := c.o.hasAdded(row, &ch.rows[i]); err != nil {
				return err
			}
		}
		text := c.cleaner.Clean(row.Doc.Text)
		values, missing := c.o.Keep.Values(row.Get)
		unit, more := c.unit(text, row, ch.numbers[i], ch.source < c.old)
		values = append(values, more...)
		s.sketches.Add(text)
		s.add(unit, len(text), s.sketches.Empty(i), values)
		if ch.source >= c.old {
			s.IDs[i], s.ids[i] = datasets.HashID(row.Doc.ID), row.Doc.ID
		}
		s.Missing += missing
		s.Size += int64(len(row.Doc.Text))
		return nil
	})
	if ch.source >= c.old {
		s.New = s.Size
	}
	return s, err
}

// doc returns what the policy needs to know of a row.
func (c *corpus) doc(row uint32) dedup.Doc {
	source := c.in.source(int(row))
	d := dedup.Doc{
		Ref:    dedup.Ref{Source: source, Row: int(row) - c.in.starts[source]},
		Length: int(c.texts.length[c.texts.Of[row]]),
	}
	for _, v := range c.texts.values {
		d.Values = append(d.Values, v[row])
	}
	return d
}

// chooseBest finds for each text the row that is kept of it.
func (c *corpus) chooseBest() {
	var compare func(a, b uint32) int
	if !c.o.Keep.InputOrder() {
		compare = func(a, b uint32) int {
			x, y := c.doc(a), c.doc(b)
			return c.o.Keep.Compare(&x, &y)
		}
	}
	c.best = c.texts.Best(c.oldRows, compare)
}
