package index

import (
	"context"
	"fmt"
	"slices"
)

// Delete deletes the documents with the given ids and returns how many there were.
func (x *Index) Delete(ctx context.Context, ids ...string) (int, error) {
	n := 0
	for ids := range slices.Chunk(ids, 1024) {
		numbers, err := x.store.Find(ctx, ids)
		if err != nil {
			return n, fmt.Errorf("index: delete: %w", err)
		}
		numbers = slices.DeleteFunc(numbers, func(number uint64) bool { return number == 0 })
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		if len(numbers) == 0 {
			continue
		}
		docs, err := x.store.Documents(ctx, numbers)
		if err != nil {
			return n, fmt.Errorf("index: delete: %w", err)
		}
		// A damaged id may lead to another document.
		docs = slices.DeleteFunc(docs, func(d Document) bool { return !slices.Contains(ids, d.ID) })
		k, err := x.delete(ctx, docs)
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// delete deletes documents. It skips those without a number.
func (x *Index) delete(ctx context.Context, docs []Document) (int, error) {
	entries := make([]Entry, 0, len(docs))
	s := x.take()
	defer x.give(s)
	for _, d := range docs {
		if d.Number == 0 {
			continue
		}
		keys, err := x.postingsOf(s, d)
		if err != nil {
			return 0, fmt.Errorf("index: document %q: %w", d.ID, err)
		}
		entries = append(entries, Entry{Document: d, Postings: slices.Clone(keys)})
	}
	if len(entries) == 0 {
		return 0, nil
	}
	n, err := x.store.Delete(ctx, entries)
	if err != nil {
		return n, fmt.Errorf("index: delete: %w", err)
	}
	return n, nil
}

// Expire deletes the documents that came before the given time, in seconds since
// 1970, and returns how many there were. It reads all documents. A backend may
// have a time to live of its own.
func (x *Index) Expire(ctx context.Context, before int64) (int, error) {
	n := 0
	var old []Document
	flush := func() error {
		k, err := x.delete(ctx, old)
		n, old = n+k, old[:0]
		return err
	}
	err := x.store.EachDocument(ctx, func(d Document) error {
		if d.Time != 0 && d.Time < before {
			old = append(old, d)
		}
		if len(old) < 1024 {
			return nil
		}
		return flush()
	})
	if err != nil {
		return n, fmt.Errorf("index: expire: %w", err)
	}
	return n, flush()
}

// Stats says how large the index is.
func (x *Index) Stats(ctx context.Context) (Stats, error) {
	st, err := x.store.Stats(ctx)
	if err != nil {
		return st, fmt.Errorf("index: stats: %w", err)
	}
	return st, nil
}

// Merge removes what is stale and makes the storage compact. See Store.Merge.
func (x *Index) Merge(ctx context.Context) error {
	if err := x.store.Merge(ctx); err != nil {
		return fmt.Errorf("index: merge: %w", err)
	}
	return nil
}
