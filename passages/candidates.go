package passages

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/internal/parallel"
)

// candidate is a maximal passage that is long enough.
type candidate struct {
	hash   uint64
	length uint32
	docs   uint32
	places uint32
	rank   uint32  // the first to occur has 0, or with Top the first of these
	kept   bool    // some occurrence is not hidden
	pairs  float32 // rows in EachPair and EachMatch, if these will be called
}

// candidates are the passages of a finder, and outside of memory their
// occurrences.
type candidates struct {
	f    *Finder
	all  []candidate
	rows int64 // all occurrences

	places  *extsort.Sorter // place ‖ complement of the bytes, candidate
	located *extsort.Bytes  // occurrence.append
}

func newCandidates(f *Finder) *candidates {
	return &candidates{
		f:       f,
		places:  extsort.New(f.o.Dir, f.o.Memory/8),
		located: extsort.NewBytes(f.o.Dir, f.o.Memory/8),
	}
}

func (c *candidates) close() error { return errors.Join(c.places.Close(), c.located.Close()) }

// nestedRows is how many times MaxRows the occurrences of candidates may be:
// most of them may be hidden.
const nestedRows = 10

func (c *candidates) add(p *found) error {
	c.rows += int64(len(p.places))
	if most := nestedRows * c.f.o.MaxRows; c.rows > most || len(c.all) == math.MaxUint32 {
		return c.tooMany(fmt.Sprintf("%d occurrences, hidden ones included", most))
	}
	n := uint64(len(c.all))
	c.all = append(c.all, candidate{
		hash: p.hash, length: uint32(p.length), docs: uint32(p.docs), places: uint32(len(p.places)), pairs: c.f.pairRows(p),
	})
	for _, at := range p.places {
		if err := c.places.Add(extsort.Record{at, uint64(^uint32(p.bytes))<<32 | n}); err != nil {
			return fmt.Errorf("passages: %w", err)
		}
	}
	return nil
}

func (c *candidates) tooMany(what string) error {
	return fmt.Errorf("passages: more than %s, want fewer: raise MinLength, MinWords or MaxRows", what)
}

// occurrence is a place of a candidate in the folded texts.
type occurrence struct {
	doc        uint32
	start, end int
	of         uint32 // candidate
}

// eachPlace calls do with all occurrences by document and start, the longest
// first.
func (c *candidates) eachPlace(ctx context.Context, stage string, do func(occurrence) error) error {
	n := int64(0)
	err := c.places.Each(func(r extsort.Record) error {
		if n++; n%(1<<16) == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			c.f.o.Progress(stage, float64(n)/float64(c.places.Len()))
		}
		start := int(uint32(r[0]))
		return do(occurrence{uint32(r[0] >> 32), start, start + int(^uint32(r[1]>>32)), uint32(r[1])})
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("passages: %w", err)
	}
	return err
}

// nest finds out which candidates are reported, and their order.
func (c *candidates) nest(ctx context.Context) error {
	var open cover
	var same []occurrence // of one span
	rank := uint32(0)
	seen := make([]bool, len(c.all))
	finish := func() {
		slices.SortFunc(same, func(a, b occurrence) int {
			p, q := &c.all[a.of], &c.all[b.of]
			return cmp.Or(cmp.Compare(q.docs, p.docs), cmp.Compare(q.places, p.places), cmp.Compare(a.of, b.of))
		})
		for _, o := range same {
			p := &c.all[o.of]
			if !seen[o.of] {
				seen[o.of] = true
				p.rank = rank
				rank++
			}
			if open.add(o.start, o.end, p.docs) {
				p.kept = c.f.o.MaxDocs == 0 || int(p.docs) <= c.f.o.MaxDocs
			}
		}
		same = same[:0]
	}
	err := c.eachPlace(ctx, "nest", func(o occurrence) error {
		if len(same) > 0 && (o.doc != same[0].doc || o.start != same[0].start || o.end != same[0].end) {
			doc := same[0].doc
			finish()
			if doc != o.doc {
				open = open[:0]
			}
		}
		same = append(same, o)
		return nil
	})
	if err != nil {
		return err
	}
	finish()
	if c.f.o.Top > 0 {
		c.top()
	}
	pairs := 0.0
	for i := range c.all {
		if p := &c.all[i]; p.kept {
			c.f.stats.Passages++
			c.f.stats.Occurrences += int64(p.places)
			pairs += float64(p.pairs)
		}
	}
	if most := c.f.o.MaxRows; c.f.stats.Passages+c.f.stats.Occurrences > most {
		return c.tooMany(fmt.Sprintf("%d passages and occurrences", most))
	} else if pairs > float64(most) {
		return fmt.Errorf("passages: %.3g occurrences in pairs of documents, want at most %d: lower MaxDocs, or raise MaxRows", pairs, most)
	}
	return nil
}

// top keeps the first passages by documents.
func (c *candidates) top() {
	var kept []*candidate
	for i := range c.all {
		if c.all[i].kept {
			kept = append(kept, &c.all[i])
		}
	}
	slices.SortFunc(kept, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.docs, a.docs), cmp.Compare(b.places, a.places), cmp.Compare(b.length, a.length), cmp.Compare(a.rank, b.rank))
	})
	for i, p := range kept {
		p.rank, p.kept = uint32(i), i < c.f.o.Top
	}
}

// cover has, for each number of documents, the farthest end so far. Fewer
// documents come with farther ends.
type cover []struct {
	docs uint32
	end  int
}

