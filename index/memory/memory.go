// Package memory keeps an index in memory. It is the plainest backend, and
// tests compare the others with it. Nothing outlives the process.
//
// A document takes its id, its sketch and about 250 bytes; a posting takes 16
// bytes and its share of a map. All operations take one lock, so writers run
// one after the other and a batch is seen whole or not at all.
//
// Tests, package indextest and docs/scale use it. Anything faster and harder to
// read belongs in another backend.
package memory

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/alike-go/alike/index"
)

// Store is an index in memory. It is safe for concurrent use.
type Store struct {
	mu     sync.RWMutex
	header []byte
	last   uint64 // the number that was given last
	docs   map[uint64]index.Entry
	ids    map[string]uint64
	hashes map[index.Hash][]uint64 // in ascending order
	// buckets are keyed by postings with the word zero.
	buckets map[index.Posting][]member
	closed  bool
}

// member is a document of a bucket.
type member struct {
	word   uint64
	number uint64
}

var _ index.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{
		docs:    map[uint64]index.Entry{},
		ids:     map[string]uint64{},
		hashes:  map[index.Hash][]uint64{},
		buckets: map[index.Posting][]member{},
	}
}

// begin returns an error if the context is done, the store is closed, or an index
// is needed and there is none.
func (s *Store) begin(ctx context.Context, needed bool) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	if s.closed {
		return fmt.Errorf("memory: %w", index.ErrClosed)
	}
	if needed && s.header == nil {
		return fmt.Errorf("memory: %w", index.ErrNone)
	}
	return nil
}

// Create makes an index under the header.
func (s *Store) Create(ctx context.Context, header []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(ctx, false); err != nil {
		return err
	}
	if s.header != nil && !bytes.Equal(s.header, header) {
		return fmt.Errorf("memory: %w", index.ErrExists)
	}
	s.header = append([]byte{}, header...)
	return nil
}

// Header returns the header.
func (s *Store) Header(ctx context.Context) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx, true); err != nil {
		return nil, err
	}
	return bytes.Clone(s.header), nil
}

// Add adds entries.
func (s *Store) Add(ctx context.Context, entries []index.Entry, ifNew bool) ([]index.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(ctx, true); err != nil {
		return nil, err
	}
	out := make([]index.Outcome, len(entries))
	for i, e := range entries {
		out[i] = s.add(e, ifNew)
	}
	return out, nil
}

func (s *Store) add(e index.Entry, ifNew bool) index.Outcome {
	old := s.docs[s.ids[e.ID]]
	if old.Number != 0 && old.Hash == e.Hash && bytes.Equal(old.Sketch, e.Sketch) {
		return index.Outcome{State: index.Same, Number: old.Number}
	}
	if ifNew {
		for _, number := range s.hashes[e.Hash] {
			if number != old.Number {
				return index.Outcome{State: index.Known, Number: number}
			}
		}
	}
	state := index.Added
	if old.Number != 0 {
		s.remove(old)
		state = index.Replaced
	}
	s.last++
	e.Number = s.last
	e.Sketch, e.Postings = bytes.Clone(e.Sketch), slices.Clone(e.Postings)
	s.docs[e.Number], s.ids[e.ID] = e, e.Number
	s.hashes[e.Hash] = append(s.hashes[e.Hash], e.Number)
	for _, p := range e.Postings {
		b := bucket(p)
		s.buckets[b] = append(s.buckets[b], member{p.Word, e.Number})
	}
	return index.Outcome{State: state, Number: e.Number}
}

func bucket(p index.Posting) index.Posting {
	return index.Posting{Bucket: p.Bucket, Table: p.Table}
}

