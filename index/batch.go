package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// BatchScanner is implemented by stores that need a round trip for a scan, and can
// scan for many documents in one.
type BatchScanner interface {
	// ScanBatch returns for each element of probes what Scan appends: nothing if the
	// element is empty. There may be no elements.
	ScanBatch(ctx context.Context, probes [][]Posting, within int) ([][]uint64, error)
}

// batchDocs is how many documents are queried at a time: enough to share a round
// trip, and few enough that what is found for them is small.
const batchDocs = 256

// QueryBatch returns for each document what Query does. A store that is a
// BatchScanner answers 256 documents in two round trips: one for their buckets,
// one for what was found in them. A store in the process itself, such as memory
// or disk, takes the time of as many queries.
func (x *Index) QueryBatch(ctx context.Context, docs []Doc, o QueryOptions) ([][]Match, error) {
	all := make([][]Match, 0, len(docs))
	s := x.take()
	defer x.give(s)
	for part := range slices.Chunk(docs, batchDocs) {
		s.docs.Truncate(0)
		for i := range part {
			if err := s.put(part[i]); err != nil {
				return nil, fmt.Errorf("index: query of %q: %w", part[i].ID, err)
			}
		}
		if err := s.docs.Err(); err != nil {
			return nil, fmt.Errorf("index: query: %w", err)
		}
		matches, err := x.queryAll(ctx, s, max(o.Threshold, x.join.Threshold), o.Limit)
		if err != nil {
			return nil, err
		}
		all = append(all, matches...)
	}
	return all, nil
}

// EachMatch queries the documents of next until it returns false. It calls do
// with each document and what Query returns for it, in the order of next. It
// queries in batches as QueryBatch does, several at a time. About a thousand
// documents per CPU are in memory. next and do are called from one goroutine
// each, and may run at the same time. EachMatch stops at the first error of
// either and returns it.
func (x *Index) EachMatch(ctx context.Context, next func() (Doc, bool, error), o QueryOptions, do func(Doc, []Match) error) error {
	type answer struct {
		docs    []Doc
		matches [][]Match
	}
	var running context.Context // of the queries; ends at the first error
	err := parallel.Ordered(ctx, 0, func(ctx context.Context, emit func([]Doc) error) error {
		running = ctx
		for {
			var docs []Doc
			for len(docs) < batchDocs {
				d, more, err := next()
				if err != nil {
					return err
				}
				if !more {
					return emit(docs)
				}
				docs = append(docs, d)
			}
			if err := emit(docs); err != nil {
				return err
			}
		}
	}, func(docs []Doc) (answer, error) {
		matches, err := x.QueryBatch(running, docs, o)
		return answer{docs, matches}, err
	}, func(a answer) error {
		for i, d := range a.docs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := do(d, a.matches[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("index: query: %w", err)
	}
	return err
}

// found is a document that a scan led to.
type found struct {
	number uint64
	asker  int // in the set
}

// queryAll finds the documents alike to each of the set.
func (x *Index) queryAll(ctx context.Context, s *set, threshold float64, limit int) ([][]Match, error) {
	n := s.docs.Len()
	matches := make([][]Match, n)
	all, err := x.scanAll(ctx, s, n)
	if err != nil {
		return nil, fmt.Errorf("index: query: %w", err)
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.asker, b.asker))
	})
	all = slices.Compact(all)
	var missing []uint64
	for len(all) > 0 {
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
			for k := range part {
				if part[k].number != s.numbers[i] {
					askers, part = part[:k], part[k:]
					break
				}
			}
			if d.Number == 0 {
				missing = append(missing, s.numbers[i])
				continue
			}
			if err := s.docs.AddSketch(d.Sketch); err != nil {
				return nil, fmt.Errorf("index: document %q: %w", d.ID, err)
			}
			for _, a := range askers {
				if m, ok := s.match(d, a.asker, n, threshold); ok {
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

// scanAll returns what lies in the buckets of the set's n documents.
func (x *Index) scanAll(ctx context.Context, s *set, n int) ([]found, error) {
	probes := make([][]Posting, n)
	for i := range n {
		if !s.docs.Empty(i) {
			probes[i] = slices.Clone(s.keysOf(i))
		}
	}
	lists, err := x.scanBatch(ctx, probes, s.word.Within)
	if err != nil {
		return nil, err
	}
	var all []found
	for i, list := range lists {
		for _, number := range list {
			all = append(all, found{number, i})
		}
	}
	return all, nil
}

// scanBatch scans for each element of probes, some of which may be empty.
func (x *Index) scanBatch(ctx context.Context, probes [][]Posting, within int) ([][]uint64, error) {
	if b, ok := x.store.(BatchScanner); ok {
		return b.ScanBatch(ctx, probes, within)
	}
	lists := make([][]uint64, len(probes))
	for i, p := range probes {
		if len(p) == 0 {
			continue
		}
		var err error
		if lists[i], err = x.store.Scan(ctx, nil, p, within); err != nil {
			return nil, err
		}
	}
	return lists, nil
}
