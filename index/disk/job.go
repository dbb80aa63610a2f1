package disk

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/index"
)

// background makes segments of frozen tables, and one of many, until the context is done.
func (s *Store) background(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.kick:
		}
		err := s.flush(ctx)
		if err == nil {
			err = s.tidy(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.mu.Lock()
			s.failed = err
			s.thawed.Broadcast()
			s.mu.Unlock()
		}
	}
}

// newFile returns the path of a segment that is to be written, and its number.
func (s *Store) newFile() (path string, file uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file = s.man.File
	s.man.File++
	return filepath.Join(s.dir, segmentName(file)), file
}

// flush makes the frozen table a segment, if there is one.
func (s *Store) flush(ctx context.Context) error {
	s.jobs.Lock()
	defer s.jobs.Unlock()
	s.mu.RLock()
	if s.frozen == nil || s.closed {
		s.mu.RUnlock()
		return nil
	}
	entries, gone := s.frozen.entries(), slices.Clone(s.frozen.gone)
	first, number := s.logFile, s.mem.base
	s.mu.RUnlock()
	var made []*segment
	var files []uint64
	for len(entries) > 0 || len(gone) > 0 {
		if err := ctx.Err(); err != nil {
			drop(made)
			return fmt.Errorf("disk: %w", err)
		}
		n := len(entries)
		if n > 0 {
			end := entries[0].Number + mostNumbers
			n, _ = slices.BinarySearchFunc(entries, end, func(e *index.Entry, end uint64) int {
				if e.Number < end {
					return -1
				}
				return 1
			})
		}
		path, file := s.newFile()
		err := writeSegment(path, entries[:n], gone)
		var g *segment
		if err == nil {
			g, err = openSegment(path, segmentName(file))
		}
		if err != nil {
			drop(made)
			return err
		}
		made, files = append(made, g), append(files, file)
		entries, gone = entries[n:], nil
	}
	return s.install(func(m *manifest) {
		m.Segments = append(slices.Clone(m.Segments), files...)
		m.Log, m.Number = first, number
	}, func() error {
		s.segments = append(slices.Clone(s.segments), made...)
		s.frozen = nil
		s.thawed.Broadcast()
		for _, number := range s.mem.gone { // those deleted while it was frozen among them
			if err := s.bury(number); err != nil {
				return err
			}
		}
		return nil
	}, made)
}

// drop removes segments that came to nothing.
func drop(made []*segment) {
	for _, g := range made {
		g.remove.Store(true)
		g.release()
	}
}

// install writes the manifest that change makes of the present one and then takes the state to it by swap,
// which runs under the lock on mu. The caller holds the lock on jobs. Logs that do not count any
// more are removed; after an error so are the segments that were made.
func (s *Store) install(change func(*manifest), swap func() error, made []*segment) error {
	s.mu.RLock()
	m, before := s.man, s.man.Log
	s.mu.RUnlock()
	change(&m)
	err := syncDir(s.dir)
	if err == nil {
		err = m.write(s.dir)
	}
	if err != nil {
		drop(made)
		return err
	}
	s.mu.Lock()
	m.File = max(m.File, s.man.File)
	s.man = m
	err = swap()
	s.mu.Unlock()
	for file := before; file < m.Log; file++ {
		if e := os.Remove(filepath.Join(s.dir, logName(file))); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("disk: %w", e))
		}
	}
	return err
}

// Segments are merged when there are mergeFrom of them at the end, none of which is more than
// twice as large as all after it: so a document is written a few times, the logarithm of the size
// of the index to base mergeFrom.
const mergeFrom = 4

// tidy merges neighbouring segments while there are many of a size.
func (s *Store) tidy(ctx context.Context) error {
	s.jobs.Lock()
	defer s.jobs.Unlock()
	for {
		s.mu.RLock()
		all, closed := s.segments, s.closed
		s.mu.RUnlock()
		from := len(all)
		for sum := int64(0); from > 0; from-- {
			g := all[from-1]
			if sum > 0 && g.foot.Docs > 2*sum || all[len(all)-1].foot.Last-g.foot.Base >= mostNumbers {
				break
			}
			sum += g.foot.Docs
		}
		if closed || len(all)-from < mergeFrom {
			return nil
		}
		if err := s.merge(ctx, all[from:]); err != nil {
			return err
		}
	}
}