// add reports whether an occurrence is visible, and records it if so.
// Occurrences come by ascending start.
func (c *cover) add(start, end int, docs uint32) bool {
	open := *c
	for len(open) > 0 && open[0].end <= start {
		open = open[1:]
	}
	// n are in more documents, or as many.
	n := 0
	for n < len(open) && open[n].docs >= docs {
		n++
	}
	if n > 0 && open[n-1].end >= end {
		*c = open
		return false
	}
	if n > 0 && open[n-1].docs == docs {
		n--
	}
	to := n
	for to < len(open) && open[to].end <= end {
		to++
	}
	*c = slices.Replace(open, n, to, struct {
		docs uint32
		end  int
	}{docs, end})
	return true
}

// locate maps the occurrences of reported passages back to the original texts.
func (c *candidates) locate(ctx context.Context) error {
	const size = 4096 // occurrences of whole documents that a worker takes at least
	return parallel.Ordered(ctx, c.f.o.Workers, func(ctx context.Context, emit func([]occurrence) error) error {
		var b []occurrence
		err := c.eachPlace(ctx, "locate", func(o occurrence) error {
			if !c.all[o.of].kept {
				return nil
			}
			if len(b) >= size && b[len(b)-1].doc != o.doc {
				if err := emit(b); err != nil {
					return err
				}
				b = nil
			}
			b = append(b, o)
			return nil
		})
		if err != nil || len(b) == 0 {
			return err
		}
		return emit(b)
	}, func(b []occurrence) (out []byte, err error) {
		for len(b) > 0 {
			n := 1
			for n < len(b) && b[n].doc == b[0].doc {
				n++
			}
			if out, err = c.original(out, b[:n]); err != nil {
				return nil, err
			}
			b = b[n:]
		}
		return out, nil
	}, func(rows []byte) error {
		for row := range slices.Chunk(rows, rowBytes) {
			if err := c.located.Add(row); err != nil {
				return fmt.Errorf("passages: %w", err)
			}
		}
		return nil
	})
}

// original appends the rows of the occurrences in a document.
func (c *candidates) original(rows []byte, all []occurrence) ([]byte, error) {
	doc := all[0].doc
	text, err := c.f.original.part(doc, 0, c.f.original.size(doc))
	if err != nil {
		return nil, err
	}
	_, spans := c.f.o.Fold.NormalizeSpans(text)
	places := make([]feature.Span, len(all))
	var marks []int // where UTF-16 and lines are counted
	for i, o := range all {
		from, to := uncut(c.f.cuts[doc], o.start, o.end)
		places[i] = feature.Span{Start: spans[from].Start, End: spans[to-1].End}
		marks = append(marks, places[i].Start, places[i].End-1, places[i].End)
	}
	slices.Sort(marks)
	marks = slices.Compact(marks)
	units, lines := make([]int, len(marks)), make([]int, len(marks))
	at, unit, line := 0, 0, 1
	for i, m := range marks {
		for ; at < m; at++ {
			switch b := text[at]; {
			case b == '\n':
				line++
				unit++
			case b < 0x80 || b >= 0xc0 && b < 0xf0:
				unit++
			case b >= 0xf0:
				unit += 2
			}
		}
		units[i], lines[i] = unit, line
	}
	of := func(place int) int {
		i, _ := slices.BinarySearch(marks, place)
		return i
	}
	for i, o := range all {
		start, end := of(places[i].Start), of(places[i].End)
		rows = appendRow(rows, c.all[o.of].rank, o.of, Occurrence{
			Doc: int(doc), Bytes: places[i], UTF16: feature.Span{Start: units[start], End: units[end]},
			FirstLine: lines[start], LastLine: lines[of(places[i].End-1)],
		})
	}
	return rows, nil
}

// rowBytes is the length of a row. Rows are in the order of their bytes.
const rowBytes = 64

func appendRow(dst []byte, rank, of uint32, o Occurrence) []byte {
	dst = binary.BigEndian.AppendUint32(dst, rank)
	dst = binary.BigEndian.AppendUint32(dst, uint32(o.Doc))
	for _, v := range []int{o.Bytes.Start, o.Bytes.End, o.UTF16.Start, o.UTF16.End, o.FirstLine, o.LastLine, int(of)} {
		dst = binary.BigEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

func readRow(row []byte) (rank, of uint32, o Occurrence) {
	v := func(i int) int { return int(binary.BigEndian.Uint64(row[8*i:])) }
	o = Occurrence{
		Doc: int(binary.BigEndian.Uint32(row[4:])), Bytes: feature.Span{Start: v(1), End: v(2)},
		UTF16: feature.Span{Start: v(3), End: v(4)}, FirstLine: v(5), LastLine: v(6),
	}
	return binary.BigEndian.Uint32(row), uint32(v(7)), o
}

// each calls emit with the reported passages.
func (c *candidates) each(ctx context.Context, emit func(Passage) error) error {
	var p Passage
	current, n := uint32(0), int64(0)
	finish := func() error {
		if p.ID == "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		first := p.Occurrences[0]
		var err error
		if p.Text, err = c.f.original.part(uint32(first.Doc), first.Bytes.Start, first.Bytes.End); err != nil {
			return err
		}
		n++
		c.f.o.Progress("write", float64(n)/float64(c.f.stats.Passages))
		return emit(p)
	}
	err := c.located.Each(func(row []byte) error {
		rank, of, o := readRow(row)
		if p.ID == "" || rank != current {
			if err := finish(); err != nil {
				return err
			}
			from := &c.all[of]
			current = rank
			p = Passage{
				ID: fmt.Sprintf("%016x", from.hash), Length: int(from.length), Docs: int(from.docs),
				Occurrences: make([]Occurrence, 0, from.places),
			}
		}
		p.Occurrences = append(p.Occurrences, o)
		return nil
	})
	if err != nil {
		return err
	}
	return finish()
}
