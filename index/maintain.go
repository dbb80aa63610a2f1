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
		k, err := x.delete(ctx, docs)
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// delete deletes documents, passing over those that are none.
func (x *Index) delete(ctx context.Context, docs []Document) (int, error) {
	entries := make([]Entry, 0, len(docs))
	s := x.take()
	defer x.give(s)
	for _, d := range docs {
		if d.Number == 0 {
			continue
		}
		s.coder.Truncate(0)
		if err := s.coder.AddSketch(d.Sketch); err != nil {
			return 0, fmt.Errorf("index: document %q: %w", d.ID, err)
		}
		entries = append(entries, Entry{Document: d, Postings: slices.Clone(s.keysOf(0))})
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

// Expire deletes the documents that came before the given time, in seconds since 1970, and
// returns how many there were. It reads all documents; a backend may have a time
// to live of its own.
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

// Merge removes what is stale and brings the storage in its most compact form.
func (x *Index) Merge(ctx context.Context) error {
	if err := x.store.Merge(ctx); err != nil {
		return fmt.Errorf("index: merge: %w", err)
	}
	return nil
}

// mostProblems is how many problems Verify lists.
const mostProblems = 100

// Verify reads the whole index and returns what is wrong with it, at most a hundred
// lines: what the store finds, sketches that do not decode, and documents that are missing from
// their buckets or have an id that leads elsewhere. It returns how many documents it checked. What others add or delete
// meanwhile may look wrong.
func (x *Index) Verify(ctx context.Context) (docs int64, problems []string, err error) {
	if problems, err = x.store.Verify(ctx); err != nil {
		return 0, problems, fmt.Errorf("index: verify: %w", err)
	}
	var batch []Document
	err = x.store.EachDocument(ctx, func(d Document) error {
		docs++
		if batch = append(batch, d); len(batch) < batchDocs {
			return nil
		}
		err := x.verify(ctx, batch, &problems)
		batch = batch[:0]
		return err
	})
	if err == nil {
		err = x.verify(ctx, batch, &problems)
	}
	if err != nil {
		return docs, problems, fmt.Errorf("index: verify: %w", err)
	}
	return docs, problems[:min(len(problems), mostProblems)], nil
}

func (x *Index) verify(ctx context.Context, batch []Document, problems *[]string) error {
	report := func(d Document, format string, args ...any) {
		if len(*problems) < mostProblems {
			*problems = append(*problems, fmt.Sprintf("document %d, id %q: %s", d.Number, d.ID, fmt.Sprintf(format, args...)))
		}
	}
	if len(batch) == 0 {
		return nil
	}
	ids := make([]string, len(batch))
	for i, d := range batch {
		ids[i] = d.ID
	}
	numbers, err := x.store.Find(ctx, ids)
	if err != nil {
		return err
	}
	s := x.take()
	defer x.give(s)
	var probes [][]Posting // one each
	var docs []Document    // of which they are
	for i, d := range batch {
		if numbers[i] != d.Number {
			report(d, "the id leads to document %d", numbers[i])
		}
		s.coder.Truncate(0)
		if err := s.coder.AddSketch(d.Sketch); err != nil {
			report(d, "%v", err)
			continue
		}
		for _, p := range s.keysOf(0) {
			probes, docs = append(probes, []Posting{p}), append(docs, d)
		}
	}
	lists, err := x.scanBatch(ctx, probes, 0)
	if err != nil {
		return err
	}
	for i, list := range lists {
		if p := probes[i][0]; !slices.Contains(list, docs[i].Number) {
			report(docs[i], "missing from bucket %08x of table %d", p.Bucket, p.Table)
		}
	}
	return nil
}
