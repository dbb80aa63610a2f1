package disk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/extsort"
)

// Load fills an empty index. It writes documents as they come, and sorts postings
// and tables externally, within LoadMemory. Other calls that write wait meanwhile.
// The segments need no merge until documents are deleted.
func (s *Store) Load(ctx context.Context, next func() (index.Entry, bool, error)) (err error) {
	if err := s.Merge(ctx); err != nil { // the log may still have documents that were deleted
		return err
	}
	s.jobs.Lock()
	defer s.jobs.Unlock()
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.RLock()
	err = s.writable(ctx)
	if err == nil && (len(s.segments) > 0 || s.log.batches > 0) {
		err = fmt.Errorf("disk: %s: load: the index is not empty", s.dir)
	}
	number := s.number
	s.mu.RUnlock()
	if err != nil {
		return err
	}
	var made []*segment
	defer func() {
		if err != nil {
			drop(made)
		}
	}()
	for more := true; more; {
		path, file := s.newFile()
		l, err := newLoader(s, path, number)
		if err != nil {
			return err
		}
		more, err = l.fill(ctx, next)
		if err == nil && l.n > 0 {
			err = l.finish(ctx, nil)
		} else {
			l.b.abandon()
		}
		l.close()
		if err != nil {
			return err
		}
		if l.n == 0 {
			break
		}
		number += l.n
		g, err := openSegment(s.dir, file)
		if err != nil {
			os.Remove(path)
			return err
		}
		made = append(made, g)
	}
	if err := unique(ctx, made); err != nil {
		return err
	}
	if len(made) == 0 {
		return nil
	}
	loaded := made
	made = nil // install drops them after an error
	// install removes the empty log, so that an older manifest, which names no
	// segments, does not fit.
	return s.beginLog(func(m *manifest) {
		m.Segments, m.Logs, m.Number = refs(loaded), nil, max(m.Number, number)
	}, func() {
		s.segments, s.number, s.mem = loaded, number, newMemtable(number)
	}, loaded)
}

// loader makes one segment.
type loader struct {
	b                     *builder
	base                  uint64
	n                     uint64
	postings, ids, hashes *extsort.Sorter
	batch                 []extsort.Record
}

func newLoader(s *Store, path string, base uint64) (*loader, error) {
	b, err := newBuilder(path, base)
	if err != nil {
		return nil, err
	}
	m := s.o.LoadMemory
	return &loader{b: b, base: base, postings: extsort.New(s.dir, m/8*6), ids: extsort.New(s.dir, m/8), hashes: extsort.New(s.dir, m/8)}, nil
}

func (l *loader) close() error {
	return errors.Join(l.postings.Close(), l.ids.Close(), l.hashes.Close())
}

// fill takes entries until the segment is full or there are none.
func (l *loader) fill(ctx context.Context, next func() (index.Entry, bool, error)) (more bool, err error) {
	for ; l.n < mostNumbers; l.n++ {
		if l.n%1024 == 0 && ctx.Err() != nil {
			return false, fmt.Errorf("disk: load: %w", ctx.Err())
		}
		e, ok, err := next()
		if err != nil || !ok {
			return false, err
		}
		e.Number = l.base + l.n
		if err := l.add(&e); err != nil {
			return false, fmt.Errorf("disk: load: %w", err)
		}
	}
	return true, nil
}

// add adds an entry, whose number is greater than those before.
func (l *loader) add(e *index.Entry) error {
	l.b.doc(&e.Document)
	l.batch = l.batch[:0]
	for _, p := range e.Postings {
		l.batch = append(l.batch, extsort.Record{keyOf(p)<<(8*numberBytes) | (e.Number - l.base), p.Word})
	}
	err := l.postings.Add(l.batch...)
	if err == nil {
		err = l.ids.Add(extsort.Record{hashOfID(e.ID), e.Number})
	}
	if err == nil {
		err = l.hashes.Add(extsort.Record{contentOf(e.Hash), e.Number})
	}
	return cmp.Or(err, l.b.err)
}

// writeSegment writes entries, in ascending order of their numbers, to a segment.
func (s *Store) writeSegment(ctx context.Context, path string, entries []*index.Entry, gone []uint64) error {
	base := uint64(1)
	if len(entries) > 0 {
		base = entries[0].Number
	}
	l, err := newLoader(s, path, base)
	if err != nil {
		return err
	}
	defer l.close()
	for _, e := range entries {
		if err := l.add(e); err != nil {
			l.b.abandon()
			return fmt.Errorf("disk: %w", err)
		}
	}
	gone = slices.Clone(gone)
	slices.Sort(gone)
	return l.finish(ctx, gone)
}

// finish writes what was sorted. gone is as in builder.finish.
func (l *loader) finish(ctx context.Context, gone []uint64) error {
	steps := 0
	step := func() error {
		if steps++; steps%often == 0 {
			return errors.Join(ctx.Err(), l.b.err)
		}
		return nil
	}
	l.b.docsDone()
	err := l.postings.Each(func(r extsort.Record) error {
		l.b.posting(posting{key: r[0] >> (8 * numberBytes), number: l.base + r[0]&(mostNumbers-1), word: r[1]})
		return step()
	})
	l.b.postingsDone()
	for _, t := range []struct {
		sorter *extsort.Sorter
		end    *int64
	}{{l.ids, &l.b.foot.IDsEnd}, {l.hashes, &l.b.foot.HashesEnd}} {
		if err == nil {
			err = t.sorter.Each(func(r extsort.Record) error {
				l.b.entry(r[0], r[1])
				return step()
			})
			l.b.tableDone(t.end)
		}
	}
	if err != nil {
		l.b.abandon()
		return fmt.Errorf("disk: %w", err)
	}
	return l.b.finish(gone)
}

// unique returns an error if two documents of the segments have the same id.
func unique(ctx context.Context, all []*segment) error {
	cursors := make([]*entryCursor, len(all))
	for i, g := range all {
		cursors[i] = &entryCursor{tableCursor: tableCursor{s: g, t: &g.ids}}
	}
	idOf := func(number uint64) (string, error) {
		var r row
		for _, g := range all {
			if g.holds(number) {
				_, err := g.row(&r, number)
				return string(r.id), err
			}
		}
		return "", nil
	}
	var same []uint64 // numbers of ids with the hash
	var hash uint64
	step := stepper(ctx)
	return extsort.Merge(cursors, (*entryCursor).next,
		func(x, y *entryCursor) int { return compareHashed(x.at, y.at) },
		func(c *entryCursor) error {
			if err := step(); err != nil {
				return err
			}
			if c.at.hash != hash {
				hash, same = c.at.hash, same[:0]
			}
			if len(same) > 0 {
				id, err := idOf(c.at.number)
				if err != nil {
					return err
				}
				for _, number := range same {
					other, err := idOf(number)
					if err != nil {
						return err
					}
					if id == other {
						return fmt.Errorf("disk: load: id %q stands for two documents", id)
					}
				}
			}
			same = append(same, c.at.number)
			return nil
		})
}
