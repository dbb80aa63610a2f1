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
	"github.com/alike-go/alike/internal/parallel"
)

// Match is two places, in two documents, that have the same text, or with
// Options.Fuzzy nearly the same.
type Match struct {
	A, B     int          // documents, A the earlier one
	InA, InB feature.Span // in the original texts, in bytes

	// Length is the mean length of the two folded texts in characters, or in
	// words with MinWords.
	Length int

	// Edits is the number of characters to insert, delete or replace to make one
	// folded text the other.
	Edits int
}

// EachMatch calls emit with each match, in the order of documents and places. A
// match that lies within another one in both documents is left out. With old
// documents, one of the two is old. It needs Options.Matches or Options.Fuzzy. It
// may be called after Each, or instead of it.
//
// Exact matches are two occurrences of a passage. With Options.Fuzzy they are
// seeds, which grow as long as edits are few enough.
func (f *Finder) EachMatch(ctx context.Context, emit func(Match) error) (Stats, error) {
	if !f.o.Matches {
		return f.stats, errors.New("passages: EachMatch wants Options.Matches or Options.Fuzzy")
	}
	return f.stats, f.eachMatch(ctx, nil, emit)
}

// eachMatch is EachMatch without pairs that skip reports.
func (f *Finder) eachMatch(ctx context.Context, skip func(a, b int) bool, emit func(Match) error) (err error) {
	if f.found == nil {
		if err := f.find(ctx); err != nil {
			return err
		}
	}
	rows := extsort.NewBytes(f.o.Dir, f.o.Memory/4)
	defer func() { err = errors.Join(err, rows.Close()) }()
	if err := f.seeds(ctx, rows, skip); err != nil {
		return err
	}
	type made struct {
		found []Match
		share float64
	}
	return parallel.Ordered(ctx, f.o.Workers, func(ctx context.Context, emit func([]docPair) error) error {
		return f.docPairs(ctx, rows, emit)
	}, func(pairs []docPair) (made, error) {
		found, err := f.matches(ctx, pairs)
		return made{found, pairs[0].share}, err
	}, func(m made) error {
		f.o.Progress("match", m.share)
		for _, m := range m.found {
			f.stats.Matches++
			if err := emit(m); err != nil {
				return err
			}
		}
		return nil
	})
}

// seed is two places with the same folded text.
type seed struct {
	a, b feature.Span // in folded texts
}

// docPair is two documents and what they have in common, by places in a, the
// longest first.
type docPair struct {
	a, b  uint32
	seeds []seed
	share float64 // of all seeds that are in pairs so far
}

// seeds adds a row for each two occurrences of a passage in two documents. Rows
// are in the order of their bytes.
func (f *Finder) seeds(ctx context.Context, rows *extsort.Bytes, skip func(a, b int) bool) (err error) {
	byPassage := extsort.New(f.o.Dir, f.o.Memory/8)
	defer func() { err = errors.Join(err, byPassage.Close()) }()
	err = f.found.eachPlace(ctx, "pair", func(o occurrence) error {
		if !f.found.all[o.of].kept {
			return nil
		}
		return byPassage.Add(extsort.Record{uint64(o.of)<<32 | uint64(o.doc), uint64(o.start)<<32 | uint64(o.end-o.start)})
	})
	if err != nil {
		return err
	}
	var places []extsort.Record // of one passage
	pairs := func() error {
		for i, p := range places {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, q := range places[i+1:] {
				a, b := uint32(p[0]), uint32(q[0])
				if a == b || f.old != nil && (a < *f.old) == (b < *f.old) || skip != nil && skip(int(a), int(b)) {
					continue
				}
				var row [seedRow]byte
				for k, v := range []uint32{a, b, uint32(p[1] >> 32), ^uint32(p[1]), uint32(q[1] >> 32)} {
					binary.BigEndian.PutUint32(row[4*k:], v)
				}
				f.seeded++
				if err := rows.Add(row[:]); err != nil {
					return err
				}
			}
		}
		places = places[:0]
		return nil
	}
	err = byPassage.Each(func(r extsort.Record) error {
		if len(places) > 0 && places[0][0]>>32 != r[0]>>32 {
			if err := pairs(); err != nil {
				return err
			}
		}
		places = append(places, r)
		return nil
	})
	if err == nil {
		err = pairs()
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("passages: %w", err)
	}
	return err
}

// seedRow is the length of a row of a seed.
const seedRow = 5 * 4

// pairSeeds is how many seeds a worker takes at least, unless they are the last.
const pairSeeds = 4096

// seedMemory is what a seed takes in memory, with what grows from it.
const seedMemory = 256

