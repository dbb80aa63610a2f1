package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// Match is a document that is alike to the query.
type Match struct {
	Document
	Score    float64
	Distance int // the method's distance, such as the bits that differ; -1 where there is none
}

// QueryOptions narrows what a query returns.
type QueryOptions struct {
	// Threshold is the minimum score. A value below the index's own means that.
	Threshold float64

	// Limit is the maximum number of matches. Zero means no limit.
	Limit int

	// Limits say which pairs count, by the fields that the index keeps. Only a
	// document that makes such a pair with the query is a match.
	Limits dedup.Limits
}

// atOnce is the maximum number of documents that a query reads at a time.
const atOnce = 4096

// Query returns the documents that are alike to d: the highest score first,
// equal scores by id. It reads only the text or sketch of d, and its fields for
// o.Limits. A text without features has no matches. The error wraps ErrLost if
// the store has lost a document that may be a match.
func (x *Index) Query(ctx context.Context, d Doc, o QueryOptions) ([]Match, error) {
	s := x.take()
	defer x.give(s)
	if err := s.add(d); err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	counts, err := x.counts(o.Limits, []Doc{d})
	if err != nil {
		return nil, err
	}
	all, err := x.query(ctx, s, max(o.Threshold, x.join.Threshold), o.Limit, counts)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// found is a document that a scan led to.
type found struct {
	number uint64
	asker  int // in the set
}

// query finds the documents alike to each of the set. counts, if not nil, reports
// whether document i of the set and one of the index are a pair that counts.
func (x *Index) query(ctx context.Context, s *set, threshold float64, limit int, counts func(i int, d *Document) bool) ([][]Match, error) {
	n := s.docs.Len()
	matches := make([][]Match, n)
	if err := x.scan(ctx, s); err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	var missing []uint64
	for all := s.found; len(all) > 0; {
		s.numbers = s.numbers[:0]
		end := 0
		for ; end < len(all); end++ {
			if end > 0 && all[end].number == all[end-1].number {
				continue
			}
			if len(s.numbers) == atOnce {
				break
			}
			s.numbers = append(s.numbers, all[end].number)
		}
		docs, err := x.store.Documents(ctx, s.numbers)
		if err != nil {
			return nil, fmt.Errorf("index: query: %w", err)
		}
		part := all[:end]
		for i, d := range docs {
			askers := part
			for len(part) > 0 && part[0].number == s.numbers[i] {
				part = part[1:]
			}
			if d.Number == 0 {
				missing = append(missing, s.numbers[i])
				continue
			}
			d, err := unpack(d, len(x.header.Fields))
			if err == nil {
				err = s.docs.AddSketch(d.Sketch)
			}
			if err != nil {
				return nil, fmt.Errorf("index: document %q: %w", d.ID, err)
			}
			for _, a := range askers[:len(askers)-len(part)] {
				if m, ok := s.match(d, a.asker, n, threshold); ok && (counts == nil || counts(a.asker, &d)) {
					matches[a.asker] = append(matches[a.asker], m)
				}
			}
			s.docs.Truncate(n)
		}
		all = all[end:]
	}
	if err := x.checkLost(ctx, missing); err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	for i := range matches {
		matches[i] = rank(matches[i], limit)
	}
	return matches, nil
}

// scan sets found to what lies in the buckets of the set's documents, in ascending
// order without repeats.
func (x *Index) scan(ctx context.Context, s *set) error {
	s.probes, s.askers, s.found = s.probes[:0], s.askers[:0], s.found[:0]
	for i := range s.docs.Len() {
		if s.docs.Empty(i) {
			continue
		}
		for _, p := range s.keysOf(i) {
			s.probes, s.askers = append(s.probes, p), append(s.askers, i)
		}
	}
	if len(s.probes) == 0 {
		return nil
	}
	err := x.store.Scan(ctx, s.probes, s.word.Within, func(probe int, number uint64) {
		s.found = append(s.found, found{number, s.askers[probe]})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(s.found, func(a, b found) int {
		if c := cmp.Compare(a.number, b.number); c != 0 {
			return c
		}
		return cmp.Compare(a.asker, b.asker)
	})
	s.found = slices.Compact(s.found)
	return nil
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

// match scores document i of the set against d, which is document j of the set. ok is
// false if the score is below the threshold.
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
