package passages

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
)

// GatherOptions configures Finder.Gather. The zero value lists each source that adds
// anything.
type GatherOptions struct {
	// MinShare is the minimum share of a query that a source adds, 0 to 1.
	MinShare float64

	// Skip, if set, reports whether an old document is no source of a query.
	Skip func(query, old int) bool
}

// Gathered is a query, and the sources that cover it.
type Gathered struct {
	Doc     int // number of the query
	Sources []Source

	// Covered is the share of the query that the sources cover together.
	Covered float64

	// Uncovered is the rest: spans of the query in bytes, ascending, without white space
	// at their ends.
	Uncovered []feature.Span
}

// Source is a document that covers a part of a query. Shares are of the bytes
// of the query that are not white space.
type Source struct {
	Doc   int     // number of the document
	Adds  float64 // share that it covers and no source before it does
	Total float64 // share that it and the sources before it cover
	Share float64 // share that it covers at all

	// Spans are what it adds: spans of the query in bytes, ascending and apart, without
	// white space at their ends.
	Spans []feature.Span

	// Low and High are an interval of 95 % for Share, where that is an estimate: see
	// Prints. Otherwise both are 0.
	Low, High float64
}

// Gather calls emit with each document before BeginOld, a query, in the order of their
// numbers. It is called instead of Each.
//
// An old document covers what lies in passages that it shares with the query, or with
// Options.Fuzzy in matches. Sources are
// chosen greedily: the next one is the old document that covers most of what is still
// uncovered. The first of equal ones wins. Gather stops when none adds MinShare.
//
// Gather returns an error if the spans that one query shares do not fit in the budget, or
// if all queries together share more than MaxRows.
func (f *Finder) Gather(ctx context.Context, o GatherOptions, emit func(Gathered) error) (_ Stats, err error) {
	switch {
	case f.old == nil:
		return f.stats, errors.New("passages: Gather without old documents, want BeginOld before it")
	case !(o.MinShare >= 0 && o.MinShare <= 1):
		return f.stats, fmt.Errorf("passages: MinShare is %v, want 0 to 1", o.MinShare)
	}
	rows := extsort.NewBytes(f.o.Dir, f.o.Memory/4)
	defer func() { err = errors.Join(err, rows.Close()) }()
	n := int64(0)
	add := func(r sharedRow) error {
		if n++; n > f.o.MaxRows {
			return fmt.Errorf("passages: queries share more than %d spans with old documents, want fewer: raise MinLength, MinWords or MaxRows", f.o.MaxRows)
		}
		if err := rows.Add(r.bytes()); err != nil {
			return fmt.Errorf("passages: %w", err)
		}
		return nil
	}
	if f.o.Fuzzy > 0 {
		err = f.eachMatch(ctx, o.Skip, func(m Match) error { return add(sharedRow{uint32(m.A), uint32(m.B), m.InA}) })
	} else {
		_, err = f.Each(ctx, func(p Passage) error { return f.eachShared(ctx, p, o.Skip, add) })
	}
	if err != nil {
		return f.stats, err
	}
	return f.stats, eachQuery(rows, *f.old, f.o.Memory, func(query uint32, all []shared) error {
		return f.gather(ctx, query, all, o.MinShare, emit)
	})
}

// eachQuery calls do with each query and what it shares, given the rows of all.
func eachQuery(rows *extsort.Bytes, queries uint32, memory int64, do func(query uint32, all []shared) error) error {
	next := uint32(0) // query
	upTo := func(doc uint32, all []shared) error {
		for ; next <= doc && next < queries; next++ {
			var of []shared
			if next == doc {
				of = all
			}
			if err := do(next, of); err != nil {
				return err
			}
		}
		return nil
	}
	var query uint32
	var all []shared
	n, most := 0, int(memory/4/spanBytes)
	err := rows.Each(func(row []byte) error {
		r := readShared(row)
		if r.query != query {
			if err := upTo(query, all); err != nil {
				return err
			}
			query, all, n = r.query, nil, 0
		}
		if n++; n > most {
			return fmt.Errorf("passages: a query shares more than %d spans with old documents, more than fit in the budget of %d bytes: want more Memory, or raise MinLength or MinWords", most, memory)
		}
		if len(all) == 0 || all[len(all)-1].doc != int(r.source) {
			all = append(all, shared{doc: int(r.source)})
		}
		last := &all[len(all)-1]
		last.spans = join(last.spans, r.span)
		return nil
	})
	if err != nil {
		return err
	}
	if err := upTo(query, all); err != nil {
		return err
	}
	return upTo(queries, nil)
}

// spanBytes is what a span of a source takes while sources are chosen.
const spanBytes = 128

// sharedRow is an occurrence in a query of a passage that stands in a source. Rows are in
// the order of their bytes.
type sharedRow struct {
	query, source uint32
	span          feature.Span
}

func (r *sharedRow) bytes() []byte {
	row := make([]byte, 0, 24)
	row = binary.BigEndian.AppendUint32(row, r.query)
	row = binary.BigEndian.AppendUint32(row, r.source)
	row = binary.BigEndian.AppendUint64(row, uint64(r.span.Start))
	return binary.BigEndian.AppendUint64(row, uint64(r.span.End))
}

func readShared(row []byte) sharedRow {
	return sharedRow{
		query: binary.BigEndian.Uint32(row), source: binary.BigEndian.Uint32(row[4:]),
		span: feature.Span{Start: int(binary.BigEndian.Uint64(row[8:])), End: int(binary.BigEndian.Uint64(row[16:]))},
	}
}

// eachShared calls do with the rows of a passage.
func (f *Finder) eachShared(ctx context.Context, p Passage, skip func(query, old int) bool, do func(sharedRow) error) error {
	docs := byDoc(p.Occurrences)
	first, _ := slices.BinarySearchFunc(docs, int(*f.old), func(d []Occurrence, old int) int { return cmp.Compare(d[0].Doc, old) })
	for _, query := range docs[:first] {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, source := range docs[first:] {
			if skip != nil && skip(query[0].Doc, source[0].Doc) {
				continue
			}
			for _, o := range query {
				if err := do(sharedRow{uint32(o.Doc), uint32(source[0].Doc), o.Bytes}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// gather calls emit with a query and its sources.
func (f *Finder) gather(ctx context.Context, query uint32, all []shared, least float64, emit func(Gathered) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.o.Progress("gather", float64(query)/float64(*f.old))
	text, err := f.original.part(query, 0, f.original.size(query))
	if err != nil {
		return err
	}
	g := gather(text, all, least)
	g.Doc = int(query)
	return emit(g)
}
