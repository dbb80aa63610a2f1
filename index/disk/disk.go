// Package disk keeps an index in a directory. It needs no server: it is the
// backend for one machine.
//
// Documents are in segments, immutable files that are mapped into memory. A
// posting takes a little more than 11 bytes: the word and three bytes of the
// number. A query reads one block of some two kilobytes for each of its buckets
// and segments. Later additions and deletions are in a log and in memory. When
// the log has grown to Options.LogBytes, it becomes a segment, and neighbouring
// segments are merged, in the background. A segment has numbers from a range of
// 2^24, so an index of a hundred million documents has six or seven.
//
// The log is this package's own: batches with checksums, appended and made
// durable (fdatasync) before they are acknowledged. An embedded store could do
// that, but brings a second index of what the segments index already, and more
// code than this package has (Pebble some sixty modules). bbolt rewrites pages
// at random, which at batches of a thousand documents is several times the
// bytes. tidwall/wal is a log of about this size, with an index of its entries
// that nothing here would read.
//
// After a crash or kill -9 at any moment the index has every acknowledged
// batch, and all or nothing of any other. The manifest says which files belong
// to the index; it is replaced by renaming. If a log ends inside a batch,
// opening the index for writing moves that end to a file of its own (see
// [Store.Notes]).
//
// Any other damage is an error that wraps similarity.ErrFormat: changed bytes,
// and missing, exchanged or old files. Opening the index finds damage of the
// manifest, of logs, and of footers and directories of segments. The index then
// does not open until [Repair] has dropped what is damaged. Damage of another
// block of a segment is found when the block is read, or by Verify. Two things
// cannot be detected: an old copy of the whole directory and, if a writer was
// killed since, an old copy of the log that was open.
//
// One process writes, and a second is refused (index.ErrLocked). Any number of
// processes read. Each sees the state at the time it opened the index. Additions
// run one after the other, so exactly one of two concurrent calls of
// Index.AddIfNew adds nearly equal documents.
//
// Memory holds the directories (16 bytes per two kilobytes of postings and per
// sixteen documents), a bit for each number that was ever given and is deleted,
// and the documents of the log.
//
// The command alike opens it by a URL, disk:DIR. Scoring, and what backends
// have in common, belong to package index.
package disk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/durable"
)

// Options configures a Store. The zero value is a sound default.
type Options struct {
	// ReadOnly opens the index beside a writer, without a lock. The store shows the
	// state at the time of Open.
	ReadOnly bool

	// LogBytes is the length in bytes at which a log becomes a segment, at most
	// 1 GiB. Zero means 64 MiB. The documents of a log take some five times as much
	// memory, twice that while it becomes a segment, and a second or two to read when
	// the index is opened.
	LogBytes int64

	// LoadMemory is a budget in bytes for the records that Load, or a log that becomes a
	// segment, sorts. Zero means 1 GiB. The process takes up to three times as much
	// until its garbage is collected.
	LoadMemory int64
}

const mostLogBytes = 1 << 30

// Store is an index in a directory. It is safe for concurrent use, except Close.
type Store struct {
	dir  string
	o    Options
	lock *os.File // nil if read-only

	// jobs is held while segments are made or merged, write while documents are
	// added or deleted, files while the manifest is replaced. They are taken in the
	// order jobs, write, files, mu.
	jobs  sync.Mutex
	write sync.Mutex
	files sync.Mutex

	mu       sync.RWMutex
	man      manifest // Number and File as last written; File moves on with every new file
	made     bool     // there is a manifest
	segments []*segment
	frozen   *memtable // being made a segment
	mem      *memtable
	log      *log
	end      logEnd   // of the last log, when it was read
	notes    []string // see Notes
	number   uint64   // the next
	dead     []uint64 // a bit for each number that was deleted
	failed   error    // what kept the background from making or merging segments
	unsure   error    // of replacing the manifest: the old or the new one is on disk
	closed   bool

	kick   chan struct{} // to the background: there is a frozen table
	thawed *sync.Cond    // on mu: frozen is nil again, or it failed
	worker sync.WaitGroup
	stop   context.CancelFunc
}

var (
	_ index.Store  = (*Store)(nil)
	_ index.Loader = (*Store)(nil)
)

