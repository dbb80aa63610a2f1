package passages

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/internal/proportion"
	"github.com/alike-go/alike/rabinkarp"
)

// Prints gathers the sources of texts by fingerprints, where the documents of a
// collection are known by these only: in an index of winnow or manber. What
// Gather says of bytes holds for the different fingerprints of a query. A document
// is a source only if fingerprints that follow each other in the query are all in
// the document, and have MinLength characters from the first to the last.
//
// Winnow chooses a fingerprint in any Window windows. So of a text of MinLength
// characters, and 2 (Window + K) bytes more, that stands in both, the part between
// these ends is covered for sure. Only fingerprints in such parts count, since
// those of single words stand in many documents.
//
// Manber's fingerprints are a sample of all windows of a text, so a share of them
// estimates the share of the windows that the document has. Low and High are an
// interval for that: the exact one for a sample (Clopper and Pearson). Without
// Overlap, what is chosen at the beginning of a part depends on what stands before
// it. High then counts a fingerprint more for each part.
//
// Add all queries first, then each document. Match may be called from many
// goroutines, everything else from one.
type Prints struct {
	o      PrintOptions
	method interface {
		Fingerprints(string) []feature.Located
	}
	sample bool // of the windows
	apart  bool // windows that overlap the one before are left out

	of      map[uint64][]printed
	places  [][]feature.Span // of each query, in characters; of each fingerprint
	texts   *spool
	rows    *extsort.Bytes
	prints  int
	sources uint32
	n       int64
}

// PrintOptions configures Prints. The zero value is a sound default.
type PrintOptions struct {
	MinLength int     // in characters; zero means DefaultLength
	MinShare  float64 // that a source adds, 0 to 1
	MaxRows   int64   // spans that queries and documents share; zero means DefaultMaxRows
	Memory    int64   // budget in bytes; zero means DefaultMemory
	Dir       string  // of temporary files

	Progress func(stage string, share float64)
}

// printed is a fingerprint of a query. Its place is its number among all of them.
type printed struct{ query, place uint32 }

// NewPrints returns a Prints for sketches of a method.
func NewPrints(method any, o PrintOptions) (*Prints, error) {
	p := &Prints{o: o, of: map[uint64][]printed{}}
	switch m := method.(type) {
	case *rabinkarp.Winnow:
		p.method = m
	case *rabinkarp.Manber:
		p.method, p.sample, p.apart = m, true, !m.Options().Overlap
		if len(m.Options().Anchors) > 0 {
			return nil, errors.New("passages: fingerprints at anchors are no sample, want others")
		}
	default:
		return nil, fmt.Errorf("passages: sketches of %v have no fingerprints with places, want winnow or manber", method)
	}
	fo := Options{MinLength: o.MinLength, MaxRows: o.MaxRows, Memory: o.Memory, Progress: o.Progress}
	if err := fo.fill(); err != nil {
		return nil, err
	}
	if !(o.MinShare >= 0 && o.MinShare <= 1) {
		return nil, fmt.Errorf("passages: MinShare is %v, want 0 to 1", o.MinShare)
	}
	p.o.MinLength, p.o.MaxRows, p.o.Memory, p.o.Progress = fo.MinLength, fo.MaxRows, fo.Memory, fo.Progress
	var err error
	if p.texts, err = newSpool(o.Dir); err != nil {
		return nil, err
	}
	p.rows = extsort.NewBytes(o.Dir, p.o.Memory/4)
	return p, nil
}

// Close removes the temporary files.
func (p *Prints) Close() error { return errors.Join(p.rows.Close(), p.texts.close()) }

// printBytes is what a fingerprint of a query takes in memory.
const printBytes = 96

// AddQuery adds a query. Queries have numbers from 0 on.
func (p *Prints) AddQuery(text string) error {
	query := uint32(len(p.places))
	var places []feature.Span
	chars, at := 0, 0
	for _, l := range p.method.Fingerprints(text) { // which come in ascending order
		chars += utf8.RuneCountInString(text[at:max(at, l.Start)])
		at = max(at, l.Start)
		places = append(places, feature.Span{Start: chars, End: chars + utf8.RuneCountInString(text[l.Start:l.End])})
		p.of[l.Hash] = append(p.of[l.Hash], printed{query, uint32(len(places) - 1)})
	}
	if p.prints += len(places); int64(p.prints)*printBytes > p.o.Memory/2 {
		return fmt.Errorf("passages: queries have more than %d fingerprints, which do not fit in half of %d bytes of memory: raise Memory", p.o.Memory/2/printBytes, p.o.Memory)
	}
	p.places = append(p.places, places)
	return p.texts.addString(text)
}

// Without returns how many queries have no fingerprint.
func (p *Prints) Without() (n int) {
	for _, places := range p.places {
		if len(places) == 0 {
			n++
		}
	}
	return n
}

// Matched is what a document shares with queries.
type Matched []sharedRow

