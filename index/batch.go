package index

import (
	"context"
	"fmt"
	"slices"
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