// docPairs emits pairs of documents with all their seeds.
func (f *Finder) docPairs(ctx context.Context, rows *extsort.Bytes, emit func([]docPair) error) error {
	var all []docPair
	n, seen, most := 0, int64(0), int(f.o.Memory/8/seedMemory)
	err := rows.Each(func(row []byte) error {
		v := func(i int) int { return int(binary.BigEndian.Uint32(row[4*i:])) }
		a, b := uint32(v(0)), uint32(v(1))
		if k := len(all) - 1; k < 0 || all[k].a != a || all[k].b != b {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if n >= pairSeeds {
				if err := emit(all); err != nil {
					return err
				}
				all, n = nil, 0
			}
			all = append(all, docPair{a: a, b: b, share: float64(seen) / float64(f.seeded)})
		}
		last := &all[len(all)-1]
		if len(last.seeds) == most {
			return fmt.Errorf("passages: two documents have the same text in more than %d pairs of places, more than fit in %d bytes of memory: raise Memory or MinLength", most, f.o.Memory)
		}
		size := int(^binary.BigEndian.Uint32(row[12:]))
		last.seeds = append(last.seeds, seed{feature.Span{Start: v(2), End: v(2) + size}, feature.Span{Start: v(4), End: v(4) + size}})
		n++
		seen++
		return nil
	})
	if err != nil || n == 0 {
		return err
	}
	return emit(all)
}

// grown is a seed with what grew from it.
type grown struct {
	seed
	length, edits int
	low, high     int // diagonals, places in b less those in a, that it goes along
}

// has reports whether a seed lies within it in both texts.
func (g *grown) has(s seed) bool {
	return g.a.Start <= s.a.Start && s.a.End <= g.a.End && g.b.Start <= s.b.Start && s.b.End <= g.b.End
}

// matches returns the matches of pairs of documents.
func (f *Finder) matches(ctx context.Context, pairs []docPair) (out []Match, err error) {
	var texts [2][]byte
	var back unfolder // of the last a
	for _, p := range pairs {
		for i, doc := range []uint32{p.a, p.b} {
			if texts[i], err = f.folded.at(doc); err != nil {
				return nil, err
			}
		}
		var found []grown
		for _, g := range f.grownOf(ctx, texts[0], texts[1], p.seeds) {
			if g.length >= f.least {
				found = append(found, g)
			}
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(found) == 0 {
			continue
		}
		if back.f == nil || back.doc != p.a {
			if back, err = f.unfolder(p.a); err != nil {
				return nil, err
			}
		}
		other, err := f.unfolder(p.b)
		if err != nil {
			return nil, err
		}
		for _, g := range outermost(found) {
			out = append(out, Match{
				A: int(p.a), B: int(p.b), InA: back.span(g.a), InB: other.span(g.b), Length: g.length, Edits: g.edits,
			})
		}
	}
	return out, nil
}

// grownOf returns what grows from the seeds of two folded texts. A seed that
// something goes along grows no more.
func (f *Finder) grownOf(ctx context.Context, a, b []byte, seeds []seed) (all []grown) {
	x := newExtender(&f.o, a, b)
	var open []grown // that may have later seeds
	for _, s := range seeds {
		if ctx.Err() != nil {
			return nil
		}
		open = slices.DeleteFunc(open, func(g grown) bool { return g.a.End <= s.a.Start })
		diagonal := s.b.Start - s.a.Start
		if slices.ContainsFunc(open, func(g grown) bool { return g.low <= diagonal && diagonal <= g.high && g.has(s) }) {
			continue
		}
		g := x.grow(s)
		all, open = append(all, g), append(open, g)
	}
	return all
}

// outermost sorts what has grown, and leaves out what lies within another.
func outermost(all []grown) (out []grown) {
	slices.SortFunc(all, func(x, y grown) int {
		return cmp.Or(cmp.Compare(x.a.Start, y.a.Start), cmp.Compare(y.a.End, x.a.End), cmp.Compare(x.b.Start, y.b.Start), cmp.Compare(y.b.End, x.b.End), cmp.Compare(x.edits, y.edits))
	})
	var open []grown
	for _, g := range all {
		open = slices.DeleteFunc(open, func(o grown) bool { return o.a.End <= g.a.Start })
		if !slices.ContainsFunc(open, func(o grown) bool { return o.has(g.seed) }) {
			out, open = append(out, g), append(open, g)
		}
	}
	return out
}

// unfolder maps a folded document back to the original one.
type unfolder struct {
	f     *Finder
	doc   uint32
	text  string         // the original
	spans []feature.Span // in it, by byte of the folded text
}

func (f *Finder) unfolder(doc uint32) (unfolder, error) {
	text, err := f.original.part(doc, 0, f.original.size(doc))
	if err != nil {
		return unfolder{}, err
	}
	_, spans := f.o.Fold.NormalizeSpans(text)
	return unfolder{f, doc, text, spans}, nil
}

// span returns where a span of the folded text stands in the original.
func (u *unfolder) span(s feature.Span) feature.Span {
	from, to := uncut(u.f.cuts[u.doc], s.Start, s.End)
	return feature.Span{Start: u.spans[from].Start, End: u.spans[to-1].End}
}