// Match looks up the fingerprints of a document. Those of queries that skip
// reports do not count.
func (p *Prints) Match(s rabinkarp.Sketch, skip func(query int) bool) (m Matched) {
	var hits []printed
	for _, h := range s.Prints {
		hits = append(hits, p.of[h]...)
	}
	slices.SortFunc(hits, func(a, b printed) int {
		if a.query != b.query {
			return int(a.query) - int(b.query)
		}
		return int(a.place) - int(b.place)
	})
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && hits[n].query == hits[0].query {
			n++
		}
		if query := hits[0].query; skip == nil || !skip(int(query)) {
			m = append(m, p.parts(query, hits[:n])...)
		}
		hits = hits[n:]
	}
	return m
}

// parts returns the rows of fingerprints of a query that follow each other.
func (p *Prints) parts(query uint32, hits []printed) (rows []sharedRow) {
	places, source := p.places[query], false
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && hits[n].place == hits[0].place+uint32(n) {
			n++
		}
		first, last := hits[0].place, hits[n-1].place
		long := places[last].End-places[first].Start >= p.o.MinLength
		source = source || long
		if long || p.sample {
			rows = append(rows, sharedRow{query: query, span: feature.Span{Start: int(first), End: int(last) + 1}})
		}
		hits = hits[n:]
	}
	if !source {
		return nil
	}
	return rows
}

// Add adds a document that shares something. It has the next number, from 0 on.
func (p *Prints) Add(m Matched) error {
	if p.n += int64(len(m)); p.n > p.o.MaxRows {
		return fmt.Errorf("passages: queries share more than %d spans with documents, want fewer: raise MinLength or MaxRows", p.o.MaxRows)
	}
	for _, r := range m {
		r.source = p.sources
		if err := p.rows.Add(r.bytes()); err != nil {
			return fmt.Errorf("passages: %w", err)
		}
	}
	p.sources++
	return nil
}

// confidence is that of intervals.
const confidence = 0.95

// Each calls emit with each query, in the order of their numbers. Spans are in
// bytes of the query. Adds, Total, Share and Covered are shares of its different
// fingerprints.
func (p *Prints) Each(ctx context.Context, emit func(Gathered) error) error {
	if err := p.texts.flush(); err != nil {
		return err
	}
	return eachQuery(p.rows, uint32(len(p.places)), p.o.Memory, func(query uint32, all []shared) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.o.Progress("gather", float64(query)/float64(len(p.places)))
		text, err := p.texts.part(query, 0, p.texts.size(query))
		if err != nil {
			return err
		}
		g := p.gather(text, all)
		g.Doc = int(query)
		return emit(g)
	})
}

// gather chooses the sources of a text, given the places of fingerprints that
// each shares. Shares are of different fingerprints: to choose sources, the
// query is a text of as many letters. Spans go by places, so that what repeats
// is covered where it is shared.
func (p *Prints) gather(text string, all []shared) Gathered {
	prints := p.method.Fingerprints(text)
	letter, letters := make([]int, len(prints)), map[uint64]int{}
	for i, l := range prints {
		if _, ok := letters[l.Hash]; !ok {
			letters[l.Hash] = len(letters)
		}
		letter[i] = letters[l.Hash]
	}
	n := len(letters)
	lettered, at := make([]shared, len(all)), map[int]int{}
	for i, s := range all {
		var of []int
		for _, part := range s.spans {
			of = append(of, letter[part.Start:part.End]...)
		}
		slices.Sort(of)
		lettered[i].doc, at[s.doc] = s.doc, i
		for _, k := range of {
			lettered[i].spans = join(lettered[i].spans, feature.Span{Start: k, End: k + 1})
		}
	}
	g := gather(strings.Repeat("x", n), lettered, p.o.MinShare)
	covered := make([]bool, len(prints))
	cover := func(parts []feature.Span) (joined []feature.Span) {
		var out []feature.Span
		for _, part := range parts {
			for i := part.Start; i < part.End; i++ {
				switch {
				case covered[i]:
				case i > part.Start && len(out) > 0 && !covered[i-1]:
					last := &out[len(out)-1]
					last.End = max(last.End, prints[i].End)
				default:
					out = append(out, prints[i].Span)
				}
			}
		}
		for _, part := range parts {
			for i := part.Start; i < part.End; i++ {
				covered[i] = true
			}
		}
		for _, s := range out {
			joined = join(joined, s)
		}
		return solid(text, joined)
	}
	var whole []feature.Span
	for i := range g.Sources {
		s := &g.Sources[i]
		parts := all[at[s.Doc]].spans
		s.Spans = cover(parts)
		whole = append(whole, s.Spans...)
		if p.sample {
			k := int(math.Round(s.Share * float64(n)))
			s.Low, _ = proportion.ClopperPearson(k, n, confidence)
			if p.apart {
				k = min(n, k+len(parts))
			}
			_, s.High = proportion.ClopperPearson(k, n, confidence)
		}
	}
	slices.SortFunc(whole, func(a, b feature.Span) int { return a.Start - b.Start })
	var rest []feature.Span
	end := 0
	for _, s := range whole {
		if s.Start > end {
			rest = append(rest, feature.Span{Start: end, End: s.Start})
		}
		end = max(end, s.End)
	}
	g.Uncovered = solid(text, append(rest, feature.Span{Start: end, End: len(text)}))
	return g
}
