package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/similarity"
)

// Repair returns what is damaged in the index in a directory and what is lost
// with it, a line each. It returns nothing if the index is whole. If apply is
// true, it drops what is damaged and keeps the rest, so that the index opens
// again. It keeps damaged files and the old manifest under their names with the
// suffix .damaged.
//
// Repair keeps all whole batches of logs, also those behind damage. It keeps or
// drops a segment as a whole. To keep a damaged segment, first replace its file
// with a copy from any backup. Documents may come back if what deleted or
// replaced them is lost. A damaged manifest is an error: only a copy of it
// helps.
//
// The error wraps index.ErrNone if there is no index, and index.ErrLocked if a
// writer has it.
func Repair(ctx context.Context, dir string, apply bool) (lost []string, err error) {
	// Taking the lock makes a file. Where there is no index, nothing is made.
	if _, err := readManifest(dir); errors.Is(err, similarity.ErrFormat) {
		return nil, fmt.Errorf("%w: that cannot be repaired: put a copy of %s from a backup there, or import an export into a new index", err, manifestName)
	} else if err != nil {
		return nil, err
	}
	s := &Store{dir: dir}
	if err := s.takeLock(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.release()) }()
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	kept, lost, err := wholeSegments(ctx, dir, &m)
	if err != nil {
		return nil, err
	}
	lostBatches, err := eachBatch(ctx, dir, m, nil, nil)
	lost = append(lost, lostBatches...)
	if err != nil || len(lost) == 0 || !apply {
		return lost, err
	}
	if m.Version != manifestVersion {
		m.Version, m.ID = manifestVersion, newID()
	}
	m.Segments = kept
	_, err = setAside(dir, manifestName, 0)
	if err == nil && len(lostBatches) > 0 {
		err = m.rewriteLogs(ctx, dir)
	}
	if err == nil {
		err = m.setSegmentsAside(dir)
	}
	if err == nil {
		_, err = m.write(dir)
	}
	if err == nil {
		s.man = m
		err = s.sweep()
	}
	if err != nil {
		return lost, fmt.Errorf("disk: repair: %w", err)
	}
	return lost, nil
}

// exists reports whether there is a file of the name.
func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// wholeSegments returns the segments without damage, and what is lost with the
// others, a line each.
func wholeSegments(ctx context.Context, dir string, m *manifest) (whole []segmentRef, lost []string, err error) {
	next := uint64(0)
	for i, ref := range m.Segments {
		g, err := ref.open(dir)
		if err == nil {
			if err = g.verify(ctx); err == nil {
				next, err = g.inOrder(next, m.Number)
			}
			m.Segments[i] = g.ref()
			g.release()
		}
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("disk: %w", ctx.Err())
		}
		if err == nil {
			whole = append(whole, m.Segments[i])
		} else {
			if what := err.Error(); exists(dir, segmentName(ref.File)) {
				lost = append(lost, fmt.Sprintf("%s: %s are lost", what, ref.holds()))
			} else {
				lost = append(lost, what) // it says what is lost
			}
		}
	}
	return whole, lost, nil
}

// eachBatch calls keep with each whole batch of the logs, in order, with room for
// the head before it. It calls damaged with the name of each log that also has
// other bytes. It returns what is lost, a line each.
func eachBatch(ctx context.Context, dir string, m manifest, keep func(batch []byte) error, damaged func(name string) error) (lost []string, err error) {
	strays, err := m.strays(dir)
	if err != nil {
		return nil, err
	}
	m.Logs = slices.Clone(m.Logs)
	for _, file := range strays {
		m.Logs = append(m.Logs, logRef{File: file})
		lost = append(lost, strayed(filepath.Join(dir, logName(file))).Error())
	}
	number := m.Number
	for i, ref := range m.Logs {
		name := logName(ref.File)
		path := filepath.Join(dir, name)
		l, f, err := m.openLog(dir, i)
		if err != nil {
			if exists(dir, name) {
				return nil, err
			}
			lost = append(lost, missing(err, path, ref.holds()).Error())
			continue
		}
		whole := true
		err = l.walk(func(off int64, b batch) error {
			next, ascend := number, true
			ok := readOps(b.body, func(e *index.Entry) {
				ascend = ascend && follows(e.Number, next)
				next = e.Number + 1
			}, nil)
			if !ok || !ascend {
				whole = false
				lost = append(lost, fmt.Sprintf("disk: %s: batch %d at byte %d does not follow the ones before: it is lost", path, b.number, off))
				return nil
			}
			number = next
			if keep == nil {
				return ctx.Err()
			}
			return errors.Join(keep(append(make([]byte, batchHead), b.body...)), ctx.Err())
		}, func(g gap) error {
			whole = false
			if !g.torn {
				lost = append(lost, fmt.Sprintf("disk: %s: %v", path, g))
			}
			return nil
		})
		if err == nil && !whole && damaged != nil {
			err = damaged(name)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("disk: %s: %w", path, err)
		}
	}
	return lost, nil
}

// setSegmentsAside renames the segments that the manifest does not name. If the
// manifest is an old copy, they may have documents.
func (m *manifest) setSegmentsAside(dir string) error {
	all, err := listed(dir, segmentName)
	if err != nil {
		return err
	}
	for _, file := range all {
		if slices.ContainsFunc(m.Segments, func(ref segmentRef) bool { return ref.File == file }) {
			continue
		}
		name := segmentName(file)
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, freeAside(dir, name))); err != nil {
			return err
		}
	}
	return nil
}

// rewriteLogs writes the whole batches of all logs to a new log, copies the
// damaged logs aside, and makes the manifest name only the new log.
func (m *manifest) rewriteLogs(ctx context.Context, dir string) error {
	logs, err := listed(dir, logName)
	if err != nil {
		return err
	}
	id := logIdentity{m.ID, m.File}
	for _, file := range logs {
		id.file = max(id.file, file+1)
	}
	l, err := newLog(dir, id)
	if err != nil {
		return err
	}
	_, err = eachBatch(ctx, dir, *m, l.write, func(name string) error {
		_, err := setAside(dir, name, 0)
		return err
	})
	if err == nil {
		err = l.f.Sync()
	}
	err = errors.Join(err, l.f.Close())
	if err == nil {
		err = durable.SyncDir(dir)
	}
	if err != nil {
		return errors.Join(err, os.Remove(l.f.Name()))
	}
	m.Logs, m.File = []logRef{{File: id.file, Batches: l.batches}}, id.file+1
	return nil
}