// Open opens the index in a directory. For writing it makes the directory if there
// is none. The error wraps
//
//   - index.ErrLocked if another process, or another Store of this one, has the
//     index open for writing,
//   - index.ErrNone if the index is to be read and there is none,
//   - similarity.ErrFormat if a file is damaged, missing or not the one that
//     belongs there. Open changes nothing then.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if o.LogBytes < 0 || o.LogBytes > mostLogBytes {
		return nil, fmt.Errorf("disk: LogBytes is %d, want 0 to %d", o.LogBytes, int64(mostLogBytes))
	}
	if o.LoadMemory < 0 {
		return nil, fmt.Errorf("disk: LoadMemory is %d, want 0 or more", o.LoadMemory)
	}
	o.LogBytes, o.LoadMemory = cmp.Or(o.LogBytes, 64<<20), cmp.Or(o.LoadMemory, 1<<30)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	s := &Store{dir: dir, o: o, kick: make(chan struct{}, 1)}
	s.thawed = sync.NewCond(&s.mu)
	if o.ReadOnly {
		s.stop = func() {}
		if err := s.readState(ctx); err != nil {
			return nil, err
		}
		return s, nil
	}
	if err := s.takeLock(); err != nil {
		return nil, err
	}
	err := s.readState(ctx)
	if errors.Is(err, index.ErrNone) {
		err = nil
	} else if err == nil {
		if err = s.sweep(); err == nil {
			err = s.openLog()
		}
	}
	if err != nil {
		s.release()
		return nil, err
	}
	background, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.worker.Go(func() { s.background(background) })
	return s, nil
}

func (s *Store) takeLock() error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	lock, err := durable.Lock(filepath.Join(s.dir, lockName))
	if errors.Is(err, durable.ErrBusy) {
		err = fmt.Errorf("%s: %w", s.dir, index.ErrLocked)
	}
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	s.lock = lock
	return nil
}

// readState reads the manifest, its segments and logs into a store that has none.
// If a writer replaces them meanwhile, it begins again.
func (s *Store) readState(ctx context.Context) error {
	for {
		m, err := readManifest(s.dir)
		if err != nil {
			return err
		}
		err = s.readFiles(ctx, m)
		if err == nil || !s.o.ReadOnly || !replacedSince(s.dir, m) {
			return err
		}
	}
}

// replacedSince reports whether a writer has replaced a manifest since it was
// read. An error about one of its files then means nothing.
func replacedSince(dir string, m manifest) bool {
	now, err := readManifest(dir)
	return err == nil && !reflect.DeepEqual(now, m)
}

// readFiles loads the state that a manifest, its segments and its logs describe.
func (s *Store) readFiles(ctx context.Context, m manifest) (err error) {
	defer func() {
		if err != nil {
			for _, g := range s.segments {
				g.release()
			}
			s.segments, s.dead = nil, nil
		}
	}()
	m.Segments, m.Logs = slices.Clone(m.Segments), slices.Clone(m.Logs)
	next := uint64(0) // minimum number of the next segment's documents
	for i, ref := range m.Segments {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("disk: %w", err)
		}
		g, err := ref.open(s.dir)
		if err != nil {
			return err
		}
		s.segments = append(s.segments, g)
		if next, err = g.inOrder(next, m.Number); err != nil {
			return err
		}
		m.Segments[i] = g.ref() // version 1 has only the number of the file
	}
	if err := m.checkStrays(s.dir); err != nil {
		return err
	}
	mem := newMemtable(m.Number)
	number, removed := m.Number, uint64(0) // the next, and the maximum that a log deletes
	var end logEnd
	for i, ref := range m.Logs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("disk: %w", err)
		}
		var bad bool
		end, err = m.replay(s.dir, i, func(e *index.Entry) {
			if bad = bad || !follows(e.Number, number); !bad {
				mem.add(e)
				number = e.Number + 1
			}
		}, func(n uint64) {
			mem.remove(n)
			removed = max(removed, n)
		})
		if err == nil && bad {
			err = damaged("disk: %s: the numbers of documents do not ascend", filepath.Join(s.dir, logName(ref.File)))
		}
		if err != nil {
			return err
		}
		if ref.Old {
			m.Logs[i].Batches = end.batches
		}
	}
	if follows(removed+1, number) {
		number = removed + 1 // Repair has dropped the batch that added it
	}
	gone := slices.Clone(mem.gone)
	for _, g := range s.segments {
		gone = append(gone, g.gone...)
	}
	for _, number := range gone {
		if err := s.bury(number); err != nil {
			return err
		}
	}
	s.man, s.made, s.mem, s.number, s.end = m, true, mem, number, end
	if end.torn > 0 && s.o.ReadOnly {
		s.notes = []string{fmt.Sprintf("%s ends inside batch %d: a writer is at work, or was killed there", logName(m.Logs[len(m.Logs)-1].File), end.batches+1)}
	}
	for _, ref := range m.Logs {
		s.man.File = max(s.man.File, ref.File+1)
	}
	return nil
}

