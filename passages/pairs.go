package passages

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
)

// Pair is what two documents share.
type Pair struct {
	A, B     int // documents, A the earlier one
	Passages int // that stand in both

	// InA and InB are the parts of the original texts that lie in these
	// passages, in bytes, ascending and apart.
	InA, InB []feature.Span

	// ShareA and ShareB are the shares of the texts that lie in them, of the bytes
	// that are not white space.
	ShareA, ShareB float64
}

// A row of a pair is for a passage or for an occurrence in one of the
// documents.
const (
	pairPassage = iota
	pairInA
	pairInB

	pairBytes = 4 + 4 + 1 + 8 + 8
)

// EachPair calls emit with each two documents that share a passage that Each
// has reported, in the order of their numbers. With old documents, one of the
// two is old. It needs Options.Pairs.
func (f *Finder) EachPair(ctx context.Context, emit func(Pair) error) (err error) {
	if f.found == nil || !f.o.Pairs {
		return errors.New("passages: EachPair wants Options.Pairs, and Each before it")
	}
	rows := extsort.NewBytes(f.o.Dir, f.o.Memory/4)
	defer func() { err = errors.Join(err, rows.Close()) }()
	var row [pairBytes]byte
	add := func(a, b int, kind byte, span feature.Span) error {
		binary.BigEndian.PutUint32(row[:], uint32(a))
		binary.BigEndian.PutUint32(row[4:], uint32(b))
		row[8] = kind
		binary.BigEndian.PutUint64(row[9:], uint64(span.Start))
		binary.BigEndian.PutUint64(row[17:], uint64(span.End))
		return rows.Add(row[:])
	}
	err = f.found.each(ctx, func(p Passage) error {
		docs := byDoc(p.Occurrences)
		for i, a := range docs {
			for _, b := range docs[i+1:] {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if f.old != nil && (a[0].Doc < int(*f.old)) == (b[0].Doc < int(*f.old)) {
					continue
				}
				if err := add(a[0].Doc, b[0].Doc, pairPassage, feature.Span{}); err != nil {
					return err
				}
				for k, side := range [][]Occurrence{a, b} {
					for _, o := range side {
						if err := add(a[0].Doc, b[0].Doc, pairInA+byte(k), o.Bytes); err != nil {
							return err
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var p Pair
	finish := func() error {
		if p.Passages == 0 {
			return nil
		}
		var failed [2]error
		p.ShareA, failed[0] = f.share(p.A, p.InA)
		p.ShareB, failed[1] = f.share(p.B, p.InB)
		if err := errors.Join(failed[:]...); err != nil {
			return err
		}
		return emit(p)
	}
	err = rows.Each(func(row []byte) error {
		a, b := int(binary.BigEndian.Uint32(row)), int(binary.BigEndian.Uint32(row[4:]))
		if a != p.A || b != p.B {
			if err := finish(); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			p = Pair{A: a, B: b}
		}
		span := feature.Span{Start: int(binary.BigEndian.Uint64(row[9:])), End: int(binary.BigEndian.Uint64(row[17:]))}
		switch row[8] {
		case pairPassage:
			p.Passages++
		case pairInA:
			p.InA = join(p.InA, span)
		case pairInB:
			p.InB = join(p.InB, span)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	return finish()
}

// pairRows returns the number of rows of a passage in EachPair and EachMatch, if
// these will be called.
func (f *Finder) pairRows(p *found) (rows float32) {
	if !f.o.Pairs && !f.o.Matches {
		return 0
	}
	docs, places := float32(p.docs), float32(len(p.places))
	first := len(p.places) // of old documents
	if f.old != nil {
		first, _ = slices.BinarySearch(p.places, placed(*f.old, 0))
	}
	older, same := float32(0), float32(0) // old documents, and pairs of places in one document
	for i, n := 0, 0; i < len(p.places); i += n {
		for n = 1; i+n < len(p.places) && p.places[i+n]>>32 == p.places[i]>>32; n++ {
		}
		if i >= first {
			older++
		}
		same += float32(n) * float32(n-1) / 2
	}
	newer := float32(first)
	switch {
	case f.o.Pairs && f.old == nil:
		rows = (docs - 1) * (places + docs/2)
	case f.o.Pairs:
		rows = (docs-older)*older + older*newer + (docs-older)*(places-newer)
	}
	switch {
	case f.o.Matches && f.old == nil:
		rows += places*(places-1)/2 - same
	case f.o.Matches:
		rows += newer * (places - newer)
	}
	return rows
}

// byDoc divides occurrences by their documents.
func byDoc(all []Occurrence) (docs [][]Occurrence) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Doc == all[0].Doc {
			n++
		}
		docs = append(docs, all[:n])
		all = all[n:]
	}
	return docs
}

// join adds a span that starts no earlier than those before it.
func join(spans []feature.Span, s feature.Span) []feature.Span {
	if n := len(spans); n > 0 && s.Start <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, s.End)
		return spans
	}
	return append(spans, s)
}

// share returns the share of a document that lies in spans, of the bytes that
// are not white space.
func (f *Finder) share(doc int, spans []feature.Span) (float64, error) {
	text, err := f.original.part(uint32(doc), 0, f.original.size(uint32(doc)))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, s := range spans {
		n += weight(text[s.Start:s.End])
	}
	return float64(n) / float64(max(1, weight(text))), nil
}
