package disk

import (
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/index"
)

// isDead reports whether the document of a number was deleted from a segment.
func (s *Store) isDead(number uint64) bool {
	return number/64 < uint64(len(s.dead)) && s.dead[number/64]>>(number%64)&1 == 1
}

// bury marks a number as deleted and counts it in its segment. There need not be a
// document.
func (s *Store) bury(number uint64) error {
	if s.isDead(number) {
		return nil
	}
	g := s.segmentOf(number)
	if g == nil {
		return nil
	}
	var r row
	ok, err := g.row(&r, number)
	if !ok || err != nil {
		return err
	}
	for uint64(len(s.dead)) <= number/64 {
		s.dead = append(s.dead, make([]uint64, 1+number/64-uint64(len(s.dead)))...)
	}
	s.dead[number/64] |= 1 << (number % 64)
	g.dead++
	return nil
}

// segmentOf returns the segment that has a number in its range, or nil.
func (s *Store) segmentOf(number uint64) *segment {
	for _, g := range s.segments {
		if g.holds(number) {
			return g
		}
	}
	return nil
}

// Scan calls found with the documents in the buckets of the probes.
func (s *Store) Scan(ctx context.Context, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	// Some at a time, so that a long batch does not keep writers waiting.
	for from := 0; from < len(probes); from += probesAhead {
		err := s.scan(ctx, probes[from:min(from+probesAhead, len(probes))], within, func(i int, number uint64) { found(from+i, number) })
		if err != nil {
			return err
		}
	}
	return nil
}

// scan is Scan for up to probesAhead probes.
func (s *Store) scan(ctx context.Context, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx, true); err != nil {
		return err
	}
	for _, g := range s.segments {
		if ctx.Err() != nil {
			return fmt.Errorf("disk: %w", ctx.Err())
		}
		err := g.scan(probes, within, func(i int, number uint64) {
			if !s.isDead(number) {
				found(i, number)
			}
		})
		if err != nil {
			return err
		}
	}
	s.frozen.scan(probes, within, found)
	s.mem.scan(probes, within, found)
	return nil
}

// Documents returns documents by number.
func (s *Store) Documents(ctx context.Context, numbers []uint64) ([]index.Document, error) {
	out := make([]index.Document, len(numbers))
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx, true); err != nil {
		return nil, err
	}
	var r row
	for i, number := range numbers {
		if i%1024 == 1023 && ctx.Err() != nil {
			return nil, fmt.Errorf("disk: %w", ctx.Err())
		}
		ok, err := s.document(&out[i], &r, number)
		if err != nil {
			return nil, err
		}
		if !ok {
			out[i] = index.Document{}
		}
	}
	return out, nil
}

// document copies the document of a number to d. ok is false if there is none. r is
// scratch.
func (s *Store) document(d *index.Document, r *row, number uint64) (ok bool, err error) {
	for _, m := range [2]*memtable{s.mem, s.frozen} {
		if e := m.get(number); e != nil {
			*d = e.Document
			d.Sketch = append([]byte{}, e.Sketch...)
			return true, nil
		}
	}
	ok, err = s.row(r, number)
	if ok {
		*d = r.document()
	}
	return ok, err
}

// row sets r to the document of a number in a segment. ok is false if there is none.
func (s *Store) row(r *row, number uint64) (ok bool, err error) {
	g := s.segmentOf(number)
	if g == nil || s.isDead(number) {
		return false, nil
	}
	return g.row(r, number)
}

// Find returns numbers by id.
func (s *Store) Find(ctx context.Context, ids []string) ([]uint64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx, true); err != nil {
		return nil, err
	}
	out := make([]uint64, len(ids))
	var r row
	for i, id := range ids {
		if i%1024 == 1023 && ctx.Err() != nil {
			return nil, fmt.Errorf("disk: %w", ctx.Err())
		}
		var err error
		if out[i], err = s.find(&r, id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// find returns the number of the document with the id, or 0. If the document lies in
// a segment, find leaves it in r.
func (s *Store) find(r *row, id string) (number uint64, err error) {
	for _, m := range [2]*memtable{s.mem, s.frozen} {
		if number := m.find(id); number != 0 {
			return number, nil
		}
	}
	return s.search(r, func(g *segment) *table { return &g.ids }, hashOfID(id), func(uint64) bool { return string(r.id) == id })
}

// findHash returns the number of a document with the hash, or 0. It skips numbers for
// which skip is true.
func (s *Store) findHash(r *row, h index.Hash, skip func(number uint64) bool) (number uint64, err error) {
	for _, m := range [2]*memtable{s.mem, s.frozen} {
		if number := m.findHash(h, skip); number != 0 {
			return number, nil
		}
	}
	return s.search(r, func(g *segment) *table { return &g.hashes }, contentOf(h), func(n uint64) bool { return index.Hash(r.hash) == h && !skip(n) })
}

// search looks up a hash in a table of the segments, the last segment first. It
// returns the number of a document that is right and leaves the document in r, or
// returns 0.
func (s *Store) search(r *row, of func(*segment) *table, hash uint64, right func(number uint64) bool) (number uint64, err error) {
	for _, g := range slices.Backward(s.segments) {
		err := g.lookup(of(g), hash, func(n uint64) (bool, error) {
			ok, err := s.row(r, n)
			if ok && right(n) {
				number = n
			}
			return number != 0, err
		})
		if err != nil || number != 0 {
			return number, err
		}
	}
	return 0, nil
}