// follows reports whether a document's number may come next in a log.
func follows(number, next uint64) bool { return number >= next && number-next <= mostNumbers }

// openLog opens the last log for appending. It sets a torn end aside. After a log
// of version 1 it begins a new log.
func (s *Store) openLog() error {
	ref := s.man.Logs[len(s.man.Logs)-1]
	name := logName(ref.File)
	if s.end.torn > 0 {
		aside, err := setAside(s.dir, name, s.end.size)
		if err != nil {
			return err
		}
		s.notes = append(s.notes, fmt.Sprintf("%s ended inside batch %d, as a killed writer leaves it: its last %d bytes are now in %s", name, s.end.batches+1, s.end.torn, aside))
	}
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("disk: log: %w", err)
	}
	if err = f.Truncate(s.end.size); err == nil {
		_, err = f.Seek(s.end.size, io.SeekStart)
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil || ref.Old {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("disk: log: %w", err)
	}
	if ref.Old {
		s.man.Version, s.man.ID = manifestVersion, newID()
		return s.beginLog(func(*manifest) {}, func() {}, nil)
	}
	s.log = &log{f: f, file: ref.File, header: logIdentity{s.man.ID, ref.File}.header(), size: s.end.size, batches: s.end.batches}
	return nil
}

// beginLog makes a new log and installs a manifest that names it last. See install
// for change, swap and made. The caller holds the lock on write, or the store is
// being opened.
func (s *Store) beginLog(change func(*manifest), swap func(), made []*segment) error {
	s.mu.Lock()
	id := logIdentity{s.man.ID, s.man.File}
	s.man.File++
	s.mu.Unlock()
	l, err := newLog(s.dir, id)
	if err != nil {
		drop(made)
		return err
	}
	before := s.log
	err = s.install(func(m *manifest) {
		change(m)
		m.Logs = append(slices.Clone(m.Logs), logRef{File: id.file})
	}, func() error {
		s.log = l
		swap()
		if before == nil {
			return nil
		}
		return before.f.Close()
	}, made)
	if err != nil && s.log != l {
		err = errors.Join(err, l.f.Close())
		if s.unsure == nil {
			err = errors.Join(err, os.Remove(l.f.Name()))
		}
	}
	return err
}

// setAside copies a file, from an offset on, to a new file and returns its name.
// No command removes that file.
func setAside(dir, name string, from int64) (aside string, err error) {
	src, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return "", fmt.Errorf("disk: %w", err)
	}
	defer src.Close()
	aside = freeAside(dir, name)
	dst, err := os.OpenFile(filepath.Join(dir, aside), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", fmt.Errorf("disk: %w", err)
	}
	if _, err = src.Seek(from, io.SeekStart); err == nil {
		_, err = io.Copy(dst, src)
	}
	if err = errors.Join(err, dst.Sync(), dst.Close()); err == nil {
		err = durable.SyncDir(dir)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("disk: %s: %w", aside, err), os.Remove(dst.Name()))
	}
	return aside, nil
}

// freeAside returns the name under which damaged bytes of a file are kept.
func freeAside(dir, name string) string {
	aside := name + ".damaged"
	for i := 2; exists(dir, aside); i++ {
		aside = fmt.Sprintf("%s.%d.damaged", name, i)
	}
	return aside
}

