package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// batchDocs is how many documents are queried at a time: enough to share a round
// trip, and few enough to hold all that is found.
const batchDocs = 256

// QueryBatch returns for each document what Query does. A store on servers
// answers 256 documents in two round trips: one for their buckets, one for what
// was found in them. A store in the process itself, such as memory or disk, takes
// the time of as many queries.
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
		counts, err := x.counts(o.Limits, part)
		if err != nil {
			return nil, err
		}
		matches, err := x.query(ctx, s, max(o.Threshold, x.join.Threshold), o.Limit, counts)
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
