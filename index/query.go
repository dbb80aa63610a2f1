package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Match is a document that is alike to the one asked about.
type Match struct {
	Document
	Score    float64
	Distance int // the method's distance, such as the bits that differ; -1 where there is none
}

// QueryOptions narrows what a query returns.
type QueryOptions struct {
	// Threshold is the least score. Zero, and less than the index's own, mean that.
	Threshold float64

	// Limit is the greatest number of matches. Zero means no limit.
	Limit int
}

// atOnce is how many documents a query holds, of which perhaps few are matches.
const atOnce = 4096

// Query returns the documents that are alike to d, of which only the text or
// sketch is read: the highest score first, and those of equal score by id. A
// text without features has none. The error wraps ErrLost if the store has lost
// a document that may be a match.
func (x *Index) Query(ctx context.Context, d Doc, o QueryOptions) ([]Match, error) {
	s := x.take()
	defer x.give(s)
	if err := s.add(d); err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	return x.query(ctx, s, max(o.Threshold, x.join.Threshold), o.Limit)
}

// query finds the documents alike to document 0 of the set, and leaves theirs
// in it.
func (x *Index) query(ctx context.Context, s *set, threshold float64, limit int) ([]Match, error) {
	if s.docs.Empty(0) {
		return nil, nil
	}
	var err error
	s.numbers, err = x.store.Scan(ctx, s.numbers[:0], s.keysOf(0), s.word.Within)
	if err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	if len(s.numbers) == 0 {
		return nil, nil
	}
	slices.Sort(s.numbers)
	s.numbers = slices.Compact(s.numbers)
	var matches []Match
	var missing []uint64
	for numbers := range slices.Chunk(s.numbers, atOnce) {
		docs, err := x.store.Documents(ctx, numbers)
		if err != nil {
			return nil, fmt.Errorf("index: query: %w", err)
		}
		for i, d := range docs {
			if d.Number == 0 {
				missing = append(missing, numbers[i])
				continue
			}
			if err := s.docs.AddSketch(d.Sketch); err != nil {
				return nil, fmt.Errorf("index: document %q: %w", d.ID, err)
			}
			if m, ok := s.match(d, 0, 1, threshold); ok {
				matches = append(matches, m)
			}
			s.docs.Truncate(1)
		}
	}
	if err := x.checkLost(ctx, missing); err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	return rank(matches, limit), nil
}

// checkLost returns an error if one of the missing documents was lost. Postings
// have led to their numbers, and the store does not have them. A query must not
// answer as if a lost document had never been added.
func (x *Index) checkLost(ctx context.Context, missing []uint64) error {
	f, ok := x.store.(LossFinder)
	if !ok || len(missing) == 0 {
		return nil
	}
	evidence, err := f.FindLost(ctx, missing)
	if err != nil {
		return err
	}
	for i, e := range evidence {
		if e != "" {
			return fmt.Errorf("%w: document %d: %s", ErrLost, missing[i], e)
		}
	}
	return nil
}

// match scores document i of the set against d, whose sketch is document j of
// it; ok is false where they are less alike than the threshold.
func (s *set) match(d Document, i, j int, threshold float64) (m Match, ok bool) {
	score := s.docs.Score(i, j)
	if score < threshold {
		return m, false
	}
	m = Match{Document: d, Score: score, Distance: -1}
	if s.word.Distance != nil {
		m.Distance = s.word.Distance(i, j)
	}
	return m, true
}

// rank sorts matches, the most alike first, and keeps no more than limit, if
// that is not 0.
func rank(matches []Match, limit int) []Match {
	slices.SortFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	if limit > 0 && len(matches) > limit {
		matches = matches[:limit]
	}
	return matches
}