// sweep removes what earlier processes have left: files that do not belong to the
// index. The caller has checked that there are no stray logs.
func (s *Store) sweep() error {
	keep := map[string]bool{}
	for _, ref := range s.man.Segments {
		keep[segmentName(ref.File)] = true
	}
	for _, ref := range s.man.Logs {
		keep[logName(ref.File)] = true
	}
	logs, err := listed(s.dir, logName)
	if err != nil {
		return err
	}
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	for _, f := range files {
		name := f.Name()
		ours := strings.HasSuffix(name, ".segment") || strings.HasSuffix(name, ".new") || strings.HasPrefix(name, "run-") ||
			slices.ContainsFunc(logs, func(file uint64) bool { return logName(file) == name })
		if ours && !keep[name] {
			if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
				return fmt.Errorf("disk: %w", err)
			}
		}
	}
	return nil
}

// Notes returns what opening the index has found and what it did about it, a line
// each: the torn end of a log, as a killed writer leaves it.
func (s *Store) Notes() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.notes)
}

// Create makes an index under the header.
func (s *Store) Create(ctx context.Context, header []byte) error {
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	err := cmp.Or(s.check(ctx, false), s.unsure)
	made := s.made
	if err == nil && made && !bytes.Equal(s.man.Header, header) {
		err = fmt.Errorf("disk: %s: %w", s.dir, index.ErrExists)
	}
	if err == nil && !made && s.o.ReadOnly {
		err = fmt.Errorf("disk: %s: %w", s.dir, index.ErrReadOnly)
	}
	if err == nil && !made {
		s.man = manifest{Version: manifestVersion, ID: newID(), Header: bytes.Clone(header), File: 1, Number: 1}
		// An earlier Create may have ended before it wrote a manifest.
		if err = os.Remove(filepath.Join(s.dir, logName(1))); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	s.mu.Unlock()
	if err != nil || made {
		return err
	}
	return s.beginLog(func(*manifest) {}, func() { s.made, s.mem, s.number = true, newMemtable(1), 1 }, nil)
}

// Header returns the header.
func (s *Store) Header(ctx context.Context) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx, true); err != nil {
		return nil, err
	}
	return bytes.Clone(s.man.Header), nil
}

// check returns an error if the context is done, the store is closed, or an
// index is needed and there is none.
func (s *Store) check(ctx context.Context, needed bool) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	if s.closed {
		return fmt.Errorf("disk: %s: %w", s.dir, index.ErrClosed)
	}
	if needed && !s.made {
		return fmt.Errorf("disk: %s: %w", s.dir, index.ErrNone)
	}
	return nil
}

// writable returns an error if the index cannot be changed.
func (s *Store) writable(ctx context.Context) error {
	if err := s.check(ctx, true); err != nil {
		return err
	}
	if s.o.ReadOnly {
		return fmt.Errorf("disk: %s: %w", s.dir, index.ErrReadOnly)
	}
	return cmp.Or(s.unsure, s.log.err)
}

// Serial returns true: there is one writer.
func (s *Store) Serial() bool { return true }

// Close waits for the background to stop, writes to the manifest how many batches
// the log has, and releases the lock. What was acknowledged stays, even if Close
// returns an error.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.thawed.Broadcast()
	s.mu.Unlock()
	s.stop()
	s.worker.Wait()
	s.write.Lock()
	defer s.write.Unlock()
	err := s.noteBatches()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(err, s.release())
}

// noteBatches writes to the manifest how many batches the log has. A log that is
// shorter later is then damaged.
func (s *Store) noteBatches() error {
	if s.log == nil || s.log.err != nil || s.unsure != nil || s.man.Logs[len(s.man.Logs)-1].Batches == s.log.batches {
		return nil
	}
	return s.install(s.countBatches, func() error { return nil }, nil)
}

// countBatches sets how many batches the log has.
func (s *Store) countBatches(m *manifest) {
	m.Logs = slices.Clone(m.Logs)
	m.Logs[len(m.Logs)-1].Batches = s.log.batches
}

// release closes all files.
func (s *Store) release() error {
	var err error
	for _, g := range s.segments {
		err = errors.Join(err, g.release())
	}
	s.segments, s.mem, s.frozen = nil, nil, nil
	if s.log != nil {
		err = errors.Join(err, s.log.f.Close())
		s.log = nil
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
		s.lock = nil
	}
	if err != nil {
		return fmt.Errorf("disk: close: %w", err)
	}
	return nil
}

// release gives up a segment. The last holder closes it.
func (s *segment) release() error {
	if s.holders.Add(-1) > 0 {
		return nil
	}
	err := s.src.Close()
	if s.remove.Load() {
		err = errors.Join(err, os.Remove(s.path))
	}
	return err
}