// Merge makes what is in the log a segment, and of neighbouring segments one, as far as their numbers
// lie within 2^24 of each other. What was deleted is gone from disk afterwards.
func (s *Store) Merge(ctx context.Context) error {
	s.write.Lock()
	s.mu.Lock()
	err := s.check(ctx, true)
	if err == nil && s.o.ReadOnly {
		err = fmt.Errorf("disk: %s: %w", s.dir, index.ErrReadOnly)
	}
	if err == nil && (s.mem.live > 0 || len(s.mem.gone) > 0 || s.log.size > 0) {
		err = s.rotate(ctx)
	}
	s.mu.Unlock()
	s.write.Unlock()
	if err != nil {
		return err
	}
	if err := s.flush(ctx); err != nil {
		return err
	}
	s.jobs.Lock()
	defer s.jobs.Unlock()
	s.mu.RLock()
	left := s.segments
	s.mu.RUnlock()
	for len(left) > 0 {
		n, dead := 0, int64(0)
		for n < len(left) && left[n].foot.Last-left[0].foot.Base < mostNumbers {
			s.mu.RLock()
			dead += left[n].dead
			s.mu.RUnlock()
			n++
		}
		if n > 1 || dead > 0 || left[0].foot.Docs == 0 {
			if err := s.merge(ctx, left[:n]); err != nil {
				return err
			}
		}
		left = left[n:]
	}
	return nil
}

// merge makes one segment of neighbouring ones, without what is deleted. The caller holds the lock on
// jobs.
func (s *Store) merge(ctx context.Context, group []*segment) error {
	first, last := group[0].foot.Base, group[len(group)-1].foot.Last
	s.mu.RLock()
	dead := slices.Clone(s.dead)
	var gone []uint64
	for _, g := range group {
		for _, number := range g.gone {
			// Those of the group are left out of it, and others may be long gone.
			if t := s.segmentOf(number); t != nil && !(first <= number && number <= last) {
				gone = append(gone, number)
			}
		}
	}
	s.mu.RUnlock()
	slices.Sort(gone)
	isDead := func(number uint64) bool {
		return number/64 < uint64(len(dead)) && dead[number/64]>>(number%64)&1 == 1
	}
	path, file := s.newFile()
	b, err := newBuilder(path, first)
	if err != nil {
		return err
	}
	if err := copyLive(ctx, b, group, isDead); err != nil {
		b.abandon()
		return err
	}
	if err := b.finish(slices.Compact(gone)); err != nil {
		return err
	}
	var made []*segment
	var files []uint64
	if b.foot.Docs > 0 || len(gone) > 0 {
		g, err := openSegment(path, segmentName(file))
		if err != nil {
			os.Remove(path)
			return err
		}
		made, files = []*segment{g}, []uint64{file}
	} else if err := os.Remove(path); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	return s.install(func(m *manifest) {
		at := slices.Index(s.segments, group[0])
		m.Segments = slices.Replace(slices.Clone(m.Segments), at, at+len(group), files...)
	}, func() error {
		at := slices.Index(s.segments, group[0])
		s.segments = slices.Replace(slices.Clone(s.segments), at, at+len(group), made...)
		for _, g := range made {
			g.dead = s.buriedSince(dead, first, last)
		}
		var err error
		for _, g := range group {
			g.remove.Store(true)
			err = errors.Join(err, g.release())
		}
		return err
	}, made)
}

// buriedSince counts the numbers from first to last that are marked deleted now and were not in before.
func (s *Store) buriedSince(before []uint64, first, last uint64) int64 {
	n := 0
	for w := first / 64; w <= last/64 && w < uint64(len(s.dead)); w++ {
		now := s.dead[w]
		if w < uint64(len(before)) {
			now &^= before[w]
		}
		if w == first/64 {
			now &= ^uint64(0) << (first % 64)
		}
		if w == last/64 {
			now &= ^uint64(0) >> (63 - last%64)
		}
		n += bits.OnesCount64(now)
	}
	return int64(n)
}
