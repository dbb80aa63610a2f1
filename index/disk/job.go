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
	"github.com/alike-go/alike/internal/durable"
)

// background makes segments of frozen tables, and merges segments, until the
// context is done.
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

// newFile returns the path and the number of the next segment to write.
func (s *Store) newFile() (path string, file uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file = s.man.File
	s.man.File++
	return filepath.Join(s.dir, segmentName(file)), file
}

// flush makes segments of the frozen table, if there is one.
func (s *Store) flush(ctx context.Context) error {
	s.jobs.Lock()
	defer s.jobs.Unlock()
	s.mu.RLock()
	if s.frozen == nil || s.closed {
		s.mu.RUnlock()
		return nil
	}
	entries, gone := s.frozen.entries(), slices.Clone(s.frozen.gone)
	first, number := s.log.file, s.mem.base
	s.mu.RUnlock()
	var made []*segment
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
		err := s.writeSegment(ctx, path, entries[:n], gone)
		var g *segment
		if err == nil {
			g, err = openSegment(s.dir, file)
		}
		if err != nil {
			drop(made)
			return err
		}
		made = append(made, g)
		entries, gone = entries[n:], nil
	}
	return s.install(func(m *manifest) {
		m.Segments = append(slices.Clone(m.Segments), refs(made)...)
		m.Logs = slices.DeleteFunc(slices.Clone(m.Logs), func(l logRef) bool { return l.File < first })
		m.Number = number
	}, func() error {
		s.segments = append(slices.Clone(s.segments), made...)
		s.frozen = nil
		s.thawed.Broadcast()
		for _, number := range s.mem.gone { // also those that were deleted while it was frozen
			if err := s.bury(number); err != nil {
				return err
			}
		}
		return nil
	}, made)
}

// drop removes segments that no manifest names.
func drop(made []*segment) {
	for _, g := range made {
		g.remove.Store(true)
		g.release()
	}
}

// install applies change to a copy of the manifest and writes it. Then it calls
// swap, under the lock on mu, to change the state in memory. It removes the logs
// that the new manifest no longer names. After an error it removes the segments
// that were made, unless the manifest may name them.
func (s *Store) install(change func(*manifest), swap func() error, made []*segment) error {
	s.files.Lock()
	defer s.files.Unlock()
	s.mu.RLock()
	m, before := s.man, s.man.Logs
	err := s.unsure
	s.mu.RUnlock()
	change(&m)
	if err == nil {
		err = durable.SyncDir(s.dir)
	}
	replaced := false
	if err == nil {
		replaced, err = m.write(s.dir)
	}
	if err != nil && !replaced {
		drop(made)
		return err
	}
	s.mu.Lock()
	if err != nil {
		s.unsure = err
		s.mu.Unlock()
		for _, g := range made {
			g.release()
		}
		return err
	}
	m.File = max(m.File, s.man.File)
	s.man = m
	err = swap()
	s.mu.Unlock()
	for _, ref := range before {
		if slices.ContainsFunc(m.Logs, func(l logRef) bool { return l.File == ref.File }) {
			continue
		}
		if e := os.Remove(filepath.Join(s.dir, logName(ref.File))); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("disk: %w", e))
		}
	}
	return err
}

// refs returns how a manifest names segments.
func refs(all []*segment) []segmentRef {
	var out []segmentRef
	for _, g := range all {
		out = append(out, g.ref())
	}
	return out
}

// Segments are merged when there are mergeFrom of them at the end, and each is at
// most twice as large as all after it. So a document is written a few times: the
// logarithm of the size of the index to base mergeFrom.
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

// Merge makes a segment of the log, and merges neighbouring segments if their
// numbers lie within 2^24 of each other. What was deleted is gone from disk
// afterwards.
func (s *Store) Merge(ctx context.Context) error {
	s.write.Lock()
	s.mu.Lock()
	err := s.writable(ctx)
	filled := err == nil && (s.mem.live > 0 || len(s.mem.gone) > 0 || s.log.batches > 0)
	s.mu.Unlock()
	if filled {
		err = s.rotate(ctx)
	}
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

// merge makes one segment of neighbouring ones, without what is deleted. The
// caller holds the lock on jobs.
func (s *Store) merge(ctx context.Context, group []*segment) error {
	// The range of the group is that of its documents: a segment of deletions alone
	// has none, whatever its foot says.
	first, last := uint64(1), uint64(0)
	for _, g := range group {
		if g.foot.Docs > 0 {
			if last == 0 {
				first = g.foot.Base
			}
			last = g.foot.Last
		}
	}
	s.mu.RLock()
	dead := slices.Clone(s.dead)
	var gone []uint64
	for _, g := range group {
		for _, number := range g.gone {
			// The merged segment leaves out those of the group, and others may be long
			// gone.
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
	if b.foot.Docs > 0 || len(gone) > 0 {
		g, err := openSegment(s.dir, file)
		if err != nil {
			os.Remove(path)
			return err
		}
		made = []*segment{g}
	} else if err := os.Remove(path); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	return s.install(func(m *manifest) {
		at := slices.Index(s.segments, group[0])
		m.Segments = slices.Replace(slices.Clone(m.Segments), at, at+len(group), refs(made)...)
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

// buriedSince counts the numbers from first to last that are marked deleted now
// and were not in before.
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