func (s *Store) remove(e index.Entry) {
	delete(s.docs, e.Number)
	delete(s.ids, e.ID)
	left := slices.DeleteFunc(s.hashes[e.Hash], func(n uint64) bool { return n == e.Number })
	if s.hashes[e.Hash] = left; len(left) == 0 {
		delete(s.hashes, e.Hash)
	}
	for _, p := range e.Postings {
		b := bucket(p)
		left := slices.DeleteFunc(s.buckets[b], func(m member) bool { return m.number == e.Number })
		if s.buckets[b] = left; len(left) == 0 {
			delete(s.buckets, b)
		}
	}
}

// Delete deletes documents.
func (s *Store) Delete(ctx context.Context, entries []index.Entry) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(ctx, true); err != nil {
		return 0, err
	}
	n := 0
	for _, e := range entries {
		if old, ok := s.docs[e.Number]; ok && old.ID == e.ID {
			s.remove(old)
			n++
		}
	}
	return n, nil
}

// Scan calls found with the documents in the buckets of the probes.
func (s *Store) Scan(ctx context.Context, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx, true); err != nil {
		return err
	}
	for i, p := range probes {
		for _, m := range s.buckets[bucket(p)] {
			if index.Near(m.word, p.Word, within) {
				found(i, m.number)
			}
		}
	}
	return nil
}

// Documents returns documents by number.
func (s *Store) Documents(ctx context.Context, numbers []uint64) ([]index.Document, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx, true); err != nil {
		return nil, err
	}
	out := make([]index.Document, len(numbers))
	for i, number := range numbers {
		out[i] = s.docs[number].Document
		out[i].Sketch = bytes.Clone(out[i].Sketch)
	}
	return out, nil
}

// Find returns numbers by id.
func (s *Store) Find(ctx context.Context, ids []string) ([]uint64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx, true); err != nil {
		return nil, err
	}
	out := make([]uint64, len(ids))
	for i, id := range ids {
		out[i] = s.ids[id]
	}
	return out, nil
}

// EachDocument calls do with every document, in ascending order of the numbers.
func (s *Store) EachDocument(ctx context.Context, do func(index.Document) error) error {
	return s.each(ctx, func(e index.Entry) error {
		e.Sketch = bytes.Clone(e.Sketch)
		return do(e.Document)
	})
}

// EachPosting calls do with every posting, in ascending order of the numbers.
func (s *Store) EachPosting(ctx context.Context, do func(p index.Posting, number uint64) error) error {
	return s.each(ctx, func(e index.Entry) error {
		for _, p := range e.Postings {
			if err := do(p, e.Number); err != nil {
				return err
			}
		}
		return nil
	})
}

// each calls do with the documents that were there at the start. It does not hold
// the lock while do runs.
func (s *Store) each(ctx context.Context, do func(index.Entry) error) error {
	s.mu.RLock()
	err := s.begin(ctx, true)
	numbers := slices.Sorted(maps.Keys(s.docs))
	s.mu.RUnlock()
	if err != nil {
		return err
	}
	for _, number := range numbers {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
		s.mu.RLock()
		e, ok := s.docs[number]
		s.mu.RUnlock()
		if !ok {
			continue
		}
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}

// Stats counts documents and postings. It counts the bytes of keys, numbers and
// content.
func (s *Store) Stats(ctx context.Context) (index.Stats, error) {
	st := index.Stats{}
	err := s.each(ctx, func(e index.Entry) error {
		st.Documents++
		st.Postings += int64(len(e.Postings))
		st.PostingBytes += int64(len(e.Postings)) * (index.KeySize + 8)
		st.DocumentBytes += int64(len(e.ID) + len(e.Sketch) + len(e.Hash) + 16)
		return nil
	})
	return st, err
}

// Verify finds nothing: nothing here has a checksum.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return nil, s.begin(ctx, true)
}

// Merge does nothing: no posting is ever stale.
func (s *Store) Merge(ctx context.Context) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.begin(ctx, true)
}

// Serial returns true.
func (s *Store) Serial() bool { return true }

// Close drops the index.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.header = true, nil
	s.docs, s.ids, s.hashes, s.buckets = nil, nil, nil, nil
	return nil
}
