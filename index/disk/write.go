package disk

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/index"
)

// Add adds entries: all of them or, after an error, none. If writing the log
// failed, it may be all or none. The entries are durable when Add returns.
func (s *Store) Add(ctx context.Context, entries []index.Entry, ifNew bool) ([]index.Outcome, error) {
	s.write.Lock()
	defer s.write.Unlock()
	if err := s.room(ctx); err != nil {
		return nil, err
	}
	c := change{s: s, batch: make([]byte, batchHead), number: s.number, gone: map[uint64]bool{}, new: map[index.Hash]uint64{}}
	out := make([]index.Outcome, len(entries))
	s.mu.RLock() // against the background, which makes segments of what is in memory
	for i := range entries {
		if i%256 == 255 && ctx.Err() != nil {
			s.mu.RUnlock()
			return nil, fmt.Errorf("disk: %w", ctx.Err())
		}
		var err error
		if out[i], err = c.add(&entries[i], ifNew); err != nil {
			s.mu.RUnlock()
			return nil, err
		}
	}
	s.mu.RUnlock()
	if err := c.commit(); err != nil {
		return nil, err
	}
	return out, nil
}

// Delete deletes documents: all of them or, after an error, none.
func (s *Store) Delete(ctx context.Context, entries []index.Entry) (int, error) {
	s.write.Lock()
	defer s.write.Unlock()
	if err := s.room(ctx); err != nil {
		return 0, err
	}
	c := change{s: s, batch: make([]byte, batchHead), number: s.number, gone: map[uint64]bool{}}
	s.mu.RLock()
	var r row
	for _, e := range entries {
		number, err := s.find(&r, e.ID)
		if err != nil {
			s.mu.RUnlock()
			return 0, err
		}
		if number != 0 && number == e.Number && !c.gone[number] {
			c.remove(number)
		}
	}
	s.mu.RUnlock()
	if err := c.commit(); err != nil {
		return 0, err
	}
	return len(c.removed), nil
}

// change is a batch before it is durable. It has what later entries of the same
// batch have to know.
type change struct {
	s       *Store
	batch   []byte
	number  uint64 // the next
	added   []*index.Entry
	removed []uint64
	gone    map[uint64]bool       // removed
	new     map[index.Hash]uint64 // added
	row     row
	old     index.Document
}

// add decides what an entry does. The store is not changed.
func (c *change) add(e *index.Entry, ifNew bool) (index.Outcome, error) {
	s := c.s
	before, err := s.find(&c.row, e.ID)
	if err != nil {
		return index.Outcome{}, err
	}
	if before != 0 {
		ok, err := s.document(&c.old, &c.row, before)
		if err != nil {
			return index.Outcome{}, err
		}
		if ok && c.old.Hash == e.Hash && bytes.Equal(c.old.Sketch, e.Sketch) {
			return index.Outcome{State: index.Same, Number: before}, nil
		}
	}
	if ifNew {
		number, ok := c.new[e.Hash]
		if !ok {
			number, err = s.findHash(&c.row, e.Hash, func(n uint64) bool { return n == before || c.gone[n] })
			if err != nil {
				return index.Outcome{}, err
			}
		}
		if number != 0 {
			return index.Outcome{State: index.Known, Number: number}, nil
		}
	}
	out := index.Outcome{State: index.Added, Number: c.number}
	if before != 0 {
		out.State = index.Replaced
		c.remove(before)
	}
	c.number++
	kept := *e
	kept.Number = out.Number
	kept.Sketch, kept.Postings = append([]byte{}, e.Sketch...), slices.Clone(e.Postings)
	c.added = append(c.added, &kept)
	c.batch = appendAdd(c.batch, &kept)
	if ifNew {
		c.new[e.Hash] = out.Number
	}
	return out, nil
}

func (c *change) remove(number uint64) {
	c.gone[number] = true
	c.removed = append(c.removed, number)
	c.batch = appendRemove(c.batch, number)
}

// commit makes the batch durable, and then shows it to readers.
func (c *change) commit() error {
	s := c.s
	if len(c.added)+len(c.removed) == 0 {
		return nil
	}
	if err := s.log.append(c.batch); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, number := range c.removed {
		if e := s.frozen.get(number); e != nil {
			// The segment that is being written has it. flush marks it there as deleted.
			s.frozen.remove(number)
			s.mem.gone = append(s.mem.gone, number)
			continue
		}
		if err := s.bury(number); err != nil {
			// The log has the batch, and memory does not. The next batch would give its
			// numbers again.
			s.log.err = err
			return err
		}
		s.mem.remove(number)
	}
	for _, e := range c.added {
		s.mem.add(e)
	}
	s.number = c.number
	return nil
}

// room begins a new log if the one in use is full. It waits until the documents of
// an earlier one are in a segment.
func (s *Store) room(ctx context.Context) error {
	s.mu.RLock()
	err := s.writable(ctx)
	full := err == nil && s.log.size >= s.o.LogBytes
	s.mu.RUnlock()
	if err != nil || !full {
		return err
	}
	return s.rotate(ctx)
}

// rotate freezes the table in memory and begins a new log. It first waits until no
// earlier table is frozen. The caller holds the lock on write.
func (s *Store) rotate(ctx context.Context) error {
	if err := s.thaw(ctx); err != nil {
		return err
	}
	return s.beginLog(s.countBatches, func() {
		s.frozen, s.mem = s.mem, newMemtable(s.number)
		select {
		case s.kick <- struct{}{}:
		default:
		}
	}, nil)
}

// thaw waits until no table is frozen.
func (s *Store) thaw(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	unhook := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.thawed.Broadcast()
	})
	defer unhook()
	for s.frozen != nil {
		if s.failed != nil {
			return s.failed
		}
		if err := s.check(ctx, true); err != nil {
			return err
		}
		s.thawed.Wait()
	}
	return nil
}
